import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Matrix product of two dense matrices: Cᵢⱼ = Σₗ AᵢₗBₗⱼ, summed in the order of l.
 *
 * Laws: linear in each argument; (AB)ᵀ = BᵀAᵀ, exactly; |computed − exact| ≤ k·2⁻²⁴·Σₗ|AᵢₗBₗⱼ| to first order.
 *
 * Shapes: A is m×k, B is k×n, the output m×n. Range: finite entries whose products and sums do not overflow.
 * Source: Golub & Van Loan (2013) Matrix Computations, 4th ed., section 1.1.11; the error bound is
 * Higham (2002), Accuracy and Stability of Numerical Algorithms, 2nd ed., equation 3.13.
 */
export function matmul(
  this: KernelThread,
  A: readonly (readonly number[])[],
  B: readonly (readonly number[])[],
  _m: number,
  k: number,
  _n: number,
): number {
  let sum = 0;
  for (let l = 0; l < k; l++) {
    sum += A[this.thread.y]![l]! * B[l]![this.thread.x]!;
  }
  return sum;
}
