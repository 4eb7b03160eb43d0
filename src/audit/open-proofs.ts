import { invariant } from '../base/invariant.ts';
import { listOf, quoted } from '../base/text.ts';
import type { Harness } from '../contract/harnesses.ts';
import { harnessesOf } from '../contract/harnesses.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { gradeComposed } from '../evidence/grade-composed.ts';
import type { PlannedContract, PlannedGoal } from '../plan/make-plan.ts';
import type { ReportContext } from './report-context.ts';

/**
 * PV-6015 for the bounded proofs that a contract requires and that do not hold: their claims stay below L4. Proofs that are missing
 * for one reason are one finding, at the first of them.
 */
export function openProofs({
  plan,
  receiptsByCheck,
}: Pick<ReportContext, 'plan' | 'receiptsByCheck'>): readonly Diagnostic[] {
  return plan.contracts.flatMap((planned) => {
    const open = new Map<string, Harness[]>();
    for (const harness of harnessesOf(planned.elaborated.contract)) {
      const why = whyOpen(harness, planned, receiptsByCheck);
      if (why !== null) open.set(why, [...(open.get(why) ?? []), harness]);
    }
    return [...open].map(([why, harnesses]) => finding(harnesses, why));
  });
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
    // That no kernel is bound is the claim's own verdict.
    return planned.unboundEquations.length > 0 ? null : 'it is not a claim about the code of a kernel';
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

function finding(harnesses: readonly Harness[], why: string): Diagnostic {
  const names = harnesses.map(({ id, obligation, strategy, bound }) => {
    const of = id === obligation ? '' : ` of ${quoted(obligation)}`;
    return `${quoted(id)}${of} (${strategy}, sizes to ${bound})`;
  });
  const [first] = harnesses;
  invariant(first, 'a reason is that of a proof');
  const isOne = harnesses.length === 1;
  const message = isOne
    ? `the bounded proof ${names.join('')} does not hold: ${why}`
    : `${names.length} bounded proofs do not hold (${why}): ${listOf(names)}`;
  return diagnostic('PV-6015', first.span, message, {
    hint: isOne
      ? 'its verdict rests on its other methods alone, and stays below L4'
      : 'their verdicts rest on their other methods alone, and stay below L4',
  });
}
