/**
 * Workflow commands that annotate lines of a pull request with what is not green, worst first: GitHub shows ten errors and ten
 * warnings per step and drops the rest.
 *
 * Source: GitHub Docs, "Workflow commands for GitHub Actions", setting an error message.
 */
import { visible } from '../base/text.ts';
import { alertsOf, type Alert } from './alerts.ts';
import { gateText, totalsText } from './facts.ts';
import type { FindingReport, Report } from './report.ts';

interface Annotation {
  readonly severity: FindingReport['severity'];
  readonly properties: readonly (readonly [name: string, value: string | number])[];
  readonly message: string;
}

const order: readonly FindingReport['severity'][] = ['error', 'warning', 'note'];

/** One workflow command per line: the gate, then the alerts by severity, errors first. */
export function formatGithub(report: Report): string {
  const about = alertsOf(report).map(annotationOf);
  const sorted = order.flatMap((severity) => about.filter((annotation) => annotation.severity === severity));
  const message = [totalsText(report), ...report.gate.reasons].join('\n');
  const gate: Annotation = {
    severity: report.gate.passed ? 'note' : 'error',
    properties: [['title', `pv: ${gateText(report)}`]],
    message,
  };
  return [gate, ...sorted].map((annotation) => `${line(annotation)}\n`).join('');
}

function annotationOf({ severity, title, statement, details, path, start, end }: Alert): Annotation {
  const properties: Annotation['properties'] = [
    ...(path === null ? [] : [['file', path] as const]),
    ...(start === null ? [] : [['line', start.line] as const]),
    ...(start === null || !('column' in start) ? [] : [['col', start.column] as const]),
    ...(end === null ? [] : [['endLine', end.line] as const, ['endColumn', end.column] as const]),
    ['title', title],
  ];
  return { severity, properties, message: [statement, ...details].join('\n') };
}

function line({ severity, properties, message }: Annotation): string {
  const written = properties.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',');
  return `::${severity === 'note' ? 'notice' : severity} ${written}::${escapeText(message)}`;
}

/** A message as the data of a workflow command; what a terminal would act on is shown. */
export const escapeText = (text: string): string =>
  text
    .split('\n')
    .map((one) => visible(one).replaceAll('%', '%25'))
    .join('%0A');

/** The same for a property, such as a path. */
export const escapeProperty = (text: string): string => escapeText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
