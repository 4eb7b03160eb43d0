import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * A linear layer with a low-rank side path: x·Wᵀ + (α/r)·(x·Aᵀ)·Bᵀ, the side path computed through its r numbers per row.
 *
 * Laws: B = 0 (as B starts) gives x·Wᵀ, bit for bit; the same as the merged layer except for rounding; linear in x and in α.
 *
 * Shapes: x is t×n, W is m×n, A is r×n, B is m×r, the output t×m.
 * Source: Hu et al. (2022) LoRA, arXiv:2106.09685, section 4.1, equation 3, with the scaling α/r of the paragraph below it.
 */
export function loraForward(
  this: KernelThread,
  x: readonly (readonly number[])[],
  W: readonly (readonly number[])[],
  A: readonly (readonly number[])[],
  B: readonly (readonly number[])[],
  alpha: number,
  _t: number,
  n: number,
  _m: number,
  r: number,
): number {
  let main = 0;
  for (let i = 0; i < n; i++) {
    main += x[this.thread.y]![i]! * W[this.thread.x]![i]!;
  }
  let side = 0;
  for (let k = 0; k < r; k++) {
    let down = 0;
    for (let i = 0; i < n; i++) {
      down += x[this.thread.y]![i]! * A[k]![i]!;
    }
    side += down * B[this.thread.x]![k]!;
  }
  return main + (alpha / r) * side;
}

/**
 * Weights plus a low-rank change: W + (α/r)·B·A. A negative α removes the change again.
 *
 * Laws: B = 0 gives W, bit for bit; the change has at most rank r; merging with α and then with −α gives W back except for the
 * rounding of two sums.
 *
 * Shapes: W is m×n, A is r×n, B is m×r, the output m×n.
 * Source: Hu et al. (2022) LoRA, arXiv:2106.09685, section 4.1, "No Additional Inference Latency".
 */
export function loraMerge(
  this: KernelThread,
  W: readonly (readonly number[])[],
  A: readonly (readonly number[])[],
  B: readonly (readonly number[])[],
  alpha: number,
  _m: number,
  _n: number,
  r: number,
): number {
  let change = 0;
  for (let k = 0; k < r; k++) {
    change += B[this.thread.y]![k]! * A[k]![this.thread.x]!;
  }
  return W[this.thread.y]![this.thread.x]! + (alpha / r) * change;
}

/**
 * The gradient of {@link loraForward} with respect to A: (α/r)·Bᵀ·gᵀ·x. The weights W are frozen and have none.
 *
 * Laws: linear in g; 0 while B is 0, so that B moves first.
 *
 * Shapes: x is t×n, B is m×r, g is t×m, the output r×n. Source: Hu et al. (2022), arXiv:2106.09685, section 4.1.
 */
export function loraBackwardA(
  this: KernelThread,
  x: readonly (readonly number[])[],
  B: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  alpha: number,
  t: number,
  _n: number,
  m: number,
  r: number,
): number {
  let sum = 0;
  for (let a = 0; a < t; a++) {
    let up = 0;
    for (let j = 0; j < m; j++) {
      up += g[a]![j]! * B[j]![this.thread.y]!;
    }
    sum += up * x[a]![this.thread.x]!;
  }
  return (alpha / r) * sum;
}

/**
 * The gradient of {@link loraForward} with respect to B: (α/r)·gᵀ·(x·Aᵀ).
 *
 * Law: linear in g.
 *
 * Shapes: x is t×n, A is r×n, g is t×m, the output m×r. Source: Hu et al. (2022), arXiv:2106.09685, section 4.1.
 */
export function loraBackwardB(
  this: KernelThread,
  x: readonly (readonly number[])[],
  A: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  alpha: number,
  t: number,
  n: number,
  r: number,
  _m: number,
): number {
  let sum = 0;
  for (let a = 0; a < t; a++) {
    let down = 0;
    for (let i = 0; i < n; i++) {
      down += x[a]![i]! * A[this.thread.x]![i]!;
    }
    sum += g[a]![this.thread.y]! * down;
  }
  return (alpha / r) * sum;
}
