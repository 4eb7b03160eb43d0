import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Sigmoid-weighted linear unit: xᵢ·σ(xᵢ), with σ(z) = 1 / (1 + e⁻ᶻ) computed as e^min(z, 0) / (1 + e^−|z|), so that no
 * exponent is positive and nothing overflows.
 *
 * Laws: SiLU(x) − SiLU(−x) = x; bounded below by −0.2785; within [min(0, x), max(0, x)]; tends to x and to 0.
 *
 * Shapes: x is n, the output n. Range: all finite x.
 * Source: Elfwing, Uchibe & Doya (2017), arXiv:1702.03118, section 2, equation 13.
 */
export function silu(this: KernelThread, x: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  return value * (Math.exp(Math.min(value, 0)) / (1 + Math.exp(-Math.abs(value))));
}

/**
 * The gradient of SiLU: gᵢ·σ(xᵢ)·(1 + xᵢ·σ(−xᵢ)). σ(−x) is computed as itself: 1 − σ(x) would cancel for large x.
 *
 * Laws: linear in g; the slope is ½ at 0, and slopes at x and −x sum to 1.
 *
 * Shapes: x and g are n, the output n. Range: all finite x and g.
 * Source: Elfwing, Uchibe & Doya (2017), arXiv:1702.03118, section 2, equation 14 (dSiLU).
 */
export function siluBackward(this: KernelThread, x: readonly number[], g: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  const whole = 1 + Math.exp(-Math.abs(value));
  const gate = Math.exp(Math.min(value, 0)) / whole;
  const rest = Math.exp(Math.min(-value, 0)) / whole;
  return g[this.thread.x]! * (gate * (1 + value * rest));
}
