import { listOf } from '../base/text.ts';
import type { EquationModel } from '../contract/goal.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { ArgumentSource } from './bound-subject.ts';
import type { BindingRow } from './binding.ts';
import { nameOf, valueParameters } from './check-signature.ts';
import { spanOf, type MorphFunction } from './locate-function.ts';

export interface BoundCall {
  readonly node: MorphFunction;
  /** The function's file, for messages. */
  readonly module: string;
  readonly row: BindingRow;
  readonly model: EquationModel;
  readonly arguments: readonly ArgumentSource[];
}

/**
 * Warns where arguments change places: some parameters of the function have the names of symbols that the binding
 * gives to others of them (`f(k, q)` called with q, k). Types cannot tell, for both have the same. Names that occur on
 * one side only say nothing.
 */
export function checkArgumentOrder({ node, module, row, model, arguments: sources }: BoundCall): readonly Diagnostic[] {
  const parameters = valueParameters(node);
  const own = parameters.map((parameter) => parameter.getName());
  const given = own.map((_, at) => {
    const source = sources[at];
    return source ? (nameOf(source, model) ?? null) : null;
  });
  const moved = exchanged(own, given);
  const [first] = moved;
  const parameter = first === undefined ? undefined : parameters[first];
  if (first === undefined || !parameter) return [];
  const pairs = moved.map((at) => `\`${own[at]}\` is given ${given[at]}`);
  const mended = own.map((name, at) => (moved.includes(at) ? name : (row.arguments?.[at]?.value ?? given[at] ?? name)));
  return [
    diagnostic(
      'PV-5015',
      row.arguments?.[first]?.span ?? row.functionName?.span ?? row.span,
      `\`${row.functionName?.value ?? model.name}\` gets its arguments in another order than it names them: ${listOf(pairs)}`,
      {
        hint: `write \`arguments: [${mended.join(', ')}]\` in this row, or rename the parameters if the order is meant`,
        related: [{ message: 'named here', span: spanOf(parameter, module) }],
      },
    ),
  ];
}

/** Positions whose names change places among themselves: from each, parameter to where its name is given leads round to it again. */
function exchanged(own: readonly string[], given: readonly (string | null)[]): readonly number[] {
  return own.flatMap((_, start) => {
    let at = start;
    for (let steps = 0; steps < own.length; steps++) {
      at = given.indexOf(own[at] ?? '');
      if (at < 0) return [];
      if (at === start) return steps > 0 ? [start] : [];
    }
    return [];
  });
}
