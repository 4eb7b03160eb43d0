/**
 * From the values of an equation's parameters to a call of the kernel bound to it.
 */
import { invariant } from '../base/invariant.ts';
import type { EquationModel } from '../contract/goal.ts';
import type { CaseValue } from '../math/compile/compiled.ts';
import { compileScalar, type CompiledScalar } from '../math/compile/scalar.ts';
import { isSequence } from '../math/term/sequences.ts';
import { elementTypeOf, shapeOf } from '../math/term/types.ts';
import type { Term, Type } from '../math/term/term.ts';
import { asArgument } from '../numeric/float.ts';
import { evaluateArgument } from './argument-expression.ts';
import type { ArgumentSource, BoundSubject } from './bound-subject.ts';
import type { KernelCall, KernelValue } from './kernel.ts';

/** Makes a call from sizes and values in the order of the equation's own. */
export type CallBuilder = (sizes: readonly number[], values: readonly CaseValue[]) => KernelCall;

/**
 * Builds calls of a subject. `sizes` are in the order of `model.sizes`, `values` in that of `model.parameters`; tensors
 * flat and row-major. Shapes are recomputed only when the sizes change.
 */
export function callBuilder(subject: Pick<BoundSubject, 'arguments' | 'output'>, model: EquationModel): CallBuilder {
  const shapesAt = shapesOf(model);
  let key: string | null = null;
  let shapes: Shapes = { parameters: [], result: [] };
  return (sizes, values) => {
    const now = sizes.join();
    if (now !== key) {
      shapes = shapesAt(sizes);
      key = now;
    }
    const scalar = (name: string): number => scalarNamed(model, sizes, values, name);
    return {
      arguments: subject.arguments.map((source) => argumentValue(source, model, sizes, values, scalar)),
      shapes: subject.arguments.map((source) =>
        source.kind === 'parameter' ? (shapes.parameters[source.index] ?? []) : [],
      ),
      outputShape:
        subject.output === null ? shapes.result : subject.output.map((size) => evaluateArgument(size, scalar)),
    };
  };
}

/** One call; {@link callBuilder} is cheaper for many. */
export function callFor(
  subject: BoundSubject,
  model: EquationModel,
  sizes: readonly number[],
  values: readonly CaseValue[],
): KernelCall {
  return callBuilder(subject, model)(sizes, values);
}

interface Shapes {
  readonly parameters: readonly (readonly number[])[];
  readonly result: readonly number[];
}

function shapesOf(model: EquationModel): (sizes: readonly number[]) => Shapes {
  const compile = (terms: readonly Term[]): readonly CompiledScalar[] => terms.map((term) => compileScalar(term));
  const parameters = model.parameters.map(({ type }) => compile(shapeOf(type)));
  const result = isSequence(model.result) ? [] : compile(shapeOf(model.result));
  return (sizes) => {
    const lookup = (name: string): number => sizes[model.sizes.indexOf(name)] ?? Number.NaN;
    const evaluate = (shape: readonly CompiledScalar[]): readonly number[] => shape.map((size) => size(lookup));
    return { parameters: parameters.map(evaluate), result: evaluate(result) };
  };
}

function scalarNamed(
  model: EquationModel,
  sizes: readonly number[],
  values: readonly CaseValue[],
  name: string,
): number {
  const size = model.sizes.indexOf(name);
  if (size >= 0) return sizes[size] ?? Number.NaN;
  const value = values[model.parameters.findIndex((parameter) => parameter.name === name)];
  return typeof value === 'number' ? value : Number.NaN;
}

function argumentValue(
  source: ArgumentSource,
  model: EquationModel,
  sizes: readonly number[],
  values: readonly CaseValue[],
  scalar: (name: string) => number,
): KernelValue {
  switch (source.kind) {
    case 'size':
      return sizes[source.index] ?? Number.NaN;
    case 'expression':
      return asArgument(evaluateArgument(source.expression, scalar));
    case 'parameter':
      return kernelValue(values[source.index], model.parameters[source.index]?.type);
  }
}

/** In the format that the equation declares, whatever the claim computed it in: of `f(⌊x⌋)` a kernel of floats gets floats. */
function kernelValue(value: CaseValue | undefined, type: Type | undefined): KernelValue {
  invariant(value !== undefined && type, 'a call has a value for every parameter');
  if (typeof value !== 'object') return value;
  if (elementTypeOf(type).kind === 'integer')
    // A value that is not an integer is unchanged.
    return value instanceof Int32Array || value.some((x) => (x | 0) !== x) ? floats(value) : Int32Array.from(value);
  return value instanceof Float32Array ? value : Float32Array.from(value);
}

const floats = (value: Float32Array | Float64Array | Int32Array): Float32Array | Int32Array =>
  value instanceof Float64Array ? Float32Array.from(value) : value;
