import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Rotary position embedding: row p of x, taken as pairs (2i, 2i+1), each rotated by the angle p·b^(−2i/d).
 *
 * Laws: rotation keeps the norm of every pair; position 0 is unchanged, exactly; inner products of two rotated rows
 * depend on the distance of their positions alone.
 *
 * Shapes: x is n×d with d even, the output n×d. Range: base b > 1; the angle's error grows with p·2⁻²⁴, and graphics
 * hardware reduces large angles poorly (errors of 1e-3 at 1e4 radians have been seen).
 * Source: Su et al. (2021), arXiv:2104.09864, section 3.2.2, equation 15, with the base as a parameter.
 */
export function rope(this: KernelThread, x: readonly (readonly number[])[], b: number, _n: number, d: number): number {
  const pair = Math.floor(this.thread.x / 2);
  const angle = this.thread.y * Math.pow(b, (-2 * pair) / d);
  const even = x[this.thread.y]![2 * pair]!;
  const odd = x[this.thread.y]![2 * pair + 1]!;
  if (this.thread.x === 2 * pair) {
    return even * Math.cos(angle) - odd * Math.sin(angle);
  }
  return even * Math.sin(angle) + odd * Math.cos(angle);
}

/**
 * The gradient of rotary position embedding with respect to x: g rotated back. A rotation's transpose is its inverse.
 *
 * Laws: linear in g; undoes {@link rope}; keeps the norm of every pair; position 0 passes g on, exactly.
 *
 * Shapes: g is n×d with d even, the output n×d. Range: as {@link rope}.
 * Source: Su et al. (2021), arXiv:2104.09864, section 3.2.2, equation 15 (the matrix is orthogonal).
 */
export function ropeBackward(
  this: KernelThread,
  g: readonly (readonly number[])[],
  b: number,
  _n: number,
  d: number,
): number {
  const pair = Math.floor(this.thread.x / 2);
  const angle = this.thread.y * Math.pow(b, (-2 * pair) / d);
  const even = g[this.thread.y]![2 * pair]!;
  const odd = g[this.thread.y]![2 * pair + 1]!;
  if (this.thread.x === 2 * pair) {
    return even * Math.cos(angle) + odd * Math.sin(angle);
  }
  return odd * Math.cos(angle) - even * Math.sin(angle);
}
