/** Which proofs of sub-contracts may replace the kernels that a claim runs. */
import type { Goal } from '../contract/goal.ts';
import type { Harness } from '../contract/harnesses.ts';
import { gradeReceipt } from '../evidence/grade.ts';
import type { Receipt } from '../evidence/receipt.ts';
import { ownRunOf } from '../bounded-proofs/compositional/proved-claim.ts';
import { sizesFor } from '../bounded-proofs/instantiate/sizes-for.ts';
import type { AssumedProof, Check, WorkSubject } from './check.ts';

interface PlannedProof {
  readonly goal: Goal;
  readonly checks: readonly Check[];
}

/** What is planned of a contract. */
interface PlannedProofs {
  readonly goals: readonly PlannedProof[];
}

/** Of every kernel of another contract, the proofs that its contract requires, or those of them that the harness names. */
export function assumedBy(
  { assumes }: Omit<Harness, 'span'>,
  subjects: readonly WorkSubject[],
  planned: ReadonlyMap<string, PlannedProofs>,
): readonly AssumedProof[] {
  return subjects.flatMap(({ equation }) => {
    const cut = equation.indexOf('/');
    if (cut < 0) return [];
    const own = equation.slice(cut + 1);
    const goals = planned.get(equation.slice(0, cut))?.goals ?? [];
    return goals
      .filter((planned) => isOf(planned, own) && (assumes?.includes(planned.goal.claim) ?? true))
      .flatMap(({ checks }) => checks.flatMap((check) => assumedFrom(equation, check)));
  });
}

function isOf({ goal }: PlannedProof, equation: string): boolean {
  const run = goal.overReals ? null : ownRunOf(goal);
  return run?.equation === equation;
}

function assumedFrom(equation: string, { id, work }: Check): readonly AssumedProof[] {
  if (work.kind !== 'bounded') return [];
  const { goal, harness } = work;
  const sizes = sizesFor(goal.domain, harness.bound, harness.sizes);
  return sizes.ok
    ? [{ equation, goal, harness: harness.id, check: id, sizes: sizes.value.sizes, scope: sizes.value.scope }]
    : [];
}

/** The checks whose proofs may replace code: the check waits for them. */
export function assumedChecks({ work }: Pick<Check, 'work'>): readonly string[] {
  return work.kind === 'bounded' ? (work.assumed ?? []).map(({ check }) => check) : [];
}

/** Why a proof may not replace code; null if it may: it is about the float32 code, and complete. */
export function whyNotProved(receipt: Receipt | undefined): string | null {
  if (receipt === undefined) return 'it has not run';
  const { verdict, reason } = gradeReceipt(receipt);
  if (verdict !== 'proved') return `it is ${verdict}${reason === null ? '' : `: ${reason}`}`;
  return receipt.proof?.about === 'float32 code' ? null : 'it is not about the float32 code';
}
