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
  const said: string[] = [];
  for (const { conclusion, shared } of comparisonsOf(part.conclusion)) {
    const formal = printed(conclusion);
    if (conclusion.kind !== 'call' || !conclusion.arguments.every(isNumber)) {
      if (!isLong(formal)) said.push(`${formal} is false`);
      continue;
    }
    const values: Term[] = [];
    for (const side of conclusion.arguments)
      values.push(variable(numberText(await sideValue(part, row, shared(side), environment)), side.type));
    const failed = `${printed({ ...conclusion, arguments: values })} is false`;
    said.push(isLong(formal) ? failed : `${failed}, in ${formal}`);
  }
  return said.length === 0 ? [] : [said.join('; ')];
}

/** The formula of a quantity in place of its name is longer than it is clear, and so is a sum that is cut; the claim is shown above. */
const isLong = (formal: string): boolean => /↦|\blet |\]_|Σ.*…$/u.test(formal);

function isNumber({ type }: Term): boolean {
  return type.kind === 'real' || type.kind === 'integer' || type.kind === 'float';
}

/** Bound names were made unique by a number after a tilde. */
function printed(term: Term): string {
  return printTerm(term, 120).replaceAll(/~\d+/g, '');
}

interface Comparison {
  readonly conclusion: Term;
  /** A part of it below the values that it shares. */
  readonly shared: (part: Term) => Term;
}

/** The comparisons below the values that they share: of alternatives that fail, each does. */
function comparisonsOf(term: Term): readonly Comparison[] {
  if (term.kind === 'call' && term.fn === 'or') return term.arguments.flatMap(comparisonsOf);
  if (term.kind !== 'let') return [{ conclusion: term, shared: (part) => part }];
  return comparisonsOf(term.body).map(({ conclusion, shared }) => ({
    conclusion,
    shared: (part) => {
      const body = shared(part);
      return { ...term, body, type: body.type };
    },
  }));
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
