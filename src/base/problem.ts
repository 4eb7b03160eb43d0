/**
 * What is wrong with a file of a domain system (a trace, a proof, a note, a model), as a value: strangers send them, so nothing of
 * theirs throws.
 */
import { err, type Result } from './result.ts';

/** A stable code of `pv explain`; the table is src/diagnostics/codes.ts, which a test holds against this form. */
export type ProblemCode = `PV-${number}`;

/** One thing that is wrong, with what was expected and found. */
export interface Problem {
  readonly code: ProblemCode;
  /** The check that failed, in the field's words: `leaf hash`, `inclusion path`, `logits hash`, `magic`. */
  readonly check: string;
  /** A sentence for the person who must act: what is wrong, what was expected, how to fix it. */
  readonly message: string;
  /** The position of the step at fault, if any. */
  readonly position?: number;
  /** Byte offset in the file or message, if known. */
  readonly offset?: number;
  /** Hashes as lower-case hexadecimal, tokens as decimal numbers. */
  readonly expected?: string;
  readonly actual?: string;
}

type Details = Omit<Problem, 'code' | 'check' | 'message'>;

/** A problem as a failed result. */
export function wrong(
  code: ProblemCode,
  check: string,
  message: string,
  details: Details = {},
): Result<never, Problem> {
  return err({ code, check, message, ...details });
}
