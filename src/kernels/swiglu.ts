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

/**
 * The gradient of SwiGLU with respect to x: Σⱼ gⱼ·(silu′(aⱼ)·bⱼ·Wᵢⱼ + silu(aⱼ)·Vᵢⱼ) with a = xW, b = xV. The slope
 * silu′(z) is σ(z)·(1 + z·σ(−z)), and σ is computed with exponents that are never positive.
 *
 * Laws: linear in g; a closed gate with a = 0 passes half of b·W.
 *
 * Shapes: x is n, W and V are n×m, g is m, the output n. Range: finite projections.
 * Source: Shazeer (2020), arXiv:2002.05202, section 2, equation 5; the slope is Elfwing, Uchibe & Doya (2017),
 * arXiv:1702.03118, equation 14.
 */
export function swigluBackwardInput(
  this: KernelThread,
  x: readonly number[],
  W: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  g: readonly number[],
  n: number,
  m: number,
): number {
  let result = 0;
  for (let j = 0; j < m; j++) {
    let gate = 0;
    let value = 0;
    for (let i = 0; i < n; i++) {
      gate += x[i]! * W[i]![j]!;
      value += x[i]! * V[i]![j]!;
    }
    const whole = 1 + Math.exp(-Math.abs(gate));
    const open = Math.exp(Math.min(gate, 0)) / whole;
    const shut = Math.exp(Math.min(-gate, 0)) / whole;
    const slope = open * (1 + gate * shut);
    result += g[j]! * (slope * value * W[this.thread.x]![j]! + gate * open * V[this.thread.x]![j]!);
  }
  return result;
}

/**
 * The gradient of SwiGLU with respect to the gate's weights W: xᵢ·gⱼ·silu′(aⱼ)·bⱼ.
 *
 * Laws: linear in g and in V; the outer product of x with a row that does not depend on i.
 *
 * Shapes: as {@link swigluBackwardInput}, the output n×m. Source: Shazeer (2020), arXiv:2002.05202, section 2, equation 5.
 */
export function swigluBackwardGate(
  this: KernelThread,
  x: readonly number[],
  W: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  g: readonly number[],
  n: number,
  _m: number,
): number {
  let gate = 0;
  let value = 0;
  for (let i = 0; i < n; i++) {
    gate += x[i]! * W[i]![this.thread.x]!;
    value += x[i]! * V[i]![this.thread.x]!;
  }
  const whole = 1 + Math.exp(-Math.abs(gate));
  const open = Math.exp(Math.min(gate, 0)) / whole;
  const shut = Math.exp(Math.min(-gate, 0)) / whole;
  return x[this.thread.y]! * (g[this.thread.x]! * (open * (1 + gate * shut) * value));
}

/**
 * The gradient of SwiGLU with respect to the ungated weights V: xᵢ·gⱼ·silu(aⱼ).
 *
 * Laws: linear in g; does not depend on V.
 *
 * Shapes: x is n, W is n×m, g is m, the output n×m. Source: Shazeer (2020), arXiv:2002.05202, section 2, equation 5.
 */
export function swigluBackwardValue(
  this: KernelThread,
  x: readonly number[],
  W: readonly (readonly number[])[],
  g: readonly number[],
  n: number,
  _m: number,
): number {
  let gate = 0;
  for (let i = 0; i < n; i++) {
    gate += x[i]! * W[i]![this.thread.x]!;
  }
  const open = Math.exp(Math.min(gate, 0)) / (1 + Math.exp(-Math.abs(gate)));
  return x[this.thread.y]! * (g[this.thread.x]! * (gate * open));
}
