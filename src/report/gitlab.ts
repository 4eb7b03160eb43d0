/**
 * GitLab's Code Quality report: what is not green, next to the lines of a merge request. GitLab compares the fingerprints of
 * two branches, so that a merge request shows what it adds and what it fixes.
 *
 * Source: GitLab Docs, "Code Quality", section "Code Quality report format".
 */
import { visible } from '../base/text.ts';
import { alertsOf, fingerprinted, type Alert } from './alerts.ts';
import { gateText, shortened, totalsText } from './facts.ts';
import type { Report } from './report.ts';

/** GitLab's severities, without `minor`, which is not used here. */
type Severity = 'info' | 'major' | 'critical' | 'blocker';

interface Issue {
  readonly description: string;
  readonly check_name: string;
  /** Unique within a report: GitLab drops repeated ones. */
  readonly fingerprint: string;
  readonly severity: Severity;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const severities: Readonly<Record<Alert['severity'], Severity>> = { error: 'critical', warning: 'major', note: 'info' };

/** GitLab shows a description in a list; the other formats have all of it. */
const longestDescription = 1000;

type Subject = Pick<Alert, 'rule' | 'summary' | 'details' | 'path' | 'start' | 'identity'> & {
  readonly rank: Severity;
};

/** A JSON array of issues with stable fingerprints. */
export function formatGitlab(report: Report): string {
  const alerts = alertsOf(report).map((alert): Subject => ({ ...alert, rank: severities[alert.severity] }));
  const issues = fingerprinted([...gateSubject(report), ...alerts]).map(([subject, print]) => issueOf(subject, print));
  return `${JSON.stringify(issues, null, 2)}\n`;
}

/** An empty list would mean that all is well, even if nothing was verified. */
function gateSubject(report: Report): Subject[] {
  if (report.gate.passed || !report.gate.judged) return [];
  const [first] = report.contracts;
  return [
    {
      rule: 'pv/gate',
      rank: 'blocker',
      summary: gateText(report),
      details: [totalsText(report), ...report.gate.reasons],
      path: first?.path ?? null,
      start: null,
      identity: ['gate'],
    },
  ];
}

function issueOf({ rule, rank, summary, details, path, start }: Subject, fingerprint: string): Issue {
  const lines = [summary, ...details].flatMap((text) => text.split('\n')).map(visible);
  return {
    description: shortened(lines.join('; '), longestDescription),
    check_name: rule,
    fingerprint,
    severity: rank,
    location: { path: pathOf(path), lines: { begin: start?.line ?? 1 } },
  };
}

/** Relative to the repository, as GitLab requires: with `/` and without `./`; the repository itself if there is no file. */
function pathOf(path: string | null): string {
  const relative = visible((path ?? '').replaceAll('\\', '/')).replace(/^(?:\.\/)+/u, '');
  return relative === '' ? '.' : relative;
}
