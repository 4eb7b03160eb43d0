import { expect } from 'vitest';
import type { Problem } from '../../../src/base/problem.ts';
import type { Recorder } from '../../../src/trace/record/recorder.ts';
import { isRecorderError } from '../../../src/trace/record/recorder-error.ts';

/** What `call` is refused with, the recorder being as it was; null where it is taken. */
export function refusalOf(recorder: Recorder<unknown>, call: () => void): Problem | null {
  const before = recorder.head();
  try {
    call();
  } catch (error) {
    if (!isRecorderError(error)) throw error;
    expect(recorder.head()).toEqual(before);
    return error.problem;
  }
  return null;
}
