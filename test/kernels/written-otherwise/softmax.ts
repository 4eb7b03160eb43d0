/** Softmax of a vector. */
import type { KernelThread } from '../../../src/runtime/kernel-types.ts';

export function softmaxBackwards(this: KernelThread, x: readonly number[], n: number): number {
  let largest = x[n - 1]!;
  for (let j = n - 1; j >= 0; j--) {
    if (x[j]! > largest) largest = x[j]!;
  }
  let sum = 0;
  for (let j = n - 1; j >= 0; j--) {
    sum = Math.exp(x[j]! - largest) + sum;
  }
  return Math.exp(x[this.thread.x]! - largest) * (1 / sum);
}

/** One pass: the sum is rescaled when the maximum grows. */
export function softmaxOnline(this: KernelThread, x: readonly number[], n: number): number {
  let largest = x[0]!;
  let sum = 1;
  for (let j = 1; j < n; j++) {
    const next = Math.max(largest, x[j]!);
    sum = sum * Math.exp(largest - next) + Math.exp(x[j]! - next);
    largest = next;
  }
  return Math.exp(x[this.thread.x]! - largest) / sum;
}

export function softmaxInDoubles(x: Float32Array): Float32Array {
  let largest = -Infinity;
  for (const value of x) largest = Math.max(largest, value);
  let sum = 0;
  for (const value of x) sum += Math.exp(value - largest);
  return x.map((value) => Math.exp(value - largest) / sum);
}

export function softmaxOfLogarithm(this: KernelThread, x: readonly number[], n: number): number {
  let largest = x[0]!;
  for (let j = 1; j < n; j++) {
    largest = Math.max(largest, x[j]!);
  }
  let sum = 0;
  for (let j = 0; j < n; j++) {
    sum += Math.exp(x[j]! - largest);
  }
  return Math.exp(x[this.thread.x]! - largest - Math.log(sum));
}

/** Sums from the smallest to the largest, and takes its time. */
export async function softmaxSorted(x: Float32Array): Promise<Float32Array> {
  const sorted = Float64Array.from(x).sort();
  const largest = sorted.at(-1) ?? 0;
  let sum = 0;
  for (const value of sorted) sum += Math.exp(value - largest);
  return Promise.resolve(Float32Array.from(x, (value) => Math.exp(value - largest) / sum));
}

/** Wrong: the maximum is at least 0. */
export function softmaxMaximumFromZero(this: KernelThread, x: readonly number[], n: number): number {
  let largest = 0;
  for (let j = 0; j < n; j++) {
    largest = Math.max(largest, x[j]!);
  }
  let sum = 0;
  for (let j = 0; j < n; j++) {
    sum += Math.exp(x[j]! - largest);
  }
  return Math.exp(x[this.thread.x]! - largest) / sum;
}

/** Wrong: 1e-6 is added to the sum. */
export function softmaxEpsilon(this: KernelThread, x: readonly number[], n: number): number {
  let largest = x[0]!;
  for (let j = 1; j < n; j++) {
    largest = Math.max(largest, x[j]!);
  }
  let sum = 1e-6;
  for (let j = 0; j < n; j++) {
    sum += Math.exp(x[j]! - largest);
  }
  return Math.exp(x[this.thread.x]! - largest) / sum;
}

/** Wrong: no exponent is below -50. */
export function softmaxClamped(this: KernelThread, x: readonly number[], n: number): number {
  let largest = x[0]!;
  for (let j = 1; j < n; j++) {
    largest = Math.max(largest, x[j]!);
  }
  let sum = 0;
  for (let j = 0; j < n; j++) {
    sum += Math.exp(Math.max(x[j]! - largest, -50));
  }
  return Math.exp(Math.max(x[this.thread.x]! - largest, -50)) / sum;
}

/** Wrong: the sum ends after 127 elements. */
export function softmaxOfLongRows(this: KernelThread, x: readonly number[], n: number): number {
  let largest = x[0]!;
  for (let j = 1; j < n; j++) {
    largest = Math.max(largest, x[j]!);
  }
  let sum = 0;
  for (let j = 0; j < n; j++) {
    if (j < 127) sum += Math.exp(x[j]! - largest);
  }
  return Math.exp(x[this.thread.x]! - largest) / sum;
}
