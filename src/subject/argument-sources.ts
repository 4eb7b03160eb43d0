import type { Located } from '../contract/contract.ts';
import type { EquationModel } from '../contract/goal.ts';
import { diagnostic, type Diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import type { Expression } from '../math/notation/syntax.ts';
import { elementTypeOf, isTensorType, shapeOf, typeText } from '../math/term/types.ts';
import { readArgument } from './argument-expression.ts';
import type { BindingRow } from './binding.ts';
import type { ArgumentSource } from './bound-subject.ts';
import { outputMisfit } from './output-fit.ts';

/** Where each argument of a function comes from. */
export interface CallPlan {
  readonly arguments: readonly ArgumentSource[];
  /** How many the function must take: all that the binding lists, else the equation's parameters without its sizes. */
  readonly required: number;
  readonly output: readonly Expression[] | null;
}

/** What a kernel is called with: as the binding's row says, else the equation's parameters and then its sizes. */
export function planCall(row: BindingRow, model: EquationModel): Staged<CallPlan> {
  const diagnostics: Diagnostic[] = [...unrunnable(row, model)];
  const scalars = new Set([
    ...model.sizes,
    ...model.parameters.filter(({ type }) => !isTensorType(type) && type.kind !== 'string').map(({ name }) => name),
  ]);
  const parameters = model.parameters.map((_, index): ArgumentSource => ({ kind: 'parameter', index }));
  const sizes = model.sizes.map((_, index): ArgumentSource => ({ kind: 'size', index }));
  const listed = row.arguments?.flatMap((argument) => readSource(argument, model, scalars, diagnostics));
  const output = row.output?.flatMap((size) => readSize(size, scalars, diagnostics)) ?? null;
  if (output && output.length > 3 && row.output?.[3])
    diagnostics.push(diagnostic('PV-5013', row.output[3].span, 'an output has at most three axes'));
  const misfit = output && diagnostics.length === 0 ? outputMisfit(row, model, output) : null;
  if (misfit) diagnostics.push(misfit);
  return {
    value: { arguments: listed ?? [...parameters, ...sizes], required: listed?.length ?? parameters.length, output },
    diagnostics,
  };
}

/** Inputs and outputs that no kernel can have: tensors of strings, and tensors with more than three axes. */
function unrunnable({ equation }: BindingRow, { parameters, result }: EquationModel): readonly Diagnostic[] {
  const values = [...parameters, { name: 'the result', type: result }];
  return values
    .filter(({ type }) => shapeOf(type).length > 3 || (isTensorType(type) && elementTypeOf(type).kind === 'string'))
    .map(({ name, type }) =>
      diagnostic('PV-5010', equation.span, `no kernel can compute ${equation.value}: ${name} ∈ ${typeText(type)}`, {
        hint: 'kernels take and return numbers, strings, and tensors of numbers of at most three axes',
      }),
    );
}

function readSource(
  argument: Located<string>,
  model: EquationModel,
  scalars: ReadonlySet<string>,
  diagnostics: Diagnostic[],
): readonly ArgumentSource[] {
  const text = argument.value.trim();
  const parameter = model.parameters.findIndex(({ name }) => name === text);
  if (parameter >= 0) return [{ kind: 'parameter', index: parameter }];
  const size = model.sizes.indexOf(text);
  if (size >= 0) return [{ kind: 'size', index: size }];
  return readSize(argument, scalars, diagnostics).map((expression) => ({ kind: 'expression', expression }));
}

function readSize(
  argument: Located<string>,
  scalars: ReadonlySet<string>,
  diagnostics: Diagnostic[],
): readonly Expression[] {
  const read = readArgument(argument.value, scalars);
  if (read.ok) return [read.expression];
  diagnostics.push(
    diagnostic('PV-5013', argument.span, read.message, {
      hint: `write a number, or arithmetic of ${[...scalars].join(', ') || 'numbers'}`,
    }),
  );
  return [];
}
