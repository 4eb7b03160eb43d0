/**
 * The algebraic engine: equalities by exact arithmetic on rational functions, inequalities whose difference is a sum of
 * obviously nonnegative parts. It never refutes: what looks different may be equal by a law that it lacks.
 */
import { GraphTooLarge } from '../../expression.ts';
import type { AxiomId } from '../../axioms.ts';
import type { ProofProblem } from '../../problem.ts';
import type { Budget, Engine, EngineOutcome } from '../engine.ts';
import { claimsOf, type Claim } from '../interval/claims.ts';
import { boxOf, createRanges } from '../interval/ranges.ts';
import { float32Values } from '../rounding/float32-values.ts';
import { wholeRanges } from '../interval/whole-ranges.ts';
import { effortUpTo, EffortSpent } from './effort.ts';
import { wholesOf } from './indicators.ts';
import { isAmongPremises, lightened, type Lightened } from './lightened.ts';
import { isNonnegative, rangeOfFunction } from './nonnegative.ts';
import { createNormaliser, type Normaliser } from './normalise.ts';
import { addFunctions, isZeroFunction, negateFunction, type RationalFunction } from './rational-function.ts';

/** Operations on terms in one statement, whatever the budget: more would take tens of seconds. */
const effortLimit = 4_000_000;
/** For a distance that a tolerance allows: if it comes from roundings, no law decides it, and the rounding engine does. */
const distanceEffort = 100_000;

/** Synchronous, and without state; a budget's steps are operations on terms of polynomials. */
export function algebraEngine(): Engine {
  return {
    id: 'algebra',
    version: '9',
    decide: (problem, budget) => Promise.resolve(decide(problem, budget)),
    close: () => Promise.resolve(),
  };
}

function decide(problem: ProofProblem, budget: Budget): EngineOutcome {
  const { conclusion } = problem;
  if (conclusion.kind === 'truth' && conclusion.value) return proved('true by construction', []);
  const whole = wholeRanges(problem);
  if (whole.truth(conclusion) === true)
    return { verdict: 'proved', axioms: whole.axioms(), detail: 'by intervals on the whole domain' };
  let spent: string | null = null;
  const known = { isFloat32: float32Values(problem.variables), range: whole.range };
  const claims: readonly (Claim | Lightened)[] = claimsOf(problem).flatMap((one) => [one, ...lightened(one, known)]);
  const given = claims.find(isAmongPremises);
  if (given) return proved('as a premise says', [...new Set([...whole.axioms(), ...axiomsOf(given)])].toSorted());
  for (const claim of claims)
    for (const takeApart of [true, false]) {
      const limit = claim.relation === 'within' ? distanceEffort : effortLimit;
      const attempt = guarded(() => attemptClaim(problem, claim, takeApart, Math.min(budget.steps, limit)));
      if (typeof attempt === 'string') spent = attempt;
      else if (attempt) return attempt;
    }
  return spent === null
    ? { verdict: 'unknown', detail: 'no law of the algebra decides it' }
    : { verdict: 'exhausted', budget: 'steps', detail: spent };
}

/** The attempt's outcome, or the exhausted resource. */
export function guarded<T>(attempt: () => T): T | string {
  try {
    return attempt();
  } catch (problem) {
    if (problem instanceof EffortSpent || problem instanceof GraphTooLarge) return problem.message;
    throw problem;
  }
}

function attemptClaim(
  problem: ProofProblem,
  claim: Claim | Lightened,
  takeApart: boolean,
  limit: number,
): EngineOutcome | null {
  const ranges = createRanges(boxOf(problem), claim.premises);
  const normaliser = createNormaliser({
    ranges,
    effort: effortUpTo(limit),
    takeApart,
    wholes: wholesOf(problem.variables),
  });
  const left = normaliser.normal(claim.left);
  const right = normaliser.normal(claim.right);
  if (left === null || right === null) return null;
  if (!holds(claim, left, right, normaliser)) return null;
  return proved(describe(normaliser), [...new Set([...ranges.axioms(), ...axiomsOf(claim)])].toSorted());
}

function axiomsOf(claim: Claim | Lightened): readonly AxiomId[] {
  return 'axioms' in claim ? claim.axioms : [];
}

function holds(claim: Claim, left: RationalFunction, right: RationalFunction, normaliser: Normaliser): boolean {
  const { atoms, effort } = normaliser;
  const difference = addFunctions(right, negateFunction(left), effort);
  switch (claim.relation) {
    case 'equal':
      return isZeroFunction(difference);
    case 'less':
      return rangeOfFunction(difference, atoms).low > 0;
    case 'less-equal':
      return isNonnegative(difference, atoms, effort);
    case 'within':
      if (isZeroFunction(left)) return isNonnegative(right, atoms, effort);
      return (
        isNonnegative(difference, atoms, effort) && isNonnegative(addFunctions(right, left, effort), atoms, effort)
      );
  }
}

function describe({ atoms }: Normaliser): string {
  return `as rational functions of ${atoms.all().length} atoms`;
}

function proved(detail: string, axioms: readonly AxiomId[]): EngineOutcome {
  return { verdict: 'proved', axioms, detail };
}
