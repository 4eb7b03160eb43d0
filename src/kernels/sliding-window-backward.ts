import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The gradient of sliding-window attention with respect to the queries: Σⱼ Pᵢⱼ·(Aᵢⱼ − Σₜ Pᵢₜ·Aᵢₜ)·Kⱼₗ / √d with
 * A = gVᵀ and the attention weights P of the last w positions up to i.
 *
 * Laws: linear in g; a window of one position has no gradient; one that reaches all gives that of causal attention.
 *
 * Shapes: Q and K are n×d, V and g are n×v, the output n×d. Range: w ≥ 1.
 * Source: Dao et al. (2022), arXiv:2205.14135, appendix B.2, equation 5, with sums over the window of
 * Beltagy, Peters & Cohan (2020), arXiv:2004.05150, section 3.1.
 */
export function slidingWindowBackwardQueries(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  w: number,
  _n: number,
  d: number,
  v: number,
): number {
  const row = this.thread.y;
  const first = Math.max(0, row - w + 1);
  const scale = Math.sqrt(d);
  let largest = -Infinity;
  for (let j = first; j <= row; j++) {
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
  for (let j = first; j <= row; j++) {
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
 * The gradient of sliding-window attention with respect to the keys: Σᵢ Pᵢⱼ·(Aᵢⱼ − Σₜ Pᵢₜ·Aᵢₜ)·Qᵢₗ / √d over the w positions
 * from j on that see key j, with P and A as in {@link slidingWindowBackwardQueries}.
 *
 * Laws: linear in g; row j depends on rows j to j + w − 1 of Q and g alone; over all keys it sums to 0.
 *
 * Shapes: Q and K are n×d, V and g are n×v, the output n×d. Range: w ≥ 1.
 * Source: Dao et al. (2022), arXiv:2205.14135, appendix B.2, equation 6, with sums over the windows.
 */
export function slidingWindowBackwardKeys(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  w: number,
  n: number,
  d: number,
  v: number,
): number {
  const scale = Math.sqrt(d);
  let result = 0;
  for (let i = this.thread.y; i < Math.min(n, this.thread.y + w); i++) {
    const first = Math.max(0, i - w + 1);
    let largest = -Infinity;
    for (let j = first; j <= i; j++) {
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
    for (let j = first; j <= i; j++) {
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
 * The gradient of sliding-window attention with respect to the values: Σᵢ Pᵢⱼ·gᵢ over the w positions from j on that see
 * key j.
 *
 * Laws: linear in g; does not depend on V; a window of one position gives g, exactly.
 *
 * Shapes: Q and K are n×d, g is n×v, the output n×v. Range: w ≥ 1.
 * Source: Dao et al. (2022), arXiv:2205.14135, appendix B.2, equation 3, with the sum over the windows.
 */
export function slidingWindowBackwardValues(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  w: number,
  n: number,
  d: number,
  _v: number,
): number {
  const scale = Math.sqrt(d);
  let result = 0;
  for (let i = this.thread.y; i < Math.min(n, this.thread.y + w); i++) {
    const first = Math.max(0, i - w + 1);
    let largest = -Infinity;
    for (let j = first; j <= i; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[i]![l]! * K[j]![l]!;
      }
      largest = Math.max(largest, dot / scale);
    }
    let total = 0;
    let own = 0;
    for (let j = first; j <= i; j++) {
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
