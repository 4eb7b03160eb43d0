/** The numbers of the claim's part that failed, in a row or over all of them. */
import { integer, variable } from '../../math/term/build.ts';
import { printTerm } from '../../math/term/print-term.ts';
import type { IndexBinder, Term } from '../../math/term/term.ts';
import { withLets } from './claim-parts.ts';
import type { Environment } from './environment.ts';
import { rowValues, scalarValue } from './evaluate.ts';
import type { Witness } from './judge.ts';
import { numberText } from './numbers-in.ts';

/** The part that failed with its numbers: `3.28e+35 ≤ 1 is false, in grad_norm_t ≤ max_grad_norm`, `is_finite(NaN) is false, in …`. */
export async function comparedNumbers({ part, row }: Witness, environment: Environment): Promise<readonly string[]> {
  const { conclusion, shared } = comparisonOf(part.conclusion);
  const formal = printed(conclusion);
  if (conclusion.kind !== 'call' || !conclusion.arguments.every(isNumber)) return [`${formal} is false`];
  const values: Term[] = [];
  for (const side of conclusion.arguments)
    values.push(variable(numberText(await sideValue(part, row, shared(side), environment)), side.type));
  const failed = `${printed({ ...conclusion, arguments: values })} is false`;
  // The formula of a column in place of its name is longer than it is clear; the claim is shown above.
  return [formal.includes('↦') ? failed : `${failed}, in ${formal}`];
}

function isNumber({ type }: Term): boolean {
  return type.kind === 'real' || type.kind === 'integer' || type.kind === 'float';
}

/** Bound names were made unique by a number after a tilde. */
function printed(term: Term): string {
  return printTerm(term, 120).replaceAll(/~\d+/g, '');
}

/** The comparison below the values that it shares, and how a part of it is put below them. */
function comparisonOf(term: Term): { readonly conclusion: Term; readonly shared: (part: Term) => Term } {
  if (term.kind !== 'let') return { conclusion: term, shared: (part) => part };
  const inner = comparisonOf(term.body);
  return {
    conclusion: inner.conclusion,
    shared: (part) => {
      const body = inner.shared(part);
      return { ...term, body, type: body.type };
    },
  };
}

async function sideValue(
  part: Witness['part'],
  row: Witness['row'],
  side: Term,
  environment: Environment,
): Promise<number | boolean | string> {
  if (row === null) return scalarValue(withLets(part, side), environment);
  const only: IndexBinder = { name: row.binder.name, from: integer(row.index), to: integer(row.index + 1) };
  const [value = Number.NaN] = await rowValues((term: Term) => withLets(part, term), only, side, environment);
  return value;
}
