/** What `pv check` found on one or several data sets, with its counts: the only thing that its formats read. */
import type { DataCheck, DataVerdict, ObligationOnData } from '../judge/data-check.ts';
import type { FindingReport } from '../../report/report.ts';

/** The result of `pv check`, as its JSON format prints it. */
export interface DataReport {
  readonly schema: 'pv.data-report/1';
  readonly checks: readonly DataCheck[];
  /** What reading the files found: a log that is cut, a key that is in no file. */
  readonly findings: readonly FindingReport[];
  readonly totals: DataTotals;
}

/** Counts over all obligations and files. */
export interface DataTotals {
  readonly declared: number;
  /** Satisfied or violated: what was decided on the data. */
  readonly evaluated: number;
  readonly byVerdict: Readonly<Record<DataVerdict, number>>;
  /** Findings about inputs themselves. */
  readonly problems: number;
}

/** The report of some checks, with its counts. */
export function dataReport(checks: readonly DataCheck[], findings: readonly FindingReport[] = []): DataReport {
  return { schema: 'pv.data-report/1', checks, findings, totals: totalsOf(checks) };
}

/** Counts obligations by verdict, and problems of inputs. */
export function totalsOf(checks: readonly DataCheck[]): DataTotals {
  const obligations = checks.flatMap((check) => check.obligations);
  const number = (wanted: DataVerdict): number => obligations.filter(({ verdict }) => verdict === wanted).length;
  const byVerdict = {
    satisfied: number('satisfied'),
    violated: number('violated'),
    vacuous: number('vacuous'),
    inapplicable: number('inapplicable'),
    undetermined: number('undetermined'),
  };
  return {
    declared: obligations.length,
    evaluated: byVerdict.satisfied + byVerdict.violated,
    byVerdict,
    problems: checks.reduce((sum, { problems }) => sum + problems.length, 0),
  };
}

/** Whether everything ran and held: nothing violated, nothing left undetermined, no input or file at fault, and something evaluated. */
export function holds({ findings, totals }: Pick<DataReport, 'findings' | 'totals'>): boolean {
  const { evaluated, byVerdict, problems } = totals;
  const faulty = findings.some(({ severity }) => severity === 'error');
  return evaluated > 0 && byVerdict.violated === 0 && byVerdict.undetermined === 0 && problems === 0 && !faulty;
}

/** The inputs that any obligation waits for, each once, in the order in which they are first missed. */
export function missingInputs(
  obligations: readonly ObligationOnData[],
): readonly ObligationOnData['missing'][number][] {
  return [...new Map(obligations.flatMap(({ missing }) => missing).map((one) => [one.name, one])).values()];
}
