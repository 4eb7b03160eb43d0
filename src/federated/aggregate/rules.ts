/** Rules that turn one number per participant into one number. */
import { present } from '../../base/invariant.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Factor } from '../adapter/layout.ts';
import { scan, type Cohort, type Part } from './cohort.ts';
import { failed, type AggregationFault } from './fault.ts';
import { geometricMedianShares } from './geometric-median.ts';
import { addDistances, bulyanSelection, krum, noDistances, type Distances } from './krum.ts';
import { meanAroundMedian, median, trimmedMean } from './order-statistics.ts';
import { clippedRows, normFactors } from './norm-bound.ts';
import { weightedMean } from './weighted-mean.ts';

/** Names as in a manifest. `fedavg` and `norm_bound` weigh by samples and reputation; the others count each participant once. */
export type RuleName =
  'fedavg' | 'median' | 'trimmed_mean' | 'krum' | 'multi_krum' | 'geometric_median' | 'bulyan' | 'norm_bound';

/** A rule with its parameters. */
export interface Rule {
  readonly name: RuleName;
  /** f: hostile participants that the rule must tolerate, an integer from 0; unused by `fedavg` and `norm_bound`. */
  readonly faulty: number;
  /** For `norm_bound`: the largest L2 norm of a participant's difference from the start, above 0. */
  readonly normBound: number | null;
}

/** Writes the aggregate of one part. */
type Combine = (part: Part, out: Float32Array) => void;

/** A rule that has seen what it needs of all submissions. */
interface Prepared {
  readonly combine: Combine;
  /** The share of every member in the result, in their order; null where the rule decides for each coordinate. */
  readonly shares: readonly number[] | null;
}

/** The least n for f hostile participants. */
const least: Readonly<Record<RuleName, (f: number) => number>> = {
  fedavg: () => 1,
  norm_bound: () => 1,
  // A majority is honest.
  median: (f) => 2 * f + 1,
  trimmed_mean: (f) => 2 * f + 1,
  geometric_median: (f) => 2 * f + 1,
  krum: (f) => 2 * f + 3,
  multi_krum: (f) => 2 * f + 3,
  bulyan: (f) => 4 * f + 3,
};

/** The fault of a rule for `n` participants: too few for its f, or a parameter out of range. Null if there is none. */
export function ruleFault({ name, faulty, normBound }: Rule, n: number): AggregationFault | null {
  if (!Number.isSafeInteger(faulty) || faulty < 0)
    return failed('unsupported', `${name} cannot tolerate ${faulty} hostile participants.`).error;
  if (name === 'norm_bound' && !(normBound !== null && normBound > 0 && normBound < Infinity))
    return failed('unsupported', `norm_bound needs a bound above 0, not ${normBound}.`).error;
  const needed = least[name](faulty);
  return n >= needed
    ? null
    : failed(
        'too_few_participants',
        `${name} needs ${needed} participants to tolerate ${faulty} hostile ones; there are ${n}.`,
      ).error;
}

/** Prepares a rule for the submissions of a round: reads `factors` as often as the rule needs to. */
export async function prepareRule(
  cohort: Cohort,
  factors: readonly Factor[],
  rule: Rule,
): Promise<Result<Prepared, AggregationFault>> {
  const { length: n } = cohort.members;
  const fault = ruleFault(rule, n);
  if (fault !== null) return { ok: false, error: fault };
  const weights = cohort.members.map(({ weight }) => weight);
  switch (rule.name) {
    case 'fedavg':
      return ok(mean(weights));
    case 'median':
      return ok({ combine: ({ rows }, out) => median(rows, out), shares: null });
    case 'trimmed_mean':
      return ok({ combine: ({ rows }, out) => trimmedMean(rows, rule.faulty, out), shares: null });
    case 'norm_bound':
      return bounded(cohort, factors, weights, present(rule.normBound, 'the rule was checked'));
    case 'geometric_median': {
      const found = await geometricMedianShares(cohort, factors);
      return found.ok ? ok(mean(found.value)) : found;
    }
    case 'krum':
    case 'multi_krum':
    case 'bulyan':
      return selected(cohort, factors, rule.name, rule.faulty);
  }
}

const shareOf = (weights: readonly number[]): readonly number[] => {
  const total = weights.reduce((sum, w) => sum + w, 0);
  return weights.map((w) => w / total);
};

function mean(weights: readonly number[]): Prepared {
  let sums = new Float64Array();
  return {
    combine: ({ rows }, out) => {
      if (sums.length < out.length) sums = new Float64Array(out.length);
      weightedMean(rows, weights, sums, out);
    },
    shares: shareOf(weights),
  };
}

async function bounded(
  cohort: Cohort,
  factors: readonly Factor[],
  weights: readonly number[],
  bound: number,
): Promise<Result<Prepared, AggregationFault>> {
  const scales = await normFactors(cohort, factors, bound);
  if (!scales.ok) return scales;
  const { combine, shares } = mean(weights);
  return ok({ combine: (part, out) => combine({ ...part, rows: clippedRows(part, scales.value) }, out), shares });
}

async function selected(
  cohort: Cohort,
  factors: readonly Factor[],
  name: 'krum' | 'multi_krum' | 'bulyan',
  faulty: number,
): Promise<Result<Prepared, AggregationFault>> {
  const { length: n } = cohort.members;
  const distances = noDistances(n);
  const fault = await scan(cohort, factors, ({ rows }) => {
    addDistances(distances, rows);
    return null;
  });
  return fault === null ? ok(selection(name, distances, faulty)) : { ok: false, error: fault };
}

/** The rule once all distances are known. */
function selection(name: 'krum' | 'multi_krum' | 'bulyan', distances: Distances, faulty: number): Prepared {
  if (name === 'bulyan') {
    const chosen = bulyanSelection(distances, faulty);
    const among = (rows: readonly Float32Array[]) => chosen.map((p) => present(rows[p], 'a chosen row is one of them'));
    return {
      combine: ({ rows }, out) => meanAroundMedian(among(rows), chosen.length - 2 * faulty, out),
      shares: null,
    };
  }
  const count = name === 'krum' ? 1 : distances.n - faulty - 2;
  const chosen = krum(distances, faulty, count);
  const equal = mean(chosen.map(() => 1));
  return {
    combine: (part, out) =>
      equal.combine({ ...part, rows: chosen.map((p) => present(part.rows[p], 'a chosen row is one of them')) }, out),
    shares: Array.from({ length: distances.n }, (_, p) => (chosen.includes(p) ? 1 / chosen.length : 0)),
  };
}
