/** The equations of a claim for its proof: with the code of their kernels, or with what is proved in its place. */
import { err, ok, type Result } from '../base/result.ts';
import type { AssumedRecord } from '../evidence/receipt.ts';
import type { ProofSubject } from '../bounded-proofs/instantiate/instance-request.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import type { AssumedProof, Check, Job } from './check.ts';

type BoundedWork = Extract<Check['work'], { kind: 'bounded' }>;

/** A {@link ProofSubject} whose kernel can be run. */
export interface ComposedSubject extends ProofSubject {
  readonly bound: BoundSubject | null;
}

/**
 * The subjects of the claim. Of the strategy `compositional` at least one kernel has something proved in its place, and one
 * whose contract requires proofs is always replaced: it is an error if none of them holds, or if one that the harness lists
 * does not.
 */
export function composedSubjects(
  { goal, subjects, harness, assumed = [] }: BoundedWork,
  standing: NonNullable<Job['standing']>,
): Result<readonly ComposedSubject[], string> {
  if (goal.overReals)
    return ok(goal.overReals.equations.map(({ name, model }) => ({ equation: name, model, bound: null })));
  const own = subjects.map(({ equation, model, bound }): ComposedSubject => ({ equation, model, bound }));
  if (harness.strategy !== 'compositional') return ok(own);
  if (assumed.length === 0) return err(nothingStandsIn(harness.assumes));
  const whyNot = (claim: AssumedProof): string | null =>
    standing[claim.check] ?? (claim.check in standing ? null : 'it has not run');
  const missing = harness.assumes?.find((id) => !assumed.some((claim) => claim.goal.claim === id));
  if (missing !== undefined)
    return err(
      `${missing} cannot be assumed: no contract below has a proof of it about one run of a kernel of this claim`,
    );
  const result: ComposedSubject[] = [];
  for (const subject of own) {
    const claims = assumed.filter(({ equation }) => equation === subject.equation);
    const fallen = claims.filter((claim) => whyNot(claim) !== null);
    const standIn = claims.filter((claim) => whyNot(claim) === null);
    const [first] = fallen;
    // A claim may be proved by several harnesses; one is enough.
    const lost = harness.assumes?.find((id) => claims.some(isOf(id)) && !standIn.some(isOf(id)));
    if (first && (standIn.length === 0 || lost !== undefined))
      return err(
        `${lost ?? first.goal.claim} cannot replace the code of ${subject.equation}: ${whyNot(fallen.find(isOf(lost ?? '')) ?? first) ?? ''}`,
      );
    result.push(standIn.length > 0 ? { ...subject, standIn } : subject);
  }
  return ok(result);
}

const isOf =
  (id: string) =>
  ({ goal }: AssumedProof): boolean =>
    goal.claim === id;

function nothingStandsIn(assumes: readonly string[] | undefined): string {
  return assumes
    ? `no kernel can be replaced by what is proved: ${assumes.join(', ')} is proved about none that this claim runs`
    : 'no kernel can be replaced by what is proved: the claim runs none of a contract that this one depends on and that requires proofs';
}

/** What a receipt says about the proofs used in place of code. */
export function recordsOf(
  { assumed = [] }: BoundedWork,
  subjects: readonly ComposedSubject[],
): readonly AssumedRecord[] {
  const used = new Set(subjects.flatMap(({ standIn = [] }) => standIn));
  return assumed
    .filter((claim) => used.has(claim))
    .map(({ goal, harness, check, scope }) => ({ goal: goal.id, harness, check, scope }));
}
