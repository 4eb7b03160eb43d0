import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The gradient of the rectifier: gᵢ where xᵢ > 0 and 0 elsewhere; at the corner 0, as in the common frameworks.
 *
 * Laws: linear in g; scaling x by c > 0 changes nothing.
 *
 * Shapes: x and g are n, the output n. Source: Nair & Hinton (2010), ICML, section 2; derivative of max(0, x).
 */
export function reluBackward(this: KernelThread, x: readonly number[], g: readonly number[], _n: number): number {
  return x[this.thread.x]! > 0 ? g[this.thread.x]! : 0;
}

/**
 * The gradient of the leaky rectifier with respect to x: gᵢ where xᵢ > 0 and α·gᵢ elsewhere.
 *
 * Laws: linear in g; α = 1 passes g on.
 *
 * Shapes: x and g are n, α a number, the output n. Source: Maas, Hannun & Ng (2013), ICML, section 2.
 */
export function leakyReluBackward(
  this: KernelThread,
  x: readonly number[],
  g: readonly number[],
  alpha: number,
  _n: number,
): number {
  return x[this.thread.x]! > 0 ? g[this.thread.x]! : alpha * g[this.thread.x]!;
}

/**
 * The gradient of ELU with respect to x: gᵢ where xᵢ > 0 and α·e^xᵢ·gᵢ elsewhere.
 *
 * Laws: linear in g; never larger than max(1, α)·|g|.
 *
 * Shapes: x and g are n, α a number, the output n.
 * Source: Clevert, Unterthiner & Hochreiter (2015), arXiv:1511.07289, equation 15.
 */
export function eluBackward(
  this: KernelThread,
  x: readonly number[],
  g: readonly number[],
  alpha: number,
  _n: number,
): number {
  const value = x[this.thread.x]!;
  return value > 0 ? g[this.thread.x]! : alpha * Math.exp(value) * g[this.thread.x]!;
}

/**
 * The gradient of the logistic function: gᵢ·σ(xᵢ)·σ(−xᵢ) = gᵢ·e / (1 + e)² with e = e^−|x|: 1 − σ(x) would cancel.
 *
 * Laws: linear in g; even in x, exactly; at most a quarter of |g|.
 *
 * Shapes: x and g are n, the output n. Source: Goodfellow, Bengio & Courville (2016), section 3.10, equation 3.36.
 */
export function sigmoidBackward(this: KernelThread, x: readonly number[], g: readonly number[], _n: number): number {
  const e = Math.exp(-Math.abs(x[this.thread.x]!));
  return g[this.thread.x]! * (e / ((1 + e) * (1 + e)));
}

/**
 * The gradient of the hyperbolic tangent: gᵢ·(1 − tanh² xᵢ) = gᵢ·4e / (1 + e)² with e = e^−2|x|: 1 − tanh² would cancel.
 *
 * Laws: linear in g; even in x, exactly; at most |g|.
 *
 * Shapes: x and g are n, the output n. Source: Goodfellow, Bengio & Courville (2016), section 6.3.2.
 */
export function tanhBackward(this: KernelThread, x: readonly number[], g: readonly number[], _n: number): number {
  const e = Math.exp(-2 * Math.abs(x[this.thread.x]!));
  return g[this.thread.x]! * ((4 * e) / ((1 + e) * (1 + e)));
}

/**
 * The gradient of softplus: gᵢ·σ(xᵢ).
 *
 * Laws: linear in g; never larger than |g|.
 *
 * Shapes: x and g are n, the output n. Source: Goodfellow, Bengio & Courville (2016), section 3.10, equation 3.39.
 */
export function softplusBackward(this: KernelThread, x: readonly number[], g: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  return g[this.thread.x]! * (Math.exp(Math.min(value, 0)) / (1 + Math.exp(-Math.abs(value))));
}

/**
 * The gradient of Mish: with a = e^min(x, 0), b = e^min(−x, 0), N = a² + 2ab and D = N + 2b² the slope is
 * N/D + 4x·a·b²·(a + b)/D², since 1 − tanh² of softplus is 4b²(a + b)²/D² and σ(x) is a/(a + b).
 *
 * Laws: linear in g; the slope is 0.6 at 0, tends to 1 and to 0, and stays within [−0.12, 1.09].
 *
 * Shapes: x and g are n, the output n. Source: Misra (2019), arXiv:1908.08681, section 3, equation 2.
 */
export function mishBackward(this: KernelThread, x: readonly number[], g: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  const a = Math.exp(Math.min(value, 0));
  const b = Math.exp(Math.min(-value, 0));
  const part = a * (a + 2 * b);
  const whole = part + 2 * b * b;
  return g[this.thread.x]! * (part / whole + (4 * value * (a * b * b * (a + b))) / (whole * whole));
}

/**
 * The gradient of hard swish: 0 below −3, gᵢ beyond 3, gᵢ·(2xᵢ + 3)/6 between and at the corners.
 *
 * Laws: linear in g; never larger than 3/2·|g|.
 *
 * Shapes: x and g are n, the output n. Source: Howard et al. (2019), arXiv:1905.02244, section 5.2.
 */
export function hardSwishBackward(this: KernelThread, x: readonly number[], g: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  if (value < -3) {
    return 0;
  }
  if (value > 3) {
    return g[this.thread.x]!;
  }
  return (g[this.thread.x]! * (2 * value + 3)) / 6;
}
