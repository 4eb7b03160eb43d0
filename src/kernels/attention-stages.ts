import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The first stage of attention: how well each query matches each key, QKᵀ / √d. The second stage is the softmax of each
 * row (softmax.ts), the third {@link attentionValues}; attention.ts is all three in one.
 *
 * Laws: bilinear in Q and K; |scores| ≤ √d·max|Q|·max|K|, to rounding.
 *
 * Shapes: Q is n×d, K is s×d, the output n×s. Range: finite inputs whose dot products do not overflow.
 * Source: Vaswani et al. (2017), arXiv:1706.03762, section 3.2.1, equation 1.
 */
export function attentionScores(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  d: number,
): number {
  let dot = 0;
  for (let l = 0; l < d; l++) {
    dot += Q[this.thread.y]![l]! * K[this.thread.x]![l]!;
  }
  return dot / Math.sqrt(d);
}

/**
 * The last stage of attention: for one query, the mean of the values weighted by the softmax of its scores.
 *
 * Laws: linear in the weights and in the values; where the weights are not negative and sum to 1 within ε, every output lies
 * between the least and the largest value of its column, to (ε + s·2⁻²⁴)·max|V|.
 *
 * Shapes: p is s, V is s×v, the output v. Range: finite inputs whose products do not overflow.
 * Source: Vaswani et al. (2017), arXiv:1706.03762, section 3.2.1, equation 1; the error of the sum is Higham (2002), Accuracy
 * and Stability of Numerical Algorithms, 2nd ed., section 3.1.
 */
export function attentionValues(
  this: KernelThread,
  p: readonly number[],
  V: readonly (readonly number[])[],
  s: number,
): number {
  let mean = 0;
  for (let j = 0; j < s; j++) {
    mean += p[j]! * V[j]![this.thread.x]!;
  }
  return mean;
}
