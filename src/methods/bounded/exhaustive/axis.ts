/**
 * Every value of one element of an input, in a fixed order: bit patterns of floats, integers, listed values.
 */
import { err, ok, type Result } from '../../../base/result.ts';
import type { ScalarType } from '../../../math/term/term.ts';
import { floatFormats } from '../../../numeric/float-format.ts';
import type { VariablePlan } from '../../../runtime/generate/domain-plan.ts';

/** Consecutive bit patterns, or consecutive integers. */
interface Run {
  readonly first: number;
  readonly count: number;
}

/** The values of one element, as runs or as a list. */
export interface Axis {
  readonly kind: 'f16' | 'bf16' | 'f32' | 'integer' | 'listed';
  readonly runs: readonly Run[];
  /** In place of runs. */
  readonly listed: readonly number[];
  readonly count: number;
}

const words = new Uint32Array(1);
const floats = new Float32Array(words.buffer);

const binary16 = new Float64Array(2 ** 15).map((_, bits) => {
  const [exponent, fraction] = [bits >>> 10, bits & 1023];
  if (exponent === 31) return fraction === 0 ? Infinity : Number.NaN;
  return exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
});

interface Patterns {
  /** The bit pattern of a non-negative number of the format. */
  readonly bitsOf: (magnitude: number) => number;
  readonly valueOf: (bits: number) => number;
  /** The pattern of −0: the patterns of a number and its negative differ by it. */
  readonly sign: number;
}

function value32(bits: number): number {
  words[0] = bits;
  return floats[0] ?? 0;
}

function bits32(x: number): number {
  floats[0] = x;
  return words[0] ?? 0;
}

/** The narrow formats whose patterns can be enumerated. */
const patterns: Readonly<Record<'f16' | 'bf16' | 'f32', Patterns>> = {
  f32: { bitsOf: bits32, valueOf: value32, sign: 2 ** 31 },
  bf16: { bitsOf: (x) => bits32(x) >>> 16, valueOf: (bits) => value32(bits * 2 ** 16), sign: 2 ** 15 },
  f16: {
    // Patterns of nonnegative numbers are in the order of the numbers.
    bitsOf: (x) => binary16.findIndex((at) => at >= x),
    valueOf: (bits) => (bits >= 2 ** 15 ? -1 : 1) * (binary16[bits % 2 ** 15] ?? 0),
    sign: 2 ** 15,
  },
};

/**
 * The values that the domain allows an element; `lookup` gives sizes. Floats: +0 upwards, then −0 downwards, then, where
 * they belong to the domain, what is not finite. The error says why they cannot be enumerated.
 */
export function axisOf(
  variable: VariablePlan,
  element: ScalarType,
  lookup: (name: string) => number,
): Result<Axis, string> {
  const { name, choices, lower, upper } = variable;
  if (element.kind === 'string') return err(`${name} is a text`);
  if (variable.structure !== 'none') return err(`the rows of ${name} depend on one another`);
  if (choices) {
    const listed = [...new Set(choices.map((choice) => variable.format.round(choice(lookup))))];
    if (listed.some(Number.isNaN)) return err(`the values of ${name} depend on other inputs`);
    return ok({ kind: 'listed', runs: [], listed, count: listed.length });
  }
  const [low, high] = [lower?.value(lookup) ?? -Infinity, upper?.value(lookup) ?? Infinity];
  if (Number.isNaN(low) || Number.isNaN(high)) return err(`the bounds of ${name} depend on other inputs`);
  const ends = { low, high, lowOpen: lower?.open ?? false, highOpen: upper?.open ?? false };
  if (variable.integer) return integers(name, ends);
  const format = element.kind === 'float' ? element.format : 'f32';
  if (format === 'f64') return err(`${name} is a float64 and has about 2^64 values`);
  const runs = floatRuns(format, ends, variable.nonFinite);
  return ok({ kind: format, runs, listed: [], count: total(runs) });
}

interface Ends {
  readonly low: number;
  readonly high: number;
  readonly lowOpen: boolean;
  readonly highOpen: boolean;
}

function integers(name: string, { low, high, lowOpen, highOpen }: Ends): Result<Axis, string> {
  const first = lowOpen ? Math.floor(low) + 1 : Math.ceil(low);
  const last = highOpen ? Math.ceil(high) - 1 : Math.floor(high);
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return err(`${name} is an integer without bounds`);
  const runs = last < first ? [] : [{ first, count: last - first + 1 }];
  return ok({ kind: 'integer', runs, listed: [], count: total(runs) });
}

function floatRuns(format: 'f16' | 'bf16' | 'f32', ends: Ends, nonFinite: boolean): readonly Run[] {
  const { maximum, round, nextUp, nextDown } = floatFormats[format];
  const { bitsOf, sign } = patterns[format];
  const rounded = { low: round(Math.max(ends.low, -maximum)), high: round(Math.min(ends.high, maximum)) };
  const isOut = (x: number, limit: number, open: boolean): boolean => (open ? x <= limit : x < limit);
  const first = isOut(rounded.low, ends.low, ends.lowOpen) ? nextUp(rounded.low) : rounded.low;
  const last = isOut(-rounded.high, -ends.high, ends.highOpen) ? nextDown(rounded.high) : rounded.high;
  const infinity = bitsOf(maximum) + 1;
  const runs: Run[] = [];
  const add = (from: number, to: number): void => {
    if (to >= from) runs.push({ first: from, count: to - from + 1 });
  };
  if (first <= last && last >= 0) add(bitsOf(Math.max(first, 0)), bitsOf(Math.abs(last)));
  if (first <= last && first <= 0) add(sign + bitsOf(Math.max(-last, 0)), sign + bitsOf(Math.abs(first)));
  if (nonFinite) {
    add(infinity, sign - 1);
    add(sign + infinity, 2 * sign - 1);
  }
  return runs;
}

const total = (runs: readonly Run[]): number => runs.reduce((sum, { count }) => sum + count, 0);

/** The run that holds value number `at`, and how far into it that is. */
function runAt({ runs }: Axis, at: number): { readonly first: number; readonly left: number } {
  let before = 0;
  for (const { first, count } of runs) {
    if (at < before + count) return { first: first + (at - before), left: before + count - at };
    before += count;
  }
  return { first: Number.NaN, left: 0 };
}

/** Value number `at` of the axis. */
export function valueAt(axis: Axis, at: number): number {
  if (axis.kind === 'listed') return axis.listed[at] ?? Number.NaN;
  const { first } = runAt(axis, at);
  return axis.kind === 'integer' ? first : patterns[axis.kind].valueOf(first);
}

/** Writes values number `at`, `at + 1`, … into `target` from `offset`, as many as follow each other simply, at most `most`; returns how many. */
export function fillFrom(
  axis: Axis,
  at: number,
  target: Float32Array | Float64Array | Int32Array,
  offset: number,
  most: number,
): number {
  if (axis.kind === 'listed') {
    target[offset] = valueAt(axis, at);
    return 1;
  }
  const { first, left } = runAt(axis, at);
  const count = Math.min(left, most);
  if (axis.kind === 'f32' && target instanceof Float32Array) {
    // Through the bits, so that every NaN keeps its own.
    const bits = new Uint32Array(target.buffer, target.byteOffset + 4 * offset, count);
    for (let i = 0; i < count; i++) bits[i] = first + i;
    return count;
  }
  if (axis.kind === 'integer') for (let i = 0; i < count; i++) target[offset + i] = first + i;
  else {
    const { valueOf } = patterns[axis.kind];
    for (let i = 0; i < count; i++) target[offset + i] = valueOf(first + i);
  }
  return count;
}
