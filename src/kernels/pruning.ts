import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * WANDA's importance of each weight: |Wᵢⱼ|·‖X₍:,ⱼ₎‖, its magnitude times the norm of its input feature.
 *
 * Laws: never negative; the signs of W and X do not matter; all-ones activations rank by magnitude.
 *
 * Shapes: W is m×n (outputs × inputs), X is s×n (samples × inputs), the output m×n. Range: |X| up to 1e18.
 * Source: Sun, Liu, Bair & Kolter (2024), arXiv:2306.11695, equation 1.
 */
export function wandaScore(
  this: KernelThread,
  W: readonly (readonly number[])[],
  X: readonly (readonly number[])[],
  _m: number,
  _n: number,
  s: number,
): number {
  let squares = 0;
  for (let l = 0; l < s; l++) {
    squares += X[l]![this.thread.x]! * X[l]![this.thread.x]!;
  }
  return Math.abs(W[this.thread.y]![this.thread.x]!) * Math.sqrt(squares);
}

/**
 * Removes the k least important weights of every row: 0 where fewer than k scores of the row are smaller, the weight
 * elsewhere. Of equal scores the first are removed first, so exactly k weights of a row become 0.
 *
 * Laws: exact (no rounding); idempotent; no kept weight has a lower score than a removed one.
 *
 * Shapes: W and S are m×n, the output m×n. Range: 0 ≤ k ≤ n. Magnitude pruning is S = |W|, WANDA S = wandaScore.
 * Source: Han et al. (2015), arXiv:1506.02626, section 3; per row as in Sun et al. (2024), arXiv:2306.11695, section 3.
 */
export function pruneRows(
  this: KernelThread,
  W: readonly (readonly number[])[],
  S: readonly (readonly number[])[],
  k: number,
  _m: number,
  n: number,
): number {
  const own = S[this.thread.y]![this.thread.x]!;
  let before = 0;
  for (let l = 0; l < n; l++) {
    const other = S[this.thread.y]![l]!;
    if (other < own || (other === own && l < this.thread.x)) {
      before += 1;
    }
  }
  return before < k ? 0 : W[this.thread.y]![this.thread.x]!;
}
