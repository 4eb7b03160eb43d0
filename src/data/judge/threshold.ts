/** What can be said of obligations for which a single number is missing: with which of the values that are tried they hold. */
import type { DataContract, DataGoal } from '../../contract/data-contract.ts';
import type { DataInputModel, DataModel } from '../../contract/goal.ts';
import { askedInputs } from './asked-inputs.ts';
import { assumedIn } from './assumed-inputs.ts';
import type { MissingInput, ObligationOnData } from './data-check.ts';
import { restingOn } from './dependence.ts';
import { allowedValues } from './input-bounds.ts';
import type { BoundInputs } from './inputs.ts';
import { judge } from './judge.ts';
import { withValue } from './known.ts';

/** No data set is larger. */
const doublings = 40;
/** Each whole number up to here: equations and multiples have their solutions between powers of two. */
const smallest = Array.from({ length: 67 }, (_, i) => i - 2);
const values = [...new Set([...smallest, ...Array.from({ length: doublings + 1 }, (_, i) => 2 ** i)])].toSorted(
  (a, b) => a - b,
);

/** Each obligation that waits for one whole number alone, with the least of those tried from which on it holds. */
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
      return { ...one, ...(await thresholdOf(goal, data, bound, input)) };
    }),
  );
}

type Found = Pick<ObligationOnData, 'threshold'> & Partial<Pick<ObligationOnData, 'assumed'>>;

/**
 * With the defaults that it rests on. Null where there is no such number: a larger one that is tried violates the claim again, or
 * does not decide it. Found between two of the values by bisection; the claim is evaluated on both sides.
 */
async function thresholdOf(
  goal: Pick<DataGoal, 'predicate'>,
  model: DataModel,
  bound: BoundInputs,
  { name, variable }: DataInputModel,
): Promise<Found> {
  const none = { threshold: null };
  if (variable.shape.length > 0 || variable.element.kind !== 'integer') return none;
  const isAllowed = allowedValues(model, bound.given, name);
  const withThis = (value: number): BoundInputs =>
    withValue(model, bound, name, { kind: 'scalar', value, written: null });
  const holds = async (value: number): Promise<boolean | null> => {
    const { verdict } = await judge(goal, model, withThis(value));
    return verdict === 'undetermined' ? null : verdict !== 'violated';
  };
  // What follows from the missing number is not a default of its own.
  const resting = restingOn(model, name);
  const at = async (from: number | null, value: number): Promise<Found> => {
    const bound = withThis(value);
    const assumed = assumedIn(model, await judge(goal, model, bound), bound);
    const range = { tried: tried.length, least: tried[0]?.value ?? value, most: tried.at(-1)?.value ?? value };
    return { threshold: { input: name, from, ...range }, assumed: assumed.filter((one) => !resting.has(one.name)) };
  };
  const tried: { readonly value: number; readonly holds: boolean }[] = [];
  for (const value of values) {
    if (!isAllowed(value)) continue;
    const found = await holds(value);
    if (found === null) return none;
    tried.push({ value, holds: found });
  }
  const first = tried.findIndex((one) => one.holds);
  const last = tried.at(-1);
  if (!last || tried.some((one, i) => one.holds !== (first >= 0 && i >= first))) return none;
  const found = tried[first];
  if (!found) return at(null, last.value);
  let [fails, from] = [tried[first - 1]?.value ?? found.value - 1, found.value];
  while (from - fails > 1) {
    const middle = fails + Math.floor((from - fails) / 2);
    if (isAllowed(middle) && (await holds(middle)) === true) from = middle;
    else fails = middle;
  }
  return at(from, from);
}
