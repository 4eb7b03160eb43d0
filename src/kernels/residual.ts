import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * A residual connection: xᵢ + fᵢ, where f is the branch's output for x.
 *
 * Laws: a branch that gives 0 leaves x, exactly; commutative, exactly.
 *
 * Shapes: x and f are n, the output n.
 * Source: He, Zhang, Ren & Sun (2016), arXiv:1512.03385, section 3.2, equation 1.
 */
export function residualAdd(this: KernelThread, x: readonly number[], f: readonly number[], _n: number): number {
  return x[this.thread.x]! + f[this.thread.x]!;
}

/**
 * The gradient of a residual block with respect to x: gᵢ, which the skip connection passes on unchanged, plus dᵢ =
 * (Jᵀg)ᵢ, which passes through the branch.
 *
 * Laws: a branch without gradient passes g on, exactly: nothing vanishes along the skip.
 *
 * Shapes: g and d are n, the output n.
 * Source: He, Zhang, Ren & Sun (2016) Identity Mappings in Deep Residual Networks, arXiv:1603.05027, section 2, equation 5.
 */
export function residualBackward(this: KernelThread, g: readonly number[], d: readonly number[], _n: number): number {
  return g[this.thread.x]! + d[this.thread.x]!;
}
