import type { Result } from '../../base/result.ts';
import type { Problem } from '../../base/problem.ts';

/**
 * What {@link createRecorder} throws: the calling code or the disk failed, and generation should not continue unrecorded.
 */
export interface RecorderError extends Error {
  readonly name: 'RecorderError';
  readonly problem: Problem;
}

/** The error that reports `problem`. */
export function recorderError(problem: Problem): RecorderError {
  return Object.assign(new Error(`${problem.code}: ${problem.message}`), { name: 'RecorderError' as const, problem });
}

/** Whether `error`, of whichever copy of this package, is one. */
export function isRecorderError(error: unknown): error is RecorderError {
  return error instanceof Error && error.name === 'RecorderError' && 'problem' in error;
}

/** The value, or what went wrong as an error of the caller's. */
export function orThrow<T>(result: Result<T, Problem>): T {
  if (!result.ok) throw recorderError(result.error);
  return result.value;
}
