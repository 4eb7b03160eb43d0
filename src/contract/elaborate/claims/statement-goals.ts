/** The goals of what equations state of themselves. */
import type { Contract } from '../../contract.ts';
import type { Claim } from './claim-of.ts';
import { elaborateOne } from './claim-outcome.ts';
import { asUnevaluated, statementsOf, type Statements } from './statements.ts';
import { mayBeCondition } from './stated-laws.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';
import type { equationScope } from '../equations/globals.ts';
import type { ElaboratedContract, Goal, NotGoal, UnevaluatedStatement } from '../../goal.ts';

/** The statements of the equations. One that yields no goal is not an error: it is counted as not evaluated. */
export function elaborateStatements(
  contract: Contract,
  equations: readonly ElaboratedEquation[],
  globals: ReturnType<typeof equationScope>,
): Pick<ElaboratedContract, 'statements' | 'unevaluated'> {
  const { claims, laws, unevaluated } = statementsOf(equations, globals);
  const outcomes = claims.map((claim) => ({ claim, ...elaborateOne(contract, claim, equations, globals) }));
  const isAbout = ({ appliesTo }: Claim, goal: Goal): boolean => appliesTo === null || goal.applications.length > 0;
  const inPart = (claim: Claim, missing: NotGoal | null): Pick<NotGoal, 'asRead' | 'widened'> => {
    const { asRead, widened } = missing ?? {};
    return asRead && isAbout(claim, asRead) ? { asRead, ...(widened ? { widened } : {}) } : {};
  };
  const stated = laws.map((one) => elaborateLaw(contract, one, globals));
  return {
    statements: [
      ...outcomes.flatMap(({ claim, goal }) => (goal && isAbout(claim, goal) ? [goal] : [])),
      ...stated.flatMap(({ goal }) => goal ?? []),
    ],
    unevaluated: [
      ...unevaluated,
      ...stated.flatMap(({ open }) => open ?? []),
      ...outcomes.flatMap(({ claim, goal, notGoal: missing }) =>
        goal && isAbout(claim, goal)
          ? []
          : [
              {
                ...asUnevaluated(claim, missing?.reason ?? `it does not mention ${claim.appliesTo ?? 'its equation'}`),
                ...inPart(claim, missing),
              },
            ],
      ),
    ],
  };
}

/** An identity is a goal. What may be meant as a condition is one as far as it is understood: it may hold, and is not refuted. */
function elaborateLaw(
  contract: Contract,
  { claim, law: { equation, isIdentity } }: Statements['laws'][number],
  globals: ReturnType<typeof equationScope>,
): { readonly goal: Goal | null; readonly open: UnevaluatedStatement | null } {
  const { goal, notGoal } = elaborateOne(contract, claim, [equation], globals);
  if (goal) {
    if (isIdentity) return { goal, open: null };
    return { goal: null, open: { ...asUnevaluated(claim, mayBeCondition), asRead: goal, widened: true } };
  }
  const { reason = 'it could not be elaborated', asRead, widened } = notGoal ?? {};
  const part = asRead ? { asRead, ...(widened ? { widened } : {}) } : {};
  return { goal: null, open: { ...asUnevaluated(claim, reason), ...part } };
}
