/** Attention and causal attention; flat matrices are row-major. */
import type { KernelThread } from '../../../src/runtime/kernel-types.ts';

type Matrix = readonly (readonly number[])[];

/** One pass over the keys, with a running maximum. */
export function attentionOnline(
  this: KernelThread,
  Q: Matrix,
  K: Matrix,
  V: Matrix,
  _n: number,
  d: number,
  s: number,
): number {
  const i = this.thread.y;
  let largest = -3e38;
  let sum = 0;
  let output = 0;
  for (let j = 0; j < s; j++) {
    let dot = 0;
    for (let l = d - 1; l >= 0; l--) {
      dot += Q[i]![l]! * K[j]![l]!;
    }
    const score = dot / Math.sqrt(d);
    const next = Math.max(largest, score);
    const shrink = Math.exp(largest - next);
    const weight = Math.exp(score - next);
    sum = sum * shrink + weight;
    output = output * shrink + weight * V[j]![this.thread.x]!;
    largest = next;
  }
  return output / sum;
}

/** In doubles; the weights are normalised before they are applied. */
export function attentionFlat(
  Q: Float32Array,
  K: Float32Array,
  V: Float32Array,
  n: number,
  d: number,
  s: number,
  v: number,
): Float32Array {
  const output = new Float32Array(n * v);
  for (let i = 0; i < n; i++) {
    const weights = attentionWeights(Q, K, i, d, s);
    for (let c = 0; c < v; c++) output[i * v + c] = weights.reduce((sum, w, j) => sum + w * V[j * v + c]!, 0);
  }
  return output;
}

function attentionWeights(Q: Float32Array, K: Float32Array, i: number, d: number, s: number): readonly number[] {
  const scores = Array.from({ length: s }, (_, j) => {
    let dot = 0;
    for (let l = 0; l < d; l++) dot += Q[i * d + l]! * K[j * d + l]!;
    return dot / Math.sqrt(d);
  });
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/** Wrong: V is read as if it were transposed. */
export function attentionTransposedValues(
  Q: Float32Array,
  K: Float32Array,
  V: Float32Array,
  n: number,
  d: number,
  s: number,
  v: number,
): Float32Array {
  const output = new Float32Array(n * v);
  for (let i = 0; i < n; i++) {
    const weights = attentionWeights(Q, K, i, d, s);
    for (let c = 0; c < v; c++) output[i * v + c] = weights.reduce((sum, w, j) => sum + w * V[c * s + j]!, 0);
  }
  return output;
}

/** Wrong: scores are divided by the root of the number of keys. */
export function attentionScaledByKeys(
  this: KernelThread,
  Q: Matrix,
  K: Matrix,
  V: Matrix,
  _n: number,
  d: number,
  s: number,
): number {
  const i = this.thread.y;
  let largest = -3e38;
  for (let j = 0; j < s; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[i]![l]! * K[j]![l]!;
    }
    largest = Math.max(largest, dot / Math.sqrt(s));
  }
  let sum = 0;
  let output = 0;
  for (let j = 0; j < s; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[i]![l]! * K[j]![l]!;
    }
    const weight = Math.exp(dot / Math.sqrt(s) - largest);
    sum += weight;
    output += weight * V[j]![this.thread.x]!;
  }
  return output / sum;
}

/** The keys up to the row's own in two passes. */
export function causalAttentionTwoPasses(
  this: KernelThread,
  Q: Matrix,
  K: Matrix,
  V: Matrix,
  _n: number,
  d: number,
): number {
  const i = this.thread.y;
  let largest = -3e38;
  for (let j = 0; j <= i; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[i]![l]! * K[j]![l]!;
    }
    largest = Math.max(largest, dot / Math.sqrt(d));
  }
  let sum = 0;
  let output = 0;
  for (let j = 0; j <= i; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[i]![l]! * K[j]![l]!;
    }
    const weight = Math.exp(dot / Math.sqrt(d) - largest);
    sum += weight;
    output += weight * V[j]![this.thread.x]!;
  }
  return output / sum;
}

/** Wrong: the mask lets the next token through. */
export function causalAttentionPeeks(
  this: KernelThread,
  Q: Matrix,
  K: Matrix,
  V: Matrix,
  n: number,
  d: number,
): number {
  const i = this.thread.y;
  const end = Math.min(n, i + 2);
  let largest = -3e38;
  for (let j = 0; j < end; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[i]![l]! * K[j]![l]!;
    }
    largest = Math.max(largest, dot / Math.sqrt(d));
  }
  let sum = 0;
  let output = 0;
  for (let j = 0; j < end; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[i]![l]! * K[j]![l]!;
    }
    const weight = Math.exp(dot / Math.sqrt(d) - largest);
    sum += weight;
    output += weight * V[j]![this.thread.x]!;
  }
  return output / sum;
}
