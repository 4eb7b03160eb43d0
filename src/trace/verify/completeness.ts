/** Whether the file of a trace is whole. */
import { count } from '../../base/text.ts';
import { fail, leave, type Findings } from './check.ts';
import type { ReplaySource } from './source.ts';

/** PV-8032 if the file of a trace ends without its footer, unless such a file is `allowed`. */
export function checkComplete({ ending, droppedBytes }: ReplaySource, allowed: boolean, findings: Findings): void {
  if (ending !== 'cut') return;
  const what = `The file ends without its footer, and the bytes after its last whole entry (${count(droppedBytes, 'byte')}) are ignored`;
  if (allowed) return leave(findings, 'completeness', `${what}.`);
  const message = `${what}: the recording was interrupted, or the file was cut. If verified as incomplete, the trace counts as far as it goes.`;
  const places = { expected: 'a footer', actual: 'the end of the file' };
  fail(findings, { code: 'PV-8032', check: 'completeness', message, ...places });
}
