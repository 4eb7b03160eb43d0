import type { Case } from '../../math/compile/compiled.ts';
import type { DomainPlan } from '../generate/domain-plan.ts';
import { shrinkWalk } from './shrink-walk.ts';

export interface Shrunk {
  readonly smallest: Case;
  /** Accepted steps from the first failing case to the smallest. */
  readonly shrinks: number;
  readonly evaluations: number;
}

export interface ShrinkRequest {
  readonly plan: DomainPlan;
  readonly start: Case;
  /** Whether a case still fails; false also for cases that break a precondition. */
  readonly fails: (candidate: Case) => boolean | Promise<boolean>;
  /** At most this many calls of `fails`. */
  readonly budget: number;
}

/** Enough for a few hundred elements; a counterexample that is a little too large is better than a long wait. */
export const SHRINK_BUDGET = 2000;

/** A small, readable case that still fails. Deterministic; keeps the best case found when the budget ends. */
export async function shrinkCase({ plan, start, fails, budget }: ShrinkRequest): Promise<Shrunk> {
  const walk = shrinkWalk(plan, start);
  let smallest = start;
  let shrinks = 0;
  let evaluations = 0;
  let step = walk.next();
  while (!step.done && evaluations < budget) {
    const candidate = step.value;
    evaluations++;
    const answer = fails(candidate);
    const failed = typeof answer === 'boolean' ? answer : await answer;
    if (failed) {
      smallest = candidate;
      shrinks++;
    }
    step = walk.next(failed);
  }
  return { smallest, shrinks, evaluations };
}
