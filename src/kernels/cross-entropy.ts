import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Cross-entropy of each row of logits against its target class: log Σⱼ exp(z_bj − M_b) − (z_{b,y_b} − M_b),
 * with M_b the row's maximum.
 *
 * Laws: never negative; adding a constant to a row changes nothing; at most log v above the distance of the target
 * from the maximum. The shift keeps every exponent ≤ 0 and the sum ≥ 1, so nothing overflows and the logarithm's
 * argument is never 0.
 *
 * Shapes: z is r×v, y is r (integers in [0, v)), the output r: one loss per sample, not averaged.
 * Source: Goodfellow, Bengio & Courville (2016) Deep Learning, section 6.2.2.3, equation 6.30; the shift is
 * Blanchard, Higham & Higham (2021), IMA J. Numer. Anal. 41(4), equation 1.3.
 */
export function crossEntropy(
  this: KernelThread,
  z: readonly (readonly number[])[],
  y: readonly number[],
  _r: number,
  v: number,
): number {
  const target = y[this.thread.x]!;
  let largest = z[this.thread.x]![0]!;
  for (let j = 1; j < v; j++) {
    largest = Math.max(largest, z[this.thread.x]![j]!);
  }
  let sum = 0;
  for (let j = 0; j < v; j++) {
    sum += Math.exp(z[this.thread.x]![j]! - largest);
  }
  return Math.log(sum) - (z[this.thread.x]![target]! - largest);
}

/**
 * The gradient of cross-entropy with respect to the logits: g_b·(softmax(z_b)ⱼ − [j = y_b]).
 *
 * Laws: linear in g; every row sums to 0; only the target's element has the sign of −g.
 *
 * Shapes: z is r×v, y is r (integers in [0, v)), g is r, the output r×v.
 * Source: Goodfellow, Bengio & Courville (2016) Deep Learning, section 6.2.2.3, with the shift of {@link crossEntropy}.
 */
export function crossEntropyBackward(
  this: KernelThread,
  z: readonly (readonly number[])[],
  y: readonly number[],
  g: readonly number[],
  _r: number,
  v: number,
): number {
  const row = this.thread.y;
  let largest = z[row]![0]!;
  for (let j = 1; j < v; j++) {
    largest = Math.max(largest, z[row]![j]!);
  }
  // The target's probability minus one would cancel, so it is computed as minus the share of the others.
  let others = 0;
  let sum = 0;
  for (let j = 0; j < v; j++) {
    const weight = Math.exp(z[row]![j]! - largest);
    sum += weight;
    if (j !== this.thread.x) {
      others += weight;
    }
  }
  if (y[row]! === this.thread.x) {
    return -g[row]! * (others / sum);
  }
  return g[row]! * (Math.exp(z[row]![this.thread.x]! - largest) / sum);
}
