import type { Case } from '../../math/compile/compiled.ts';
import type { DomainPlan } from '../generate/domain-plan.ts';
import { shrinkWalk } from './shrink-walk.ts';

/** The smallest failing case that was found, and what finding it took. */
export interface Shrunk {
  readonly smallest: Case;
  /** Accepted steps from the first failing case to the smallest. */
  readonly shrinks: number;
  readonly evaluations: number;
}

/** A failing case, and how to tell whether another one fails. */
export interface ShrinkRequest<Answer> {
  readonly plan: DomainPlan;
  readonly start: Case;
  /** Whether a case still fails; false also for cases that break a precondition. */
  readonly fails: (candidate: Case) => Answer;
  /** At most this many calls of `fails`. */
  readonly budget: number;
}

/** Enough for a few hundred elements; a counterexample that is a little too large is better than a long wait. */
export const SHRINK_BUDGET = 2000;

/** The candidates of a walk, which receives each answer before it continues. */
function* candidates({ plan, start, budget }: Omit<ShrinkRequest<unknown>, 'fails'>): Generator<Case, Shrunk, boolean> {
  const walk = shrinkWalk(plan, start);
  let smallest = start;
  let shrinks = 0;
  let evaluations = 0;
  for (let step = walk.next(); !step.done && evaluations < budget; evaluations++) {
    const failed: boolean = yield step.value;
    if (failed) {
      smallest = step.value;
      shrinks++;
    }
    step = walk.next(failed);
  }
  return { smallest, shrinks, evaluations };
}

/** A small, readable case that still fails. Deterministic; keeps the best case found when the budget ends. */
export async function shrinkCase(request: ShrinkRequest<boolean | Promise<boolean>>): Promise<Shrunk> {
  const run = candidates(request);
  let step = run.next();
  while (!step.done) step = run.next(await request.fails(step.value));
  return step.value;
}
