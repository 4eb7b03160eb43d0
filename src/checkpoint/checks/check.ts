/** What every check of a resume reports. */
import type { Problem } from '../../base/problem.ts';
import type { Result } from '../../base/result.ts';
import type { Checkpoint, LoggedStep, Setting } from '../checkpoint.ts';
import type { Probe } from '../probe/probe.ts';

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

/** What is known besides the checkpoint. Null where it was not given. */
export interface Evidence {
  /** Settings of the run that is to resume. */
  readonly config: ReadonlyMap<string, Setting> | null;
  /** Scalars of the model's `config.json`. */
  readonly model: ReadonlyMap<string, Setting> | null;
  /** A log of the resumed run, perhaps with the steps before. */
  readonly log: readonly LoggedStep[] | null;
  /** One probe per rank, of when the checkpoint was saved. */
  readonly saved: readonly Probe[] | null;
  /** One probe per rank, of when the run had resumed. */
  readonly live: readonly Probe[] | null;
}

/** A check: a problem is a file that cannot be read, not a finding. Null if it does not apply, as to a run without adapters. */
export type Check = (
  checkpoint: Checkpoint,
  evidence: Evidence,
) => Promise<Result<Finding | null, Problem>> | Result<Finding | null, Problem>;

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

/** What is missing if a checkpoint was saved without a probe. */
export const noSavedProbe =
  'the checkpoint has no pv_probe.json, which write_probe of pv_resume_probe.py writes at a save';
