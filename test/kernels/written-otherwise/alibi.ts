/** Slopes of ALiBi, and attention with them; flat arrays are row-major. */
import type { KernelThread } from '../../../src/runtime/kernel-types.ts';

export function alibiSlopesByDivision(this: KernelThread, heads: readonly number[], H: number): number {
  return 1 / Math.pow(2, ((heads[this.thread.x]! + 1) * 8) / H);
}

export function alibiSlopesByExponential(this: KernelThread, heads: readonly number[], H: number): number {
  return Math.exp(-Math.LN2 * ((8 * (heads[this.thread.x]! + 1)) / H));
}

/** Wrong: heads count from 0. */
export function alibiSlopesFromZero(this: KernelThread, heads: readonly number[], H: number): number {
  return Math.pow(2, (-8 * heads[this.thread.x]!) / H);
}

/** Wrong: as published, heads beyond a power of two interleave slopes of the next one. */
export function alibiSlopesInterleaved(heads: Int32Array, H: number): Float32Array {
  const slopesOf = (n: number): number[] => Array.from({ length: n }, (_, i) => 2 ** ((-8 * (i + 1)) / n));
  const power = 2 ** Math.floor(Math.log2(H));
  const more = slopesOf(2 * power).filter((_, i) => i % 2 === 0);
  const all = [...slopesOf(power), ...more.slice(0, H - power)];
  return Float32Array.from(heads, (head) => all[head]!);
}

interface Bias {
  /** Added to the score of query i and key j. */
  readonly of: (i: number, j: number, slope: number) => number;
  readonly slope: (head: number, H: number) => number;
}

const paperSlope = (head: number, H: number): number => 2 ** ((-8 * (head + 1)) / H);

interface Sizes {
  readonly H: number;
  readonly n: number;
  readonly d: number;
  readonly v: number;
}

function attend(
  [Q, K, V]: readonly [Float32Array, Float32Array, Float32Array],
  { H, n, d, v }: Sizes,
  bias: Bias,
): Float32Array {
  const output = new Float32Array(H * n * v);
  for (let row = 0; row < H * n; row++) {
    const head = Math.floor(row / n);
    const i = row % n;
    const scores: number[] = [];
    for (let j = 0; j < n; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) dot += Q[row * d + l]! * K[(head * n + j) * d + l]!;
      scores.push(dot / Math.sqrt(d) + bias.of(i, j, bias.slope(head, H)));
    }
    const largest = Math.max(...scores);
    const weights = scores.map((score) => Math.exp(score - largest));
    const sum = weights.reduce((a, b) => a + b, 0);
    for (let c = 0; c < v; c++)
      output[row * v + c] = weights.reduce((total, w, j) => total + w * V[(head * n + j) * v + c]!, 0) / sum;
  }
  return output;
}

export function alibiAttentionInDoubles(
  Q: Float32Array,
  K: Float32Array,
  V: Float32Array,
  H: number,
  n: number,
  d: number,
  v: number,
): Float32Array {
  const of: Bias['of'] = (i, j, slope) => (j <= i ? -slope * (i - j) : -Infinity);
  return attend([Q, K, V], { H, n, d, v }, { of, slope: paperSlope });
}

/** The bias is of the key's position alone: softmax does not see what a row has in common. */
export function alibiAttentionByKey(
  Q: Float32Array,
  K: Float32Array,
  V: Float32Array,
  H: number,
  n: number,
  d: number,
  v: number,
): Float32Array {
  const of: Bias['of'] = (i, j, slope) => (j <= i ? slope * j : -Infinity);
  return attend([Q, K, V], { H, n, d, v }, { of, slope: paperSlope });
}

/** Wrong: far keys gain. */
export function alibiAttentionSign(
  Q: Float32Array,
  K: Float32Array,
  V: Float32Array,
  H: number,
  n: number,
  d: number,
  v: number,
): Float32Array {
  const of: Bias['of'] = (i, j, slope) => (j <= i ? slope * (i - j) : -Infinity);
  return attend([Q, K, V], { H, n, d, v }, { of, slope: paperSlope });
}

/** Wrong: later keys are penalised, not masked. */
export function alibiAttentionWithoutMask(
  Q: Float32Array,
  K: Float32Array,
  V: Float32Array,
  H: number,
  n: number,
  d: number,
  v: number,
): Float32Array {
  const of: Bias['of'] = (i, j, slope) => -slope * Math.abs(i - j);
  return attend([Q, K, V], { H, n, d, v }, { of, slope: paperSlope });
}

/** Wrong: the first head has slope 1. */
export function alibiAttentionSlope(
  Q: Float32Array,
  K: Float32Array,
  V: Float32Array,
  H: number,
  n: number,
  d: number,
  v: number,
): Float32Array {
  const of: Bias['of'] = (i, j, slope) => (j <= i ? -slope * (i - j) : -Infinity);
  return attend([Q, K, V], { H, n, d, v }, { of, slope: (head, heads) => 2 ** ((-8 * head) / heads) });
}
