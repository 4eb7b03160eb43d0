import type { DataReport } from '../../data/report/data-report.ts';
import type { Cli } from '../cli.ts';
import type { CheckFlags } from './check-flags.ts';

/** The report in a format; colours only in text. `passed` is whether the command succeeds. */
export async function showChecks(
  cli: Cli,
  report: DataReport,
  passed: boolean,
  format: CheckFlags['format'],
): Promise<string> {
  if (format === 'json') return `${JSON.stringify(report, null, 2)}\n`;
  if (format !== 'text') {
    const { formatReport } = await import('../../report/formats.ts');
    const { findingsReport } = await import('../../data/report/findings.ts');
    return formatReport(format, findingsReport(report, passed));
  }
  const { dataReportAsText } = await import('../../data/report/text.ts');
  if (!cli.process.stdout.color) return dataReportAsText(report, (_, text) => text);
  const { reportPaint } = await import('../report-paint.ts');
  return dataReportAsText(report, reportPaint(true));
}
