import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The gradient of a batch from those of its micro-batches: Σₐ cₐ·gₐᵢ / Σₐ cₐ, each gₐ a mean over cₐ tokens.
 *
 * Laws: equals the mean over all tokens of the batch; with equal counts the plain mean of the micro-batches; linear in g;
 * one micro-batch comes back unchanged up to rounding. The plain mean of unequal micro-batches weighs the tokens of short
 * ones more, so it is not the gradient of the batch's loss.
 *
 * Shapes: g is N×n (one row per micro-batch), c is N (integers ≥ 1), the output n.
 * Source: Ott et al. (2018), arXiv:1806.00187, section 3.2 (cumulating gradients of several mini-batches).
 */
export function accumulateGradients(
  this: KernelThread,
  g: readonly (readonly number[])[],
  counts: readonly number[],
  N: number,
  _n: number,
): number {
  let sum = 0;
  let tokens = 0;
  for (let a = 0; a < N; a++) {
    sum += counts[a]! * g[a]![this.thread.x]!;
    tokens += counts[a]!;
  }
  return sum / tokens;
}
