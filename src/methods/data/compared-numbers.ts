/** The two sides of the comparison that failed, in a row or over all of them. */
import { integer } from '../../math/build.ts';
import { printTerm } from '../../math/print-term.ts';
import type { IndexBinder, Term } from '../../math/term.ts';
import { withLets } from './claim-parts.ts';
import type { Environment } from './environment.ts';
import { rowValues, scalarValue } from './evaluate.ts';
import type { Witness } from './judge.ts';
import { numberText } from './numbers-in.ts';

const signs: Readonly<Record<string, string>> = {
  less: '<',
  'less-equal': '≤',
  greater: '>',
  'greater-equal': '≥',
  equal: '=',
  'not-equal': '≠',
};

/** e.g. `3.28e+35 ≤ 1` for `grad_norm_t ≤ max_grad_norm`; empty when the conclusion is no comparison of numbers. */
export async function comparedNumbers({ part, row }: Witness, environment: Environment): Promise<readonly string[]> {
  const { conclusion, shared } = comparisonOf(part.conclusion);
  const sign = conclusion.kind === 'call' ? signs[conclusion.fn] : undefined;
  if (conclusion.kind !== 'call' || sign === undefined) return [];
  const sides: string[] = [];
  for (const side of conclusion.arguments.slice(0, 2)) {
    if (side.type.kind !== 'real' && side.type.kind !== 'integer' && side.type.kind !== 'float') return [];
    sides.push(numberText(await sideValue(part, row, shared(side), environment)));
  }
  // Bound names were made unique by a number behind a tilde.
  return [`${sides.join(` ${sign} `)} is false, in ${printTerm(conclusion, 120).replaceAll(/~\d+/g, '')}`];
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
