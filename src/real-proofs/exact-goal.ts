/**
 * The exact counterpart of a claim: what it says over the reals once nothing is rounded. Its tolerance becomes 0, and its
 * kernels become their equations.
 */
import type { Contract, Obligation, Tolerance } from '../contract/contract.ts';
import { elaborateContract } from '../contract/elaborate.ts';
import type { ElaboratedContract, Goal, NotGoal } from '../contract/goal.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';

/** Why a claim has no exact counterpart. */
export interface NoExactGoal {
  readonly reason: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** The goal of `obligation` over the reals; `subContracts` are those that `contract` depends on, elaborated, by id. */
export function exactGoal(
  contract: Contract,
  obligation: Obligation,
  subContracts: ReadonlyMap<string, ElaboratedContract>,
): Result<Goal, NoExactGoal> {
  if (obligation.about === 'data')
    return err({ reason: 'it is a demand on data, which some data do not meet', diagnostics: [] });
  if (obligation.semantics === 'statistical')
    return err({ reason: 'it is about the distribution of many runs', diagnostics: [] });
  const exact: Obligation = {
    ...obligation,
    semantics: 'real',
    tolerance: nothing(obligation.tolerance),
    backendTolerances: new Map(),
    libraryTolerance: null,
  };
  const { goals, notGoals, diagnostics } = elaborateContract(
    { ...contract, obligations: [exact], falsificationTests: [] },
    subContracts,
  );
  const [goal] = goals;
  return goal ? ok(goal) : err({ reason: reasonOf(notGoals), diagnostics });
}

/** No deviation is allowed; without a tolerance the claim is already exact. */
function nothing(tolerance: Tolerance | null): Tolerance | null {
  return tolerance && { ...tolerance, abs: 0, rel: null, ulp: null, cond: null, per: null, unitless: false };
}

function reasonOf(notGoals: readonly NotGoal[]): string {
  return notGoals[0]?.reason ?? 'it could not be elaborated';
}
