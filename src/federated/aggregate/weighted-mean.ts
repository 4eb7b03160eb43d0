/** The weighted mean of federated averaging, in a stated order and precision. */
import { present } from '../../base/invariant.ts';

/**
 * out_i ← Σ_p w_p·x_p,i / Σ_p w_p: products and sums in float64, over p in the given order, then one division in float64 and one
 * rounding to float32. `sums` has at least as many elements as a row and is overwritten. Weights are above 0.
 *
 * No operation can be fused or reordered in JavaScript, so every machine gives the same bits. Rows that agree give that row, and
 * finite rows a finite result: a float64 mean of float32 numbers is within a relative 2⁻⁴⁴ of their range.
 *
 * Source: McMahan et al. (2017), arXiv:1602.05629, algorithm 1.
 */
export function weightedMean(
  rows: readonly Float32Array[],
  weights: readonly number[],
  sums: Float64Array,
  out: Float32Array,
): void {
  const total = weights.reduce((sum, w) => sum + w, 0);
  const size = out.length;
  // −0 + x is x for every x, so that rows of −0 give −0.
  sums.fill(-0, 0, size);
  const inFours = rows.length - (rows.length % 4);
  for (let p = 0; p < inFours; p += 4) addFour(sums, rows, weights, p);
  for (let p = inFours; p < rows.length; p++) {
    const [row, weight] = [rowAt(rows, p), weights[p] ?? NaN];
    for (let i = 0; i < row.length; i++) sums[i] = (sums[i] ?? NaN) + weight * (row[i] ?? NaN);
  }
  for (let i = 0; i < out.length; i++) out[i] = (sums[i] ?? NaN) / total;
}

const rowAt = (rows: readonly Float32Array[], p: number): Float32Array => present(rows[p], 'p counts rows');

/** Adds four rows one after another to each sum: as adding row by row, with a quarter of its reads and writes of sums. */
function addFour(sums: Float64Array, rows: readonly Float32Array[], weights: readonly number[], p: number): void {
  const [a, b, c, d] = [rowAt(rows, p), rowAt(rows, p + 1), rowAt(rows, p + 2), rowAt(rows, p + 3)];
  const [u = NaN, v = NaN, w = NaN, x = NaN] = weights.slice(p, p + 4);
  for (let i = 0; i < a.length; i++)
    sums[i] = (sums[i] ?? NaN) + u * (a[i] ?? NaN) + v * (b[i] ?? NaN) + w * (c[i] ?? NaN) + x * (d[i] ?? NaN);
}
