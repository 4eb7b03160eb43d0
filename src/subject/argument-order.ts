import { listOf } from '../base/text.ts';
import type { EquationModel } from '../contract/goal.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { ArgumentSource } from './bound-subject.ts';
import type { BindingRow } from './binding.ts';
import { nameOf, takes, valueParameters } from './check-signature.ts';
import { spanOf, type MorphFunction } from './locate-function.ts';

/** A bound function with the sources of its arguments. */
export interface BoundCall {
  readonly node: MorphFunction;
  /** The function's file, for messages. */
  readonly module: string;
  readonly row: BindingRow;
  readonly model: EquationModel;
  readonly arguments: readonly ArgumentSource[];
}

/**
 * Warns if arguments seem exchanged: some parameters of the function have the names of symbols that the binding passes to
 * other parameters (`f(k, q)` called with q, k), and their types fit, so that no type error shows it. Names that occur on
 * one side only do not count.
 */
export function checkArgumentOrder({ node, module, row, model, arguments: sources }: BoundCall): readonly Diagnostic[] {
  const parameters = valueParameters(node);
  const gpu = parameters.length < node.getParameters().length;
  const own = parameters.map((parameter) => parameter.getName());
  const given = own.map((_, at) => {
    const source = sources[at];
    return source ? (nameOf(source, model) ?? null) : null;
  });
  const fits = (at: number): boolean => {
    const source = sources[given.indexOf(own[at] ?? '')];
    const parameter = parameters[at];
    return source !== undefined && parameter !== undefined && takes(parameter, source, model, gpu);
  };
  const moved = own.flatMap((_, at) => {
    const round = exchangeFrom(at, own, given);
    return round.length > 1 && round.every(fits) ? [at] : [];
  });
  const [first] = moved;
  const parameter = first === undefined ? undefined : parameters[first];
  if (first === undefined || !parameter) return [];
  const pairs = moved.map((at) => `\`${own[at]}\` is given ${given[at]}`);
  const mended = own.map((name, at) => (moved.includes(at) ? name : (row.arguments?.[at]?.value ?? given[at] ?? name)));
  return [
    diagnostic(
      'PV-5015',
      row.arguments?.[first]?.span ?? row.functionName?.span ?? row.span,
      `\`${row.functionName?.value ?? model.name}\` gets its arguments in an order that differs from its parameter names: ${listOf(pairs)}`,
      {
        hint: `write \`arguments: [${mended.map(flowItem).join(', ')}]\` in this row, or rename the parameters if the order is intended`,
        related: [{ message: 'named here', span: spanOf(parameter, module) }],
      },
    ),
  ];
}

/** The cycle of positions from `start`, each leading to the position where its parameter's name is given; empty if they form none. */
function exchangeFrom(start: number, own: readonly string[], given: readonly (string | null)[]): readonly number[] {
  const round: number[] = [];
  let at = start;
  do {
    round.push(at);
    at = given.indexOf(own[at] ?? '');
  } while (at >= 0 && at !== start && round.length < own.length);
  return at === start ? round : [];
}

/** As an item of a YAML list in brackets: commas, brackets and numbers of an expression would be read as YAML. */
function flowItem(text: string): string {
  const isPlain = /^\p{L}[\p{L}\p{N}_]*$/u.test(text) && !/^(?:true|false|null)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
