import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The gradient of a matrix product C = A·B with respect to A: dA = dC·Bᵀ, from flat row-major buffers.
 *
 * Laws: linear in each argument; ⟨dC, A·B⟩ = ⟨dA, A⟩; equals the matrix product of dC and Bᵀ. The strides are n for dC
 * and B, k for dA: if n and k are exchanged, rows are n/k times too far apart (C-GEMMARGS-001).
 *
 * Shapes: dC is m·n, B is k·n, the output m·k. Arguments in the order m, n, k.
 * Source: Giles (2008), An extended collection of matrix derivative results, section 2.2.2.
 */
export function gemmBackwardA(
  this: KernelThread,
  dC: readonly number[],
  B: readonly number[],
  _m: number,
  n: number,
  k: number,
): number {
  const row = Math.floor(this.thread.x / k);
  const column = this.thread.x - row * k;
  let sum = 0;
  for (let j = 0; j < n; j++) {
    sum += dC[row * n + j]! * B[column * n + j]!;
  }
  return sum;
}

/**
 * The gradient of a matrix product C = A·B with respect to B: dB = Aᵀ·dC, from flat row-major buffers.
 *
 * Laws: linear in each argument; ⟨dC, A·B⟩ = ⟨dB, B⟩; equals the matrix product of Aᵀ and dC. The strides are k for A,
 * n for dC and dB.
 *
 * Shapes: A is m·k, dC is m·n, the output k·n. Arguments in the order m, n, k.
 * Source: Giles (2008), An extended collection of matrix derivative results, section 2.2.2.
 */
export function gemmBackwardB(
  this: KernelThread,
  A: readonly number[],
  dC: readonly number[],
  m: number,
  n: number,
  k: number,
): number {
  const row = Math.floor(this.thread.x / n);
  const column = this.thread.x - row * n;
  let sum = 0;
  for (let i = 0; i < m; i++) {
    sum += A[i * k + row]! * dC[i * n + column]!;
  }
  return sum;
}
