/** Faults of a log that the user may accept. */
import type { Code } from '../../diagnostics/codes.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { DataQuestion } from './options.ts';

/** The findings, with accepted ones turned into warnings, which are reported but stop nothing. */
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
