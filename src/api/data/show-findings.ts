import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { FindingReport } from '../../report/report.ts';
import type { Session } from '../session.ts';

/** Shows the findings of reading files, and returns them in the form of reports. Those with a code of `inReport` are not shown. */
export async function showFindings(
  session: Session,
  found: readonly Diagnostic[],
  inReport: ReadonlySet<string> = new Set(),
): Promise<readonly FindingReport[]> {
  if (found.length === 0) return [];
  await session.show(found.filter(({ code }) => !inReport.has(code)));
  const { findingReport } = await import('../../report/finding-report.ts');
  return found.map(findingReport);
}
