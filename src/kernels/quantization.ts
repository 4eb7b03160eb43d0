import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Quantises blocks symmetrically and dequantises them: round(|x|/a·L)/L·a with the sign of x, a the block's largest
 * magnitude. L is 7 for four bits, 127 for eight.
 *
 * Laws: |x − y| ≤ a/(2L), half a scale; the largest magnitude is exact; odd; idempotent up to rounding; a block of zeros
 * stays zeros. Halves round away from zero.
 *
 * Shapes: x is r×c (one block per row), the output r×c. Range: 1 ≤ L ≤ 127, |x| up to 1e30.
 * Source: Dettmers et al. (2022), arXiv:2110.02861, section 2 (block-wise, absolute maximum).
 */
export function quantizeRoundTrip(
  this: KernelThread,
  x: readonly (readonly number[])[],
  levels: number,
  _r: number,
  c: number,
): number {
  let largest = 0;
  for (let j = 0; j < c; j++) {
    largest = Math.max(largest, Math.abs(x[this.thread.y]![j]!));
  }
  if (largest === 0) {
    return 0;
  }
  const own = x[this.thread.y]![this.thread.x]!;
  const code = Math.floor((Math.abs(own) / largest) * levels + 0.5);
  return Math.sign(own) * ((code / levels) * largest);
}
