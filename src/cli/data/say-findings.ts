/** What reading files found, said to the person and kept for the report. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { FindingReport } from '../../report/report.ts';
import type { Cli } from '../cli.ts';

/** Says the findings on stderr, and gives them as reports hold them. What shows them is loaded when there are some. */
export async function sayFindings(cli: Cli, found: readonly Diagnostic[]): Promise<readonly FindingReport[]> {
  if (found.length === 0) return [];
  const { sayDiagnostics } = await import('../say-diagnostics.ts');
  const { findingReport } = await import('../../report/finding-report.ts');
  sayDiagnostics(cli, found);
  return found.map(findingReport);
}
