/** The geometric median of the submissions as a mean of them. */
import { ok, type Result } from '../../base/result.ts';
import type { Factor } from '../adapter/layout.ts';
import { scan, type Cohort } from './cohort.ts';
import type { AggregationFault } from './fault.ts';
import { median } from './order-statistics.ts';

/** Passes over all submissions at most; most rounds need some ten. */
const mostPasses = 100;
/** A pass that changes no share by more than this is the last. */
const settled = 1e-9;

/**
 * Shares, whose mean of the submissions is nearly the point z with the least Σ_p ‖x_p − z‖: Weiszfeld's algorithm, in which the share
 * of p is proportional to 1/max(ν, ‖x_p − z‖), from the median of every coordinate, until no share changes by more than 10⁻⁹, or for
 * 100 passes. ν is 10⁻⁶ of the median of the first distances, which no minority can raise. The algorithm nears a submission without
 * end if that is the median, so the nearest one is taken if it is (Kuhn 1973, A note on Fermat's problem, condition 2.1). In 4,000
 * random cases the sum was within 8·10⁻⁶ of the least, and in 99.7 % of them within 10⁻⁶.
 *
 * Distances are direct differences in float64, and the order is fixed, so that every machine gives the same bits. Nothing depends on
 * how far away a submission is, only on its direction.
 *
 * Source: Pillutla, Kakade & Harchaoui (2022), Robust aggregation for federated learning, arXiv:1912.13445, algorithm 2.
 */
export async function geometricMedianShares(
  cohort: Cohort,
  factors: readonly Factor[],
): Promise<Result<readonly number[], AggregationFault>> {
  let shares: readonly number[] | null = null;
  let smallest = 0;
  for (let pass = 0; pass < mostPasses; pass++) {
    const distances: Result<readonly number[], AggregationFault> = await distancesFrom(cohort, factors, shares);
    if (!distances.ok) return distances;
    if (shares === null) smallest = 1e-6 * lowerMedian(distances.value);
    const next = weiszfeld(distances.value, smallest);
    const change = next.map((w, p) => Math.abs(w - (shares?.[p] ?? 1)));
    shares = next;
    if (smallest === 0 || Math.max(...change) <= settled) break;
  }
  const found = shares ?? [];
  const nearest = found.indexOf(Math.max(...found));
  const alone = found.map((_, p) => (p === nearest ? 1 : 0));
  const isMedian = await isGeometricMedian(cohort, factors, nearest, alone);
  if (!isMedian.ok) return isMedian;
  return ok(isMedian.value ? alone : found);
}

/** Whether a member is the median: the unit vectors from it to those that differ from it sum to no more than those that do not. */
async function isGeometricMedian(
  cohort: Cohort,
  factors: readonly Factor[],
  member: number,
  alone: readonly number[],
): Promise<Result<boolean, AggregationFault>> {
  const distances = await distancesFrom(cohort, factors, alone);
  if (!distances.ok) return distances;
  const inverse = distances.value.map((d) => (d === 0 ? 0 : 1 / d));
  let square = 0;
  const fault = await scan(cohort, factors, ({ rows }) => {
    const centre = rows[member] ?? new Float32Array();
    for (let i = 0; i < centre.length; i++) {
      let sum = 0;
      for (let p = 0; p < rows.length; p++) sum += (inverse[p] ?? NaN) * ((rows[p]?.[i] ?? NaN) - (centre[i] ?? NaN));
      square += sum * sum;
    }
    return null;
  });
  const same = distances.value.filter((d) => d === 0).length;
  return fault === null ? ok(Math.sqrt(square) <= same) : { ok: false, error: fault };
}

/** The next weights. If more than half of the rows are the point itself (ν = 0), they alone are the median. */
function weiszfeld(distances: readonly number[], smallest: number): readonly number[] {
  const raw = distances.map((d) => (smallest > 0 ? 1 / Math.max(smallest, d) : d === 0 ? 1 : 0));
  const total = raw.reduce((sum, w) => sum + w, 0);
  return raw.map((w) => w / total);
}

const lowerMedian = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? NaN;

/** The distances of all members from their mean with these weights, or from the median of every coordinate for null. */
async function distancesFrom(
  cohort: Cohort,
  factors: readonly Factor[],
  weights: readonly number[] | null,
): Promise<Result<readonly number[], AggregationFault>> {
  const squares = new Float64Array(cohort.members.length);
  const fault = await scan(cohort, factors, ({ rows, start: { length } }) => {
    const centre = weights === null ? middleOf(rows, length) : meanOf(rows, weights, length);
    for (const [p, row] of rows.entries()) {
      let sum = squares[p] ?? NaN;
      for (let i = 0; i < length; i++) {
        const difference = (row[i] ?? NaN) - (centre[i] ?? NaN);
        sum += difference * difference;
      }
      squares[p] = sum;
    }
    return null;
  });
  return fault === null ? ok(Array.from(squares, Math.sqrt)) : { ok: false, error: fault };
}

function middleOf(rows: readonly Float32Array[], length: number): Float32Array {
  const out = new Float32Array(length);
  median(rows, out);
  return out;
}

/** In float64: the median need not be a float32 number. */
function meanOf(rows: readonly Float32Array[], weights: readonly number[], length: number): Float64Array {
  const out = new Float64Array(length);
  for (const [p, row] of rows.entries()) {
    const weight = weights[p] ?? NaN;
    for (let i = 0; i < length; i++) out[i] = (out[i] ?? NaN) + weight * (row[i] ?? NaN);
  }
  return out;
}
