/** What becomes of a claim: a goal, or the reason that there is none. */
import type { Claim } from './claim-of.ts';
import type { Context } from '../context/context.ts';
import type { Goal, NotGoal } from '../../goal.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';

/** A goal or what the claim lacks to be one, and what its author has to act on. */
export interface Outcome {
  readonly goal: Goal | null;
  readonly notGoal: NotGoal | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Of the goal. */
  readonly preconditions?: Context['preconditions'];
}

/** The claim as one that is not run. */
export function notGoal(claim: Claim, status: NotGoal['status'], reason: string): NotGoal {
  return {
    claim: claim.id,
    source: claim.source,
    property: claim.property,
    formal: claim.formal?.text ?? null,
    status,
    reason,
    span: claim.span,
  };
}
