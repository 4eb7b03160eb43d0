import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * SwiGLU gate without bias: silu(xW) ⊙ (xV), with silu(z) = z / (1 + e⁻ᶻ).
 *
 * Laws: linear in V; a closed gate (W = 0) gives 0; |output| ≤ |xW|·|xV|.
 *
 * Shapes: x is n, W and V are n×m, the output m. Range: |xW| up to 88, beyond which e⁻ᶻ overflows float32 to ∞ and
 * the gate is 0; graphics hardware need not have infinities.
 * Source: Shazeer (2020), arXiv:2002.05202, section 2, equation 5; SiLU is Swish with β = 1.
 */
export function swiglu(
  this: KernelThread,
  x: readonly number[],
  W: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  n: number,
  _m: number,
): number {
  let gate = 0;
  let value = 0;
  for (let i = 0; i < n; i++) {
    gate += x[i]! * W[i]![this.thread.x]!;
    value += x[i]! * V[i]![this.thread.x]!;
  }
  return (gate / (1 + Math.exp(-gate))) * value;
}
