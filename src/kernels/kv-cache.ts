import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * A cache of m rows with row p replaced by k: what the next token adds to the keys, or to the values.
 *
 * Laws: row p is k, every other row is unchanged, bit for bit; writing the same row again changes nothing.
 *
 * Shapes: C is m×d, k is d, the output m×d. Range: 0 ≤ p < m (a full cache takes no further row).
 * Source: Pope et al. (2023) Efficiently Scaling Transformer Inference, arXiv:2211.05102, section 2 (the KV cache).
 */
export function cacheAppend(
  this: KernelThread,
  C: readonly (readonly number[])[],
  k: readonly number[],
  p: number,
  _m: number,
  _d: number,
): number {
  if (this.thread.y === p) {
    return k[this.thread.x]!;
  }
  return C[this.thread.y]![this.thread.x]!;
}

/**
 * Attention of one query over the first p + 1 rows of a cache: the decoding of token p.
 *
 * Laws: row p of causal attention over the whole sequence, bit for bit; rows of the cache after p have no influence,
 * whatever they contain.
 *
 * Shapes: q is d, C (keys) is m×d, D (values) is m×v, the output v. Range: 0 ≤ p < m.
 * Sources: Vaswani et al. (2017), arXiv:1706.03762, equation 1; Shazeer (2019), arXiv:1911.02150, section 2.4 (incremental).
 */
export function cachedAttention(
  this: KernelThread,
  q: readonly number[],
  C: readonly (readonly number[])[],
  D: readonly (readonly number[])[],
  p: number,
  d: number,
  _m: number,
  _v: number,
): number {
  const scale = Math.sqrt(d);
  const filled = p + 1;
  let largest = -Infinity;
  for (let j = 0; j < filled; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += q[l]! * C[j]![l]!;
    }
    largest = Math.max(largest, dot / scale);
  }
  let total = 0;
  let weighted = 0;
  for (let j = 0; j < filled; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += q[l]! * C[j]![l]!;
    }
    const weight = Math.exp(dot / scale - largest);
    total += weight;
    weighted += weight * D[j]![this.thread.x]!;
  }
  return weighted / total;
}
