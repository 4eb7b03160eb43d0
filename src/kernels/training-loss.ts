import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The loss of each micro-batch: the cross-entropy of its tokens, averaged over those that count.
 *
 * Laws: never negative; logits of tokens that do not count change nothing; a micro-batch of padding alone has loss 0.
 *
 * Shapes: x (logits) is m×r×v, k (the next tokens) and u (1 where a token counts, else 0) are m×r, the output m, in nats.
 * Range: |x| up to 1e30: the largest logit of a token is subtracted first.
 * Source: Radford et al. (2019), Language Models are Unsupervised Multitask Learners, section 2.
 */
export function trainingLoss(
  this: KernelThread,
  x: readonly (readonly (readonly number[])[])[],
  k: readonly (readonly number[])[],
  u: readonly (readonly number[])[],
  _m: number,
  r: number,
  v: number,
): number {
  let sum = 0;
  let count = 0;
  for (let b = 0; b < r; b++) {
    if (u[this.thread.x]![b]! > 0) {
      let largest = -Infinity;
      for (let j = 0; j < v; j++) {
        largest = Math.max(largest, x[this.thread.x]![b]![j]!);
      }
      let total = 0;
      for (let j = 0; j < v; j++) {
        total += Math.exp(x[this.thread.x]![b]![j]! - largest);
      }
      sum += Math.log(total) - (x[this.thread.x]![b]![k[this.thread.x]![b]!]! - largest);
      count += 1;
    }
  }
  return sum / Math.max(1, count);
}
