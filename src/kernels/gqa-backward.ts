import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The gradient of grouped-query attention with respect to the queries: for head a that of attention with the keys and
 * values of its group ⌊a·g/h⌋. The weights are recomputed from Q and K.
 *
 * Laws: linear in D; with one key it is 0; with g = h it is that of multi-head attention.
 *
 * Shapes: Q and D (the gradient of the output) are h×n×d, K and V are g×s×d, the output h×n×d, h a multiple of g.
 * Source: Ainslie et al. (2023), arXiv:2305.13245, section 2.2; each head is Dao et al. (2022), arXiv:2205.14135, appendix
 * B.2, equation 5.
 */
export function gqaBackwardQueries(
  this: KernelThread,
  Q: readonly (readonly (readonly number[])[])[],
  K: readonly (readonly (readonly number[])[])[],
  V: readonly (readonly (readonly number[])[])[],
  D: readonly (readonly (readonly number[])[])[],
  h: number,
  _n: number,
  d: number,
  g: number,
  s: number,
): number {
  const head = this.thread.z;
  const row = this.thread.y;
  const group = Math.floor((head * g) / h);
  const scale = Math.sqrt(d);
  let largest = -Infinity;
  for (let j = 0; j < s; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[head]![row]![l]! * K[group]![j]![l]!;
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
      dot += Q[head]![row]![l]! * K[group]![j]![l]!;
    }
    let gain = 0;
    for (let c = 0; c < d; c++) {
      gain += D[head]![row]![c]! * V[group]![j]![c]!;
    }
    const weight = Math.exp(dot / scale - largest);
    const key = K[group]![j]![this.thread.x]!;
    total += weight;
    along += weight * gain;
    plain += weight * key;
    weighted += weight * gain * key;
  }
  return (weighted / total - (along / total) * (plain / total)) / scale;
}

/**
 * The gradient of grouped-query attention with respect to the shared keys: for group b, the sum over its heads, which
 * begin at b·h/g.
 *
 * Laws: linear in D; over the keys of a group it sums to 0; with g = h it is that of multi-head attention.
 *
 * Shapes: as {@link gqaBackwardQueries}, the output g×s×d.
 * Source: Ainslie et al. (2023), arXiv:2305.13245, section 2.2; each head is Dao et al. (2022), arXiv:2205.14135, appendix
 * B.2, equation 6.
 */
export function gqaBackwardKeys(
  this: KernelThread,
  Q: readonly (readonly (readonly number[])[])[],
  K: readonly (readonly (readonly number[])[])[],
  V: readonly (readonly (readonly number[])[])[],
  D: readonly (readonly (readonly number[])[])[],
  h: number,
  n: number,
  d: number,
  g: number,
  s: number,
): number {
  const group = this.thread.z;
  const scale = Math.sqrt(d);
  let result = 0;
  for (let head = 0; head < h; head++) {
    if (Math.floor((head * g) / h) === group) {
      for (let i = 0; i < n; i++) {
        let largest = -Infinity;
        for (let j = 0; j < s; j++) {
          let dot = 0;
          for (let l = 0; l < d; l++) {
            dot += Q[head]![i]![l]! * K[group]![j]![l]!;
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
            dot += Q[head]![i]![l]! * K[group]![j]![l]!;
          }
          let gain = 0;
          for (let c = 0; c < d; c++) {
            gain += D[head]![i]![c]! * V[group]![j]![c]!;
          }
          const weight = Math.exp(dot / scale - largest);
          total += weight;
          along += weight * gain;
          if (j === this.thread.y) {
            ownWeight = weight;
            ownGain = gain;
          }
        }
        result += (ownWeight / total) * (ownGain - along / total) * Q[head]![i]![this.thread.x]!;
      }
    }
  }
  return result / scale;
}

/**
 * The gradient of grouped-query attention with respect to the shared values: for group b, the sum over its heads, which
 * begin at b·h/g.
 *
 * Laws: linear in D; does not depend on V; over the keys of a group it sums to the sum of D over its heads and queries.
 *
 * Shapes: Q and D (the gradient of the output) are h×n×d, K is g×s×d, the output g×s×d, h a multiple of g.
 * Source: Ainslie et al. (2023), arXiv:2305.13245, section 2.2; each head is Dao et al. (2022), arXiv:2205.14135, appendix
 * B.2, equation 3.
 */
export function gqaBackwardValues(
  this: KernelThread,
  Q: readonly (readonly (readonly number[])[])[],
  K: readonly (readonly (readonly number[])[])[],
  D: readonly (readonly (readonly number[])[])[],
  h: number,
  n: number,
  d: number,
  g: number,
  s: number,
): number {
  const group = this.thread.z;
  const scale = Math.sqrt(d);
  let result = 0;
  for (let head = 0; head < h; head++) {
    if (Math.floor((head * g) / h) === group) {
      for (let i = 0; i < n; i++) {
        let largest = -Infinity;
        for (let j = 0; j < s; j++) {
          let dot = 0;
          for (let l = 0; l < d; l++) {
            dot += Q[head]![i]![l]! * K[group]![j]![l]!;
          }
          largest = Math.max(largest, dot / scale);
        }
        let total = 0;
        let own = 0;
        for (let j = 0; j < s; j++) {
          let dot = 0;
          for (let l = 0; l < d; l++) {
            dot += Q[head]![i]![l]! * K[group]![j]![l]!;
          }
          const weight = Math.exp(dot / scale - largest);
          total += weight;
          if (j === this.thread.y) {
            own = weight;
          }
        }
        result += (own / total) * D[head]![i]![this.thread.x]!;
      }
    }
  }
  return result;
}
