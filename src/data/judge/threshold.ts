/** What can be said of obligations for which a single number is missing: from which value on they hold. */
import type { DataContract, DataGoal } from '../../contract/data-contract.ts';
import type { DataInputModel, DataModel } from '../../contract/goal.ts';
import { askedInputs } from './asked-inputs.ts';
import type { MissingInput, ObligationOnData, Threshold } from './data-check.ts';
import { allowedValues } from './input-bounds.ts';
import type { BoundInputs } from './inputs.ts';
import { judge } from './judge.ts';
import { withValue } from './known.ts';

/** No data set is larger. */
const doublings = 40;

/** Each obligation that waits for one whole number alone, with the least one with which it holds. */
export async function withThresholds(
  { data, dataGoals }: DataContract,
  bound: BoundInputs,
  obligations: readonly ObligationOnData[],
  missing: readonly MissingInput[],
): Promise<readonly ObligationOnData[]> {
  const asked = askedInputs({ obligations, missing });
  return Promise.all(
    obligations.map(async (one) => {
      const [only, ...others] = asked.filter(({ ids }) => ids.includes(one.id));
      const goal = dataGoals.find(({ claim }) => claim === one.id);
      const input = data?.inputs.find(({ name }) => name === only?.input.name);
      if (!data || !goal || !input || others.length > 0 || one.unusable) return one;
      return { ...one, threshold: await thresholdOf(goal, data, bound, input) };
    }),
  );
}

/**
 * Null where there is no such number: a larger one violates the claim again, or it does not decide. Found by doubling and bisection;
 * the claim is evaluated on both sides.
 */
async function thresholdOf(
  goal: Pick<DataGoal, 'predicate'>,
  model: DataModel,
  bound: BoundInputs,
  { name, variable }: DataInputModel,
): Promise<Threshold | null> {
  if (variable.shape.length > 0 || variable.element.kind !== 'integer') return null;
  const isAllowed = allowedValues(model, bound.given, name);
  const holds = async (value: number): Promise<boolean | null> => {
    const tried = withValue(model, bound, name, { kind: 'scalar', value, written: null });
    const { verdict } = await judge(goal, model, tried);
    return verdict === 'undetermined' ? null : verdict !== 'violated';
  };
  const tried: { readonly value: number; readonly holds: boolean }[] = [];
  for (let i = 0; i <= doublings; i++) {
    const value = 2 ** i;
    if (!isAllowed(value)) continue;
    const found = await holds(value);
    if (found === null) return null;
    tried.push({ value, holds: found });
  }
  const at = tried.findIndex((one) => one.holds);
  if (tried.length === 0 || tried.some((one, i) => one.holds !== (at >= 0 && i >= at))) return null;
  const found = tried[at];
  if (!found) return { input: name, from: null };
  let [fails, from] = [Math.floor(found.value / 2), found.value];
  while (from - fails > 1) {
    const middle = fails + Math.floor((from - fails) / 2);
    if (isAllowed(middle) && (await holds(middle)) === true) from = middle;
    else fails = middle;
  }
  return { input: name, from };
}
