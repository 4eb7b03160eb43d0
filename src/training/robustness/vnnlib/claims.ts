/** Claims of a VNN-LIB property: comparisons with and, or and not, as a disjunction of conjunctions. */
import type { Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import { malformed, type Expression } from './expressions.ts';
import { negative, readComparison, type Comparison } from './linear.ts';

/** Comparisons that hold together; a claim is a disjunction of these. */
export type Conjunction = readonly Comparison[];

/** Cases after multiplying out `or` inside `and`. */
const mostCases = 10_000;
const mostComparisons = 5_000_000;

/** The cases of a claim, or of its negation. */
export function readCases(
  claim: Expression,
  declared: ReadonlySet<string>,
  isNegated: boolean,
): Result<readonly Conjunction[], Problem> {
  if (claim.kind === 'atom') {
    if (claim.text === 'true' || claim.text === 'false') return ok((claim.text === 'true') === isNegated ? [] : [[]]);
    return malformed(`'${claim.text.slice(0, 40)}' is not a claim.`, claim.offset, '(<= …), (>= …), (and …), (or …)');
  }
  const [head, ...rest] = claim.items;
  const operation = head?.kind === 'atom' ? head.text : '';
  if (operation === 'not') {
    const [inner, ...more] = rest;
    if (inner === undefined || more.length > 0)
      return malformed("'not' takes one claim.", claim.offset, '1', `${rest.length}`);
    return readCases(inner, declared, !isNegated);
  }
  if (operation === 'and' || operation === 'or') {
    if (rest.length === 0)
      return malformed(`'${operation}' has no claims.`, claim.offset, `(${operation} (<= …) (>= …))`);
    const parts: (readonly Conjunction[])[] = [];
    for (const item of rest) {
      const part = readCases(item, declared, isNegated);
      if (!part.ok) return part;
      parts.push(part.value);
    }
    return (operation === 'and') === isNegated ? disjunction(parts, claim.offset) : conjunction(parts, claim.offset);
  }
  if (!['<=', '>=', '<', '>', '='].includes(operation))
    return malformed(
      `'${operation.slice(0, 40)}' is not a comparison or connective that pv reads.`,
      claim.offset,
      '<=, >=, <, >, =, and, or, not',
    );
  const comparisons = readComparison(operation, rest, claim.offset, declared);
  if (!comparisons.ok) return comparisons;
  if (!isNegated) return ok([comparisons.value]);
  return ok(
    comparisons.value.map(({ form, isStrict, offset }) => [{ form: negative(form), isStrict: !isStrict, offset }]),
  );
}

const disjunction = (
  parts: readonly (readonly Conjunction[])[],
  offset: number,
): Result<readonly Conjunction[], Problem> => allowed(parts.flat(), offset);

/** All combinations of one case from each part. */
export function conjunction(
  parts: readonly (readonly Conjunction[])[],
  offset: number,
): Result<readonly Conjunction[], Problem> {
  const count = parts.reduce((product, part) => product * part.length, 1);
  if (count === 0) return ok([]);
  const size = parts.reduce((sum, part) => sum + part.reduce((most, one) => Math.max(most, one.length), 0), 0);
  if (count > mostCases || count * size > mostComparisons) return tooMany(offset);
  // Most parts are one comparison: these are joined in one go.
  const shared = parts.flatMap((part) => (part.length === 1 ? (part[0] ?? []) : []));
  let cases: readonly (readonly Conjunction[])[] = [[]];
  for (const part of parts) if (part.length > 1) cases = cases.flatMap((chosen) => part.map((one) => [...chosen, one]));
  return ok(cases.map((chosen) => [...shared, ...chosen.flat()]));
}

const allowed = (cases: readonly Conjunction[], offset: number): Result<readonly Conjunction[], Problem> =>
  cases.length > mostCases ? tooMany(offset) : ok(cases);

const tooMany = (offset: number): Result<never, Problem> =>
  malformed('The property has too many cases when it is multiplied out.', offset, `at most ${mostCases}`);
