/** A data check as findings with places, for formats that annotate files. */
import { version } from '../../base/version.ts';
import type { Code } from '../../diagnostics/codes.ts';
import type { DataCheck, ObligationOnData, Place } from '../../methods/data/data-check.ts';
import { verdicts, type Verdict } from '../../evidence/verdict.ts';
import type { FindingReport, Report } from '../report.ts';
import { holds, type DataReport } from './data-report.ts';

/** The findings as a report of pv: for formats that show findings beside the lines of files. */
export function findingsReport({ checks, totals }: DataReport): Report {
  const none = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  const { satisfied, violated, vacuous, undetermined } = totals.byVerdict;
  return {
    schema: 'pv.report/1',
    tool: { name: 'pv', version },
    contracts: [],
    edges: [],
    findings: dataFindings(checks),
    totals: {
      declared: totals.declared,
      evaluated: totals.evaluated,
      failed: violated,
      byVerdict: { ...none, tested: satisfied, falsified: violated, vacuous, undetermined },
    },
    gate: { judged: true, passed: holds(totals), minimumLevel: 'L0', reasons: [] },
  };
}

export function dataFindings(checks: readonly DataCheck[]): readonly FindingReport[] {
  return checks.flatMap((check) => [
    ...check.problems.map(({ code, message, hint, place }) => finding(code, message, hint, place, check)),
    ...check.obligations.flatMap((one) => obligationFinding(one, check)),
  ]);
}

function obligationFinding(one: ObligationOnData, check: DataCheck): readonly FindingReport[] {
  const title = `${one.id}: ${one.property}`;
  if (one.verdict === 'violated') {
    const [claim = one.formal] = one.numbers;
    const [mend] = one.mends;
    const [place = null] = mend?.place ? [mend.place] : one.places;
    const hint = mend ? `${mend.key}: ${mend.was} → ${mend.becomes}` : one.ifFails;
    return [finding('PV-9001', `${title}: ${claim}`, hint, place, check)];
  }
  if (one.verdict !== 'undetermined') return [];
  return [finding('PV-9005', `${title}: ${one.reason ?? ''}`, null, null, check)];
}

function finding(
  code: Code,
  message: string,
  hint: string | null,
  place: Place | null,
  check: DataCheck,
): FindingReport {
  const line = place?.position === 'line' ? place.at : null;
  const start = line === null ? null : { line, column: place?.column ?? 1 };
  return { code, severity: 'error', message, hint, path: place?.path ?? check.path, start, end: start, excerpt: [] };
}
