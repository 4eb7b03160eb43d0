/** What is a mistake in a log until the user says that it is meant to be so. */
import type { Code } from '../../diagnostics/codes.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { DataQuestion } from './options.ts';

/** The findings, with those that the user allows as warnings: they are said, and stop nothing. */
export function allowed(
  found: readonly Diagnostic[],
  { allowCut, allowRestarts }: DataQuestion,
): readonly Diagnostic[] {
  const codes = new Set<Code>([
    ...(allowCut ? (['PV-7020'] as const) : []),
    ...(allowRestarts ? (['PV-7024'] as const) : []),
  ]);
  return found.map((one) => (codes.has(one.code) ? { ...one, severity: 'warning' } : one));
}
