import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * One round of federated averaging: Σₚ (sₚ / N)·Dₚᵢ with N = Σₚ sₚ, where participant p has trained on sₚ samples.
 *
 * Laws: if all participants agree, so does the result; the average lies between them; neither their order nor a common
 * factor of the sample counts matters. The plain mean of participants with unequal data is not a step on their joint
 * loss.
 *
 * Shapes: D is P×n (one delta per participant), s is P (integers from 1; their sum is below 2²⁴, so it is exact), the output n.
 * Source: McMahan et al. (2017), arXiv:1602.05629, algorithm 1.
 */
export function federatedAverage(
  this: KernelThread,
  deltas: readonly (readonly number[])[],
  samples: readonly number[],
  P: number,
  _n: number,
): number {
  let total = 0;
  for (let q = 0; q < P; q++) {
    total += samples[q]!;
  }
  let sum = 0;
  for (let p = 0; p < P; p++) {
    sum += (samples[p]! / total) * deltas[p]![this.thread.x]!;
  }
  return sum;
}
