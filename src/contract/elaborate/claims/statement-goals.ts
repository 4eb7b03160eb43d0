/** The goals of what equations state of themselves. */
import type { Contract } from '../../contract.ts';
import type { Claim } from './claim-of.ts';
import { elaborateOne } from './claim-outcome.ts';
import { asUnevaluated, statementsOf } from './statements.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';
import type { equationScope } from '../equations/globals.ts';
import type { ElaboratedContract, Goal, NotGoal } from '../../goal.ts';

/** The statements of the equations. One that yields no goal is not an error: it is counted as not evaluated. */
export function elaborateStatements(
  contract: Contract,
  equations: readonly ElaboratedEquation[],
  globals: ReturnType<typeof equationScope>,
): Pick<ElaboratedContract, 'statements' | 'unevaluated'> {
  const { claims, unevaluated } = statementsOf(equations);
  const outcomes = claims.map((claim) => ({ claim, ...elaborateOne(contract, claim, equations, globals) }));
  const isAbout = ({ appliesTo }: Claim, goal: Goal): boolean => appliesTo === null || goal.applications.length > 0;
  const inPart = (claim: Claim, missing: NotGoal | null): Pick<NotGoal, 'asRead' | 'widened'> => {
    const { asRead, widened } = missing ?? {};
    return asRead && isAbout(claim, asRead) ? { asRead, ...(widened ? { widened } : {}) } : {};
  };
  return {
    statements: outcomes.flatMap(({ claim, goal }) => (goal && isAbout(claim, goal) ? [goal] : [])),
    unevaluated: [
      ...unevaluated,
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
