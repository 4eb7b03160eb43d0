import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The first moment after a step: β₁·a + (1 − β₁)·h, with the gradient h first scaled to length c if it is longer.
 *
 * Shapes: a and h are n, the output n. Range: |h| up to 1e37: the norm is taken of h divided by its largest element.
 * Sources: Loshchilov & Hutter (2019), arXiv:1711.05101, algorithm 2, line 6; Pascanu et al. (2013), arXiv:1211.5063,
 * algorithm 1.
 */
export function nextFirstMoment(
  this: KernelThread,
  a: readonly number[],
  h: readonly number[],
  maxNorm: number,
  beta1: number,
  n: number,
): number {
  let largest = 0;
  for (let j = 0; j < n; j++) {
    largest = Math.max(largest, Math.abs(h[j]!));
  }
  let gradient = h[this.thread.x]!;
  if (largest > 0) {
    let squares = 0;
    for (let j = 0; j < n; j++) {
      const share = h[j]! / largest;
      squares += share * share;
    }
    const root = Math.sqrt(squares);
    if (largest * root > maxNorm) {
      gradient = (gradient / largest / root) * maxNorm;
    }
  }
  return beta1 * a[this.thread.x]! + (1 - beta1) * gradient;
}

/**
 * The second moment after a step: β₂·b + (1 − β₂)·h², with the gradient h first scaled to length c if it is longer.
 *
 * Shapes: b and h are n, the output n. Law: between 0 and the larger of b and c².
 * Sources: Loshchilov & Hutter (2019), arXiv:1711.05101, algorithm 2, line 7; Pascanu et al. (2013), arXiv:1211.5063,
 * algorithm 1.
 */
export function nextSecondMoment(
  this: KernelThread,
  b: readonly number[],
  h: readonly number[],
  maxNorm: number,
  beta2: number,
  n: number,
): number {
  let largest = 0;
  for (let j = 0; j < n; j++) {
    largest = Math.max(largest, Math.abs(h[j]!));
  }
  let gradient = h[this.thread.x]!;
  if (largest > 0) {
    let squares = 0;
    for (let j = 0; j < n; j++) {
      const share = h[j]! / largest;
      squares += share * share;
    }
    const root = Math.sqrt(squares);
    if (largest * root > maxNorm) {
      gradient = (gradient / largest / root) * maxNorm;
    }
  }
  return beta2 * b[this.thread.x]! + (1 - beta2) * (gradient * gradient);
}

/**
 * The parameters after step t of AdamW from the moments of that step, with the schedule's rate at t: a linear warm-up
 * over w steps to the peak, then half a cosine down to the floor at step T.
 *
 * Law: without moments and decay, nothing changes.
 *
 * Shapes: theta, M and V are n, the output n. Range: 1 ≤ t, 0 ≤ w < T.
 * Sources: Loshchilov & Hutter (2019), arXiv:1711.05101, algorithm 2; the schedule is Loshchilov & Hutter (2017),
 * arXiv:1608.03983, equation 5.
 */
export function optimizerStep(
  this: KernelThread,
  theta: readonly number[],
  M: readonly number[],
  V: readonly number[],
  peak: number,
  floor: number,
  warmup: number,
  total: number,
  beta1: number,
  beta2: number,
  epsilon: number,
  lambda: number,
  t: number,
  _n: number,
): number {
  let rate = peak * (t / Math.max(1, warmup));
  if (t >= warmup) {
    const progress = Math.min(1, (t - warmup) / (total - warmup));
    rate = Math.min(peak, floor + (peak - floor) * (0.5 * (1 + Math.cos(Math.PI * progress))));
  }
  const first = M[this.thread.x]! / (1 - Math.pow(beta1, t));
  const second = V[this.thread.x]! / (1 - Math.pow(beta2, t));
  const parameter = theta[this.thread.x]!;
  return parameter - rate * (first / (Math.sqrt(second) + epsilon) + lambda * parameter);
}
