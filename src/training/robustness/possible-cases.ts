/** The cases of a property that some input and output satisfy, whatever the network. */
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { closedRange, isEmptyRange, type InputRange } from './input-range.ts';
import type { Property, UnsafeCase } from './property.ts';
import { isSatisfiable } from './satisfiable.ts';

/** Operations on rational numbers, about two seconds. */
const mostEffort = 500_000;

/** The ranges of the inputs of a case. */
export const rangesOf = ({ box, ranges }: UnsafeCase): readonly InputRange[] =>
  ranges ?? Array.from(box.lo, (lo, i) => closedRange(lo, box.hi[i] ?? NaN));

function rangesThatExist(one: UnsafeCase): readonly InputRange[] | null {
  const ranges = rangesOf(one);
  return ranges.some(isEmptyRange) ? null : ranges;
}

/**
 * The property without the cases that are empty in exact arithmetic. Problem: PV-8312 if all are, because nothing could violate the
 * property.
 */
export function withoutEmptyCases(property: Property): Result<Property, Problem> {
  const effort = { left: mostEffort };
  // Most cases share their ranges.
  const known = new Map<unknown, readonly InputRange[] | null>();
  const examined = property.cases.map((one) => {
    const identity = one.ranges ?? one.box;
    const ranges = known.has(identity) ? known.get(identity) : rangesThatExist(one);
    known.set(identity, ranges ?? null);
    return { one, isPossible: ranges ? isSatisfiable(ranges, one.constraints, effort) : false };
  });
  const cases = examined.flatMap(({ one, isPossible }) => (isPossible === false ? [] : [one]));
  if (cases.length === 0)
    return wrong(
      'PV-8312',
      'vacuous property',
      'No input and output satisfy the constraints, so every network satisfies the property: there is nothing to prove.',
      { expected: 'a case whose bounds and comparisons some real numbers satisfy together' },
    );
  return ok({
    ...property,
    cases,
    emptyCases: (property.emptyCases ?? 0) + property.cases.length - cases.length,
    unexaminedCases: examined.filter(({ isPossible }) => isPossible === null).length,
  });
}
