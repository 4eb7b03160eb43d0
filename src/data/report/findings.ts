/** A data check as findings with places, for formats that annotate files. */
import { count } from '../../base/text.ts';
import { version } from '../../base/version.ts';
import type { Code } from '../../diagnostics/codes.ts';
import type { DataCheck, ObligationOnData, Place } from '../judge/data-check.ts';
import { verdicts, type Verdict } from '../../evidence/verdict.ts';
import type { FindingReport, Report } from '../../report/report.ts';
import { exceptionsText, scopeText, type DataReport } from './data-report.ts';
import { changeText } from './mend-text.ts';
import { limitsText, waiverText } from './text.ts';

/**
 * The findings as a report of pv, for formats that show findings next to the lines of files. `passed` is what the command exits with: it
 * may excuse what was not evaluated.
 */
export function findingsReport(report: DataReport, passed: boolean): Report {
  const { checks, findings, totals } = report;
  const { satisfied, violated, waived, vacuous, undetermined } = totals.byVerdict;
  const byVerdict = { tested: satisfied, falsified: violated, waived, vacuous, undetermined };
  const { declared, evaluated } = totals;
  const subject = subjectOf(checks);
  const remark = `${scopeText(report.scope)}${exceptionsText(totals)}${limitsText(checks)}`;
  const counts = { subject, declared, evaluated, byVerdict, remark };
  return reportOfData([...findings, ...dataFindings(checks)], counts, passed);
}

/** Counts of obligations about data, by the verdicts of reports. */
export interface Counts {
  readonly subject: string;
  readonly declared: number;
  readonly evaluated: number;
  readonly byVerdict: Partial<Report['totals']['byVerdict']>;
  /** As {@link Report.gate}'s. */
  readonly remark?: string;
}

/** A report without contracts: `passed` as it was judged from the data. */
export function reportOfData(findings: readonly FindingReport[], counts: Counts, passed: boolean): Report {
  const none = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  const { subject, declared, evaluated, remark = '' } = counts;
  const byVerdict = { ...none, ...counts.byVerdict };
  return {
    schema: 'pv.report/1',
    tool: { name: 'pv', version },
    contracts: [],
    subject,
    edges: [],
    findings,
    totals: { declared, evaluated, failed: byVerdict.falsified, byVerdict },
    gate: { judged: true, passed, minimumLevel: 'L0', ...(remark === '' ? {} : { remark }), reasons: [] },
  };
}

/** `2 contracts on 1 data set` */
function subjectOf(checks: readonly DataCheck[]): string {
  const contracts = new Set(checks.map(({ contract }) => contract)).size;
  const sets = new Set(checks.map(({ path }) => path)).size;
  return `${count(contracts, 'contract')} on ${count(sets, 'data set')}`;
}

function dataFindings(checks: readonly DataCheck[]): readonly FindingReport[] {
  return checks.flatMap((check) => [
    ...check.problems.map((problem) => findingAt({ ...problem, path: check.path })),
    ...check.obligations.flatMap((one) => obligationFinding(one, check)),
  ]);
}

function obligationFinding(one: ObligationOnData, { path }: DataCheck): readonly FindingReport[] {
  const title = `${one.id}: ${one.property}`;
  const severity = one.severity === 'advice' ? 'warning' : 'error';
  if (one.verdict === 'violated' || one.verdict === 'waived') {
    const [claim = one.formal] = one.numbers;
    const [mend] = one.mends;
    const [place = null] = mend?.place ? [mend.place] : one.places;
    const hint = mend ? changeText(mend) : one.ifFails;
    const follows = one.consequence ? ` (a consequence of ${one.consequence.of})` : '';
    const found = findingAt({ code: 'PV-9001', message: `${title}: ${claim}${follows}`, hint, place, path });
    if (one.waiver === null) return [{ ...found, severity }];
    const waiver = waiverText(one.waiver);
    return [{ ...found, severity: 'note', message: `${found.message} (${waiver})`, waiver }];
  }
  if (one.verdict !== 'undetermined') return [];
  const message = `${title}: ${one.reason ?? ''}`;
  return [{ ...findingAt({ code: 'PV-9005', message, hint: null, place: null, path }), severity }];
}

/** A finding about data, as reports hold it: at its line, or about the file alone. */
export function findingAt({ code, message, hint, place, path }: DataFinding): FindingReport {
  const line = place?.position === 'line' ? place.at : null;
  const start = line === null ? null : { line, column: place?.column ?? 1 };
  return { code, severity: 'error', message, hint, path: place?.path ?? path, start, end: start, excerpt: [] };
}

/** A fault of a config, log or trace. */
export interface DataFinding {
  readonly code: Code;
  readonly message: string;
  readonly hint: string | null;
  readonly place: Place | null;
  /** The file that it is about when it has no place. */
  readonly path: string;
}
