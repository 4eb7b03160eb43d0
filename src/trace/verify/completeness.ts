/** What is demanded of a trace beside its replay, and the verdict with it. */
import { count } from '../../base/text.ts';
import type { TraceFile } from '../format/trace.ts';
import { fail, leave, type Findings } from './check.ts';
import { nothingCovered } from './headline.ts';
import { verdictOf, type TraceVerdict } from './verify-trace.ts';

/** Whether the file of a trace ends with its footer: a failed check, unless one that does not is `allowed`. */
export function checkComplete(
  { complete, droppedBytes }: TraceFile,
  allowed: boolean,
  howToAllow: string,
  findings: Findings,
): void {
  if (complete) return;
  const what = `The file ends without its footer, and what stands behind its last whole entry (${count(droppedBytes, 'byte')}) counts for nothing`;
  if (allowed) return leave(findings, 'completeness', `${what}.`);
  const message = `${what}: the recording was interrupted, or the file was cut. ${howToAllow} takes what is there.`;
  const places = { expected: 'a footer', actual: 'the end of the file' };
  fail(findings, { code: 'PV-8032', check: 'completeness', message, ...places });
}

/** The verdict with what was demanded beside it: what is not as demanded is not verified, whatever it replays to. */
export function demanded({ checks, problems }: Findings, verdict: TraceVerdict): TraceVerdict {
  const told = verdictOf([...problems, ...verdict.problems]);
  return {
    ...verdict,
    verdict: told,
    covers: told === 'verified' ? verdict.covers : nothingCovered,
    checks: [...checks, ...verdict.checks],
    problems: [...problems, ...verdict.problems],
  };
}
