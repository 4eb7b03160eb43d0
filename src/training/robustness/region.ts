/** The cases of a property over one box of inputs, which are analysed together. */
import { around, within, type InputFormat } from './input-range.ts';
import { rangesOf } from './possible-cases.ts';
import type { LinearConstraint, Property, UnsafeCase } from './property.ts';
import type { Arithmetic } from './rounding.ts';

export interface Region {
  /** A closed box around all inputs of the region: what proofs cover. */
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  /** Numbers of the format, between which all numbers of the format are in the region: counterexamples. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  readonly format: InputFormat;
  /** Inputs whose range has no number of the format. Their ranges end at the next numbers outside, because engines round inputs. */
  readonly widened: readonly number[];
  /** An input is unsafe if it satisfies all the constraints of one of these. */
  readonly unsafe: readonly (readonly LinearConstraint[])[];
}

/** The regions of a property for networks with inputs of an arithmetic: its cases by their boxes, in order. */
export function regionsOf({ cases }: Property, arithmetic: Arithmetic): readonly Region[] {
  const format = arithmetic === 'float32' ? 'float32' : 'float64';
  // Most cases share their arrays.
  const keys = new Map<unknown, string>();
  const regions = new Map<string, Region & { readonly unsafe: (readonly LinearConstraint[])[] }>();
  for (const one of cases) {
    const identity = one.ranges ?? one.box;
    const key = keys.get(identity) ?? keyOf(one);
    keys.set(identity, key);
    const known = regions.get(key);
    if (known) known.unsafe.push(one.constraints);
    else regions.set(key, { ...boxesOf(one, format), format, unsafe: [one.constraints] });
  }
  return [...regions.values()];
}

const keyOf = (one: UnsafeCase): string =>
  rangesOf(one)
    .flatMap(({ lo, hi }) => [lo, hi])
    .map(({ value: { numerator, denominator }, isOpen }) => `${numerator}/${denominator}${isOpen ? ' open' : ''}`)
    .join();

function boxesOf(one: UnsafeCase, format: InputFormat): Pick<Region, 'lo' | 'hi' | 'least' | 'most' | 'widened'> {
  const ranges = rangesOf(one);
  const array = (): Float64Array => new Float64Array(ranges.length);
  const [lo, hi, least, most] = [array(), array(), array(), array()];
  const widened: number[] = [];
  for (const [i, range] of ranges.entries()) {
    [lo[i], hi[i]] = around(range, 'float64');
    const inside = within(range, format);
    [least[i], most[i]] = inside;
    if (inside[0] <= inside[1]) continue;
    widened.push(i);
    const outside = around(range, format);
    // Beyond the largest number there is no next one.
    if (outside.every(Number.isFinite)) [lo[i], hi[i]] = outside;
    [least[i], most[i]] = [lo[i] ?? NaN, hi[i] ?? NaN];
  }
  return { lo, hi, least, most, widened };
}

/** The input of the region that is nearest to the given one, in the format of the region. */
export const nearestInput = ({ least, most, format }: Region, x: Float64Array): Float64Array =>
  x.map((value, i) =>
    Math.min(most[i] ?? NaN, Math.max(least[i] ?? NaN, format === 'float32' ? Math.fround(value) : value)),
  );
