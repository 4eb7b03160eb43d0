import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Gaussian error linear unit, exact form: xᵢ·Φ(xᵢ).
 *
 * gpu.js has no erf. The tail Φ(−z) = erfc(z/√2)/2 is computed as t·exp(−z²/2)·q(t) with t = 1/(1 + 3z/8), so it does not
 * cancel for negative inputs as 1 + erf would. The polynomial q interpolates at Chebyshev nodes; its relative error is
 * 4.1e-8 for 0 ≤ z ≤ 16, and 2.8e-7 when evaluated in float32. scripts/fit-normal-tail.ts derives the coefficients with
 * 50 digits and measures them. In float32 the result errs by at most 2e-7·max(1, |x|), and by 5e-6 relative down to x =
 * −13: that is the effect of rounding z²/2 in the exponent.
 *
 * Laws: GELU(x) − GELU(−x) = x; bounded below by −0.17; within [min(0, x), max(0, x)]; tends to x.
 *
 * Shapes: x is n, the output n. Range: all finite x.
 * Source: Hendrycks & Gimpel (2016), arXiv:1606.08415, section 2.
 */
export function gelu(this: KernelThread, x: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  // Beyond 16 the tail is 0 in float32; the clamp keeps z² finite.
  const z = Math.min(Math.abs(value), 16);
  const t = 1 / (1 + 0.375 * z);
  let fit = 0.02278922989;
  fit = fit * t - 0.1434343312;
  fit = fit * t + 0.3649499317;
  fit = fit * t - 0.4479365806;
  fit = fit * t + 0.2329641127;
  fit = fit * t - 0.06412826925;
  fit = fit * t + 0.1103918786;
  fit = fit * t + 0.124892289;
  fit = fit * t + 0.1499200212;
  fit = fit * t + 0.1495917183;
  const tail = fit * t * Math.exp(-0.5 * z * z);
  if (value < 0) {
    return value * tail;
  }
  return value * (1 - tail);
}

/**
 * Gaussian error linear unit, tanh approximation: 0.5·xᵢ·(1 + tanh(√(2/π)·(xᵢ + 0.044715·xᵢ³))).
 *
 * The argument of tanh is clamped to ±15, where tanh is ±1 in float32: shaders overflow beyond 44.
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

/**
 * The gradient of the exact GELU: gᵢ·(Φ(xᵢ) + xᵢ·φ(xᵢ)) with the normal density φ. Φ is computed as in {@link gelu}.
 *
 * Laws: linear in g; the slope is ½ at 0, slopes at x and −x sum to 1, and stay within [−0.1290, 1.1290].
 *
 * Shapes: x and g are n, the output n. Range: |x| up to 1e19, beyond which x² overflows float32.
 * Source: Hendrycks & Gimpel (2016), arXiv:1606.08415, section 2; derivative of x·Φ(x).
 */
export function geluBackward(this: KernelThread, x: readonly number[], g: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  const z = Math.abs(value);
  const t = 1 / (1 + 0.375 * z);
  let fit = 0.02278922989;
  fit = fit * t - 0.1434343312;
  fit = fit * t + 0.3649499317;
  fit = fit * t - 0.4479365806;
  fit = fit * t + 0.2329641127;
  fit = fit * t - 0.06412826925;
  fit = fit * t + 0.1103918786;
  fit = fit * t + 0.124892289;
  fit = fit * t + 0.1499200212;
  fit = fit * t + 0.1495917183;
  // 1/√(2π)
  const tail = Math.exp(-0.5 * z * z) * (fit * t - 0.3989422804014327 * z);
  if (value < 0) {
    return g[this.thread.x]! * tail;
  }
  return g[this.thread.x]! * (1 - tail);
}

/**
 * The gradient of the tanh approximation: gᵢ·(½·(1 + tanh u) + ½·xᵢ·(1 − tanh² u)·u′) with u = √(2/π)·(xᵢ + 0.044715·xᵢ³).
 * Both parts are written in e = exp(−2|u|), because 1 − tanh² would cancel.
 *
 * Laws: linear in g; the slope is ½ at 0, and slopes at x and −x sum to 1.
 *
 * Shapes: x and g are n, the output n. Range: as {@link geluTanh}.
 * Source: Hendrycks & Gimpel (2016), arXiv:1606.08415, section 2, second displayed formula.
 */
export function geluTanhBackward(this: KernelThread, x: readonly number[], g: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  // 2·√(2/π)
  const slope = 1.5957691216057308;
  const square = 0.044715 * value * value;
  const double = slope * value * (1 + square);
  const e = Math.exp(-Math.abs(double));
  const rest = slope * value * (1 + 3 * square) * (e / ((1 + e) * (1 + e)));
  const gate = Math.exp(Math.min(double, 0)) / (1 + e);
  return g[this.thread.x]! * (gate + rest);
}
