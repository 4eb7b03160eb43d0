/** The value of one real input at which a claim comes closest to being broken, by a search from drawn values. */
import type { Clause, Comparison } from './clauses.ts';
import { copyOf, differenceAt, holdsAt, type Places, type Point } from './point.ts';

/** Golden sections halve an interval about 70 times in 100 steps, which float32 does not need. */
const steps = 48;
const golden = (Math.sqrt(5) - 1) / 2;
/** Valleys of the drawn values that are searched. */
const mostValleys = 3;

/** How far a comparison is from being broken; negative if it is. */
function slackOf(claim: Comparison, point: Point): number {
  const difference = differenceAt(claim, point);
  if (claim.fn === 'less' || claim.fn === 'less-equal') return -difference;
  if (claim.fn === 'greater' || claim.fn === 'greater-equal') return difference;
  return claim.fn === 'not-equal' ? Math.abs(difference) : -Math.abs(difference);
}

/** Points near `start` in the input `name`: the valleys between the values `drawn`, as they are found and in fewer digits. */
export function closestPoints(
  { premises, claims }: Clause,
  name: string,
  { start, drawn, places }: { readonly start: Point; readonly drawn: readonly number[]; readonly places: Places },
): readonly Point[] {
  const at = (x: number): Point | null => {
    const moved = copyOf(start);
    return places.assign(moved, name, x) && premises.every((one) => holdsAt(one, moved)) ? moved : null;
  };
  const sorted = [...new Set(drawn)].toSorted((a, b) => a - b);
  return claims.flatMap((claim) => {
    const slack = (x: number): number => {
      const moved = at(x);
      const found = moved ? slackOf(claim, moved) : Number.NaN;
      return Number.isNaN(found) ? Infinity : found;
    };
    const seen = sorted.map((x) => ({ x, slack: slack(x) }));
    const valleys = seen
      .map((one, i) => ({ ...one, from: seen[i - 1] ?? one, to: seen[i + 1] ?? one }))
      .filter((one) => one.slack <= one.from.slack && one.slack <= one.to.slack && Number.isFinite(one.slack))
      .toSorted((a, b) => a.slack - b.slack)
      .slice(0, mostValleys);
    return valleys.flatMap(({ from, to }) => inFewerDigits(lowest(slack, from.x, to.x)).flatMap((x) => at(x) ?? []));
  });
}

function lowest(slack: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let step = 0; step < steps; step++) {
    const width = golden * (high - low);
    if (slack(high - width) <= slack(low + width)) high = low + width;
    else low = high - width;
  }
  return (low + high) / 2;
}

/** A search finds 1.4999999 where a person writes 1.5. */
const inFewerDigits = (x: number): readonly number[] => [x, ...[1, 2, 3, 4, 6].map((n) => Number(x.toPrecision(n)))];
