import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Adds the merged change of K fine-tuned models to the weights that they started from: each change keeps its k largest
 * elements, at every position the sign with more mass wins, and the elements of that sign are averaged.
 *
 * Law: models without a change leave the weights as they are.
 *
 * Shapes: theta is n, delta is K×n, the output n. Range: 0 ≤ k ≤ n.
 * Source: Yadav et al. (2023), arXiv:2306.01708, algorithm 1, with λ = 1.
 */
export function alborMerged(
  this: KernelThread,
  theta: readonly number[],
  delta: readonly (readonly number[])[],
  k: number,
  n: number,
  K: number,
): number {
  let up = 0;
  let down = 0;
  let upCount = 0;
  let downCount = 0;
  for (let a = 0; a < K; a++) {
    const own = delta[a]![this.thread.x]!;
    let before = 0;
    for (let l = 0; l < n; l++) {
      const other = Math.abs(delta[a]![l]!);
      if (other > Math.abs(own) || (other === Math.abs(own) && l < this.thread.x)) {
        before += 1;
      }
    }
    if (before < k && own > 0) {
      up += own;
      upCount += 1;
    }
    if (before < k && own < 0) {
      down -= own;
      downCount += 1;
    }
  }
  if (up >= down) {
    return theta[this.thread.x]! + up / Math.max(1, upCount);
  }
  return theta[this.thread.x]! - down / downCount;
}

/**
 * Prunes h weights of every row, those with the smallest |W|·‖X‖ over the activations X, and quantises the rest:
 * round(|w|/a·L)/L·a, with a the largest remaining magnitude of the row.
 *
 * Laws: at least h zeros in every row; no weight exceeds the largest of its row. Of equal scores the first is pruned
 * first; halves round away from zero.
 *
 * Shapes: W is m×n, X is s×n, the output m×n. Range: 0 ≤ h ≤ n, 1 ≤ L ≤ 127, |X| up to 1e18.
 * Sources: Sun et al. (2023), arXiv:2306.11695, equation 1; Dettmers et al. (2022), arXiv:2110.02861, section 2.
 */
export function alborPruned(
  this: KernelThread,
  W: readonly (readonly number[])[],
  X: readonly (readonly number[])[],
  h: number,
  levels: number,
  _m: number,
  n: number,
  s: number,
): number {
  let largest = 0;
  let own = 0;
  for (let j = 0; j < n; j++) {
    let squares = 0;
    for (let l = 0; l < s; l++) {
      squares += X[l]![j]! * X[l]![j]!;
    }
    const score = Math.abs(W[this.thread.y]![j]!) * Math.sqrt(squares);
    let before = 0;
    for (let i = 0; i < n; i++) {
      let otherSquares = 0;
      for (let l = 0; l < s; l++) {
        otherSquares += X[l]![i]! * X[l]![i]!;
      }
      const other = Math.abs(W[this.thread.y]![i]!) * Math.sqrt(otherSquares);
      if (other < score || (other === score && i < j)) {
        before += 1;
      }
    }
    if (before >= h) {
      largest = Math.max(largest, Math.abs(W[this.thread.y]![j]!));
      if (j === this.thread.x) {
        own = W[this.thread.y]![j]!;
      }
    }
  }
  if (largest === 0) {
    return 0;
  }
  const code = Math.floor((Math.abs(own) / largest) * levels + 0.5);
  return Math.sign(own) * ((code / levels) * largest);
}
