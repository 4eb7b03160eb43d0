import { quoted } from '../base/text.ts';
import type { Harness } from '../contract/harnesses.ts';
import { harnessesOf } from '../contract/harnesses.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { gradeComposed } from '../evidence/grade-composed.ts';
import type { PlannedContract, PlannedGoal } from '../plan/make-plan.ts';
import type { ReportContext } from './report-context.ts';

/** PV-6015 for every bounded proof that a contract requires and that does not hold: the claim stays below L4. */
export function openProofs({
  plan,
  receiptsByCheck,
}: Pick<ReportContext, 'plan' | 'receiptsByCheck'>): readonly Diagnostic[] {
  return plan.contracts.flatMap((planned) =>
    harnessesOf(planned.elaborated.contract).flatMap((harness) => {
      const why = whyOpen(harness, planned, receiptsByCheck);
      return why === null ? [] : [finding(harness, why)];
    }),
  );
}

function whyOpen(
  harness: Harness,
  { elaborated, goals }: PlannedContract,
  receipts: ReportContext['receiptsByCheck'],
): string | null {
  const planned = goals.find(({ goal }) => goal.source === 'obligation' && goal.claim === harness.obligation);
  if (!planned) {
    const missing = elaborated.notGoals.find(({ claim }) => claim === harness.obligation);
    return missing ? `${quoted(harness.obligation)} is ${missing.status}: ${missing.reason}` : null;
  }
  const checks = boundedChecks(planned);
  const check = checks.find(({ harnessId }) => harnessId === harness.id);
  if (!check) {
    const [unbound] = planned.unboundEquations;
    return unbound === undefined ? 'it is not a claim about the code of a kernel' : `no kernel is bound to ${unbound}`;
  }
  const receipt = receipts.get(check.id);
  if (!receipt) return 'it has not run';
  const { verdict, reason } = gradeComposed(receipt, (below) => receipts.get(below));
  // A refuted claim is reported by its own verdict.
  if (verdict === 'falsified') return null;
  if (verdict !== 'proved') return `${verdict}: ${reason ?? 'no reason was recorded'}`;
  const isWhole = checks.some(({ id }) => receipts.get(id)?.proof?.inPart === null);
  return isWhole ? null : `it is proved in part: ${receipt.proof?.inPart ?? 'no record says of which sizes'}`;
}

function boundedChecks({ checks }: PlannedGoal): readonly { readonly id: string; readonly harnessId: string }[] {
  return checks.flatMap(({ id, work }) => (work.kind === 'bounded' ? [{ id, harnessId: work.harness.id }] : []));
}

function finding({ id, obligation, strategy, bound, span }: Harness, why: string): Diagnostic {
  const of = id === obligation ? '' : ` of ${quoted(obligation)}`;
  return diagnostic(
    'PV-6015',
    span,
    `the bounded proof ${quoted(id)}${of} (${strategy}, sizes to ${bound}) does not hold: ${why}`,
    {
      hint: 'its verdict rests on its other methods alone, and stays below L4',
    },
  );
}
