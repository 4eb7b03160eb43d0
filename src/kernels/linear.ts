import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Adds one bias to every row: x_bj + βⱼ.
 *
 * Laws: a bias of 0 changes nothing; the biases of two additions in a row add up, over the reals.
 *
 * Shapes: x is r×n, β is n, the output r×n.
 * Source: Goodfellow, Bengio & Courville (2016) Deep Learning, section 6.1, equation 6.2.
 */
export function biasAdd(
  this: KernelThread,
  x: readonly (readonly number[])[],
  bias: readonly number[],
  _r: number,
  _n: number,
): number {
  return x[this.thread.y]![this.thread.x]! + bias[this.thread.x]!;
}

/**
 * The gradient of a bias: Σ over rows of g_bj, in the order of the rows. (That of x is g itself.)
 *
 * Laws: linear in g; the order of the rows matters to rounding only.
 *
 * Shapes: g is r×n, the output n. Source: Goodfellow, Bengio & Courville (2016), section 6.5.4, algorithm 6.4.
 */
export function biasAddBackward(this: KernelThread, g: readonly (readonly number[])[], r: number, _n: number): number {
  let sum = 0;
  for (let b = 0; b < r; b++) {
    sum += g[b]![this.thread.x]!;
  }
  return sum;
}

/**
 * A linear layer: Σᵢ x_bi·W_oi + β_o, with one row of W per output. The bias is added last.
 *
 * Laws: linear in x, W and β; |computed − exact| ≤ (n + 1)·2⁻²⁴·(Σᵢ|x_bi·W_oi| + |β_o|) to first order.
 *
 * Shapes: x is r×n, W is m×n, β is m, the output r×m.
 * Source: Goodfellow, Bengio & Courville (2016) Deep Learning, section 6.1, equation 6.2; the bound is Higham (2002),
 * Accuracy and Stability of Numerical Algorithms, 2nd ed., equation 3.13.
 */
export function linear(
  this: KernelThread,
  x: readonly (readonly number[])[],
  W: readonly (readonly number[])[],
  bias: readonly number[],
  _r: number,
  n: number,
  _m: number,
): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    sum += x[this.thread.y]![i]! * W[this.thread.x]![i]!;
  }
  return sum + bias[this.thread.x]!;
}

/**
 * The gradient of a linear layer with respect to its input: Σ_o g_bo·W_oi.
 *
 * Laws: linear in g and W.
 *
 * Shapes: W is m×n, g is r×m, the output r×n. Source: Giles (2008), section 2.2.2.
 */
export function linearBackwardInput(
  this: KernelThread,
  W: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  m: number,
  _n: number,
  _r: number,
): number {
  let sum = 0;
  for (let o = 0; o < m; o++) {
    sum += g[this.thread.y]![o]! * W[o]![this.thread.x]!;
  }
  return sum;
}

/**
 * The gradient of a linear layer with respect to its weights: Σ_b g_bo·x_bi. (That of the bias is {@link biasAddBackward}.)
 *
 * Laws: linear in g and x; of one row the outer product g ⊗ x.
 *
 * Shapes: x is r×n, g is r×m, the output m×n. Source: Giles (2008), section 2.2.2.
 */
export function linearBackwardWeight(
  this: KernelThread,
  x: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  r: number,
  _n: number,
  _m: number,
): number {
  let sum = 0;
  for (let b = 0; b < r; b++) {
    sum += g[b]![this.thread.y]! * x[b]![this.thread.x]!;
  }
  return sum;
}
