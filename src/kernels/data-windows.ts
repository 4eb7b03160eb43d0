import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The inputs of S training windows of T tokens: the stream cut into pieces, without a gap or an overlap.
 *
 * Shapes: d is S·T + 1 token ids, the output S×T. Law: together, the windows are the stream without its last token.
 * Source: Radford et al. (2019), Language Models are Unsupervised Multitask Learners, section 2; packed as in Brown et al.
 * (2020), arXiv:2005.14165, appendix B.
 */
export function windowInputs(this: KernelThread, d: readonly number[], _S: number, T: number): number {
  return d[this.thread.y * T + this.thread.x]!;
}

/**
 * The targets of S training windows of T tokens: the stream one token ahead of the inputs.
 *
 * Shapes: d is S·T + 1 token ids, the output S×T. Law: within a window the target is the next input.
 * Source: Radford et al. (2019), Language Models are Unsupervised Multitask Learners, section 2.
 */
export function windowTargets(this: KernelThread, d: readonly number[], _S: number, T: number): number {
  return d[this.thread.y * T + this.thread.x + 1]!;
}
