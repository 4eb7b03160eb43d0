/** The geometric median of the submissions as a weighted mean of them. */
import { ok, type Result } from '../../base/result.ts';
import type { Factor } from '../adapter/layout.ts';
import { scan, type Cohort } from './cohort.ts';
import type { AggregationFault } from './fault.ts';
import { median } from './order-statistics.ts';

/** Passes over all submissions at most; most rounds need some ten. */
const mostPasses = 100;
/** A pass that lowers the sum of distances by less than this share of it is the last. */
const enough = 1e-10;

/**
 * Weights, from 0, whose mean of the submissions is nearly the point z with the least Σ_p ‖x_p − z‖: Weiszfeld's algorithm,
 * w_p = 1/max(ν, ‖x_p − z‖), from the median of every coordinate. It ends when a pass lowers the sum by less than 10⁻¹⁰ of it, or
 * after 100 passes. ν is 10⁻⁶ of the median of the first distances, which no minority can raise.
 *
 * Distances are direct differences in float64, and the order is fixed, so that every machine gives the same bits.
 *
 * Source: Pillutla, Kakade & Harchaoui (2022), Robust aggregation for federated learning, arXiv:1912.13445, algorithm 2.
 */
export async function geometricMedianWeights(
  cohort: Cohort,
  factors: readonly Factor[],
): Promise<Result<readonly number[], AggregationFault>> {
  let weights: readonly number[] | null = null;
  let [smallest, least] = [0, Infinity];
  for (let pass = 0; pass < mostPasses; pass++) {
    const distances: Result<readonly number[], AggregationFault> = await distancesFrom(cohort, factors, weights);
    if (!distances.ok) return distances;
    const sum = distances.value.reduce((total, d) => total + d, 0);
    if (weights === null) smallest = 1e-6 * lowerMedian(distances.value);
    else if (!(sum < least * (1 - enough))) break;
    least = sum;
    weights = weiszfeld(distances.value, smallest);
    if (smallest === 0) break;
  }
  return ok(weights ?? []);
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
