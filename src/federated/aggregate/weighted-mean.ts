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
  for (const [p, row] of rows.entries()) {
    const weight = present(weights[p], 'every row has a weight');
    for (let i = 0; i < size; i++) sums[i] = (sums[i] ?? NaN) + weight * (row[i] ?? NaN);
  }
  for (let i = 0; i < size; i++) out[i] = (sums[i] ?? NaN) / total;
}
