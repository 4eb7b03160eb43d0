/** What is a mistake in a log until the user says that it is meant to be so. */
import type { Code } from '../../diagnostics/codes.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';

export interface Allowances {
  /** The last record of a log may be cut off: the run is still going, or was stopped. */
  readonly allowCut: boolean;
  /** Steps of a log may repeat and go back: the run was started again. */
  readonly allowRestarts: boolean;
}

/** The findings, with those that the user allows as warnings: they are said, and stop nothing. */
export function allowed(found: readonly Diagnostic[], { allowCut, allowRestarts }: Allowances): readonly Diagnostic[] {
  const codes = new Set<Code>([
    ...(allowCut ? (['PV-7020'] as const) : []),
    ...(allowRestarts ? (['PV-7024'] as const) : []),
  ]);
  return found.map((one) => (codes.has(one.code) ? { ...one, severity: 'warning' } : one));
}

const flag = { kind: 'boolean', default: false, withNegated: false } as const;

export const allowanceFlags = {
  allowCut: {
    ...flag,
    brief: 'Take a log whose last record is cut off for that of a run that is going on or was stopped',
  },
  allowRestarts: {
    ...flag,
    brief: 'Take a log whose steps repeat or go back for that of a run that was started again',
  },
} as const;
