/**
 * The sizes of every block of cases: the smallest, the largest that are affordable, then drawn ones, none of them twice while
 * others are left. A kernel that is wrong at n = 97 alone, or only from 34 to 40, meets its sizes.
 */
import type { StreamKey } from '../../numeric/xoshiro.ts';
import { streamAt } from '../../numeric/xoshiro.ts';
import type { DomainPlan, SizePlan } from './domain-plan.ts';
import { drawSizes, extremeSizes, isOrdinary, sizesAllowed, withDerivedSizes } from './sizes.ts';

/** Combinations of sizes of which each one runs; a domain with more is sampled without repetition up to `MOST_LISTED`. */
const MOST_ALL_RUN = 1024;
const MOST_LISTED = 2 ** 16;
/** A little below the 10,000 cases of a property test, since preconditions filter some. */
const CASES_FOR_ALL = 8192;
const SMALLEST_BLOCK = CASES_FOR_ALL / MOST_ALL_RUN;
/** Blocks beyond this number are drawn without regard to earlier ones: generated tests ask for cases of any number up to 2³². */
const MOST_REMEMBERED = 2 ** 14;

const isDrawn = ({ definition }: SizePlan): boolean => definition === null;

const multiplesWithin = ({ minimum, maximum, multipleOf }: SizePlan): number =>
  Math.floor(maximum / multipleOf) - Math.ceil(minimum / multipleOf) + 1;

/** How many combinations the ranges of the drawn sizes have, those included that a precondition excludes. */
function listed(plan: DomainPlan): number {
  return plan.sizes.filter(isDrawn).reduce((product, size) => product * multiplesWithin(size), 1);
}

/** Cases in a row with equal sizes, at most `wanted`: so few that 10,000 cases meet every combination where that is possible. */
export function blockSizeFor(plan: DomainPlan, wanted: number): number {
  const all = listed(plan);
  if (all > MOST_LISTED) return wanted;
  return Math.min(wanted, Math.max(SMALLEST_BLOCK, Math.floor(CASES_FOR_ALL / all)));
}

/** Combination `at` of those of the ranges, which may break a rule. */
function combinationAt(plan: DomainPlan, at: number): readonly number[] {
  let rest = at;
  const sizes = plan.sizes.map((size) => {
    if (!isDrawn(size)) return 0;
    const choices = multiplesWithin(size);
    const value = (Math.ceil(size.minimum / size.multipleOf) + (rest % choices)) * size.multipleOf;
    rest = Math.floor(rest / choices);
    return value;
  });
  return withDerivedSizes(plan, sizes);
}

/** The allowed combinations of sizes; null if there are too many to list. */
export function countCombinations(plan: DomainPlan): number | null {
  const all = listed(plan);
  if (all > MOST_LISTED) return null;
  let allowed = 0;
  for (let at = 0; at < all; at++) if (sizesAllowed(plan, combinationAt(plan, at))) allowed++;
  return allowed;
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

/** About 0.618 of `all` and without a common divisor: its multiples visit every combination, and early ones are spread out. */
function strideOf(all: number): number {
  let stride = Math.max(1, Math.round(all * 0.618));
  while (greatestDivisor(stride, all) !== 1) stride++;
  return stride;
}

/** Yields the affordable combinations, spread over their ranges. */
function* spread(plan: DomainPlan): Generator<readonly number[]> {
  const all = listed(plan);
  if (all > MOST_LISTED) return;
  const stride = strideOf(all);
  for (let step = 0, at = 0; step < all; step++, at = (at + stride) % all) {
    const sizes = combinationAt(plan, at);
    if (sizesAllowed(plan, sizes) && isOrdinary(plan, sizes)) yield sizes;
  }
}

/** The sizes of block `b`, for every b. They depend on nothing but the domain and the stream. */
export function blockSizes(
  plan: DomainPlan,
  smallest: readonly number[],
  key: StreamKey,
): (block: number) => readonly number[] {
  const blocks: (readonly number[])[] = [];
  const seen = new Set<string>();
  const others = spread(plan);
  const unseen = (): readonly number[] | null => {
    for (let next = others.next(); !next.done; next = others.next())
      if (!seen.has(String(next.value))) return next.value;
    return null;
  };
  const following = (block: number): readonly number[] => {
    if (block === 0) return smallest;
    const largest = block === 1 ? extremeSizes(plan, 'maximum') : null;
    if (largest) return largest;
    const drawn = drawSizes(plan, streamAt(key, block), smallest);
    return seen.has(String(drawn)) ? (unseen() ?? drawn) : drawn;
  };
  return (block) => {
    if (block >= MOST_REMEMBERED) return drawSizes(plan, streamAt(key, block), smallest);
    while (blocks.length <= block) {
      const sizes = following(blocks.length);
      seen.add(String(sizes));
      blocks.push(sizes);
    }
    return blocks[block] ?? smallest;
  };
}
