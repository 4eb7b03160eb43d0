import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Attention logits of normalised queries and keys: g·cos(q_i, k_j), each row divided by its length, or by ε where it is shorter.
 *
 * Laws: |logit| ≤ |g| except for rounding; the lengths of queries and keys have no influence (above ε); a query against itself
 * gives g; rows of zeros give 0.
 *
 * Shapes: Q is n×d, K is s×d, the output n×s. Range: ε > 0; squares must not overflow, nor those of interest underflow.
 * Source: Henry, Dachapally, Pawar & Chen (2020), arXiv:2010.04245, section 3, equation 2; ε as in Dehghani et al. (2023),
 * arXiv:2302.05442, section 2, which normalises queries and keys for the same reason.
 */
export function qkNormLogits(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  g: number,
  epsilon: number,
  _n: number,
  d: number,
  _s: number,
): number {
  let squaresQ = 0;
  let squaresK = 0;
  for (let l = 0; l < d; l++) {
    squaresQ += Q[this.thread.y]![l]! * Q[this.thread.y]![l]!;
    squaresK += K[this.thread.x]![l]! * K[this.thread.x]![l]!;
  }
  const lengthQ = Math.max(epsilon, Math.sqrt(squaresQ));
  const lengthK = Math.max(epsilon, Math.sqrt(squaresK));
  let cosine = 0;
  for (let l = 0; l < d; l++) {
    cosine += (Q[this.thread.y]![l]! / lengthQ) * (K[this.thread.x]![l]! / lengthK);
  }
  return g * cosine;
}

/**
 * Attention over normalised queries and keys: softmax of {@link qkNormLogits} over the keys, times the values.
 *
 * Laws: a convex combination of the values; the weights of two keys differ by at most the factor exp(2|g|), so none vanishes.
 * Range: |g| ≤ 40, as exp(g) and the sums must not overflow float32.
 *
 * Shapes: Q is n×d, K is s×d, V is s×v, the output n×v. Source: Henry et al. (2020), arXiv:2010.04245, equation 4.
 */
export function qkNormAttention(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  g: number,
  epsilon: number,
  _n: number,
  d: number,
  s: number,
  _v: number,
): number {
  let squaresQ = 0;
  for (let l = 0; l < d; l++) {
    squaresQ += Q[this.thread.y]![l]! * Q[this.thread.y]![l]!;
  }
  const lengthQ = Math.max(epsilon, Math.sqrt(squaresQ));
  let total = 0;
  let weighted = 0;
  for (let j = 0; j < s; j++) {
    let squaresK = 0;
    for (let l = 0; l < d; l++) {
      squaresK += K[j]![l]! * K[j]![l]!;
    }
    const lengthK = Math.max(epsilon, Math.sqrt(squaresK));
    let cosine = 0;
    for (let l = 0; l < d; l++) {
      cosine += (Q[this.thread.y]![l]! / lengthQ) * (K[j]![l]! / lengthK);
    }
    // No shift by the maximum: no logit is beyond |g|.
    const weight = Math.exp(g * cosine);
    total += weight;
    weighted += weight * V[j]![this.thread.x]!;
  }
  return weighted / total;
}
