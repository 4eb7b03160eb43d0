/** The checks of a contract over data: each claim, and each data set whose verdict is known. */
import { canonicalJson } from '../base/canonical-json.ts';
import type { ElaboratedContract, Goal } from '../contract/goal.ts';
import { sha256 } from '../evidence/digest.ts';
import type { Receipt } from '../evidence/receipt.ts';
import { withId, type Check, type Work } from './check.ts';

interface PlannedDataGoal {
  readonly goal: Goal;
  readonly checks: readonly Check[];
  readonly unboundEquations: readonly [];
}

/** Claims first, then the data sets; nothing for a contract that is not about data. */
export function plannedData(
  { contract, data, dataGoals, equations, controls }: ElaboratedContract,
  { seed, tool }: { readonly seed: number; readonly tool: Receipt['tool'] },
): readonly PlannedDataGoal[] {
  if (data === null) return [];
  const controlDigest = sha256(canonicalJson(controls.map(({ goal }) => goal.digest)));
  // An equation's mutants are judged by every claim that rests on it, and receipts name the claims that catch them.
  const digests = [...dataGoals.map(({ id, digest }) => `${id} ${digest}`), ...equations.map(({ digest }) => digest)];
  const plan = (goal: Goal, meaning: readonly string[], methods: readonly ('controls' | 'adequacy')[]) => {
    const declared = (contract.qaGate?.equivalentMutants ?? []).filter(
      ({ equation }) => equation === null || equation === goal.claim,
    );
    const equivalent = declared.map(({ mutant, reason }) => ({ mutant, reason }));
    const work: Work = {
      kind: 'controls',
      goal,
      model: data,
      controls,
      goals: dataGoals,
      equations,
      subjects: [],
      equivalent,
    };
    const checks = methods.map((method) =>
      withId(
        {
          contract: contract.id,
          goal: goal.id,
          goalDigest: sha256(
            canonicalJson([goal.digest, ...meaning, ...(method === 'adequacy' ? [digests, equivalent] : [[]])]),
          ),
          method,
          subject: { kind: 'contract', name: 'data of falsification tests', hash: controlDigest },
          backend: 'ref64',
          seed,
          cases: Math.max(1, controls.length),
          restsOn: {},
          work,
        },
        tool,
      ),
    );
    return { goal, checks, unboundEquations: [] } as const;
  };
  return [
    ...dataGoals.map((goal) => plan(goal, [], ['controls', 'adequacy'])),
    ...controls.map(({ goal }) => plan(goal, digests, ['controls'])),
  ];
}
