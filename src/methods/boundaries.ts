/**
 * Inputs on the boundaries of a formula: for each of its switches two neighbouring floats of one input between which the
 * switch jumps, and their neighbours. A kernel that takes `<` for `≤`, or rounds ties the other way, is wrong there and nowhere
 * else, and no random input is there.
 */
import { uniformInteger, streamAt, streamKey, type Xoshiro } from '../numeric/xoshiro.ts';
import type { EquationModel } from '../contract/goal.ts';
import type { Case, CaseValue, CompiledEquation } from '../math/compile/compiled.ts';
import { loadEquation } from '../math/compile/load.ts';
import { switchesOf, type Switch } from '../math/switches.ts';
import { INTEGER } from '../math/term/term.ts';
import { rangeSource, settle, type ElementRange } from '../runtime/generate/element-range.ts';
import { createGenerator, type CaseGenerator } from '../runtime/generate/generator.ts';
import { scalarFunction, type ScalarFunction } from '../runtime/generate/scalar-function.ts';

/** How many inputs are drawn for each switch to begin a search from. */
const SEARCHES = 16;
/** A boundary that shows only in long inputs is looked for by drawn cases alone. */
const MOST_ELEMENTS = 64;
/** Other values that are tried for an element until the switch jumps. */
const OTHER_VALUES = 24;
/** Cases for one equation, all switches together. */
const MOST_CASES = 256;

interface Probe {
  readonly evaluate: CompiledEquation;
  readonly ranges: readonly { readonly from: ScalarFunction; readonly to: ScalarFunction }[];
}

async function probeOf(model: EquationModel, { value, indices }: Switch): Promise<Probe | null> {
  const names = indices.map(({ name }) => ({ name, type: INTEGER }));
  try {
    return {
      evaluate: await loadEquation(
        { name: model.name, parameters: [...model.parameters, ...names], sizes: model.sizes, body: value },
        { arithmetic: 'float64' },
      ),
      ranges: indices.map(({ from, to }) => ({ from: scalarFunction(from), to: scalarFunction(to) })),
    };
  } catch (thrown) {
    // Mathematics without a usable end: the run of the claim says so.
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

/** Values for the indices of a switch; null if one of them has no values here. */
function drawIndices({ indices }: Switch, { ranges }: Probe, names: Names, stream: Xoshiro): readonly number[] | null {
  const lookup = (name: string): number => names.get(name) ?? NaN;
  const drawn: number[] = [];
  for (const [at, { from, to }] of ranges.entries()) {
    const [low, high] = [from(lookup), to(lookup) - 1];
    if (!(low <= high)) return null;
    const value = uniformInteger(stream, low, high);
    names.set(indices[at]?.name ?? '', value);
    drawn.push(value);
  }
  return drawn;
}

function withElement({ sizes, values }: Case, variable: number, at: number, x: number): Case {
  const changed = values.map((value, i): CaseValue => {
    if (i !== variable) return value;
    if (typeof value !== 'object') return x;
    const copy = value.slice();
    copy[at] = x;
    return copy;
  });
  return { sizes, values: changed };
}

function elementAt(value: CaseValue | undefined, at: number): number {
  return typeof value === 'object' ? (value[at] ?? NaN) : Number(value);
}

/** A point halfway between two floats of the range, by magnitude and not by value; one of the two if they are neighbours. */
function halfway(range: ElementRange, a: number, b: number): number {
  const [low, high] = a < b ? [a, b] : [b, a];
  const opposite = low < 0 && high > 0;
  const far = Math.abs(high) > 4 * Math.abs(low) || Math.abs(low) > 4 * Math.abs(high);
  const sign = high > 0 ? 1 : -1;
  const smallest = range.format.smallestSubnormal;
  const geometric = (): number =>
    sign * Math.sqrt(Math.max(smallest, Math.abs(low))) * Math.sqrt(Math.max(smallest, Math.abs(high)));
  return settle(range, opposite ? 0 : far ? geometric() : low + (high - low) / 2);
}

/** Enough to halve all floats of any format. */
const MOST_HALVINGS = 80;

/** The neighbouring values between which `same` changes, and theirs, given two values between which it does. */
function bisect(range: ElementRange, start: number, end: number, same: (x: number) => boolean): readonly number[] {
  let [near, far] = [start, end];
  for (let step = 0; step < MOST_HALVINGS; step++) {
    const middle = halfway(range, near, far);
    if (middle === near || middle === far) break;
    if (same(middle)) near = middle;
    else far = middle;
  }
  const { nextUp, nextDown } = range.format;
  const [low, high] = near < far ? [near, far] : [far, near];
  const near0 = low === 0 || high === 0 ? [-0] : [];
  return [low, high, nextDown(low), nextUp(high), ...near0].map((x) => settle(range, x));
}

interface Search {
  readonly model: EquationModel;
  readonly generator: CaseGenerator;
  readonly stream: Xoshiro;
}

/** One element of a float input that a search may move. */
interface Place {
  readonly variable: number;
  readonly at: number;
  readonly range: ElementRange;
}

type Names = Map<string, number>;

/** Sizes and scalars of a case by name. */
function namesIn({ plan }: CaseGenerator, { sizes, values }: Case): Names {
  const scalars = plan.variables.flatMap(({ name }, i) => {
    const value = values[i];
    return typeof value === 'number' ? [[name, value] as const] : [];
  });
  return new Map([...plan.sizes.map(({ name }, i) => [name, sizes[i] ?? NaN] as const), ...scalars]);
}

function drawPlace({ generator: { plan }, stream }: Search, { values }: Case, names: Names): Place | null {
  const floats = plan.variables.flatMap((variable, i) => {
    const { storage, integer, choices } = variable;
    return storage === 'string' || integer || choices || lengthOf(values[i]) === 0 ? [] : [{ variable, i }];
  });
  const chosen = floats.length === 0 ? undefined : floats[uniformInteger(stream, 0, floats.length - 1)];
  const range = chosen && rangeSource(chosen.variable)((name) => names.get(name) ?? NaN);
  if (!chosen || !range) return null;
  return { variable: chosen.i, at: uniformInteger(stream, 0, lengthOf(values[chosen.i]) - 1), range };
}

/** The switch at these indices, for cases in the order of the generator. */
function valueOf(
  { model, generator: { plan } }: Search,
  { evaluate }: Probe,
  indices: readonly number[],
): (candidate: Case) => number {
  const order = model.parameters.map(({ name }) => plan.variables.findIndex((variable) => variable.name === name));
  const sizeOrder = model.sizes.map((name) => plan.sizes.findIndex((size) => size.name === name));
  return ({ sizes, values }: Case): number =>
    evaluate(
      sizeOrder.map((i) => sizes[i] ?? NaN),
      [...order.map((i) => values[i] ?? NaN), ...indices],
    )[0] ?? NaN;
}

/** Cases on both sides of one jump; none if this input is far from any. */
function casesAt(search: Search, one: Switch, probe: Probe, index: number): readonly Case[] {
  const { generator, stream } = search;
  const start = generator.at(index);
  const other = generator.at(index + 1);
  if (!start || !other || start.sizes.join() !== other.sizes.join() || elementCount(start) > MOST_ELEMENTS) return [];
  const names = namesIn(generator, start);
  const indices = drawIndices(one, probe, names, stream);
  const place = drawPlace(search, start, names);
  if (!indices || !place) return [];
  const { variable, at, range } = place;
  const value = valueOf(search, probe, indices);
  const own = elementAt(start.values[variable], at);
  const before = value(start);
  const moved = (x: number): Case => withElement(start, variable, at, x);
  const same = (x: number): boolean => Object.is(value(moved(x)), before);
  const far = otherValues(elementAt(other.values[variable], at), range, stream).find(
    (x) => Number.isFinite(x) && x !== own && !same(x),
  );
  return far === undefined || !Number.isFinite(own) ? [] : bisect(range, own, far, same).map(moved);
}

function otherValues(drawn: number, range: ElementRange, stream: Xoshiro): readonly number[] {
  const specials = Array.from(
    { length: OTHER_VALUES },
    () => range.specials[uniformInteger(stream, 0, range.specials.length - 1)] ?? 0,
  );
  return [drawn, range.typicalLow, range.typicalHigh, range.low, range.high, 0, ...specials].map((x) =>
    settle(range, x),
  );
}

function lengthOf(value: CaseValue | undefined): number {
  if (typeof value === 'object') return value.length;
  return value === undefined ? 0 : 1;
}

const elementCount = ({ values }: Case): number => values.reduce<number>((sum, value) => sum + lengthOf(value), 0);

/**
 * At most {@link MOST_CASES} inputs of the equation's domain on the boundaries of its formula, the same for the same seed. They
 * satisfy the bounds of the domain; preconditions are for the caller to check.
 */
export async function boundaryCases(model: EquationModel, seed: number): Promise<readonly Case[]> {
  const switches = switchesOf(model.body);
  const generator = createGenerator(model.domain, seed, `${model.name}/boundaries`, 2);
  if (switches.length === 0 || !generator.ok) return [];
  const stream = streamAt(streamKey(seed, `${model.name}/boundaries/places`), 0);
  const search = { model, generator: generator.value, stream };
  const found = new Map<string, Case>();
  const share = Math.ceil(MOST_CASES / switches.length);
  for (const one of switches) {
    const probe = await probeOf(model, one);
    if (!probe) continue;
    const most = found.size + share;
    for (let tries = 0; tries < 4 * SEARCHES && found.size < Math.min(most, MOST_CASES); tries++)
      for (const candidate of casesAt(search, one, probe, 2 * tries)) found.set(textOf(candidate), candidate);
  }
  return [...found.values()].slice(0, MOST_CASES);
}

const textOf = ({ sizes, values }: Case): string =>
  [sizes, ...values]
    .map((value) => (typeof value === 'object' ? Array.from(value, signed).join() : signed(value)))
    .join(';');

const signed = (x: number | string): string => (Object.is(x, -0) ? '-0' : String(x));
