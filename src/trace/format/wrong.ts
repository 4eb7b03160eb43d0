import { err, type Result } from '../../base/result.ts';
import type { TraceCode, TraceProblem } from '../problem.ts';

type Details = Omit<TraceProblem, 'code' | 'check' | 'message'>;

/** A problem as a failed result. */
export function wrong(
  code: TraceCode,
  check: string,
  message: string,
  details: Details = {},
): Result<never, TraceProblem> {
  return err({ code, check, message, ...details });
}
