/**
 * The bounded proofs of a plan with what their receipts say, for `pv kani`.
 */
import type { Goal } from '../contract/goal.ts';
import type { Contract } from '../contract/contract.ts';
import { harnessesOf, type Harness } from '../contract/harnesses.ts';
import { positionAt } from '../diagnostics/source.ts';
import { gradeComposed } from '../evidence/grade-composed.ts';
import type { Receipt } from '../evidence/receipt.ts';
import type { Check } from '../plan/check.ts';
import type { Plan, PlannedContract, PlannedGoal } from '../plan/make-plan.ts';
import type { ProofReport } from '../report/proofs/proof-report.ts';
import type { ClaimReport, Report } from '../report/report.ts';

/** What the table of `pv kani` is derived from. */
export interface ProofsRequest {
  readonly plan: Plan;
  readonly receipts: readonly Receipt[];
  /** Faults of the claims themselves: a kernel that cannot be read, prose where mathematics is expected. */
  readonly report: Pick<Report, 'contracts'>;
  /** What is required, even if the plan has no check for it. */
  readonly harnesses: (contract: Contract) => readonly Harness[];
  readonly reproduce: (goal: Goal, path: string) => string;
}

/** One per planned proof, then one per required proof that cannot be planned; by contract. */
export function proofReports({ plan, receipts, report, harnesses, reproduce }: ProofsRequest): readonly ProofReport[] {
  const byCheck = new Map(receipts.map((receipt) => [receipt.check, receipt]));
  return plan.contracts.flatMap((planned) => {
    const { contract } = planned.elaborated;
    const tried = planned.goals.flatMap((goal) =>
      goal.checks.flatMap((check) => {
        const { work } = check;
        return work.kind === 'bounded'
          ? [reportOf({ planned, goal, check, harness: work.harness, reproduce }, byCheck)]
          : [];
      }),
    );
    const had = new Set(tried.map(({ harness, claim }) => `${harness} ${claim}`));
    const claims = report.contracts.find(({ id }) => id === contract.id)?.claims ?? [];
    const missing = harnesses(contract)
      .filter(({ id, obligation }) => !had.has(`${id} ${obligation}`))
      .flatMap((harness) => {
        const claim = claims.find(({ id, source }) => id === harness.obligation && source === 'obligation');
        return claim ? notPlanned(harness, claim, contract) : [];
      });
    return [...tried, ...missing];
  });
}

/**
 * A required proof for which there is no check: for a claim whose kernel or text cannot be read, or that is not about the
 * numbers of one run. The latter is reported only if the contract itself requires the proof.
 */
function notPlanned(harness: Harness, claim: ClaimReport, contract: Contract): readonly ProofReport[] {
  const { verdict, reason } = claim;
  const isUnread = claim.reproduce === null || verdict === 'unbound';
  if (!isUnread && !harnessesOf(contract).some(({ id }) => id === harness.id)) return [];
  return [
    {
      contract: contract.id,
      claim: claim.id,
      property: claim.property,
      formal: claim.formal ?? '',
      file: claim.file,
      line: claim.line,
      harness: harness.id,
      strategy: harness.strategy,
      bound: harness.bound,
      verdict: isUnread ? verdict : 'undetermined',
      reason: isUnread ? reason : 'it is not a claim about the code of a kernel',
      proof: null,
      counterexample: null,
      check: null,
      reproduce: null,
    },
  ];
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
