/** The parts of a verdict. */
import type { Problem } from '../../base/problem.ts';

/** One thing that was looked at. */
export interface Check {
  /** The words that a problem's `check` uses: `inclusion path`, `signatures`, `logits`. */
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'undecided' | 'not checked';
  /** The result, or why it was not checked. */
  readonly detail: string;
}

/** Checks in the order in which they were made, and what the failed ones found. */
export interface Findings {
  readonly checks: Check[];
  readonly problems: Problem[];
}

/** Before the first check. */
export const noFindings = (): Findings => ({ checks: [], problems: [] });

/** Adds a check that passed. */
export function pass(findings: Findings, name: string, detail: string): void {
  findings.checks.push({ name, outcome: 'passed', detail });
}

/** Adds a check that was not made, with the reason. */
export function leave(findings: Findings, name: string, detail: string): void {
  findings.checks.push({ name, outcome: 'not checked', detail });
}

/** Problems with questions that cannot be decided; all others show something to be wrong. */
const undecided = new Set<string>([
  'PV-8013',
  'PV-8067',
  'PV-8068',
  'PV-8069',
  'PV-8081',
  'PV-8085',
  'PV-8092',
  'PV-8093',
]);

/** Whether a problem leaves a question open without showing anything to be wrong. */
export const isUndecided = ({ code }: Problem): boolean => undecided.has(code);

/** Adds a check that did not pass, and its problem. */
export function fail(findings: Findings, problem: Problem): void {
  const outcome = isUndecided(problem) ? 'undecided' : 'failed';
  findings.checks.push({ name: problem.check, outcome, detail: problem.message });
  findings.problems.push(problem);
}
