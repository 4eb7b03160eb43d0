import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The distillation loss of each micro-batch: α·T²·KL(p ‖ q) + (1 − α)·CE of its tokens, averaged over those that count.
 *
 * Laws: never negative; tokens that do not count change nothing; a micro-batch of padding alone has loss 0. The divergence is
 * summed from non-negative terms as in `distillationLoss`.
 *
 * Shapes: t and s (teacher's and student's logits) are m×r×v, k (the next tokens) and u (1 where a token counts, else 0) are
 * m×r, the output m, in nats. Range: T > 0, 0 ≤ α ≤ 1.
 * Source: Hinton, Vinyals & Dean (2015), arXiv:1503.02531, sections 2 and 2.1.
 */
export function distillLoss(
  this: KernelThread,
  t: readonly (readonly (readonly number[])[])[],
  s: readonly (readonly (readonly number[])[])[],
  k: readonly (readonly number[])[],
  u: readonly (readonly number[])[],
  temperature: number,
  alpha: number,
  _m: number,
  r: number,
  v: number,
): number {
  const batch = this.thread.x;
  let sum = 0;
  let count = 0;
  for (let b = 0; b < r; b++) {
    if (u[batch]![b]! > 0) {
      let teacherTop = -Infinity;
      let studentTop = -Infinity;
      for (let j = 0; j < v; j++) {
        teacherTop = Math.max(teacherTop, t[batch]![b]![j]!);
        studentTop = Math.max(studentTop, s[batch]![b]![j]!);
      }
      let teacherSum = 0;
      let studentSum = 0;
      let plainSum = 0;
      for (let j = 0; j < v; j++) {
        teacherSum += Math.exp((t[batch]![b]![j]! - teacherTop) / temperature);
        studentSum += Math.exp((s[batch]![b]![j]! - studentTop) / temperature);
        plainSum += Math.exp(s[batch]![b]![j]! - studentTop);
      }
      const teacherLog = Math.log(teacherSum);
      const studentLog = Math.log(studentSum);
      let divergence = 0;
      for (let j = 0; j < v; j++) {
        const logP = (t[batch]![b]![j]! - teacherTop) / temperature - teacherLog;
        const logQ = (s[batch]![b]![j]! - studentTop) / temperature - studentLog;
        const p = Math.exp(logP);
        divergence += Math.max(0, Math.exp(logQ) - p - p * (logQ - logP));
      }
      const entropy = Math.log(plainSum) - (s[batch]![b]![k[batch]![b]!]! - studentTop);
      sum += alpha * (temperature * temperature * divergence) + (1 - alpha) * entropy;
      count += 1;
    }
  }
  return sum / Math.max(1, count);
}
