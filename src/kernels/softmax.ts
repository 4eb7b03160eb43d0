import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Softmax of one vector, shifted by its maximum: exp(xᵢ − max x) / Σⱼ exp(xⱼ − max x).
 *
 * Laws: every output lies in [0, 1]; they sum to 1 within n·2⁻²⁴; adding a constant to every input changes nothing;
 * a larger input never has a smaller output. The shift keeps every exponent ≤ 0, so nothing overflows, and
 * underflow gives 0.
 *
 * Shapes: x is n, the output n. Range: finite x, 1 ≤ n. Unspecified: NaN, or +∞ anywhere.
 * Source: Milakov & Gimelshein (2018), arXiv:1805.02867, section 2, equation 2 ("safe softmax").
 */
export function softmax(this: KernelThread, x: readonly number[], n: number): number {
  let largest = x[0]!;
  for (let j = 1; j < n; j++) {
    largest = Math.max(largest, x[j]!);
  }
  let sum = 0;
  for (let j = 0; j < n; j++) {
    sum += Math.exp(x[j]! - largest);
  }
  return Math.exp(x[this.thread.x]! - largest) / sum;
}

/**
 * The gradient of softmax with respect to its input, from its output p: pᵢ·(gᵢ − Σⱼ pⱼ·gⱼ).
 *
 * Laws: linear in g; sums to 0 where p sums to 1; a constant g gives 0; where p is 0, so is the gradient.
 *
 * Shapes: p and g are n, the output n. Range: 0 ≤ p ≤ 1, finite g.
 * Source: Goodfellow, Bengio & Courville (2016) Deep Learning, section 6.2.2.3 (the Jacobian diag(p) − ppᵀ).
 */
export function softmaxBackward(this: KernelThread, p: readonly number[], g: readonly number[], n: number): number {
  let mean = 0;
  for (let j = 0; j < n; j++) {
    mean += p[j]! * g[j]!;
  }
  return p[this.thread.x]! * (g[this.thread.x]! - mean);
}
