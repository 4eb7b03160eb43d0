/** Interval arithmetic in float64: every value of a term, for inputs in given ranges, lies in its range. */
import type { FunctionName } from '../../math/functions.ts';
import type { Term } from '../../math/term/term.ts';

/** The least and the largest value; infinite where nothing is known. */
export type Range = readonly [number, number];

const everything: Range = [-Infinity, Infinity];
/** More than the rounding of one operation or of a decimal. */
const rounding = 1e-15;

/** The range of numbers that may be rounded. Whole numbers are exact, and so is 0. */
function around(values: readonly number[], exact: boolean): Range {
  if (values.some(Number.isNaN)) return everything;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return exact ? [low, high] : [low - Math.abs(low) * rounding, high + Math.abs(high) * rounding];
}

const isExact = (...ranges: readonly Range[]): boolean =>
  ranges.flat().every((x) => Math.abs(x) === Infinity || (Number.isInteger(x) && Math.abs(x) < 2 ** 26));

const ends = (a: Range, b: Range, of: (x: number, y: number) => number): readonly number[] =>
  a.flatMap((x) => b.map((y) => of(x, y)));

/** 0 · ∞ is 0 here: no number is infinite. */
const product = (x: number, y: number): number => (x === 0 || y === 0 ? 0 : x * y);

function magnitudes([low, high]: Range): Range {
  const [a, b] = [Math.abs(low), Math.abs(high)];
  return low <= 0 && high >= 0 ? [0, Math.max(a, b)] : [Math.min(a, b), Math.max(a, b)];
}

type Rule = (a: Range, b: Range) => Range;

const rules: Readonly<Partial<Record<FunctionName, Rule>>> = {
  add: (a, b) => around([a[0] + b[0], a[1] + b[1]], isExact(a, b)),
  subtract: (a, b) => around([a[0] - b[1], a[1] - b[0]], isExact(a, b)),
  multiply: (a, b) => around(ends(a, b, product), isExact(a, b)),
  negate: ([low, high]) => [-high, -low],
  absolute: magnitudes,
  power: (a, b) => {
    if (b[0] !== b[1] || !Number.isInteger(b[0]) || b[0] < 0 || b[0] % 2 !== 0) return everything;
    const [low, high] = magnitudes(a);
    return around([low ** b[0], high ** b[0]], false);
  },
  minimum: (a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1])],
  maximum: (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1])],
  sqrt: () => [0, Infinity],
  exp: () => [0, Infinity],
};

/** The range of a scalar term whose names are in `ranges`. */
export function rangeOf(term: Term, ranges: ReadonlyMap<string, Range>): Range {
  if (term.kind === 'number') {
    const value = Number(term.value);
    return around([value, value], Number.isSafeInteger(value));
  }
  if (term.kind === 'variable') return ranges.get(term.name) ?? everything;
  if (term.kind !== 'call') return everything;
  const [a = everything, b = everything] = term.arguments.map((one) => rangeOf(one, ranges));
  return rules[term.fn]?.(a, b) ?? everything;
}
