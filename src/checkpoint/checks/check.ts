/** What every check of a resume reports. */
import type { Problem } from '../../base/problem.ts';
import type { Result } from '../../base/result.ts';
import type { Checkpoint } from '../checkpoint.ts';

/** `NOT CHECKED` is not a pass: something that the check needs is missing. */
export type CheckStatus = 'PASS' | 'WARN' | 'CRITICAL' | 'NOT CHECKED';

/** One line of the report. */
export interface Finding {
  /** Of the check: `learning rate`. */
  readonly check: string;
  readonly status: CheckStatus;
  readonly expected: string | null;
  readonly actual: string | null;
  /** How far apart they are, if both are numbers. */
  readonly variance: string | null;
  /** What is wrong and the likely cause, or what is missing; null for a pass that needs no words. */
  readonly why: string | null;
  /** What to do about it. */
  readonly fix: string | null;
}

/** A check: a problem is a file that cannot be read, not a finding. */
export type Check = (checkpoint: Checkpoint) => Promise<Result<Finding, Problem>> | Result<Finding, Problem>;

const nothing = { expected: null, actual: null, variance: null, why: null, fix: null };

/** What was found, apart from the check's name and status. */
export type Details = Partial<Omit<Finding, 'check' | 'status'>>;

export const pass = (check: string, details: Details): Finding => ({ ...nothing, check, status: 'PASS', ...details });
export const warn = (check: string, details: Details): Finding => ({ ...nothing, check, status: 'WARN', ...details });
export const critical = (check: string, details: Details): Finding => ({
  ...nothing,
  check,
  status: 'CRITICAL',
  ...details,
});
/** `why` says what is missing. */
export const notChecked = (check: string, why: string): Finding => ({ ...nothing, check, status: 'NOT CHECKED', why });
