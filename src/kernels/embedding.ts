import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Embedding lookup: row t of the output is row y_t of the table.
 *
 * Laws: the rows of the table, exactly; equal ids give equal rows; the same as a one-hot matrix times the table.
 *
 * Shapes: W is v×d, y is n (integers in [0, v)), the output n×d.
 * Source: Bengio et al. (2003) A Neural Probabilistic Language Model, JMLR 3, section 2 (the mapping C).
 */
export function embedding(
  this: KernelThread,
  W: readonly (readonly number[])[],
  ids: readonly number[],
  _v: number,
  _d: number,
  _n: number,
): number {
  return W[ids[this.thread.y]!]![this.thread.x]!;
}

/**
 * The gradient of an embedding lookup with respect to the table: row w is the sum of the rows of g whose id is w. It
 * gathers in the order of the ids, without atomic additions, so every run gives the same bits.
 *
 * Laws: linear in g; rows of ids that do not occur are 0, exactly; the sum over the table is the sum over g.
 *
 * Shapes: y is n (integers in [0, v)), g is n×d, the output v×d.
 * Source: Bengio et al. (2003), JMLR 3, section 3 (the update of C).
 */
export function embeddingBackward(
  this: KernelThread,
  ids: readonly number[],
  g: readonly (readonly number[])[],
  n: number,
  _d: number,
  _v: number,
): number {
  let sum = 0;
  for (let t = 0; t < n; t++) {
    if (this.thread.y === ids[t]!) {
      sum += g[t]![this.thread.x]!;
    }
  }
  return sum;
}

/**
 * The logits of a head that shares its table with the embedding: h·Wᵀ.
 *
 * Laws: linear in h and in W; the matrix product with the transposed table.
 *
 * Shapes: h is n×d, W is v×d, the output n×v.
 * Source: Press & Wolf (2017), arXiv:1608.05859, section 2 (U = V).
 */
export function tiedLogits(
  this: KernelThread,
  h: readonly (readonly number[])[],
  W: readonly (readonly number[])[],
  _n: number,
  d: number,
  _v: number,
): number {
  let sum = 0;
  for (let k = 0; k < d; k++) {
    sum += h[this.thread.y]![k]! * W[this.thread.x]![k]!;
  }
  return sum;
}

/**
 * The gradient of the tied logits with respect to the hidden states: g·W.
 *
 * Laws: linear in g and in W.
 *
 * Shapes: W is v×d, g is n×v, the output n×d. Source: Press & Wolf (2017), arXiv:1608.05859, section 3.
 */
export function tiedHiddenBackward(
  this: KernelThread,
  W: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  v: number,
  _d: number,
  _n: number,
): number {
  let sum = 0;
  for (let w = 0; w < v; w++) {
    sum += g[this.thread.y]![w]! * W[w]![this.thread.x]!;
  }
  return sum;
}

/**
 * The gradient of the one table that both ends share: that of the head, gᵀ·h, plus that of the lookup, the rows of the
 * input's gradient u whose id is w. Leaving one of the two out trains half a table.
 *
 * Laws: linear in (g, u); u = 0 leaves the head's, g = 0 the lookup's.
 *
 * Shapes: h is n×d, g is n×v (of the logits), y is n (integers in [0, v)), u is n×d (of the looked-up rows), the output v×d.
 * Source: Press & Wolf (2017), arXiv:1608.05859, section 3, equations 3 and 4.
 */
export function tiedTableBackward(
  this: KernelThread,
  h: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  ids: readonly number[],
  u: readonly (readonly number[])[],
  n: number,
  _d: number,
  _v: number,
): number {
  let sum = 0;
  for (let t = 0; t < n; t++) {
    sum += g[t]![this.thread.y]! * h[t]![this.thread.x]!;
    if (this.thread.y === ids[t]!) {
      sum += u[t]![this.thread.x]!;
    }
  }
  return sum;
}
