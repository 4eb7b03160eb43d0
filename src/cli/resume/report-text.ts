/** The report of `pv resume check`: one block per check, and a first line that claims no more than was checked. */
import { count, shortened, visible } from '../../base/text.ts';
import type { Checkpoint } from '../../checkpoint/checkpoint.ts';
import type { Finding } from '../../checkpoint/checks/check.ts';
import type { ResumeReport } from '../../checkpoint/resume-check.ts';
import { jsonText } from '../json-text.ts';

const longestValue = 300;

const heads = {
  passed: 'PASSED',
  warnings: 'PASSED WITH WARNINGS',
  incomplete: 'NOT FULLY CHECKED',
  failed: 'FAILED',
} as const;

/** Verdict, checkpoint and counts. */
export function headLine(
  path: string,
  { format }: Checkpoint,
  { findings, counts, verdict, notCovered }: ResumeReport,
): string {
  const parts = [
    `${counts.PASS} of ${count(findings.length, 'check')} passed`,
    ...(counts.WARN > 0 ? [count(counts.WARN, 'warning')] : []),
    ...(counts.CRITICAL > 0 ? [`${counts.CRITICAL} critical`] : []),
    ...(counts['NOT CHECKED'] > 0 ? [`${counts['NOT CHECKED']} not checked`] : []),
  ];
  // Weights of another run, or moments of exchanged weights of one shape, are whole files too.
  const isOfFiles = verdict !== 'failed' && notCovered.some(({ options }) => options.join() === '--probe');
  const scope = isOfFiles ? '; whether the run restored them needs a probe' : '';
  return `${heads[verdict]}: ${visible(path)} (${format}): ${parts.join(', ')}${scope}`;
}

/** For a person. */
export function reportText(folder: string, checkpoint: Checkpoint, report: ResumeReport): string {
  const { findings, notCovered, notApplicable } = report;
  const { refused } = checkpoint;
  const lines = [headLine(folder, checkpoint, report)];
  for (const finding of findings) lines.push('', ...block(finding));
  lines.push('');
  for (const given of new Set(notCovered.map(({ options }) => options.join(' or ')))) {
    const checks = notCovered.filter(({ options }) => options.join(' or ') === given);
    lines.push(`Not covered without ${given}: ${checks.map(({ check }) => check).join(', ')}.`);
  }
  if (notApplicable.length > 0) lines.push(`Nothing to check: ${notApplicable.join(', ')}.`);
  if (refused.length > 0)
    lines.push(
      `Named by its pickles, not imported: ${visible(shortened(refused.join(', '), 4 * longestValue))}. Load them only if you trust their author.`,
    );
  return `${lines.join('\n')}\n`;
}

function block({ check, status, ...details }: Finding): readonly string[] {
  const rows = [
    ['expected', details.expected],
    ['actual', details.actual],
    ['variance', details.variance],
    [status === 'NOT CHECKED' ? 'missing' : 'why', details.why],
    ['fix', details.fix],
  ] as const;
  const shown = rows.flatMap(([name, value]) =>
    value === null ? [] : [`    ${name.padEnd(8)}  ${visible(shortened(value, longestValue))}`],
  );
  return [`${status}  ${check}`, ...shown];
}

/** For programs. */
export function reportJson(folder: string, { format, position, refused }: Checkpoint, report: ResumeReport): string {
  const { verdict, counts, findings, notCovered, notApplicable } = report;
  return jsonText({
    checkpoint: folder,
    format,
    verdict,
    position,
    counts,
    findings,
    notCovered,
    notApplicable,
    refused,
  });
}
