import type { Interval } from '../../numeric/confidence.ts';
import { meanInterval, proportionInterval, varianceInterval } from '../../numeric/confidence.ts';
import type { LoadedComparison } from './load.ts';
import { momentsOf, type Accumulator } from './moments.ts';

/** One estimate and what it is compared with. */
export interface Judged extends Interval {
  readonly estimate: number;
  readonly target: number;
  readonly allowed: number | null;
  /** Position in the sample, row-major. */
  readonly element: number;
  /** `open`: the interval crosses the edge of the tolerance. */
  readonly position: 'within' | 'outside' | 'open';
  /** How much of the tolerance the interval uses: above 1 it crosses the edge. Used to pick the worst. */
  readonly reach: number;
}

/** Judges every element of a sample; `alpha` is for one interval. */
export function judgeSample(
  { statistic, relation }: Pick<LoadedComparison, 'statistic' | 'relation'>,
  sums: readonly Accumulator[],
  against: { readonly target: ArrayLike<number>; readonly allowed: ArrayLike<number> | null },
  alpha: number,
): readonly Judged[] {
  const at = (values: ArrayLike<number>, i: number): number => values[values.length === 1 ? 0 : i] ?? Number.NaN;
  return sums.map((one, element) => {
    const { estimate, low, high } = estimateOf(statistic, one, alpha);
    const target = at(against.target, element);
    const allowed = against.allowed && at(against.allowed, element);
    const common = { estimate, low, high, target, allowed, element };
    return { ...common, ...positionOf(relation, { low, high }, target, allowed ?? 0) };
  });
}

function estimateOf(
  statistic: LoadedComparison['statistic'],
  sums: Accumulator,
  alpha: number,
): Interval & { readonly estimate: number } {
  const moments = momentsOf(sums);
  switch (statistic) {
    case 'mean':
      return { estimate: moments.mean, ...meanInterval(moments, alpha) };
    case 'variance':
      return { estimate: moments.variance, ...varianceInterval(moments, alpha) };
    case 'probability': {
      const hits = Math.round(moments.mean * moments.count);
      return { estimate: moments.mean, ...proportionInterval(hits, moments.count, alpha) };
    }
  }
}

/** Written so that NaN is outside. */
function positionOf(
  relation: LoadedComparison['relation'],
  { low, high }: Interval,
  target: number,
  allowed: number,
): Pick<Judged, 'position' | 'reach'> {
  const above = high - target;
  const below = target - low;
  switch (relation) {
    case '≈': {
      const nearest = Math.max(low - target, target - high);
      return placed(Math.max(above, below) <= allowed, nearest <= allowed, Math.max(above, below) / allowed);
    }
    case '≤':
      return placed(above <= 0, low <= target, 1 + above);
    case '≥':
      return placed(below <= 0, high >= target, 1 + below);
  }
}

function placed(isWithin: boolean, mayBe: boolean, reach: number): Pick<Judged, 'position' | 'reach'> {
  const position = isWithin ? 'within' : mayBe ? 'open' : 'outside';
  // 0/0: exactly equal with a tolerance of 0.
  return { position, reach: Number.isNaN(reach) ? (isWithin ? 0 : Infinity) : reach };
}
