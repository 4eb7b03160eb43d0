import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Dropout with given uniform numbers: 0 where u < p, else x/(1 − p), so that the mean over u stays x.
 *
 * Laws: p = 0 gives x, exactly; each element is 0 or x/(1 − p); linear in x for given u.
 *
 * Shapes: x and u are n, the output n. Range: 0 ≤ p < 1, 0 ≤ u < 1.
 * Source: Srivastava et al. (2014) Dropout, JMLR 15, section 4, scaled in training as in its section 10.
 */
export function dropout(this: KernelThread, x: readonly number[], u: readonly number[], p: number, _n: number): number {
  if (u[this.thread.x]! < p) {
    return 0;
  }
  return x[this.thread.x]! / (1 - p);
}

/**
 * The gradient of {@link dropout} with respect to x: the same mask and the same scale on g.
 *
 * Law: the gradient of a dropped element is exactly 0.
 *
 * Shapes: g and u are n, the output n. Source: Srivastava et al. (2014) Dropout, JMLR 15, section 5.1.
 */
export function dropoutBackward(
  this: KernelThread,
  g: readonly number[],
  u: readonly number[],
  p: number,
  _n: number,
): number {
  if (u[this.thread.x]! < p) {
    return 0;
  }
  return g[this.thread.x]! / (1 - p);
}
