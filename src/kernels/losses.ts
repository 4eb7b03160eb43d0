import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The mean squared error of each row.
 *
 * Shapes: x (predictions) and y (targets) are r×n, the output r. Range: |x − y| up to 1e19, beyond which the square overflows.
 * Source: Goodfellow, Bengio & Courville (2016), Deep Learning, section 5.5.1.
 */
export function squaredError(
  this: KernelThread,
  x: readonly (readonly number[])[],
  y: readonly (readonly number[])[],
  _r: number,
  n: number,
): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const error = x[this.thread.x]![i]! - y[this.thread.x]![i]!;
    sum += error * error;
  }
  return sum / n;
}

/** The mean absolute error of each row. Shapes: x and y are r×n, the output r. Source: as {@link squaredError}. */
export function absoluteError(
  this: KernelThread,
  x: readonly (readonly number[])[],
  y: readonly (readonly number[])[],
  _r: number,
  n: number,
): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    sum += Math.abs(x[this.thread.x]![i]! - y[this.thread.x]![i]!);
  }
  return sum / n;
}

/**
 * The mean Huber loss of each row: half the square of errors up to δ, and δ·(|error| − δ/2) beyond.
 *
 * Shapes: x and y are r×n, the output r. Range: δ > 0.
 * Source: Huber (1964), Annals of Mathematical Statistics 35(1), section 5.
 */
export function huber(
  this: KernelThread,
  x: readonly (readonly number[])[],
  y: readonly (readonly number[])[],
  delta: number,
  _r: number,
  n: number,
): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const error = Math.abs(x[this.thread.x]![i]! - y[this.thread.x]![i]!);
    sum += error < delta ? 0.5 * (error * error) : delta * (error - 0.5 * delta);
  }
  return sum / n;
}

/**
 * The mean smooth L1 loss of each row: the Huber loss with δ = β, divided by β.
 *
 * Shapes: x and y are r×n, the output r. Range: β > 0.
 * Source: Girshick (2015), arXiv:1504.08083, equation 3, which is β = 1.
 */
export function smoothL1(
  this: KernelThread,
  x: readonly (readonly number[])[],
  y: readonly (readonly number[])[],
  beta: number,
  _r: number,
  n: number,
): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const error = Math.abs(x[this.thread.x]![i]! - y[this.thread.x]![i]!);
    sum += error < beta ? (0.5 * (error * error)) / beta : error - 0.5 * beta;
  }
  return sum / n;
}

/**
 * The mean two-class cross-entropy of each row from logits: log(1 + eˣ) − x·y, written so that nothing overflows.
 *
 * Law: never negative. Shapes: x (logits) and y (probabilities of the class) are r×n, the output r. Range: all of float32.
 * Source: Goodfellow, Bengio & Courville (2016), Deep Learning, section 6.2.2.2.
 */
export function binaryCrossEntropy(
  this: KernelThread,
  x: readonly (readonly number[])[],
  y: readonly (readonly number[])[],
  _r: number,
  n: number,
): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const logit = x[this.thread.x]![i]!;
    sum += Math.max(logit, 0) - logit * y[this.thread.x]![i]! + Math.log(1 + Math.exp(-Math.abs(logit)));
  }
  return sum / n;
}

/**
 * The mean hinge loss of each row: how far each score is from the correct side of its margin.
 *
 * Shapes: x (scores) is r×n, y (classes, −1 or 1) is r×n, the output r.
 * Source: Cortes & Vapnik (1995), Machine Learning 20, section 3.
 */
export function hinge(
  this: KernelThread,
  x: readonly (readonly number[])[],
  y: readonly (readonly number[])[],
  _r: number,
  n: number,
): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    sum += Math.max(0, 1 - y[this.thread.x]![i]! * x[this.thread.x]![i]!);
  }
  return sum / n;
}

/**
 * The cosine loss of each pair of rows: 1 − cosine where they belong together, otherwise the amount by which the cosine
 * exceeds the margin.
 *
 * Shapes: x and w are r×n, t (1 or −1) is r, the output r. Range: magnitudes up to 1e18; rows of zeros have cosine 0,
 * since the product of the lengths is at least 1e-8.
 * Source: Hadsell, Chopra & LeCun (2006), section 2.1, with the cosine in place of the distance.
 */
export function cosineEmbedding(
  this: KernelThread,
  x: readonly (readonly number[])[],
  w: readonly (readonly number[])[],
  t: readonly number[],
  margin: number,
  _r: number,
  n: number,
): number {
  let dot = 0;
  let first = 0;
  let second = 0;
  for (let i = 0; i < n; i++) {
    dot += x[this.thread.x]![i]! * w[this.thread.x]![i]!;
    first += x[this.thread.x]![i]! * x[this.thread.x]![i]!;
    second += w[this.thread.x]![i]! * w[this.thread.x]![i]!;
  }
  const cosine = dot / Math.max(Math.sqrt(first) * Math.sqrt(second), 1e-8);
  return t[this.thread.x]! > 0 ? 1 - cosine : Math.max(0, cosine - margin);
}
