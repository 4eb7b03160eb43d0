/** What running a claim showed that is understood only in part. It decides nothing. */
import { gradeReceipt } from '../evidence/grade.ts';
import type { PlannedGoal } from '../plan/make-plan.ts';
import type { AsReadReport } from '../report/report.ts';
import type { ReportContext } from './report-context.ts';

/** The worst of what its checks found; null if none has run. */
export function asReadReport({ checks }: PlannedGoal, { receiptsByCheck }: ReportContext): AsReadReport | null {
  const found = checks.flatMap(({ id }) => receiptsByCheck.get(id) ?? []);
  const receipt = found.find(({ counterexample }) => counterexample !== null) ?? found[0];
  if (!receipt) return null;
  const { verdict, reason } = gradeReceipt(receipt);
  const { cases, counterexample } = receipt;
  if (reason === null) return { result: 'held', cases, reason: verdict, counterexample };
  // Where numbers are assumed, some are outside the domain of the formula (0/0): that shows nothing.
  const hasValues = counterexample !== null && !/\bNaN\b/.test(counterexample.explanation);
  return { result: hasValues ? 'broken' : 'open', cases, reason, counterexample };
}

/** As part of a sentence: `as far as it is understood, it held on 2,000 inputs`. */
export function asReadText({ result, cases, reason }: AsReadReport): string {
  const said = {
    held: `it held on ${cases.toLocaleString('en-US')} inputs`,
    broken: `its own equation breaks it: ${reason}`,
    open: reason,
  };
  return `as far as it is understood, ${said[result]}`;
}
