import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Gaussian error linear unit, exact form: xᵢ·Φ(xᵢ) with Φ(z) = erfc(−z/√2) / 2.
 *
 * There is no erf in gpu.js. The complementary function comes from a Chebyshev fit whose relative error is below
 * 1.2e-7 everywhere (Press et al., Numerical Recipes in C, 2nd ed. (1992), section 6.2, `erfcc`), so the tail for
 * negative inputs does not cancel as 1 + erf would. In float32 the result errs by at most 2e-7·max(1, |x|), and by
 * 6e-6 relative down to x = −9.
 *
 * Laws: GELU(x) − GELU(−x) = x; bounded below by −0.17; within [min(0, x), max(0, x)]; tends to x.
 *
 * Shapes: x is n, the output n. Range: all finite x.
 * Source: Hendrycks & Gimpel (2016), arXiv:1606.08415, section 2.
 */
export function gelu(this: KernelThread, x: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  // Beyond 20 the tail is 0 in float32; the clamp keeps z² finite.
  const z = Math.min(Math.abs(value) * Math.SQRT1_2, 20);
  const t = 1 / (1 + 0.5 * z);
  let fit = 0.17087277;
  fit = fit * t - 0.82215223;
  fit = fit * t + 1.48851587;
  fit = fit * t - 1.13520398;
  fit = fit * t + 0.27886807;
  fit = fit * t - 0.18628806;
  fit = fit * t + 0.09678418;
  fit = fit * t + 0.37409196;
  fit = fit * t + 1.00002368;
  fit = fit * t - 1.26551223;
  const tail = 0.5 * t * Math.exp(fit - z * z);
  if (value < 0) {
    return value * tail;
  }
  return value * (1 - tail);
}

/**
 * Gaussian error linear unit, tanh approximation: 0.5·xᵢ·(1 + tanh(√(2/π)·(xᵢ + 0.044715·xᵢ³))).
 *
 * The argument of tanh is held within ±15, where tanh is ±1 in float32: shaders overflow beyond 44.
 *
 * Laws: within 5e-4 of the exact form; 0 at 0; tends to x and to 0.
 *
 * Shapes: x is n, the output n. Range: |x| up to 1e12, beyond which x³ overflows float32.
 * Source: Hendrycks & Gimpel (2016), arXiv:1606.08415, section 2, second displayed formula.
 */
export function geluTanh(this: KernelThread, x: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  // √(2/π)
  const inner = 0.7978845608028654 * (value + 0.044715 * value * value * value);
  const bounded = Math.max(-15, Math.min(15, inner));
  return 0.5 * value * (1 + Math.tanh(bounded));
}
