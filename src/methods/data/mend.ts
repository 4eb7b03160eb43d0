/** The smallest change of one input that makes a violated claim hold. */
import type { DataInputModel, DataModel, Goal } from '../../contract/goal.ts';
import type { Mend } from './data-check.ts';
import type { BoundScalar } from './bound-input.ts';
import type { BoundInputs } from './inputs.ts';
import { judge } from './judge.ts';

/**
 * Changes of one input each after which the claim holds, in the contract's order of preference.
 *
 * Found by doubling and bisection, so each is the smallest where the claim is monotone in the input; in any case the
 * claim has been evaluated with it and holds.
 */
export async function mendsOf(goal: Goal, model: DataModel, bound: BoundInputs): Promise<readonly Mend[]> {
  const mends: Mend[] = [];
  for (const input of model.inputs) {
    const found = bound.given.get(input.name);
    if (input.mend === null || found?.kind !== 'scalar' || typeof found.value !== 'number') continue;
    const becomes = await search(goal, model, bound, input, found, found.value);
    if (becomes === null) continue;
    const { written } = found;
    const key = written?.scalar.key ?? input.name;
    mends.push({ input: input.name, key, was: found.value, becomes, place: written?.place ?? null });
  }
  return mends;
}

async function search(
  goal: Goal,
  model: DataModel,
  bound: BoundInputs,
  input: DataInputModel,
  found: BoundScalar,
  start: number,
): Promise<number | null> {
  const variable = model.domain.variables.find(({ name }) => name === input.name);
  const whole = variable?.element.kind === 'integer';
  const holds = async (value: number): Promise<boolean> => {
    const changed = new Map(bound.given).set(input.name, { ...found, value });
    return (await judge(goal, model, { ...bound, given: changed })).verdict === 'satisfied';
  };
  const directions = input.mend === 'any' ? (['increase', 'decrease'] as const) : [input.mend];
  for (const direction of directions) {
    const up = direction === 'increase';
    // A number that is whole stays whole when that mends it: 1 epoch becomes 117, not 116.3.
    const counted = whole || Number.isInteger(start) ? await searchWhole(holds, start, up ? 1 : -1) : null;
    const value = counted === null && !whole ? await searchReal(holds, start, up) : counted;
    if (value !== null) return value;
  }
  return null;
}

type Holds = (value: number) => Promise<boolean>;

const doublings = 52;

async function searchWhole(holds: Holds, start: number, sign: 1 | -1): Promise<number | null> {
  let far = 0;
  let near = 0;
  for (let step = 1, i = 0; i < doublings; i++, step *= 2) {
    const value = start + sign * step;
    if (value < 0) break;
    if (await holds(value)) {
      far = step;
      break;
    }
    near = step;
  }
  // Downwards the doubling may jump over zero.
  if (far === 0 && sign < 0 && start > 0 && (await holds(0))) far = start;
  if (far === 0) return null;
  while (far - near > 1) {
    const middle = near + Math.floor((far - near) / 2);
    if (await holds(start + sign * middle)) far = middle;
    else near = middle;
  }
  return start + sign * far;
}

/** Within 1 % of the smallest change, in as few digits as a person would write. */
async function searchReal(holds: Holds, start: number, increase: boolean): Promise<number | null> {
  const reached = await doubled(holds, start === 0 ? 1e-12 : start, increase);
  if (reached === null) return null;
  let { near, far } = reached;
  for (let i = 0; i < 40 && Math.abs(far - near) > Math.abs(far) * 1e-4; i++) {
    const middle: number = near + (far - near) / 2;
    if (await holds(middle)) far = middle;
    else near = middle;
  }
  for (const digits of [1, 2, 3, 4, 6]) {
    const rounded = roundOutward(far, digits, increase);
    if (Math.abs(rounded - far) <= Math.abs(far) * 0.01 && (await holds(rounded))) return rounded;
  }
  return far;
}

/** The first value that holds when `start` is doubled or halved again and again, and the one before it. */
async function doubled(
  holds: Holds,
  start: number,
  increase: boolean,
): Promise<{ readonly near: number; readonly far: number } | null> {
  for (let near = start, i = 0; i < doublings; i++) {
    const far = increase ? near * 2 : near / 2;
    if (await holds(far)) return { near, far };
    near = far;
  }
  return null;
}

function roundOutward(value: number, digits: number, up: boolean): number {
  const scale = 10 ** (digits - 1 - Math.floor(Math.log10(Math.abs(value))));
  return Number(((up ? Math.ceil(value * scale - 1e-9) : Math.floor(value * scale + 1e-9)) / scale).toPrecision(15));
}
