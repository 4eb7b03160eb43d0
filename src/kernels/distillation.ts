import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Knowledge distillation: α·T²·KL(p ‖ q) + (1 − α)·CE per row, with p = softmax(t/T) of the teacher, q = softmax(s/T)
 * of the student, and CE the cross-entropy of softmax(s) against the label.
 *
 * Laws: never negative, in float32 too; α = 1 of equal logits is 0, exactly; α = 0 is the cross-entropy; adding a
 * constant to a row of logits changes nothing; scaling logits and T together scales α = 1 by T². The divergence is summed
 * as Σⱼ max(qⱼ − pⱼ − pⱼ·(log qⱼ − log pⱼ), 0), whose terms are all non-negative; those of Σⱼ pⱼ·log(pⱼ/qⱼ) cancel and
 * can leave a negative sum.
 *
 * Shapes: t and s are r×v, y is r (integers in [0, v)), the output r. Range: T > 0, 0 ≤ α ≤ 1.
 * Source: Hinton, Vinyals & Dean (2015), arXiv:1503.02531, sections 2 and 2.1.
 */
export function distillationLoss(
  this: KernelThread,
  teacher: readonly (readonly number[])[],
  student: readonly (readonly number[])[],
  y: readonly number[],
  temperature: number,
  alpha: number,
  _r: number,
  v: number,
): number {
  const row = this.thread.x;
  let teacherTop = teacher[row]![0]!;
  let studentTop = student[row]![0]!;
  for (let j = 1; j < v; j++) {
    teacherTop = Math.max(teacherTop, teacher[row]![j]!);
    studentTop = Math.max(studentTop, student[row]![j]!);
  }
  let teacherSum = 0;
  let studentSum = 0;
  let plainSum = 0;
  for (let j = 0; j < v; j++) {
    teacherSum += Math.exp((teacher[row]![j]! - teacherTop) / temperature);
    studentSum += Math.exp((student[row]![j]! - studentTop) / temperature);
    plainSum += Math.exp(student[row]![j]! - studentTop);
  }
  const teacherLog = Math.log(teacherSum);
  const studentLog = Math.log(studentSum);
  let divergence = 0;
  for (let j = 0; j < v; j++) {
    const logP = (teacher[row]![j]! - teacherTop) / temperature - teacherLog;
    const logQ = (student[row]![j]! - studentTop) / temperature - studentLog;
    const p = Math.exp(logP);
    divergence += Math.max(Math.exp(logQ) - p - p * (logQ - logP), 0);
  }
  const entropy = Math.log(plainSum) - (student[row]![y[row]!]! - studentTop);
  return alpha * (temperature * temperature * divergence) + (1 - alpha) * entropy;
}

/**
 * The gradient of the distillation loss with respect to the student's logits:
 * α·T·(qⱼ − pⱼ) + (1 − α)·(softmax(s)ⱼ − [j = y]).
 *
 * Laws: every row sums to 0; equal logits and α = 1 give 0, exactly; for a high temperature it tends to
 * α·(s − t)/v of centred logits.
 *
 * Shapes: t and s are r×v, y is r (integers in [0, v)), the output r×v. Range: T > 0, 0 ≤ α ≤ 1.
 * Source: Hinton, Vinyals & Dean (2015), arXiv:1503.02531, section 2.1, equation 2, times T² as section 2 asks.
 */
export function distillationGradient(
  this: KernelThread,
  teacher: readonly (readonly number[])[],
  student: readonly (readonly number[])[],
  y: readonly number[],
  temperature: number,
  alpha: number,
  _r: number,
  v: number,
): number {
  const row = this.thread.y;
  let teacherTop = teacher[row]![0]!;
  let studentTop = student[row]![0]!;
  for (let j = 1; j < v; j++) {
    teacherTop = Math.max(teacherTop, teacher[row]![j]!);
    studentTop = Math.max(studentTop, student[row]![j]!);
  }
  let teacherSum = 0;
  let studentSum = 0;
  let plainSum = 0;
  for (let j = 0; j < v; j++) {
    teacherSum += Math.exp((teacher[row]![j]! - teacherTop) / temperature);
    studentSum += Math.exp((student[row]![j]! - studentTop) / temperature);
    plainSum += Math.exp(student[row]![j]! - studentTop);
  }
  const own = student[row]![this.thread.x]! - studentTop;
  const p = Math.exp((teacher[row]![this.thread.x]! - teacherTop) / temperature) / teacherSum;
  const q = Math.exp(own / temperature) / studentSum;
  const target = y[row]!;
  const label = target === this.thread.x ? 1 : 0;
  return alpha * (temperature * (q - p)) + (1 - alpha) * (Math.exp(own) / plainSum - label);
}
