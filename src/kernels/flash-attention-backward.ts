import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The gradient of flash attention with respect to the queries, tile by tile of b keys, from what the forward pass kept:
 * Σⱼ exp(Sᵢⱼ − Lᵢ)·(Aᵢⱼ − Dᵢ)·Kⱼₗ / √d with S = QKᵀ/√d, A = gVᵀ and Dᵢ = Σ_c gᵢ_c·Oᵢ_c. No pass over the keys for a
 * maximum or a sum is needed first.
 *
 * Laws: linear in g; the gradient of attention where O and L are its output and the logarithms of its sums, for every b.
 *
 * Shapes: Q is n×d, K is s×d, V is s×v, O (the output) and g are n×v, L (log-sum-exp of the rows of S) is n, the output n×d.
 * Range: 1 ≤ b; S − L below 88. Source: Dao et al. (2022), arXiv:2205.14135, appendix B.4, algorithm 4, lines 11 to 21.
 */
export function flashBackwardQueries(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  O: readonly (readonly number[])[],
  L: readonly number[],
  g: readonly (readonly number[])[],
  b: number,
  _n: number,
  d: number,
  s: number,
  v: number,
): number {
  const row = this.thread.y;
  const scale = Math.sqrt(d);
  let along = 0;
  for (let c = 0; c < v; c++) {
    along += g[row]![c]! * O[row]![c]!;
  }
  let result = 0;
  for (let tile = 0; tile < s; tile++) {
    const end = Math.min(s, (tile + 1) * b);
    for (let j = tile * b; j < end; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[row]![l]! * K[j]![l]!;
      }
      let gain = 0;
      for (let c = 0; c < v; c++) {
        gain += g[row]![c]! * V[j]![c]!;
      }
      result += Math.exp(dot / scale - L[row]!) * (gain - along) * K[j]![this.thread.x]!;
    }
  }
  return result / scale;
}

/**
 * The gradient of flash attention with respect to the keys, tile by tile of b queries:
 * Σᵢ exp(Sᵢⱼ − Lᵢ)·(Aᵢⱼ − Dᵢ)·Qᵢₗ / √d, with S, A and D as in {@link flashBackwardQueries}.
 *
 * Laws: linear in g; row j depends on no other key; the gradient of attention where O and L are those of the forward pass.
 *
 * Shapes: as {@link flashBackwardQueries}, the output s×d. Range: 1 ≤ b; S − L below 88.
 * Source: Dao et al. (2022), arXiv:2205.14135, appendix B.4, algorithm 4, line 22.
 */
export function flashBackwardKeys(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  O: readonly (readonly number[])[],
  L: readonly number[],
  g: readonly (readonly number[])[],
  b: number,
  n: number,
  d: number,
  _s: number,
  v: number,
): number {
  const key = this.thread.y;
  const scale = Math.sqrt(d);
  let result = 0;
  for (let tile = 0; tile < n; tile++) {
    const end = Math.min(n, (tile + 1) * b);
    for (let i = tile * b; i < end; i++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[i]![l]! * K[key]![l]!;
      }
      let gain = 0;
      for (let c = 0; c < v; c++) {
        gain += g[i]![c]! * (V[key]![c]! - O[i]![c]!);
      }
      result += Math.exp(dot / scale - L[i]!) * gain * Q[i]![this.thread.x]!;
    }
  }
  return result / scale;
}

/**
 * The gradient of flash attention with respect to the values, tile by tile of b queries: Σᵢ exp(Sᵢⱼ − Lᵢ)·gᵢ, with S as in
 * {@link flashBackwardQueries}.
 *
 * Laws: linear in g; row j depends on no other key.
 *
 * Shapes: Q is n×d, K is s×d, L is n, g is n×v, the output s×v. Range: 1 ≤ b; S − L below 88.
 * Source: Dao et al. (2022), arXiv:2205.14135, appendix B.4, algorithm 4, line 16.
 */
export function flashBackwardValues(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  L: readonly number[],
  g: readonly (readonly number[])[],
  b: number,
  n: number,
  d: number,
  _s: number,
  _v: number,
): number {
  const key = this.thread.y;
  const scale = Math.sqrt(d);
  let result = 0;
  for (let tile = 0; tile < n; tile++) {
    const end = Math.min(n, (tile + 1) * b);
    for (let i = tile * b; i < end; i++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[i]![l]! * K[key]![l]!;
      }
      result += Math.exp(dot / scale - L[i]!) * g[i]![this.thread.x]!;
    }
  }
  return result;
}
