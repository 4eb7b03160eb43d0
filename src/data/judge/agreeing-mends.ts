/** Two fixes of one input that exclude each other are replaced by one that makes all of their claims hold, if there is one. */
import type { DataContract, DataGoal } from '../../contract/data-contract.ts';
import type { Mend, ObligationOnData } from './data-check.ts';
import type { BoundInputs } from './inputs.ts';
import { judge } from './judge.ts';
import { withValue } from './known.ts';
import { mendOf } from './mend.ts';

interface Proposed {
  readonly goal: DataGoal;
  readonly mend: Mend;
}

/** The obligations; where each of two fixes leaves the claim of the other violated, both have the one that fixes both, or none. */
export async function withAgreeingMends(
  { data, dataGoals }: DataContract,
  bound: BoundInputs,
  obligations: readonly ObligationOnData[],
): Promise<readonly ObligationOnData[]> {
  if (data === null) return obligations;
  let agreed = obligations;
  for (const input of data.inputs) {
    const proposed = obligations.flatMap(({ id, mends }): readonly Proposed[] => {
      const [goal, mend] = [dataGoals.find(({ claim }) => claim === id), mends.find((one) => one.input === input.name)];
      return goal && mend ? [{ goal, mend }] : [];
    });
    const holds = async ({ goal }: Proposed, { mend }: Proposed): Promise<boolean> => {
      const found = bound.given.get(input.name);
      if (found?.kind !== 'scalar') return false;
      const mended = withValue(data, bound, input.name, { ...found, value: mend.becomes });
      return (await judge(goal, data, mended)).verdict !== 'violated';
    };
    if (!(await someExclude(proposed, holds))) continue;
    const goals = proposed.map(({ goal }) => goal);
    const joint = await mendOf(goals, data, bound, input);
    agreed = agreed.map((one) =>
      goals.some(({ claim }) => claim === one.id) ? { ...one, mends: replaced(one.mends, input.name, joint) } : one,
    );
  }
  return agreed;
}

async function someExclude(
  proposed: readonly Proposed[],
  holds: (one: Proposed, after: Proposed) => Promise<boolean>,
): Promise<boolean> {
  for (const [i, one] of proposed.entries())
    for (const other of proposed.slice(i + 1))
      if (one.mend.becomes !== other.mend.becomes && !(await holds(one, other)) && !(await holds(other, one)))
        return true;
  return false;
}

function replaced(mends: readonly Mend[], input: string, by: Mend | null): readonly Mend[] {
  return mends.flatMap((mend) => (mend.input === input ? (by ?? []) : mend));
}
