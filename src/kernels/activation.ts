import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Rectified linear unit: max(0, xᵢ).
 *
 * Laws: never negative; applying it twice changes nothing; ReLU(x) − ReLU(−x) = x, exactly.
 *
 * Shapes: x is n, the output n. Range: all finite x.
 * Source: Nair & Hinton (2010) Rectified Linear Units Improve Restricted Boltzmann Machines, ICML, section 2.
 */
export function relu(this: KernelThread, x: readonly number[], _n: number): number {
  return Math.max(0, x[this.thread.x]!);
}

/**
 * Leaky rectifier: xᵢ where it is positive and α·xᵢ elsewhere, as max(α·xᵢ, xᵢ) for 0 ≤ α ≤ 1.
 *
 * Laws: α = 1 is the identity, α = 0 the rectifier; scaling x by c > 0 scales the output by c.
 *
 * Shapes: x is n, α a number, the output n. Range: 0 ≤ α ≤ 1.
 * Source: Maas, Hannun & Ng (2013) Rectifier Nonlinearities Improve Neural Network Acoustic Models, ICML, equation 2.
 */
export function leakyRelu(this: KernelThread, x: readonly number[], alpha: number, _n: number): number {
  return Math.max(alpha * x[this.thread.x]!, x[this.thread.x]!);
}

/**
 * Exponential linear unit: xᵢ where it is positive and α·(e^xᵢ − 1) elsewhere. Near 0 the difference cancels: the error
 * is one unit in the last place of 1, not of the result.
 *
 * Laws: at least −α; equals the rectifier where x ≥ 0, exactly; with α = 1 its slope is continuous.
 *
 * Shapes: x is n, α a number, the output n. Range: α ≥ 0.
 * Source: Clevert, Unterthiner & Hochreiter (2015), arXiv:1511.07289, equation 15.
 */
export function elu(this: KernelThread, x: readonly number[], alpha: number, _n: number): number {
  const value = x[this.thread.x]!;
  return Math.max(0, value) + alpha * (Math.exp(Math.min(value, 0)) - 1);
}

/**
 * Logistic function: 1 / (1 + e^−xᵢ), as e^min(x, 0) / (1 + e^−|x|): no exponent is positive and nothing overflows.
 *
 * Laws: within [0, 1]; does not decrease; σ(x) + σ(−x) = 1.
 *
 * Shapes: x is n, the output n. Range: all finite x.
 * Source: Goodfellow, Bengio & Courville (2016) Deep Learning, section 3.10, equation 3.30.
 */
export function sigmoid(this: KernelThread, x: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  return Math.exp(Math.min(value, 0)) / (1 + Math.exp(-Math.abs(value)));
}

/**
 * Hyperbolic tangent. The argument is clamped to ±15, where tanh is ±1 in float32: shaders overflow beyond 44.
 *
 * Laws: odd, exactly; within [−1, 1]; does not decrease; tanh(x) = 2σ(2x) − 1.
 *
 * Shapes: x is n, the output n. Range: all finite x.
 * Source: Goodfellow, Bengio & Courville (2016) Deep Learning, section 6.3.2.
 */
export function tanh(this: KernelThread, x: readonly number[], _n: number): number {
  return Math.tanh(Math.max(-15, Math.min(15, x[this.thread.x]!)));
}

/**
 * Softplus: log(1 + e^xᵢ), as max(0, x) + log(1 + e^−|x|), which never overflows. For very negative x the logarithm of a
 * number next to 1 cancels: the error is one unit in the last place of 1, not of the result.
 *
 * Laws: at least max(0, x) and at most log 2 above it; softplus(x) − softplus(−x) = x; its derivative is σ.
 *
 * Shapes: x is n, the output n. Range: all finite x.
 * Source: Dugas et al. (2001) Incorporating Second-Order Functional Knowledge for Better Option Pricing, NIPS 13, section 3.
 */
export function softplus(this: KernelThread, x: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  return Math.max(0, value) + Math.log(1 + Math.exp(-Math.abs(value)));
}

/**
 * Mish: xᵢ·tanh(softplus(xᵢ)). With a = e^min(x, 0) and b = e^min(−x, 0), so that e^x = a/b, the tangent is
 * (a² + 2ab) / (a² + 2ab + 2b²): neither tanh nor a logarithm is needed and nothing overflows or cancels.
 *
 * Laws: at least −0.30884; within [min(0, x), max(0, x)]; tends to x and to 0.
 *
 * Shapes: x is n, the output n. Range: all finite x.
 * Source: Misra (2019), arXiv:1908.08681, section 3, equation 1.
 */
export function mish(this: KernelThread, x: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  const a = Math.exp(Math.min(value, 0));
  const b = Math.exp(Math.min(-value, 0));
  const part = a * (a + 2 * b);
  return value * (part / (part + 2 * b * b));
}

/**
 * Hard swish: xᵢ·min(6, max(0, xᵢ + 3)) / 6, which is xᵢ beyond 3 and 0 below −3.
 *
 * Laws: at least −⅜, at x = −3/2; 0 at and below −3, exactly; hswish(x) − hswish(−x) = x within [−3, 3].
 *
 * Shapes: x is n, the output n. Range: |x| up to 5e37, beyond which 6·x overflows float32.
 * Source: Howard et al. (2019), arXiv:1905.02244, section 5.2.
 */
export function hardSwish(this: KernelThread, x: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  return value * (Math.min(6, Math.max(0, value + 3)) / 6);
}
