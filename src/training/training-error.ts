import type { Problem } from '../base/problem.ts';
import type { Result } from '../base/result.ts';

/** The error that the trainer throws when the calling code or the disk is at fault. A refused step throws nothing. */
export interface TrainingError extends Error {
  readonly name: 'TrainingError';
  readonly problem: Problem;
}

/** The error that reports `problem`. */
export function trainingError(problem: Problem): TrainingError {
  return Object.assign(new Error(`${problem.code}: ${problem.message}`), { name: 'TrainingError' as const, problem });
}

/** Whether `error` is a training error, even from another copy of this package. */
export function isTrainingError(error: unknown): error is TrainingError {
  return error instanceof Error && error.name === 'TrainingError' && 'problem' in error;
}

/** The value; throws its problem otherwise. */
export function orThrow<T>(result: Result<T, Problem>): T {
  if (!result.ok) throw trainingError(result.error);
  return result.value;
}
