/**
 * What a report has to say about places in files: the claims that are not green, the faults of contracts, the findings.
 * Formats for code review and code scanning show these alerts, each in its own way.
 */
import { sha256 } from '../evidence/digest.ts';
import { claimStory } from './claim-story.ts';
import { contractProblems, problemStory } from './contract-problems.ts';
import { claimId } from './facts.ts';
import type { ClaimReport, ContractReport, FindingReport, Report } from './report.ts';
import { severityOf } from './severity.ts';

/** A place in a file; 1-based. */
type Position = NonNullable<FindingReport['start']>;

/** One finding at a place, in the words that all formats share. */
export interface Alert {
  /** `pv/falsified` for a claim, `pv/contract-unsound` for a fault of a contract, a code for a finding. */
  readonly rule: string;
  readonly severity: FindingReport['severity'];
  /** What the alert is about, without what is wrong there. */
  readonly title: string;
  /** What is wrong, under {@link title}. */
  readonly statement: string;
  /** What is wrong, for formats without titles. */
  readonly summary: string;
  /** Details, one per line. */
  readonly details: readonly string[];
  readonly path: string | null;
  readonly start: Pick<Position, 'line'> | Position | null;
  readonly end: Position | null;
  /** Why a person waived it; null if no one did. */
  readonly waiver: string | null;
  /** Its identity, independent of line numbers. */
  readonly identity: readonly (string | null)[];
}

/** The rule of all claims with a verdict. */
export const claimRule = (verdict: ClaimReport['verdict']): string => `pv/${verdict}`;

/** All alerts: contract by contract, its faults before its claims, and the findings last. */
export function alertsOf(report: Report): readonly Alert[] {
  return [
    ...report.contracts.flatMap((contract) => [...problemAlerts(contract), ...claimAlerts(contract)]),
    ...report.findings.map(findingAlert),
  ];
}

function problemAlerts(contract: ContractReport): Alert[] {
  return contractProblems(contract).map((problem) => ({
    rule: `pv/contract-${problem.kind}`,
    severity: 'error',
    title: `${contract.id}: ${problem.kind}`,
    statement: problem.message,
    summary: `${contract.id}: ${problem.message}`,
    details: problemStory(problem),
    path: contract.path,
    start: null,
    end: null,
    waiver: null,
    identity: [contract.path, problem.kind],
  }));
}

function claimAlerts(contract: ContractReport): Alert[] {
  return contract.claims.flatMap((claim): Alert[] => {
    const severity = severityOf[claim.verdict];
    if (severity === null) return [];
    const id = claimId(contract, claim);
    const title = `${id} is ${claim.verdict}`;
    return [
      {
        rule: claimRule(claim.verdict),
        severity,
        title,
        statement: claim.property,
        summary: `${title}: ${claim.property}`,
        details: claimStory(claim),
        path: claim.file,
        start: { line: claim.line },
        end: null,
        waiver: claim.verdict === 'waived' ? (claim.reason ?? 'waived') : null,
        identity: [claim.file, id, claim.verdict],
      },
    ];
  });
}

function findingAlert({ code, severity, message, hint, path, start, end, waiver }: FindingReport): Alert {
  return {
    rule: code,
    severity,
    title: code,
    statement: message,
    summary: message,
    details: hint === null ? [] : [hint],
    path,
    start,
    end,
    waiver: waiver ?? null,
    identity: [path, code, message],
  };
}

/**
 * Each alert with 32 hexadecimal digits that stay the same while lines move. Alerts of the same identity are numbered,
 * since viewers show equal fingerprints once.
 */
export function fingerprinted<A extends Pick<Alert, 'identity'>>(
  alerts: readonly A[],
): readonly (readonly [alert: A, fingerprint: string])[] {
  const seen = new Map<string, number>();
  return alerts.map((alert) => {
    const key = JSON.stringify(alert.identity);
    const number = seen.get(key) ?? 0;
    seen.set(key, number + 1);
    const digest = sha256(JSON.stringify([...alert.identity, number]));
    return [alert, digest.slice('sha256:'.length, 'sha256:'.length + 32)];
  });
}
