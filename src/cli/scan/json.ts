import { diagnosticToJson } from '../../diagnostics/render.ts';
import type { ScanOutcome } from '../../api/scan-outcome.ts';

/** All findings as data: `pv.scan/1`, stable names, 1-based positions. */
export function scanAsJson({ findings, counts, fixed, linksLeftOut, strays }: ScanOutcome): string {
  const diagnostics = findings.map(({ diagnostic, fix }) => ({
    ...diagnosticToJson(diagnostic),
    fixable: fix !== null,
  }));
  const summary = { ...counts, findings: findings.length, fixesWritten: fixed.fixes };
  return JSON.stringify({ schema: 'pv.scan/1', summary, linksLeftOut, strays, diagnostics }, null, 2);
}
