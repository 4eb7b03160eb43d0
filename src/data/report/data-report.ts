/** What `pv check` found on one or several data sets, with its counts: the only thing that its formats read. */
import { count, listOf } from '../../base/text.ts';
import type { DataCheck, DataVerdict, ObligationOnData } from '../judge/data-check.ts';
import type { FindingReport } from '../../report/report.ts';

/** The result of `pv check`, as its JSON format prints it. */
export interface DataReport {
  readonly schema: 'pv.data-report/1';
  readonly checks: readonly DataCheck[];
  /** Which obligations were asked for; null if all. */
  readonly scope: Scope | null;
  /** What reading the files found: a log that is cut, a key that is in no file. */
  readonly findings: readonly FindingReport[];
  readonly totals: DataTotals;
}

/** Ids of obligations on the command line. */
export interface Scope {
  /** The only ones that were judged; null if all but {@link without} were. */
  readonly claim: readonly string[] | null;
  readonly without: readonly string[];
}

/** Counts over all obligations and files. */
export interface DataTotals {
  readonly declared: number;
  /** Satisfied or violated: what was decided on the data and not set aside by a waiver. */
  readonly evaluated: number;
  readonly byVerdict: Readonly<Record<DataVerdict, number>>;
  /** How many of the violated ones are advice. */
  readonly advice: number;
  /** Findings about inputs themselves. */
  readonly problems: number;
}

/** The report of some checks, with its counts. */
export function dataReport(
  checks: readonly DataCheck[],
  findings: readonly FindingReport[] = [],
  scope: Scope | null = null,
): DataReport {
  return { schema: 'pv.data-report/1', checks, scope, findings, totals: totalsOf(checks) };
}

/** Counts obligations by verdict, and problems of inputs. */
export function totalsOf(checks: readonly DataCheck[]): DataTotals {
  const obligations = checks.flatMap((check) => check.obligations);
  const number = (wanted: DataVerdict): number => obligations.filter(({ verdict }) => verdict === wanted).length;
  const byVerdict = {
    satisfied: number('satisfied'),
    violated: number('violated'),
    waived: number('waived'),
    vacuous: number('vacuous'),
    inapplicable: number('inapplicable'),
    undetermined: number('undetermined'),
  };
  return {
    declared: obligations.length,
    evaluated: byVerdict.satisfied + byVerdict.violated,
    byVerdict,
    advice: obligations.filter(({ verdict, severity }) => verdict === 'violated' && severity === 'advice').length,
    problems: checks.reduce((sum, { problems }) => sum + problems.length, 0),
  };
}

/**
 * Whether everything ran and held: no error violated, nothing left undetermined, no input or file at fault, and something evaluated.
 * Advice fails only through an input that is given and cannot be used, or that the contract requires.
 */
export function holds(
  { checks, findings, totals }: Pick<DataReport, 'checks' | 'findings' | 'totals'>,
  allowUnevaluated = false,
): boolean {
  const { evaluated, byVerdict, problems } = totals;
  const faulty = findings.some(({ severity }) => severity === 'error');
  const fails = checks.some(({ obligations }) => obligations.some((one) => isFault(one, allowUnevaluated)));
  return evaluated + byVerdict.waived > 0 && !fails && problems === 0 && !faulty;
}

/** A missing input may be excused unless the contract requires it; an input that is given but unusable may not. */
function isFault(
  { verdict, severity, unusable, unclear, missing }: ObligationOnData,
  allowUnevaluated: boolean,
): boolean {
  if (verdict === 'violated') return severity === 'error';
  if (verdict !== 'undetermined') return false;
  if (missing.some(({ required }) => required)) return true;
  const isExcused = severity === 'advice' && missing.length + unclear.length > 0;
  return unusable || !(isExcused || allowUnevaluated);
}

/** ` for CFG-003 alone`, ` without CFG-006`: what of the contracts was judged; empty if all was. */
export function scopeText(scope: Scope | null): string {
  if (scope === null) return '';
  const { claim, without } = scope;
  const only = claim === null ? '' : ` for ${listOf(claim, 5)} alone`;
  return `${only}${without.length === 0 ? '' : ` without ${listOf(without, 5)}`}`;
}

/** `with 1 of 10 obligations waived, 2 violated as advice`; empty if nothing is. */
export function exceptionsText({ declared, byVerdict: { waived }, advice }: DataTotals): string {
  const said = [
    ...(waived === 0 ? [] : [`${waived} of ${count(declared, 'obligation')} waived`]),
    ...(advice === 0 ? [] : [`${advice} violated as advice`]),
  ];
  return said.length === 0 ? '' : ` with ${said.join(', ')}`;
}
