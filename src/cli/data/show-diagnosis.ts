import { diagnosisFindings, type DiagnosisReport } from '../../data/report/diagnosis-report.ts';
import type { Cli } from '../cli.ts';
import type { DiagnoseFlags } from './diagnose-flags.ts';

/** The diagnosis in a format; colours only in text. */
export async function showDiagnosis(
  cli: Cli,
  diagnosis: DiagnosisReport,
  format: DiagnoseFlags['format'],
): Promise<string> {
  if (format === 'json') return `${JSON.stringify(diagnosis, null, 2)}\n`;
  if (format === 'sarif') {
    const { formatReport } = await import('../../report/formats.ts');
    return formatReport('sarif', diagnosisFindings(diagnosis));
  }
  if (format === 'markdown') {
    const { diagnosisAsMarkdown } = await import('../../data/report/diagnosis-markdown.ts');
    return diagnosisAsMarkdown(diagnosis);
  }
  const { diagnosisAsText } = await import('../../data/report/diagnosis-text.ts');
  const { reportPaint } = await import('../report-paint.ts');
  return diagnosisAsText(diagnosis, reportPaint(cli.process.stdout.color));
}
