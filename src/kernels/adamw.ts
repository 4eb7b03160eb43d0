import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Adam's first moment, one step: β₁·mᵢ + (1 − β₁)·gᵢ.
 *
 * Laws: a convex combination of m and g for 0 ≤ β₁ ≤ 1; linear in (m, g); β₁ = 0 gives g.
 *
 * Shapes: m and g are n, the output n. Range: 0 ≤ β₁ < 1.
 * Source: Kingma & Ba (2015), arXiv:1412.6980, algorithm 1.
 */
export function adamFirstMoment(
  this: KernelThread,
  m: readonly number[],
  g: readonly number[],
  beta1: number,
  _n: number,
): number {
  return beta1 * m[this.thread.x]! + (1 - beta1) * g[this.thread.x]!;
}

/**
 * Adam's second moment, one step: β₂·vᵢ + (1 − β₂)·gᵢ².
 *
 * Laws: never negative for v ≥ 0; the sign of g does not matter; β₂ = 0 gives g².
 *
 * Shapes: v and g are n, the output n. Range: 0 ≤ β₂ < 1, v ≥ 0, |g| up to 1e18.
 * Source: Kingma & Ba (2015), arXiv:1412.6980, algorithm 1.
 */
export function adamSecondMoment(
  this: KernelThread,
  v: readonly number[],
  g: readonly number[],
  beta2: number,
  _n: number,
): number {
  return beta2 * v[this.thread.x]! + (1 - beta2) * (g[this.thread.x]! * g[this.thread.x]!);
}

/**
 * AdamW's parameter update with bias correction and decoupled weight decay:
 * θᵢ − η·(m̂ᵢ / (√v̂ᵢ + ε) + λ·θᵢ) with m̂ = m / (1 − β₁ᵗ), v̂ = v / (1 − β₂ᵗ).
 *
 * Laws: η = 0 changes nothing; λ = 0 is Adam; with m = 0 only the decay acts, θ·(1 − η·λ).
 *
 * Shapes: θ, m, v are n, the output n. Range: v ≥ 0, ε > 0, the step t an integer ≥ 1 passed as a float.
 * Source: Loshchilov & Hutter (2019), arXiv:1711.05101, algorithm 2, lines 9 to 12, with the schedule multiplier in η.
 */
export function adamwUpdate(
  this: KernelThread,
  theta: readonly number[],
  m: readonly number[],
  v: readonly number[],
  eta: number,
  beta1: number,
  beta2: number,
  epsilon: number,
  lambda: number,
  t: number,
  _n: number,
): number {
  const parameter = theta[this.thread.x]!;
  const first = m[this.thread.x]! / (1 - Math.pow(beta1, t));
  const second = v[this.thread.x]! / (1 - Math.pow(beta2, t));
  return parameter - eta * (first / (Math.sqrt(second) + epsilon) + lambda * parameter);
}
