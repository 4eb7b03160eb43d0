/**
 * Workflow commands that put what is not green beside the lines of a pull request, the worst first:
 * GitHub shows ten errors and ten warnings of a step and drops the rest.
 *
 * Source: GitHub Docs, "Workflow commands for GitHub Actions", setting an error message.
 */
import { visible } from '../base/text.ts';
import { claimStory } from './claim-story.ts';
import { contractProblems, problemStory } from './contract-problems.ts';
import { claimId, gateText, totalsText } from './facts.ts';
import type { ContractReport, FindingReport, Report } from './report.ts';
import { severityOf } from './severity.ts';

interface Annotation {
  readonly severity: FindingReport['severity'];
  readonly properties: readonly (readonly [name: string, value: string | number])[];
  readonly message: string;
}

const order: readonly FindingReport['severity'][] = ['error', 'warning', 'note'];

export function formatGithub(report: Report): string {
  const about = [
    ...report.contracts.flatMap((contract) => [...problemAnnotations(contract), ...claimAnnotations(contract)]),
    ...report.findings.map(findingAnnotation),
  ];
  const sorted = order.flatMap((severity) => about.filter((annotation) => annotation.severity === severity));
  const message = [totalsText(report), ...report.gate.reasons].join('\n');
  const gate: Annotation = {
    severity: report.gate.passed ? 'note' : 'error',
    properties: [['title', `pv: ${gateText(report)}`]],
    message,
  };
  return [gate, ...sorted].map((annotation) => `${line(annotation)}\n`).join('');
}

function claimAnnotations(contract: ContractReport): Annotation[] {
  return contract.claims.flatMap((claim): Annotation[] => {
    const severity = severityOf[claim.verdict];
    if (severity === null) return [];
    const title = `${claimId(contract, claim)} is ${claim.verdict}`;
    return [
      {
        severity,
        properties: [
          ['file', claim.file],
          ['line', claim.line],
          ['title', title],
        ],
        message: [claim.property, ...claimStory(claim)].join('\n'),
      },
    ];
  });
}

function problemAnnotations(contract: ContractReport): Annotation[] {
  return contractProblems(contract).map((problem) => ({
    severity: 'error',
    properties: [
      ['file', contract.path],
      ['title', `${contract.id}: ${problem.kind}`],
    ],
    message: [problem.message, ...problemStory(problem)].join('\n'),
  }));
}

function findingAnnotation({ code, severity, message, hint, path, start, end }: FindingReport): Annotation {
  const place: Annotation['properties'] = [
    ...(path === null ? [] : [['file', path] as const]),
    ...(start === null ? [] : [['line', start.line] as const, ['col', start.column] as const]),
    ...(end === null ? [] : [['endLine', end.line] as const, ['endColumn', end.column] as const]),
  ];
  return {
    severity,
    properties: [...place, ['title', code]],
    message: hint === null ? message : `${message}\n${hint}`,
  };
}

function line({ severity, properties, message }: Annotation): string {
  const written = properties.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',');
  return `::${severity === 'note' ? 'notice' : severity} ${written}::${escapeText(message)}`;
}

const escapeText = (text: string): string =>
  text
    .split('\n')
    .map((one) => visible(one).replaceAll('%', '%25'))
    .join('%0A');

const escapeProperty = (text: string): string => escapeText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
