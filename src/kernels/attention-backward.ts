import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The gradient of attention with respect to the queries: Σⱼ Pᵢⱼ·(Aᵢⱼ − Σₜ Pᵢₜ·Aᵢₜ)·Kⱼₗ / √d with the attention weights P
 * and A = gVᵀ. The weights are recomputed from Q and K, as memory-efficient implementations do.
 *
 * Laws: linear in g; with one key it is 0, since its weight is 1 whatever the query; a constant A gives 0.
 *
 * Shapes: Q is n×d, K is s×d, V is s×v, g is n×v, the output n×d.
 * Source: Dao et al. (2022), arXiv:2205.14135, appendix B.2, equation 5; the softmax is shifted as in the forward kernel.
 */
export function attentionBackwardQueries(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  _n: number,
  d: number,
  s: number,
  v: number,
): number {
  const row = this.thread.y;
  const scale = Math.sqrt(d);
  let largest = -Infinity;
  for (let j = 0; j < s; j++) {
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
  for (let j = 0; j < s; j++) {
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
 * The gradient of attention with respect to the keys: Σᵢ Pᵢⱼ·(Aᵢⱼ − Σₜ Pᵢₜ·Aᵢₜ)·Qᵢₗ / √d, with P and A as in
 * {@link attentionBackwardQueries}.
 *
 * Laws: linear in g; over all keys it sums to 0, since adding a vector to every key shifts a row's scores alike.
 *
 * Shapes: Q is n×d, K is s×d, V is s×v, g is n×v, the output s×d.
 * Source: Dao et al. (2022), arXiv:2205.14135, appendix B.2, equation 6.
 */
export function attentionBackwardKeys(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  n: number,
  d: number,
  s: number,
  v: number,
): number {
  const scale = Math.sqrt(d);
  let result = 0;
  for (let i = 0; i < n; i++) {
    let largest = -Infinity;
    for (let j = 0; j < s; j++) {
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
    for (let j = 0; j < s; j++) {
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
 * The gradient of attention with respect to the values: Σᵢ Pᵢⱼ·gᵢ, with the attention weights P.
 *
 * Laws: linear in g; does not depend on V; over all keys it sums to the sum of g over the queries.
 *
 * Shapes: Q is n×d, K is s×d, g is n×v, the output s×v.
 * Source: Dao et al. (2022), arXiv:2205.14135, appendix B.2, equation 3.
 */
export function attentionBackwardValues(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  n: number,
  d: number,
  s: number,
  _v: number,
): number {
  const scale = Math.sqrt(d);
  let result = 0;
  for (let i = 0; i < n; i++) {
    let largest = -Infinity;
    for (let j = 0; j < s; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[i]![l]! * K[j]![l]!;
      }
      largest = Math.max(largest, dot / scale);
    }
    let total = 0;
    let own = 0;
    for (let j = 0; j < s; j++) {
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
