import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The gradient of ALiBi attention with respect to the queries: per head, Σⱼ Pᵢⱼ·(Aᵢⱼ − Σₜ Pᵢₜ·Aᵢₜ)·Kⱼₗ / √d with A = gVᵀ
 * and the attention weights P, biases included, of positions j ≤ i. The biases are constants: they have no gradient.
 *
 * Laws: linear in g; row 0 is 0, since the first position sees only itself.
 *
 * Shapes: Q and K are H×n×d, V and g are H×n×v, the output H×n×d.
 * Sources: Press, Smith & Lewis (2022), arXiv:2108.12409, section 3; each head is Dao et al. (2022), arXiv:2205.14135,
 * appendix B.2, equation 5.
 */
export function alibiBackwardQueries(
  this: KernelThread,
  Q: readonly (readonly (readonly number[])[])[],
  K: readonly (readonly (readonly number[])[])[],
  V: readonly (readonly (readonly number[])[])[],
  g: readonly (readonly (readonly number[])[])[],
  H: number,
  _n: number,
  d: number,
  v: number,
): number {
  const head = this.thread.z;
  const row = this.thread.y;
  const slope = Math.pow(2, (-8 * (head + 1)) / H);
  const scale = Math.sqrt(d);
  let largest = -Infinity;
  let best = 0;
  for (let j = 0; j <= row; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[head]![row]![l]! * K[head]![j]![l]!;
    }
    const score = dot / scale - slope * (row - j);
    if (score > largest) {
      largest = score;
      best = j;
    }
  }
  // Gains and keys are relative to those of the key with the largest weight, so that equal ones cancel exactly.
  let total = 0;
  let along = 0;
  let plain = 0;
  let weighted = 0;
  for (let j = 0; j <= row; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[head]![row]![l]! * K[head]![j]![l]!;
    }
    let gain = 0;
    for (let c = 0; c < v; c++) {
      gain += g[head]![row]![c]! * (V[head]![j]![c]! - V[head]![best]![c]!);
    }
    const weight = Math.exp(dot / scale - slope * (row - j) - largest);
    const key = K[head]![j]![this.thread.x]! - K[head]![best]![this.thread.x]!;
    total += weight;
    along += weight * gain;
    plain += weight * key;
    weighted += weight * gain * key;
  }
  return (weighted / total - (along / total) * (plain / total)) / scale;
}

/**
 * The gradient of ALiBi attention with respect to the keys: per head, Σᵢ Pᵢⱼ·(Aᵢⱼ − Σₜ Pᵢₜ·Aᵢₜ)·Qᵢₗ / √d, with P and A as
 * in {@link alibiBackwardQueries}.
 *
 * Laws: linear in g; row j depends on rows of Q from j on alone; over all keys of a head it sums to 0.
 *
 * Shapes: Q and K are H×n×d, V and g are H×n×v, the output H×n×d.
 * Sources: as {@link alibiBackwardQueries}; each head is equation 6.
 */
export function alibiBackwardKeys(
  this: KernelThread,
  Q: readonly (readonly (readonly number[])[])[],
  K: readonly (readonly (readonly number[])[])[],
  V: readonly (readonly (readonly number[])[])[],
  g: readonly (readonly (readonly number[])[])[],
  H: number,
  n: number,
  d: number,
  v: number,
): number {
  const head = this.thread.z;
  const slope = Math.pow(2, (-8 * (head + 1)) / H);
  const scale = Math.sqrt(d);
  let result = 0;
  for (let i = this.thread.y; i < n; i++) {
    let largest = -Infinity;
    for (let j = 0; j <= i; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[head]![i]![l]! * K[head]![j]![l]!;
      }
      largest = Math.max(largest, dot / scale - slope * (i - j));
    }
    let total = 0;
    let along = 0;
    let ownWeight = 0;
    let ownGain = 0;
    for (let j = 0; j <= i; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[head]![i]![l]! * K[head]![j]![l]!;
      }
      let gain = 0;
      for (let c = 0; c < v; c++) {
        gain += g[head]![i]![c]! * V[head]![j]![c]!;
      }
      const weight = Math.exp(dot / scale - slope * (i - j) - largest);
      total += weight;
      along += weight * gain;
      if (j === this.thread.y) {
        ownWeight = weight;
        ownGain = gain;
      }
    }
    result += (ownWeight / total) * (ownGain - along / total) * Q[head]![i]![this.thread.x]!;
  }
  return result / scale;
}

/**
 * The gradient of ALiBi attention with respect to the values: per head, Σᵢ Pᵢⱼ·gᵢ, with P as in {@link
 * alibiBackwardQueries}.
 *
 * Laws: linear in g; does not depend on V; over all keys of a head it sums to the sum of g.
 *
 * Shapes: Q and K are H×n×d, g is H×n×v, the output H×n×v.
 * Sources: as {@link alibiBackwardQueries}; each head is equation 3.
 */
export function alibiBackwardValues(
  this: KernelThread,
  Q: readonly (readonly (readonly number[])[])[],
  K: readonly (readonly (readonly number[])[])[],
  g: readonly (readonly (readonly number[])[])[],
  H: number,
  n: number,
  d: number,
  _v: number,
): number {
  const head = this.thread.z;
  const slope = Math.pow(2, (-8 * (head + 1)) / H);
  const scale = Math.sqrt(d);
  let result = 0;
  for (let i = this.thread.y; i < n; i++) {
    let largest = -Infinity;
    for (let j = 0; j <= i; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[head]![i]![l]! * K[head]![j]![l]!;
      }
      largest = Math.max(largest, dot / scale - slope * (i - j));
    }
    let total = 0;
    let own = 0;
    for (let j = 0; j <= i; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[head]![i]![l]! * K[head]![j]![l]!;
      }
      const weight = Math.exp(dot / scale - slope * (i - j) - largest);
      total += weight;
      if (j === this.thread.y) {
        own = weight;
      }
    }
    result += (own / total) * g[head]![i]![this.thread.x]!;
  }
  return result;
}
