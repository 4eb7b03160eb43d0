import type { TraceProblem } from '../problem.ts';

/** What {@link createRecorder} throws: the calling code went wrong, or the disk did, and generation should not go on unrecorded. */
export interface RecorderError extends Error {
  readonly name: 'RecorderError';
  readonly problem: TraceProblem;
}

export function recorderError(problem: TraceProblem): RecorderError {
  return Object.assign(new Error(`${problem.code}: ${problem.message}`), { name: 'RecorderError' as const, problem });
}

export function isRecorderError(error: unknown): error is RecorderError {
  return error instanceof Error && error.name === 'RecorderError' && 'problem' in error;
}
