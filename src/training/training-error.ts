import type { Problem } from '../base/problem.ts';
import type { Result } from '../base/result.ts';

/** What the trainer throws when the calling code or the disk is at fault. A step that a gate refuses throws nothing. */
export interface TrainingError extends Error {
  readonly name: 'TrainingError';
  readonly problem: Problem;
}

/** The error that reports `problem`. */
export function trainingError(problem: Problem): TrainingError {
  return Object.assign(new Error(`${problem.code}: ${problem.message}`), { name: 'TrainingError' as const, problem });
}

/** Whether `error`, of whichever copy of this package, is one. */
export function isTrainingError(error: unknown): error is TrainingError {
  return error instanceof Error && error.name === 'TrainingError' && 'problem' in error;
}

/** The value, or its problem as an error of the caller's. */
export function orThrow<T>(result: Result<T, Problem>): T {
  if (!result.ok) throw trainingError(result.error);
  return result.value;
}
