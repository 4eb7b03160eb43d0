import { ranges } from '../api/audit-options.ts';
import { invariant } from '../base/invariant.ts';
import { integerBetween } from './number-parsers.ts';

/** Flags that several commands share, so that they read and behave the same everywhere. */

/** `--quiet`: findings without summary and progress. */
export const quietFlag = {
  kind: 'boolean',
  brief: 'Print findings only: no summary, no progress',
  default: false,
  withNegated: false,
} as const;

/** `--jobs`: the number of worker threads. */
export const jobsFlag = {
  kind: 'parsed',
  parse: integerBetween(...ranges.jobs),
  brief: 'Worker threads to use; the number of processors when absent',
  placeholder: 'n',
  optional: true,
} as const;

/** `--format`, one of `formats`; the first is the default. */
export function formatFlag<const T extends string>(formats: readonly T[]) {
  const [first] = formats;
  invariant(first !== undefined, 'a command has a format');
  return { kind: 'enum', values: formats, default: first, brief: 'Form of the output' } as const;
}
