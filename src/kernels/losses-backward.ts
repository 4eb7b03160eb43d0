import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The gradient of the squared error with respect to the predictions: g_b·2·(x − y) / n.
 *
 * Laws: linear in g; 0 where prediction and target agree, exactly.
 *
 * Shapes: x and y are r×n, g is r, the output r×n. Source: Goodfellow, Bengio & Courville (2016), section 5.1.4, equation 5.9.
 */
export function squaredErrorBackward(
  this: KernelThread,
  x: readonly (readonly number[])[],
  y: readonly (readonly number[])[],
  g: readonly number[],
  _r: number,
  n: number,
): number {
  const error = x[this.thread.y]![this.thread.x]! - y[this.thread.y]![this.thread.x]!;
  return (g[this.thread.y]! * (2 * error)) / n;
}

/**
 * The gradient of the absolute error with respect to the predictions: g_b·sign(x − y) / n; at the corner 0.
 *
 * Laws: linear in g; of the magnitude |g|/n wherever prediction and target differ.
 *
 * Shapes: x and y are r×n, g is r, the output r×n. Source: Huber (1964), section 5 (the limit of small δ).
 */
export function absoluteErrorBackward(
  this: KernelThread,
  x: readonly (readonly number[])[],
  y: readonly (readonly number[])[],
  g: readonly number[],
  _r: number,
  n: number,
): number {
  const prediction = x[this.thread.y]![this.thread.x]!;
  const target = y[this.thread.y]![this.thread.x]!;
  if (prediction > target) {
    return g[this.thread.y]! / n;
  }
  if (prediction < target) {
    return -g[this.thread.y]! / n;
  }
  return 0;
}

/**
 * The gradient of the Huber loss with respect to the predictions: g_b·(x − y, clamped to ±δ) / n.
 *
 * Laws: linear in g; at most δ·|g|/n, which is what makes the loss robust.
 *
 * Shapes: x and y are r×n, g is r, δ a number, the output r×n. Source: Huber (1964), section 5 (the function ψ).
 */
export function huberBackward(
  this: KernelThread,
  x: readonly (readonly number[])[],
  y: readonly (readonly number[])[],
  g: readonly number[],
  delta: number,
  _r: number,
  n: number,
): number {
  const error = x[this.thread.y]![this.thread.x]! - y[this.thread.y]![this.thread.x]!;
  return (g[this.thread.y]! * Math.max(-delta, Math.min(delta, error))) / n;
}

/**
 * The gradient of smooth L1 with respect to the predictions: g_b·((x − y)/β, clamped to ±1) / n.
 *
 * Laws: linear in g; at most |g|/n; that of Huber with δ = β, divided by β.
 *
 * Shapes: x and y are r×n, g is r, β a number, the output r×n. Source: Girshick (2015), arXiv:1504.08083, section 2.3, equation 3.
 */
export function smoothL1Backward(
  this: KernelThread,
  x: readonly (readonly number[])[],
  y: readonly (readonly number[])[],
  g: readonly number[],
  beta: number,
  _r: number,
  n: number,
): number {
  const error = x[this.thread.y]![this.thread.x]! - y[this.thread.y]![this.thread.x]!;
  return (g[this.thread.y]! * Math.max(-1, Math.min(1, error / beta))) / n;
}

/**
 * The gradient of the two-class cross-entropy with respect to the logits: g_b·(σ(x) − y) / n, as ((1 − y)·e^min(x, 0) −
 * y·e^min(−x, 0)) / (1 + e^−|x|): for a confident and correct logit, σ(x) − y would cancel.
 *
 * Laws: linear in g; at most |g|/n.
 *
 * Shapes: x and y are r×n, g is r, the output r×n. Source: Goodfellow, Bengio & Courville (2016), section 6.2.2.2.
 */
export function binaryCrossEntropyBackward(
  this: KernelThread,
  x: readonly (readonly number[])[],
  y: readonly (readonly number[])[],
  g: readonly number[],
  _r: number,
  n: number,
): number {
  const logit = x[this.thread.y]![this.thread.x]!;
  const target = y[this.thread.y]![this.thread.x]!;
  const towards = (1 - target) * Math.exp(Math.min(logit, 0));
  const away = target * Math.exp(Math.min(-logit, 0));
  return (g[this.thread.y]! * ((towards - away) / (1 + Math.exp(-Math.abs(logit))))) / n;
}

/**
 * The gradient of the hinge loss with respect to the predictions: −g_b·y / n inside the margin y·x < 1, else 0.
 *
 * Laws: linear in g; 0 on the correct side of the margin, exactly.
 *
 * Shapes: x is r×n, y is r×n (−1 or 1), g is r, the output r×n. Source: Cortes & Vapnik (1995), section 3.
 */
export function hingeBackward(
  this: KernelThread,
  x: readonly (readonly number[])[],
  y: readonly (readonly number[])[],
  g: readonly number[],
  _r: number,
  n: number,
): number {
  const label = y[this.thread.y]![this.thread.x]!;
  if (label * x[this.thread.y]![this.thread.x]! < 1) {
    return (-g[this.thread.y]! * label) / n;
  }
  return 0;
}

/**
 * The gradient of the cosine loss with respect to x: with the unit rows p of x and q of w it is ∓g_b·(q − (p·q)·p) / ‖x‖:
 * minus where the label is 1, plus where it is −1 and the cosine is above the margin, else 0.
 *
 * Laws: linear in g; orthogonal to its row of x, since the cosine does not depend on lengths.
 *
 * Shapes: x and w are r×n, t is r (−1 or 1), g is r, μ a number, the output r×n. Range: ‖x‖·‖w‖ > 1e-8.
 * Source: Hadsell, Chopra & LeCun (2006), section 2.1, with the cosine as the distance.
 */
export function cosineEmbeddingBackward(
  this: KernelThread,
  x: readonly (readonly number[])[],
  w: readonly (readonly number[])[],
  t: readonly number[],
  g: readonly number[],
  margin: number,
  _r: number,
  n: number,
): number {
  const row = this.thread.y;
  let dot = 0;
  let squares = 0;
  let others = 0;
  for (let j = 0; j < n; j++) {
    dot += x[row]![j]! * w[row]![j]!;
    squares += x[row]![j]! * x[row]![j]!;
    others += w[row]![j]! * w[row]![j]!;
  }
  const length = Math.sqrt(squares);
  const other = Math.sqrt(others);
  const cosine = dot / (length * other);
  const slope = (w[row]![this.thread.x]! / other - cosine * (x[row]![this.thread.x]! / length)) / length;
  if (t[row]! > 0) {
    return -g[row]! * slope;
  }
  if (cosine > margin) {
    return g[row]! * slope;
  }
  return 0;
}
