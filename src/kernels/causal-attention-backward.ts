import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The gradient of causal attention with respect to the queries: Σⱼ Pᵢⱼ·(Aᵢⱼ − Σₜ Pᵢₜ·Aᵢₜ)·Kⱼₗ / √d with
 * A = gVᵀ and the attention weights P of positions j ≤ i.
 *
 * Laws: linear in g; row 0 is 0, since the first position sees only itself.
 *
 * Shapes: Q and K are n×d, V and g are n×v, the output n×d.
 * Source: Dao et al. (2022), arXiv:2205.14135, appendix B.2, equation 5, with sums over j ≤ i.
 */
export function causalAttentionBackwardQueries(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  _n: number,
  d: number,
  v: number,
): number {
  const row = this.thread.y;
  const scale = Math.sqrt(d);
  let largest = -Infinity;
  for (let j = 0; j <= row; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[row]![l]! * K[j]![l]!;
    }
    largest = Math.max(largest, dot / scale);
  }
  let total = 0;
  let along = 0;
  let plain = 0;
  let weighted = 0;
  for (let j = 0; j <= row; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[row]![l]! * K[j]![l]!;
    }
    let gain = 0;
    for (let c = 0; c < v; c++) {
      gain += g[row]![c]! * V[j]![c]!;
    }
    const weight = Math.exp(dot / scale - largest);
    const key = K[j]![this.thread.x]!;
    total += weight;
    along += weight * gain;
    plain += weight * key;
    weighted += weight * gain * key;
  }
  return (weighted / total - (along / total) * (plain / total)) / scale;
}

/**
 * The gradient of causal attention with respect to the keys: Σᵢ Pᵢⱼ·(Aᵢⱼ − Σₜ Pᵢₜ·Aᵢₜ)·Qᵢₗ / √d, with P and A as in
 * {@link causalAttentionBackwardQueries}.
 *
 * Laws: linear in g; row j depends on rows of Q from j on alone; over all keys it sums to 0.
 *
 * Shapes: Q and K are n×d, V and g are n×v, the output n×d.
 * Source: Dao et al. (2022), arXiv:2205.14135, appendix B.2, equation 6, with sums over i ≥ j.
 */
export function causalAttentionBackwardKeys(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  n: number,
  d: number,
  v: number,
): number {
  const scale = Math.sqrt(d);
  let result = 0;
  for (let i = this.thread.y; i < n; i++) {
    let largest = -Infinity;
    for (let j = 0; j <= i; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[i]![l]! * K[j]![l]!;
      }
      largest = Math.max(largest, dot / scale);
    }
    let total = 0;
    let along = 0;
    let ownWeight = 0;
    let ownGain = 0;
    for (let j = 0; j <= i; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[i]![l]! * K[j]![l]!;
      }
      let gain = 0;
      for (let c = 0; c < v; c++) {
        gain += g[i]![c]! * V[j]![c]!;
      }
      const weight = Math.exp(dot / scale - largest);
      total += weight;
      along += weight * gain;
      if (j === this.thread.y) {
        ownWeight = weight;
        ownGain = gain;
      }
    }
    result += (ownWeight / total) * (ownGain - along / total) * Q[i]![this.thread.x]!;
  }
  return result / scale;
}

/**
 * The gradient of causal attention with respect to the values: Σᵢ Pᵢⱼ·gᵢ, with the attention weights P of positions j ≤ i.
 *
 * Laws: linear in g; does not depend on V; the last key receives its weight of the last row of g alone.
 *
 * Shapes: Q and K are n×d, g is n×v, the output n×v.
 * Source: Dao et al. (2022), arXiv:2205.14135, appendix B.2, equation 3, with the sum over i ≥ j.
 */
export function causalAttentionBackwardValues(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  n: number,
  d: number,
  _v: number,
): number {
  const scale = Math.sqrt(d);
  let result = 0;
  for (let i = this.thread.y; i < n; i++) {
    let largest = -Infinity;
    for (let j = 0; j <= i; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[i]![l]! * K[j]![l]!;
      }
      largest = Math.max(largest, dot / scale);
    }
    let total = 0;
    let own = 0;
    for (let j = 0; j <= i; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[i]![l]! * K[j]![l]!;
      }
      const weight = Math.exp(dot / scale - largest);
      total += weight;
      if (j === this.thread.y) {
        own = weight;
      }
    }
    result += (own / total) * g[i]![this.thread.x]!;
  }
  return result;
}
