/**
 * The interval engine: outward-rounded interval arithmetic over the whole domain, and branch and bound if a claim has few
 * inputs. It refutes with a point that it finds.
 */
import type { AxiomId } from '../../axioms.ts';
import type { ProofProblem } from '../../problem.ts';
import type { Budget, Engine, EngineOutcome } from '../engine.ts';
import { guarded } from '../algebra/algebra-engine.ts';
import { coverBoxes, type Cover } from './branch-and-bound.ts';
import { claimsOf } from './claims.ts';
import { boxOf, createRanges } from './ranges.ts';
import { wholeRanges } from './whole-ranges.ts';

/** The maximum number of boxes for one statement, whatever the budget. */
const mostBoxes = 20_000;

/** Synchronous, and without state; a budget's steps are boxes. */
export function intervalEngine(): Engine {
  return {
    id: 'interval',
    version: '5',
    decide: (problem, budget) => Promise.resolve(decide(problem, budget)),
    close: () => Promise.resolve(),
  };
}

function decide(problem: ProofProblem, budget: Budget): EngineOutcome {
  const attempt = guarded(() => decideWithin(problem, Math.min(budget.steps, mostBoxes)));
  return typeof attempt === 'string' ? { verdict: 'exhausted', budget: 'memory', detail: attempt } : attempt;
}

function decideWithin(problem: ProofProblem, limit: number): EngineOutcome {
  const { conclusion } = problem;
  const whole = wholeRanges(problem);
  if (whole.truth(conclusion) === true) return proved(whole.axioms(), 'one box');
  // Under a premise `p`, as ¬p ∨ a, the alternative `a` may hold where the others fail.
  for (const claim of claimsOf(problem)) {
    const ranges = createRanges(boxOf(problem), claim.premises);
    const alternatives = conclusion.kind === 'or' ? conclusion.operands : [conclusion];
    if (alternatives.some((one) => ranges.truth(one) === true)) return proved(ranges.axioms(), 'one box');
  }
  return outcomeOf(coverBoxes(problem, conclusion, limit));
}

function outcomeOf(cover: Cover): EngineOutcome {
  switch (cover.verdict) {
    case 'proved':
      return proved(cover.axioms, `${cover.boxes} boxes`);
    case 'refuted':
      return { verdict: 'refuted', model: cover.model, axioms: cover.axioms, detail: `in box ${cover.boxes}` };
    case 'too many inputs':
      return { verdict: 'unknown', detail: 'one box does not decide it, and its inputs are too many for more' };
    case 'undecided':
      return cover.spent
        ? { verdict: 'exhausted', budget: 'steps', detail: `undecided after ${cover.boxes} boxes` }
        : { verdict: 'unknown', detail: `a box that cannot be cut further is undecided (${cover.boxes} boxes)` };
  }
}

function proved(axioms: readonly AxiomId[], detail: string): EngineOutcome {
  return { verdict: 'proved', axioms, detail };
}
