import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * One-dimensional convolution (as a cross-correlation) with stride s, zero padding p and dilation d:
 * β_o + Σₐ Σⱼ w_oaj·x_{a, t·s + j·d − p}, where x is 0 outside its length.
 *
 * Laws: linear in x and in (w, β); equals the product with its Toeplitz matrix; with k = s = d = 1 and p = 0 a linear layer
 * of each position; shifting x by s shifts the output by 1 where no padding is involved.
 *
 * Shapes: x is c×l (channels, length), w is q×c×k, β is q, the output q×m with m up to ⌊(l + 2p − d·(k − 1) − 1)/s⌋ + 1.
 * Source: Dumoulin & Visin (2016), arXiv:1603.07285, chapter 2, relationship 6, with dilation as in section 5.1.
 */
export function conv1d(
  this: KernelThread,
  x: readonly (readonly number[])[],
  w: readonly (readonly (readonly number[])[])[],
  bias: readonly number[],
  c: number,
  l: number,
  k: number,
  s: number,
  p: number,
  d: number,
): number {
  let sum = 0;
  for (let a = 0; a < c; a++) {
    for (let j = 0; j < k; j++) {
      const at = this.thread.x * s + j * d - p;
      if (at >= 0 && at < l) {
        sum += w[this.thread.y]![a]![j]! * x[a]![at]!;
      }
    }
  }
  return sum + bias[this.thread.y]!;
}

/**
 * The gradient of {@link conv1d} with respect to its input: Σ_o Σⱼ w_oaj·g_ot over the t with t·s + j·d − p = i. It
 * gathers: each element sums its own contributions, so no atomic addition is needed.
 *
 * Laws: linear in g and w; the transposed convolution.
 *
 * Shapes: w is q×c×k, g is q×m, the output c×l.
 * Source: Dumoulin & Visin (2016), arXiv:1603.07285, chapter 4 (transposed convolution).
 */
export function conv1dBackwardInput(
  this: KernelThread,
  w: readonly (readonly (readonly number[])[])[],
  g: readonly (readonly number[])[],
  q: number,
  k: number,
  s: number,
  p: number,
  d: number,
  m: number,
): number {
  let sum = 0;
  for (let o = 0; o < q; o++) {
    for (let j = 0; j < k; j++) {
      const from = this.thread.x + p - j * d;
      // Half a step is added because a quotient that should be whole may come out just below it on graphics hardware.
      const t = Math.floor((from + 0.5) / s);
      if (t >= 0 && t < m && t * s === from) {
        sum += w[o]![this.thread.y]![j]! * g[o]![t]!;
      }
    }
  }
  return sum;
}

/**
 * The gradient of {@link conv1d} with respect to its weights: Σ_t g_ot·x_{a, t·s + j·d − p}. (That of the bias is the sum of g
 * over the positions.)
 *
 * Laws: linear in g and x; a correlation of the input with the output's gradient.
 *
 * Shapes: x is c×l, g is q×m, the output q×c×k.
 * Source: LeCun, Bottou, Bengio & Haffner (1998) Gradient-Based Learning Applied to Document Recognition, section II
 * (shared weights: the gradients of all uses add up).
 */
export function conv1dBackwardWeight(
  this: KernelThread,
  x: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  l: number,
  s: number,
  p: number,
  d: number,
  m: number,
): number {
  let sum = 0;
  for (let t = 0; t < m; t++) {
    const at = t * s + this.thread.x * d - p;
    if (at >= 0 && at < l) {
      sum += g[this.thread.z]![t]! * x[this.thread.y]![at]!;
    }
  }
  return sum;
}
