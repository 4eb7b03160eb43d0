import fc from 'fast-check';
import type { Report } from '../../src/report/report.ts';
import { claimReport, contractReport, reportOf } from './sample-reports.ts';

/** Any text that a contract can hold, control characters and lone surrogates among it. */
export const anyText = fc.string({ unit: 'binary', maxLength: 60 });

/** A report with `text` wherever a user's text can stand. */
export function withText(text: string): Report {
  return reportOf([
    contractReport(
      text,
      [claimReport({ id: text, property: text, formal: text, reason: text, verdict: 'stale', file: text })],
      { path: text },
    ),
  ]);
}
