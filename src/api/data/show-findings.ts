import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { FindingReport } from '../../report/report.ts';
import type { Session } from '../session.ts';

/** Shows the findings of reading files, and returns them in the form of reports. */
export async function showFindings(session: Session, found: readonly Diagnostic[]): Promise<readonly FindingReport[]> {
  if (found.length === 0) return [];
  await session.show(found);
  const { findingReport } = await import('../../report/finding-report.ts');
  return found.map(findingReport);
}
