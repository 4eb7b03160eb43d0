/** Layer, batch and RMS normalization, and logits of normalized queries and keys; flat matrices are row-major. */
import type { KernelThread } from '../../../src/runtime/kernel-types.ts';

type Vector = readonly number[];
type Matrix = readonly (readonly number[])[];

/** One pass. Source: Welford (1962), Technometrics 4(3). */
export function layernormWelford(
  this: KernelThread,
  x: Matrix,
  gamma: Vector,
  beta: Vector,
  epsilon: number,
  _r: number,
  n: number,
): number {
  const row = this.thread.y;
  const i = this.thread.x;
  let mean = 0;
  let squares = 0;
  for (let j = 0; j < n; j++) {
    const difference = x[row]![j]! - mean;
    mean = mean + difference / (j + 1);
    squares = squares + difference * (x[row]![j]! - mean);
  }
  return gamma[i]! * ((x[row]![i]! - mean) / Math.sqrt(squares / n + epsilon)) + beta[i]!;
}

export function layernormBackwards(
  this: KernelThread,
  x: Matrix,
  gamma: Vector,
  beta: Vector,
  epsilon: number,
  _r: number,
  n: number,
): number {
  const row = this.thread.y;
  const i = this.thread.x;
  let sum = 0;
  for (let j = n - 1; j >= 0; j--) {
    sum += x[row]![j]!;
  }
  const mean = sum / n;
  let squares = 0;
  for (let j = n - 1; j >= 0; j--) {
    squares += (x[row]![j]! - mean) * (x[row]![j]! - mean);
  }
  const inverse = 1 / Math.sqrt(squares / n + epsilon);
  return (x[row]![i]! - mean) * inverse * gamma[i]! + beta[i]!;
}

export function layernormInDoubles(
  x: Float32Array,
  gamma: Float32Array,
  beta: Float32Array,
  epsilon: number,
  r: number,
  n: number,
): Float32Array {
  const output = new Float32Array(r * n);
  for (let row = 0; row < r; row++) {
    let mean = 0;
    let variance = 0;
    for (let j = 0; j < n; j++) mean += x[row * n + j]! / n;
    for (let j = 0; j < n; j++) variance += (x[row * n + j]! - mean) ** 2 / n;
    for (let j = 0; j < n; j++)
      output[row * n + j] = (gamma[j]! * (x[row * n + j]! - mean)) / Math.sqrt(variance + epsilon) + beta[j]!;
  }
  return output;
}

/** Wrong: divides by n - 1. */
export function layernormOfSample(
  this: KernelThread,
  x: Matrix,
  gamma: Vector,
  beta: Vector,
  epsilon: number,
  _r: number,
  n: number,
): number {
  const row = this.thread.y;
  const i = this.thread.x;
  let sum = 0;
  for (let j = 0; j < n; j++) {
    sum += x[row]![j]!;
  }
  const mean = sum / n;
  let squares = 0;
  for (let j = 0; j < n; j++) {
    squares += (x[row]![j]! - mean) * (x[row]![j]! - mean);
  }
  const variance = squares / Math.max(n - 1, 1);
  return gamma[i]! * ((x[row]![i]! - mean) / Math.sqrt(variance + epsilon)) + beta[i]!;
}

/** Wrong: epsilon is added to the root, not under it. */
export function layernormEpsilonOutside(
  this: KernelThread,
  x: Matrix,
  gamma: Vector,
  beta: Vector,
  epsilon: number,
  _r: number,
  n: number,
): number {
  const row = this.thread.y;
  const i = this.thread.x;
  let sum = 0;
  for (let j = 0; j < n; j++) {
    sum += x[row]![j]!;
  }
  const mean = sum / n;
  let squares = 0;
  for (let j = 0; j < n; j++) {
    squares += (x[row]![j]! - mean) * (x[row]![j]! - mean);
  }
  return gamma[i]! * ((x[row]![i]! - mean) / (Math.sqrt(squares / n) + epsilon)) + beta[i]!;
}

/** Wrong: the mean of squares less the square of the mean cancels. */
export function layernormOfMoments(
  this: KernelThread,
  x: Matrix,
  gamma: Vector,
  beta: Vector,
  epsilon: number,
  _r: number,
  n: number,
): number {
  const row = this.thread.y;
  const i = this.thread.x;
  let sum = 0;
  let squares = 0;
  for (let j = 0; j < n; j++) {
    sum += x[row]![j]!;
    squares += x[row]![j]! * x[row]![j]!;
  }
  const mean = sum / n;
  const variance = Math.max(0, squares / n - mean * mean);
  return gamma[i]! * ((x[row]![i]! - mean) / Math.sqrt(variance + epsilon)) + beta[i]!;
}

export function runningVarianceInDoubles(
  x: Float32Array,
  variance: Float32Array,
  momentum: number,
  r: number,
  n: number,
): Float32Array {
  return variance.map((old, j) => {
    let mean = 0;
    let squares = 0;
    for (let i = 0; i < r; i++) mean += x[i * n + j]! / r;
    for (let i = 0; i < r; i++) squares += (x[i * n + j]! - mean) ** 2;
    return (1 - momentum) * old + (momentum * squares) / (r - 1);
  });
}

/** Wrong: divides by r, not r - 1. */
export function runningVarianceOfPopulation(
  this: KernelThread,
  x: Matrix,
  variance: Vector,
  momentum: number,
  r: number,
): number {
  const j = this.thread.x;
  let sum = 0;
  for (let i = 0; i < r; i++) {
    sum += x[i]![j]!;
  }
  const mean = sum / r;
  let squares = 0;
  for (let i = 0; i < r; i++) {
    squares += (x[i]![j]! - mean) * (x[i]![j]! - mean);
  }
  return (1 - momentum) * variance[j]! + momentum * (squares / r);
}

export function rmsnormBackwards(x: Float32Array, gamma: Float32Array, epsilon: number, n: number): Float32Array {
  let sum = 0;
  for (let j = n - 1; j >= 0; j--) sum += x[j]! ** 2;
  const inverse = 1 / Math.sqrt(sum / n + epsilon);
  return x.map((value, i) => value * inverse * gamma[i]!);
}

/** Wrong: epsilon is added to the root, not under it. */
export function rmsnormEpsilonOutside(x: Float32Array, gamma: Float32Array, epsilon: number, n: number): Float32Array {
  const sum = x.reduce((total, value) => total + value ** 2, 0);
  return x.map((value, i) => (value / (Math.sqrt(sum / n) + epsilon)) * gamma[i]!);
}

/** Wrong: the gain counts from 1, as in some models. */
export function rmsnormOnePlusGain(x: Float32Array, gamma: Float32Array, epsilon: number, n: number): Float32Array {
  const sum = x.reduce((total, value) => total + value ** 2, 0);
  return x.map((value, i) => (value / Math.sqrt(sum / n + epsilon)) * (1 + gamma[i]!));
}
