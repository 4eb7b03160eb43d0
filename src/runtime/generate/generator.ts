/**
 * Cases of a domain, deterministic in (seed, name, index): any case can be made again alone.
 */
import { nextUint32, seekStream, streamAt, streamKey, uniformInteger, type Xoshiro } from '../../numeric/xoshiro.ts';
import { invariant } from '../../base/invariant.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { Domain } from '../../math/domain.ts';
import type { Case, CaseValue } from '../../math/compile/compiled.ts';
import { blockSizeFor, blockSizes } from './block-sizes.ts';
import { planDomain, type DomainPlan, type VariablePlan } from './domain-plan.ts';
import { isPlainFloat32, rangeSource, settle, type ElementRange } from './element-range.ts';
import { fillingLottery, fillings, type Fill } from './fillings.ts';
import { drawText } from './texts.ts';
import { elementsOf, shapesAt, smallestSizes } from './sizes.ts';
import { fillStructured } from './structures.ts';

/** Part of every receipt: a change of the case for (seed, index) needs a new version. recorded-cases.test.ts detects this. */
export const GENERATOR = { name: 'pv-cases', version: 3 } as const;

/** At most so many cases in a row share their sizes, because a change of shape is what costs most on a GPU backend. */
export const BLOCK_SIZE = 64;

/**
 * The same where a change of shape costs nothing and cases are few: a mistake that shows at few sizes alone, such as a padding
 * beyond the input, is met in a thousand cases, which have 125 sizes then and not 16.
 */
export const SMALL_BLOCK_SIZE = 8;

/** A case whose storage is written again and again. */
export interface CaseBuffer extends Case {
  readonly values: CaseValue[];
}

/** Makes the case of any index without making those before it. */
export interface CaseGenerator {
  readonly plan: DomainPlan;
  /** How many cases in a row share their sizes. */
  readonly blockSize: number;
  /** Sizes of case `index`; equal for all cases of a block. */
  readonly sizesAt: (index: number) => readonly number[];
  readonly allocate: (sizes: readonly number[]) => CaseBuffer;
  /** Writes case `index` into storage allocated for its sizes. False when the bounds contradict each other for this draw. */
  readonly fill: (index: number, into: CaseBuffer) => boolean;
  /** Case `index` with its own storage; null if the bounds contradict each other for this draw. */
  readonly at: (index: number) => Case | null;
  /** Like `fill`, with every numeric variable filled by `override` where it is not null, at the sizes of `into`. */
  readonly fillWith: (index: number, into: CaseBuffer, override: (variable: number) => Fill | null) => boolean;
}

const storages = {
  f32: (n: number): CaseValue => new Float32Array(n),
  f64: (n: number): CaseValue => new Float64Array(n),
  i32: (n: number): CaseValue => new Int32Array(n),
  number: (): CaseValue => 0,
  string: (): CaseValue => '',
};

/** Storage for a case of `plan` at `sizes`, which must be allowed. */
export function allocateCase(plan: DomainPlan, sizes: readonly number[]): CaseBuffer {
  const shapes = shapesAt(plan, sizes);
  invariant(shapes, 'allowed sizes have shapes');
  return {
    sizes,
    values: plan.variables.map((variable, i) => storages[variable.storage](elementsOf(shapes[i] ?? []))),
  };
}

interface FillState {
  readonly plan: DomainPlan;
  readonly stream: Xoshiro;
  /** Sizes and the scalars drawn so far. */
  readonly names: Map<string, number>;
  readonly lookup: (name: string) => number;
  readonly ranges: readonly ((lookup: (name: string) => number) => ElementRange | null)[];
  scratch: Float64Array;
}

function store(range: ElementRange, from: Float64Array, target: Float32Array | Float64Array | Int32Array): void {
  const count = target.length;
  if (target instanceof Float32Array && isPlainFloat32(range)) {
    const { low, high } = range;
    for (let i = 0; i < count; i++) {
      const x = Math.fround(from[i] ?? 0);
      target[i] = x >= low ? (x <= high ? x : high) : low;
    }
    return;
  }
  for (let i = 0; i < count; i++) target[i] = settle(range, from[i] ?? 0);
}

function drawStyle(stream: Xoshiro): Fill {
  const filling = fillings[fillingLottery[nextUint32(stream) % fillingLottery.length] ?? 0];
  invariant(filling, 'the lottery holds numbers of fillings');
  return filling.fill;
}

function withinBounds(
  { lower, upper, excluded }: VariablePlan,
  choices: readonly number[],
  lookup: FillState['lookup'],
): readonly number[] {
  if (!lower && !upper && excluded.length === 0) return choices;
  const [low, high] = [lower?.value(lookup) ?? -Infinity, upper?.value(lookup) ?? Infinity];
  const without = new Set(excluded.map((value) => value(lookup)));
  return choices.filter(
    (x) => (lower?.open ? x > low : x >= low) && (upper?.open ? x < high : x <= high) && !without.has(x),
  );
}

/** Writes the choices into scratch; false if there is none. */
function fillChoices(variable: VariablePlan, state: FillState, count: number): boolean {
  const listed = (variable.choices?.map((choice) => variable.format.round(choice(state.lookup))) ?? []).filter(
    (x) => variable.nonFinite || Number.isFinite(x),
  );
  const inside = withinBounds(variable, listed, state.lookup);
  // If bounds leave none, a precondition says so.
  const choices = inside.length > 0 ? inside : listed;
  if (choices.length === 0) return false;
  const { scratch, stream } = state;
  const same = nextUint32(stream) % 4 === 0;
  const first = choices[uniformInteger(stream, 0, choices.length - 1)] ?? 0;
  for (let i = 0; i < count; i++) scratch[i] = same ? first : (choices[nextUint32(stream) % choices.length] ?? 0);
  return true;
}

/** Every now and then two inputs are the same, which random filling never gives: K = Q, y = x. */
function copiesEarlier(index: number, into: CaseBuffer, state: FillState, count: number): boolean {
  if (index === 0 || nextUint32(state.stream) % 16 !== 0) return false;
  const earlier = into.values[nextUint32(state.stream) % index];
  if (typeof earlier === 'number' || typeof earlier === 'string' || earlier?.length !== count) return false;
  state.scratch.set(earlier);
  return true;
}

function fillVariable(index: number, into: CaseBuffer, state: FillState, override: Fill | null): boolean {
  const variable = state.plan.variables[index];
  const value = into.values[index];
  invariant(variable && value !== undefined, 'a case has a value for every variable');
  if (variable.storage === 'string') {
    const text = drawText(variable, state.lookup, state.stream);
    if (text !== null) into.values[index] = text;
    return text !== null;
  }
  const count = typeof value === 'object' ? value.length : 1;
  if (state.scratch.length < count) state.scratch = new Float64Array(count);
  if (variable.choices) {
    if (!fillChoices(variable, state, count)) return false;
    write(index, into, state, null);
    return true;
  }
  const range = state.ranges[index]?.(state.lookup);
  if (!range) return count === 0;
  if (variable.structure !== 'none') {
    const rowLength = Math.max(1, variable.shape.at(-1)?.(state.lookup) ?? 1);
    const filled = fillStructured(variable.structure, range, state.stream, { out: state.scratch, count, rowLength });
    if (filled) write(index, into, state, null);
    return filled;
  }
  if (override || !copiesEarlier(index, into, state, count))
    (override ?? drawStyle(state.stream))(range, state.stream, state.scratch, count);
  write(index, into, state, range);
  return true;
}

/** Moves scratch into the case; a null range means that the numbers are exact already. */
function write(index: number, into: CaseBuffer, state: FillState, range: ElementRange | null): void {
  const target = into.values[index];
  if (typeof target === 'object') {
    if (range) store(range, state.scratch, target);
    else target.set(state.scratch.subarray(0, target.length));
    return;
  }
  const x = state.scratch[0] ?? 0;
  const value = range ? settle(range, x) : x;
  into.values[index] = value;
  state.names.set(state.plan.variables[index]?.name ?? '', value);
}

function stateOf(plan: DomainPlan): FillState {
  const names = new Map<string, number>();
  const lookup = (name: string): number => names.get(name) ?? NaN;
  return {
    plan,
    names,
    lookup,
    stream: streamAt(streamKey(0, ''), 0),
    ranges: plan.variables.map(rangeSource),
    scratch: new Float64Array(256),
  };
}

const noOverride = (): null => null;

/** Prepares cases of `domain`. The stream is named, so that goals under one seed are independent. Errors are for the contract's author. */
export function createGenerator(
  domain: Domain,
  seed: number,
  name: string,
  mostPerBlock: number = BLOCK_SIZE,
): Result<CaseGenerator, string> {
  const planned = planDomain(domain);
  if (!planned.ok) return planned;
  const plan = planned.value;
  const smallest = smallestSizes(plan);
  if (!smallest.ok) return err(smallest.error);
  const blockSize = blockSizeFor(plan, mostPerBlock);
  const sizesOf = blockSizes(plan, smallest.value, streamKey(seed, `${name}/sizes`));
  const key = streamKey(seed, `${name}/values`);
  const state = stateOf(plan);
  const sizesAt = (index: number): readonly number[] => sizesOf(Math.floor(index / blockSize));
  const fillWith: CaseGenerator['fillWith'] = (index, into, override) => {
    seekStream(key, index, state.stream);
    plan.sizes.forEach((size, i) => state.names.set(size.name, into.sizes[i] ?? NaN));
    for (let i = 0; i < plan.variables.length; i++) if (!fillVariable(i, into, state, override(i))) return false;
    return true;
  };
  const fill: CaseGenerator['fill'] = (index, into) => fillWith(index, into, noOverride);
  const allocate = (sizes: readonly number[]): CaseBuffer => allocateCase(plan, sizes);
  const at = (index: number): Case | null => {
    const buffer = allocate(sizesAt(index));
    return fill(index, buffer) ? buffer : null;
  };
  return ok({ plan, blockSize, sizesAt, allocate, fill, fillWith, at });
}
