/**
 * The bounded proofs of a plan with what their receipts say, for `pv kani`.
 */
import type { Goal } from '../contract/goal.ts';
import { positionAt } from '../diagnostics/source.ts';
import { gradeComposed } from '../evidence/grade-composed.ts';
import type { Receipt } from '../evidence/receipt.ts';
import type { Check } from '../plan/check.ts';
import type { Plan, PlannedContract, PlannedGoal } from '../plan/make-plan.ts';
import type { ProofReport } from '../report/proofs/proof-report.ts';

/** One per proof that the plan wants and per claim that it could not plan one for, in the order of the contracts. */
export function proofReports(
  plan: Plan,
  receipts: readonly Receipt[],
  reproduce: (goal: Goal, path: string) => string,
): readonly ProofReport[] {
  const byCheck = new Map(receipts.map((receipt) => [receipt.check, receipt]));
  return plan.contracts.flatMap((planned) =>
    planned.goals.flatMap((goal) =>
      goal.checks.flatMap((check) => {
        const { work } = check;
        return work.kind === 'bounded'
          ? [reportOf({ planned, goal, check, harness: work.harness, reproduce }, byCheck)]
          : [];
      }),
    ),
  );
}

interface Planned {
  readonly planned: PlannedContract;
  readonly goal: PlannedGoal;
  readonly check: Check;
  readonly harness: Extract<Check['work'], { kind: 'bounded' }>['harness'];
  readonly reproduce: (goal: Goal, path: string) => string;
}

function reportOf(
  { planned, goal: { goal }, check, harness, reproduce }: Planned,
  receipts: ReadonlyMap<string, Receipt>,
): ProofReport {
  const { contract } = planned.elaborated;
  const receipt = receipts.get(check.id);
  const grade = receipt
    ? gradeComposed(receipt, (below) => receipts.get(below))
    : ({ verdict: 'incomplete', reason: 'it has not run' } as const);
  return {
    contract: contract.id,
    claim: goal.claim,
    property: goal.property,
    formal: goal.formal,
    file: contract.path,
    line: positionAt(goal.span.source, goal.span.range.start).line,
    harness: harness.id,
    strategy: harness.strategy,
    bound: harness.bound,
    verdict: grade.verdict,
    reason: grade.reason,
    proof: receipt?.proof ?? null,
    counterexample: receipt?.counterexample ?? null,
    check: check.id,
    reproduce: reproduce(goal, contract.path),
  };
}
