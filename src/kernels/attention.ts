import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Scaled dot-product attention of one head: softmax(QKᵀ / √d) V, the softmax shifted by its row's maximum.
 *
 * Laws: every output is a convex combination of the values of its column; permuting keys with their values changes
 * nothing but rounding; with one key the output is that key's value, exactly.
 *
 * Shapes: Q is n×d, K is s×d, V is s×v, the output n×v. Range: finite inputs whose dot products do not overflow.
 * Source: Vaswani et al. (2017), arXiv:1706.03762, section 3.2.1, equation 1.
 */
export function attention(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  _n: number,
  d: number,
  s: number,
  _v: number,
): number {
  const scale = Math.sqrt(d);
  let largest = -Infinity;
  for (let j = 0; j < s; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[this.thread.y]![l]! * K[j]![l]!;
    }
    largest = Math.max(largest, dot / scale);
  }
  let total = 0;
  let weighted = 0;
  for (let j = 0; j < s; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[this.thread.y]![l]! * K[j]![l]!;
    }
    const weight = Math.exp(dot / scale - largest);
    total += weight;
    weighted += weight * V[j]![this.thread.x]!;
  }
  return weighted / total;
}

/**
 * Causal attention: as {@link attention}, but position i sees only keys j ≤ i.
 *
 * Laws: row i depends on the first i + 1 rows of K and V alone; row 0 is V₀, exactly. The sum stops at i, so no mask
 * of −∞ is needed, which graphics compilers cannot be trusted with.
 *
 * Shapes: Q and K are n×d, V is n×v, the output n×v.
 * Source: Vaswani et al. (2017), arXiv:1706.03762, section 3.2.3, "leftward information flow".
 */
export function causalAttention(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  _n: number,
  d: number,
  _v: number,
): number {
  const scale = Math.sqrt(d);
  let largest = -Infinity;
  for (let j = 0; j <= this.thread.y; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[this.thread.y]![l]! * K[j]![l]!;
    }
    largest = Math.max(largest, dot / scale);
  }
  let total = 0;
  let weighted = 0;
  for (let j = 0; j <= this.thread.y; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[this.thread.y]![l]! * K[j]![l]!;
    }
    const weight = Math.exp(dot / scale - largest);
    total += weight;
    weighted += weight * V[j]![this.thread.x]!;
  }
  return weighted / total;
}
