/** Attention that groups heads, looks back so far, or goes over blocks of keys; flat arrays are row-major. */
import type { KernelThread } from '../../../src/runtime/kernel-types.ts';

type Matrix = readonly (readonly number[])[];

/** Attends from `query` to rows [from, to) of the keys, each d long, of the values v long. */
function attend(
  query: Float32Array,
  K: Float32Array,
  V: Float32Array,
  { from, to, d, v }: { readonly from: number; readonly to: number; readonly d: number; readonly v: number },
): Float32Array {
  const scores: number[] = [];
  for (let j = from; j < to; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) dot += query[l]! * K[j * d + l]!;
    scores.push(dot / Math.sqrt(d));
  }
  const largest = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - largest));
  const sum = weights.reduce((a, b) => a + b, 0);
  return Float32Array.from(
    { length: v },
    (_, c) => weights.reduce((total, weight, j) => total + weight * V[(from + j) * v + c]!, 0) / sum,
  );
}

/** Without blocks. */
export function flashAttentionNaive(
  Q: Float32Array,
  K: Float32Array,
  V: Float32Array,
  _b: number,
  n: number,
  d: number,
  s: number,
  v: number,
): Float32Array {
  const output = new Float32Array(n * v);
  for (let i = 0; i < n; i++) output.set(attend(Q.subarray(i * d, i * d + d), K, V, { from: 0, to: s, d, v }), i * v);
  return output;
}

/** Wrong: what was summed is not rescaled when the maximum grows. */
export function flashAttentionWithoutRescaling(
  this: KernelThread,
  Q: Matrix,
  K: Matrix,
  V: Matrix,
  _b: number,
  _n: number,
  d: number,
  s: number,
  _v: number,
): number {
  const i = this.thread.y;
  let largest = -1e30;
  let sum = 0;
  let output = 0;
  for (let j = 0; j < s; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[i]![l]! * K[j]![l]!;
    }
    const score = dot / Math.sqrt(d);
    largest = Math.max(largest, score);
    const weight = Math.exp(score - largest);
    sum += weight;
    output += weight * V[j]![this.thread.x]!;
  }
  return output / sum;
}

export function slidingWindowAttentionInDoubles(
  Q: Float32Array,
  K: Float32Array,
  V: Float32Array,
  w: number,
  n: number,
  d: number,
  v: number,
): Float32Array {
  const output = new Float32Array(n * v);
  for (let i = 0; i < n; i++) {
    const from = Math.max(0, i - w + 1);
    output.set(attend(Q.subarray(i * d, i * d + d), K, V, { from, to: i + 1, d, v }), i * v);
  }
  return output;
}

/** Wrong: the window holds one key more. */
export function slidingWindowAttentionWide(
  Q: Float32Array,
  K: Float32Array,
  V: Float32Array,
  w: number,
  n: number,
  d: number,
  v: number,
): Float32Array {
  const output = new Float32Array(n * v);
  for (let i = 0; i < n; i++) {
    const from = Math.max(0, i - w);
    output.set(attend(Q.subarray(i * d, i * d + d), K, V, { from, to: i + 1, d, v }), i * v);
  }
  return output;
}

/** h query heads and g heads of keys and values. */
export function gqaInDoubles(
  Q: Float32Array,
  K: Float32Array,
  V: Float32Array,
  h: number,
  n: number,
  d: number,
  g: number,
  s: number,
): Float32Array {
  const output = new Float32Array(h * n * d);
  for (let row = 0; row < h * n; row++) {
    const first = Math.floor((Math.floor(row / n) * g) / h) * s;
    output.set(attend(Q.subarray(row * d, row * d + d), K, V, { from: first, to: first + s, d, v: d }), row * d);
  }
  return output;
}

/** Wrong: neighbouring query heads use different heads of keys. */
export function gqaInterleaved(
  Q: Float32Array,
  K: Float32Array,
  V: Float32Array,
  h: number,
  n: number,
  d: number,
  g: number,
  s: number,
): Float32Array {
  const output = new Float32Array(h * n * d);
  for (let row = 0; row < h * n; row++) {
    const first = (Math.floor(row / n) % g) * s;
    output.set(attend(Q.subarray(row * d, row * d + d), K, V, { from: first, to: first + s, d, v: d }), row * d);
  }
  return output;
}

/** Attends to positions 0 to p of the cache. */
export function cachedAttentionInDoubles(
  q: Float32Array,
  C: Float32Array,
  D: Float32Array,
  p: number,
  d: number,
  _m: number,
  v: number,
): Float32Array {
  return attend(q, C, D, { from: 0, to: p + 1, d, v });
}

/** Wrong: the token's own position is left out. */
export function cachedAttentionShort(
  q: Float32Array,
  C: Float32Array,
  D: Float32Array,
  p: number,
  d: number,
  _m: number,
  v: number,
): Float32Array {
  return attend(q, C, D, { from: 0, to: Math.max(1, p), d, v });
}

/** Wrong: one position that is not filled yet is attended to. */
export function cachedAttentionLong(
  q: Float32Array,
  C: Float32Array,
  D: Float32Array,
  p: number,
  d: number,
  m: number,
  v: number,
): Float32Array {
  return attend(q, C, D, { from: 0, to: Math.min(m, p + 2), d, v });
}

export function cacheAppendCopy(C: Float32Array, k: Float32Array, p: number, _m: number, d: number): Float32Array {
  const cache = C.slice();
  cache.set(k, p * d);
  return cache;
}

/** Wrong: the caller's cache is changed. */
export function cacheAppendInPlace(C: Float32Array, k: Float32Array, p: number, _m: number, d: number): Float32Array {
  C.set(k, p * d);
  return C;
}

/** Wrong: the key goes to the position before. */
export function cacheAppendBefore(C: Float32Array, k: Float32Array, p: number, _m: number, d: number): Float32Array {
  const cache = C.slice();
  cache.set(k, Math.max(0, p - 1) * d);
  return cache;
}
