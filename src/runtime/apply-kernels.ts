/**
 * Applications of a goal on test kernels: shapes from the goal's types, a copy of every input, and a look at what came back.
 */
import type { CaseValue } from '../math/compile/compiled.ts';
import { decidesLength, lengthName } from '../math/term/sequences.ts';
import type { Type } from '../math/term/term.ts';
import { makeType } from '../math/term/types.ts';
import type { KernelRun } from './check-case.ts';
import { scalarFunction, type ScalarFunction } from './generate/scalar-function.ts';
import type { TestKernels } from './test-kernel.ts';
import type { TestableApplication, TestableGoal } from './testable-goal.ts';

type ShapeFunction = (lookup: (name: string) => number) => readonly number[];

/** A vector has its actual length, however it was computed; for higher ranks the type gives the axes. */
function argumentShape(type: Type): (value: CaseValue, lookup: (name: string) => number) => readonly number[] {
  if (type.kind === 'tensor' && type.shape.length === 1)
    return (value) => (typeof value === 'object' ? [value.length] : []);
  const shape = shapeFunction(type);
  return (_value, lookup) => shape(lookup);
}

function shapeFunction(type: Type): ShapeFunction {
  const axes: readonly ScalarFunction[] = type.kind === 'tensor' ? type.shape.map(scalarFunction) : [];
  return (lookup) => axes.map((axis) => axis(lookup));
}

/** Without the axes in front that a kernel runs over. */
function typeOfOneRun(type: Type, axes: number): Type {
  return type.kind === 'tensor' && axes > 0 ? makeType(type.element, type.shape.slice(axes)) : type;
}

function isSame(a: CaseValue, b: CaseValue): boolean {
  return typeof a !== 'object' || typeof b !== 'object' || a.every((x, i) => Object.is(x, b[i]));
}

function problem(kind: string, message: string): KernelRun {
  return { ok: false, problem: { kind, message } };
}

/** Runs application `index` for the goal's sizes. */
export type ApplyAtSizes = (
  index: number,
  args: readonly CaseValue[],
  sizes: readonly number[],
  goalSizes: readonly number[],
) => Promise<KernelRun>;

/** The goal's applications on `kernels`. What a kernel throws, changes or returns in a wrong length becomes a problem. */
export function applyKernels(goal: TestableGoal, kernels: TestKernels): ApplyAtSizes {
  const prepared = goal.applications.map((application) => prepare(application, kernels));
  /** How long the outputs of the current case are, where kernels decide it. */
  const lengths = new Map<string, number>();
  return async (index, args, sizes, goalSizes) => {
    const lookup = (name: string): number =>
      lengths.get(name) ?? goalSizes[goal.domain.sizes.findIndex((size) => size.name === name)] ?? NaN;
    const [run, application] = [prepared[index], goal.applications[index]];
    if (!run || !application) return problem('unsupported', 'there is no such application');
    const outcome = await run(args, sizes, lookup);
    if (outcome.ok && typeof outcome.output === 'object')
      lengths.set(lengthName(application.output), outcome.output.length);
    return outcome;
  };
}

function prepare(
  application: TestableApplication,
  kernels: TestKernels,
): (args: readonly CaseValue[], sizes: readonly number[], lookup: (name: string) => number) => Promise<KernelRun> {
  const kernel = Object.hasOwn(kernels, application.equation) ? kernels[application.equation] : undefined;
  const { each } = application;
  const argumentShapes = application.arguments.map(({ type }, i) =>
    argumentShape(each?.arguments[i] === true ? typeOfOneRun(type, each.sizes.length) : type),
  );
  const type = typeOfOneRun(application.type, each?.sizes.length ?? 0);
  const sequence = decidesLength(type, application.output);
  const outputShapeOf = sequence ? () => [] : shapeFunction(type);
  const unsized = sequence ? 'sequence' : type.kind === 'string' ? 'text' : null;
  const isTensor = type.kind === 'tensor';
  return async (args, sizes, lookup) => {
    if (!kernel) return problem('unsupported', `no kernel was given for ${application.equation}`);
    const copies = args.map((value) => (typeof value === 'object' ? value.slice() : value));
    const outputShape = outputShapeOf(lookup);
    const shapes = [...args.map((value, i) => argumentShapes[i]?.(value, lookup) ?? []), ...sizes.map(() => [])];
    const call = { arguments: [...copies, ...sizes], shapes, outputShape };
    let output: Float32Array | Float64Array | string;
    try {
      output = await kernel(unsized === null ? call : { ...call, output: unsized });
    } catch (thrown) {
      return problem('threw', `it threw: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
    const changed = args.findIndex((value, i) => !isSame(value, copies[i] ?? NaN));
    if (changed >= 0) return problem('mutated-input', `it changed its input number ${changed + 1}`);
    if (typeof output === 'string' || sequence) return { ok: true, output };
    const expected = outputShape.reduce((product, length) => product * length, 1);
    if (output.length !== expected)
      return problem('wrong-shape', `its output should have ${expected} elements but has ${output.length}`);
    return { ok: true, output: isTensor ? output : (output[0] ?? NaN) };
  };
}
