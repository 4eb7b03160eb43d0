/** The smallest change of one input that makes a violated claim hold. */
import type { DataGoal } from '../../contract/data-contract.ts';
import type { DataInputModel, DataModel } from '../../contract/goal.ts';
import type { Mend } from './data-check.ts';
import type { BoundScalar } from './bound-input.ts';
import { functionsIn } from '../../math/term/traverse.ts';
import { mentionsAny, restingOn } from './dependence.ts';
import { allowedValues } from './input-bounds.ts';
import type { BoundInputs } from './inputs.ts';
import { judge } from './judge.ts';
import { withValue } from './known.ts';
import { writtenLike } from './written-like.ts';

/**
 * Changes of one input each after which the claim holds, in the contract's order of preference.
 *
 * Found by doubling and bisection within the bounds of the domain, so each is the smallest change if the claim is monotone in
 * the input. In any case the claim has been evaluated with it and holds.
 */
export async function mendsOf(goal: DataGoal, model: DataModel, bound: BoundInputs): Promise<readonly Mend[]> {
  const mends: Mend[] = [];
  for (const input of model.inputs) {
    if (!mentionsAny(goal.predicate, restingOn(model, input.name))) continue;
    const mend = await mendOf([goal], model, bound, input);
    if (mend !== null) mends.push(mend);
  }
  return mends;
}

/** A change of the input after which all of the claims hold; null if none is found. */
export async function mendOf(
  goals: readonly DataGoal[],
  model: DataModel,
  bound: BoundInputs,
  input: DataInputModel,
): Promise<Mend | null> {
  const found = bound.given.get(input.name);
  if (input.mend === null || found?.kind !== 'scalar' || typeof found.value !== 'number') return null;
  const becomes = await search(goals, model, bound, input, found, found.value);
  if (becomes === null) return null;
  const { written, byDefault } = found;
  const key = written?.scalar.key ?? byDefault?.key ?? input.name;
  const was = written?.scalar.text ?? String(found.value);
  return {
    input: input.name,
    key,
    was: found.value,
    becomes,
    written: { was, becomes: written ? writtenLike(was, found.value, becomes) : String(becomes) },
    place: written?.place ?? null,
  };
}

interface Trial {
  readonly holds: (value: number) => Promise<boolean>;
  /** Whether the input may have the value at all; the allowed values form one interval. */
  readonly allows: (value: number) => boolean;
}

async function search(
  goals: readonly DataGoal[],
  model: DataModel,
  bound: BoundInputs,
  input: DataInputModel,
  found: BoundScalar,
  start: number,
): Promise<number | null> {
  const whole = input.variable.element.kind === 'integer';
  const inDomain = allowedValues(model, bound.given, input.name);
  const trial: Trial = {
    allows: (value) => (value >= 0 || value >= start) && inDomain(value),
    holds: async (value) => {
      const changed = withValue(model, bound, input.name, { ...found, value });
      for (const goal of goals) if ((await judge(goal, model, changed)).verdict !== 'satisfied') return false;
      return true;
    },
  };
  if (whole && goals.some(({ predicate }) => functionsIn(predicate).has('modulo')))
    return nearestWhole(trial, start, input.mend);
  const directions = input.mend === 'any' ? (['increase', 'decrease'] as const) : [input.mend];
  for (const direction of directions) {
    const up = direction === 'increase';
    // An integer stays an integer if that fixes it: 1 epoch becomes 117, not 116.3.
    const counted = whole || Number.isInteger(start) ? await searchWhole(trial, start, up ? 1 : -1) : null;
    const value = counted === null && !whole ? await searchReal(trial, start, up) : counted;
    if (value !== null) return value;
  }
  return null;
}

/** Multiples and divisors are everywhere: bisection would end at any of them. Intervals are a few thousand steps. */
const scanned = 4096;

/** The nearest value, or the higher of two. */
async function nearestWhole(
  { holds, allows }: Trial,
  start: number,
  direction: DataInputModel['mend'],
): Promise<number | null> {
  const signs = ([1, -1] as const).filter((sign) => direction !== (sign > 0 ? 'decrease' : 'increase'));
  for (let step = 1; step <= scanned; step++)
    for (const sign of signs) {
      const value = start + sign * step;
      if (allows(value) && (await holds(value))) return value;
    }
  return null;
}

/** A change by a factor of more than 10¹² is not a fix. */
const doublings = 40;

async function searchWhole({ holds, allows }: Trial, start: number, sign: 1 | -1): Promise<number | null> {
  let far = 0;
  let near = 0;
  for (let step = 1, i = 0; i < doublings && far === 0; i++, step *= 2) {
    const within = allows(start + sign * step) ? step : lastWhole(near, step, (one) => allows(start + sign * one));
    if (await holds(start + sign * within)) far = within;
    else if (within < step) return null;
    else near = step;
  }
  if (far === 0) return null;
  while (far - near > 1) {
    const middle = near + Math.floor((far - near) / 2);
    if (await holds(start + sign * middle)) far = middle;
    else near = middle;
  }
  return start + sign * far;
}

/** The last allowed value between an allowed and a forbidden one. */
function lastWhole(inside: number, outside: number, allows: (step: number) => boolean): number {
  let [last, beyond] = [inside, outside];
  while (beyond - last > 1) {
    const middle = last + Math.floor((beyond - last) / 2);
    if (allows(middle)) last = middle;
    else beyond = middle;
  }
  return last;
}

/** Within 1 % of the smallest change, in as few digits as a person would write. */
async function searchReal(trial: Trial, start: number, increase: boolean): Promise<number | null> {
  const { holds, allows } = trial;
  const reached = await doubled(trial, start === 0 ? 1e-12 : start, increase);
  if (reached === null) return null;
  let { near, far } = reached;
  for (let i = 0; i < 40 && Math.abs(far - near) > Math.abs(far) * 1e-4; i++) {
    const middle: number = near + (far - near) / 2;
    if (await holds(middle)) far = middle;
    else near = middle;
  }
  for (const digits of [1, 2, 3, 4, 6]) {
    const rounded = roundOutward(far, digits, increase);
    if (Math.abs(rounded - far) <= Math.abs(far) * 0.01 && allows(rounded) && (await holds(rounded))) return rounded;
  }
  return far;
}

/** The first value that holds when `start` is repeatedly doubled or halved, and the one before it. */
async function doubled(
  { holds, allows }: Trial,
  start: number,
  increase: boolean,
): Promise<{ readonly near: number; readonly far: number } | null> {
  for (let near = start, i = 0; i < doublings; i++) {
    const next = increase ? near * 2 : near / 2;
    const far = allows(next) ? next : lastReal(near, next, allows);
    if (await holds(far)) return { near, far };
    if (far !== next) return null;
    near = far;
  }
  return null;
}

/** A value close to the end of the allowed range, between an allowed and a forbidden one. */
function lastReal(inside: number, outside: number, allows: (value: number) => boolean): number {
  let [last, beyond] = [inside, outside];
  for (let i = 0; i < 52; i++) {
    const middle = last + (beyond - last) / 2;
    if (allows(middle)) last = middle;
    else beyond = middle;
  }
  return last;
}

function roundOutward(value: number, digits: number, up: boolean): number {
  const scale = 10 ** (digits - 1 - Math.floor(Math.log10(Math.abs(value))));
  return Number(((up ? Math.ceil(value * scale - 1e-9) : Math.floor(value * scale + 1e-9)) / scale).toPrecision(15));
}
