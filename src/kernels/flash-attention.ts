import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Attention of one head over tiles of b keys: one pass with a running maximum M, a running sum and a running output, both
 * rescaled by exp(M_old − M_new) before a tile is added. The last tile may be shorter.
 *
 * Laws: the same as attention over all keys at once, for every tile size; b = s is one tile; every output is a convex
 * combination of the values of its column.
 *
 * Shapes: Q is n×d, K is s×d, V is s×v, the output n×v. Range: 1 ≤ b; finite inputs whose dot products do not overflow.
 * Source: Dao, Fu, Ermon, Rudra & Ré (2022), arXiv:2205.14135, algorithm 1, lines 9 to 13.
 */
export function flashAttention(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  b: number,
  _n: number,
  d: number,
  s: number,
  _v: number,
): number {
  const scale = Math.sqrt(d);
  let largest = -Infinity;
  let total = 0;
  let weighted = 0;
  // Tiles beyond the last key are empty. Their number is not computed by division, which graphics hardware might round up.
  for (let tile = 0; tile < s; tile++) {
    const end = Math.min(s, (tile + 1) * b);
    let next = largest;
    for (let j = tile * b; j < end; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[this.thread.y]![l]! * K[j]![l]!;
      }
      next = Math.max(next, dot / scale);
    }
    const shrink = Math.exp(largest - next);
    total = total * shrink;
    weighted = weighted * shrink;
    for (let j = tile * b; j < end; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) {
        dot += Q[this.thread.y]![l]! * K[j]![l]!;
      }
      const weight = Math.exp(dot / scale - next);
      total += weight;
      weighted += weight * V[j]![this.thread.x]!;
    }
    largest = next;
  }
  return weighted / total;
}

/**
 * The largest of the first t + 1 tiles of b numbers, for every t: the running maximum of the online softmax.
 *
 * Laws: it never decreases; its last element is the maximum of x, exactly, whatever b is.
 *
 * Shapes: x is n, the output n; tiles beyond the end add nothing. Source: Milakov & Gimelshein (2018), arXiv:1805.02867,
 * algorithm 3, line 4, for tiles.
 */
export function runningMaximum(this: KernelThread, x: readonly number[], b: number, n: number): number {
  const end = Math.min(n, (this.thread.x + 1) * b);
  let largest = -Infinity;
  for (let j = 0; j < end; j++) {
    largest = Math.max(largest, x[j]!);
  }
  return largest;
}

/**
 * The sum of exp(xⱼ − M) over the first t + 1 tiles of b numbers, for every t, with M their maximum, in one pass: the sum
 * so far is rescaled to each new maximum by exp(M_old − M_new).
 *
 * Laws: at least 1 and at most the count of numbers seen; its last element is the denominator of softmax.
 *
 * Shapes: x is n, the output n; tiles beyond the end add nothing. Source: Milakov & Gimelshein (2018), arXiv:1805.02867,
 * algorithm 3, line 5, and section 3.1, for tiles.
 */
export function runningSum(this: KernelThread, x: readonly number[], b: number, n: number): number {
  let largest = -Infinity;
  let total = 0;
  for (let tile = 0; tile <= this.thread.x; tile++) {
    const end = Math.min(n, (tile + 1) * b);
    let next = largest;
    for (let j = tile * b; j < end; j++) {
      next = Math.max(next, x[j]!);
    }
    total = total * Math.exp(largest - next);
    for (let j = tile * b; j < end; j++) {
      total += Math.exp(x[j]! - next);
    }
    largest = next;
  }
  return total;
}
