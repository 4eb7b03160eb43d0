import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The gradient of appending a row with respect to the cache: g without row p, which the new row has overwritten. That of the
 * new row is row p of g.
 *
 * Laws: row p is 0; every other row is that of g, bit for bit.
 *
 * Shapes: g is m×d, the output m×d. Range: 0 ≤ p < m.
 * Source: Pope et al. (2023), arXiv:2211.05102, section 2 (the KV cache), differentiated.
 */
export function cacheAppendBackward(
  this: KernelThread,
  g: readonly (readonly number[])[],
  p: number,
  _m: number,
  _d: number,
): number {
  if (this.thread.y === p) {
    return 0;
  }
  return g[this.thread.y]![this.thread.x]!;
}

/**
 * The gradient of decoding token p with respect to its query: Σⱼ Pⱼ·(Aⱼ − Σₜ Pₜ·Aₜ)·Cⱼₗ / √d with A = D·g and the attention
 * weights P of the first p + 1 rows.
 *
 * Laws: row p of the queries' gradient of causal attention; the first token has none.
 *
 * Shapes: q is d, C (keys) is m×d, D (values) is m×v, g is v, the output d. Range: 0 ≤ p < m.
 * Source: Dao et al. (2022), arXiv:2205.14135, appendix B.2, equation 5, for one row.
 */
export function cachedBackwardQuery(
  this: KernelThread,
  q: readonly number[],
  C: readonly (readonly number[])[],
  D: readonly (readonly number[])[],
  g: readonly number[],
  p: number,
  d: number,
  _m: number,
  v: number,
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
  let along = 0;
  let plain = 0;
  let weighted = 0;
  for (let j = 0; j < filled; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += q[l]! * C[j]![l]!;
    }
    let gain = 0;
    for (let c = 0; c < v; c++) {
      gain += g[c]! * D[j]![c]!;
    }
    const weight = Math.exp(dot / scale - largest);
    const key = C[j]![this.thread.x]!;
    total += weight;
    along += weight * gain;
    plain += weight * key;
    weighted += weight * gain * key;
  }
  return (weighted / total - (along / total) * (plain / total)) / scale;
}

/**
 * The gradient of decoding token p with respect to the cached keys: Pⱼ·(Aⱼ − Σₜ Pₜ·Aₜ)·qₗ / √d in the first p + 1 rows, with
 * P and A as in {@link cachedBackwardQuery}.
 *
 * Laws: rows after p are 0, bit for bit; over all rows it sums to 0.
 *
 * Shapes: q is d, C (keys) is m×d, D (values) is m×v, g is v, the output m×d. Range: 0 ≤ p < m.
 * Source: Dao et al. (2022), arXiv:2205.14135, appendix B.2, equation 6, for one query.
 */
export function cachedBackwardKeys(
  this: KernelThread,
  q: readonly number[],
  C: readonly (readonly number[])[],
  D: readonly (readonly number[])[],
  g: readonly number[],
  p: number,
  d: number,
  _m: number,
  v: number,
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
  let along = 0;
  // Rows that are not filled keep a weight of 0.
  let ownWeight = 0;
  let ownGain = 0;
  for (let j = 0; j < filled; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += q[l]! * C[j]![l]!;
    }
    let gain = 0;
    for (let c = 0; c < v; c++) {
      gain += g[c]! * D[j]![c]!;
    }
    const weight = Math.exp(dot / scale - largest);
    total += weight;
    along += weight * gain;
    if (j === this.thread.y) {
      ownWeight = weight;
      ownGain = gain;
    }
  }
  return ((ownWeight / total) * (ownGain - along / total) * q[this.thread.x]!) / scale;
}

/**
 * The gradient of decoding token p with respect to the cached values: Pⱼ·g in the first p + 1 rows, with P as in
 * {@link cachedBackwardQuery}.
 *
 * Laws: rows after p are 0, bit for bit; over all rows it sums to g.
 *
 * Shapes: q is d, C (keys) is m×d, g is v, the output m×v. Range: 0 ≤ p < m.
 * Source: Dao et al. (2022), arXiv:2205.14135, appendix B.2, equation 3, for one query.
 */
export function cachedBackwardValues(
  this: KernelThread,
  q: readonly number[],
  C: readonly (readonly number[])[],
  g: readonly number[],
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
  // Rows that are not filled keep a weight of 0.
  let own = 0;
  for (let j = 0; j < filled; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += q[l]! * C[j]![l]!;
    }
    const weight = Math.exp(dot / scale - largest);
    total += weight;
    if (j === this.thread.y) {
      own = weight;
    }
  }
  return (own / total) * g[this.thread.x]!;
}
