/** The errors of the engine's float64 functions, measured against 40 decimal digits. */
import { Decimal } from 'decimal.js';
import { float64Function, type IntervalFunction } from '../../src/numeric/interval-elementary.ts';
import { nextDown64, nextUp64, ulp64 } from '../../src/numeric/float.ts';
import { fromFloat } from '../../src/numeric/rational.ts';
import { streamFor, unitDouble } from '../../src/numeric/xoshiro.ts';

export type MeasuredFunction = IntervalFunction | 'pow';

interface Range {
  readonly low: number;
  readonly high: number;
}

/** Where each function is measured; magnitudes are spread evenly over the exponents, signs likewise. */
const ranges: Readonly<Record<Exclude<MeasuredFunction, 'erf'>, Range>> = {
  exp: { low: -708, high: 709 },
  log: { low: 2 ** -1022, high: Number.MAX_VALUE },
  log2: { low: 2 ** -1022, high: Number.MAX_VALUE },
  log10: { low: 2 ** -1022, high: Number.MAX_VALUE },
  sin: { low: -1e5, high: 1e5 },
  cos: { low: -1e5, high: 1e5 },
  tan: { low: -1e5, high: 1e5 },
  tanh: { low: -22, high: 22 },
  sinh: { low: -709, high: 709 },
  cosh: { low: -709, high: 709 },
  atan: { low: -1e18, high: 1e18 },
  asin: { low: -1, high: 1 },
  acos: { low: -1, high: 1 },
  pow: { low: 2 ** -60, high: 2 ** 60 },
};

/** erf is measured where it is fitted: decimal.js has none. */
export const measuredFunctions = Object.keys(ranges) as readonly Exclude<MeasuredFunction, 'erf'>[];

const Digits = Decimal.clone({ precision: 40 });

/** A float64 to 40 digits; the constructor alone would take the shortest decimal text that reads back as it. */
export function decimalOf(value: number): Decimal {
  const { numerator, denominator } = fromFloat(value);
  return new Digits(numerator.toString()).div(denominator.toString());
}

/** Values near which arguments are hard: results vanish there, formulas change, or the result comes close to a tie. */
const hard = [
  0.5,
  1,
  2,
  Math.PI / 2,
  Math.PI,
  (3 * Math.PI) / 2,
  2 * Math.PI,
  1.571,
  3.2,
  0.3466,
  1.0397,
  0.6875,
  1.1875,
  2.4375,
  0.4375,
  0.7853981633974483,
  22,
  2 ** -28,
  2 ** -27,
  1e-300,
  355 / 113,
  103_993 / 33_102,
  5.8e4,
  1 - 2 ** -53,
  Math.SQRT1_2,
  Math.SQRT2,
  10,
  100,
  1e22,
];

/** The largest error of a function over `count` seeded points and the hard ones, in units in the last place. */
export function measureFunction(
  fn: Exclude<MeasuredFunction, 'erf'>,
  count: number,
  seed: number,
): { readonly worst: number; readonly at: string } {
  let worst = 0;
  let where = '';
  for (const [x, y] of argumentsFor(fn, count, seed)) {
    const value = fn === 'pow' ? x ** y : float64Function(fn)(x);
    if (!Number.isFinite(value) || Math.abs(value) < 2 ** -1000) continue;
    const error = exactValue(fn, x, y).minus(decimalOf(value)).abs().div(ulp64(value)).toNumber();
    if (error > worst) {
      worst = error;
      where = fn === 'pow' ? `${x}, ${y}` : String(x);
    }
  }
  return { worst, at: where };
}

export function exactValue(fn: Exclude<MeasuredFunction, 'erf'>, x: number, y = 1): Decimal {
  const argument = decimalOf(x);
  switch (fn) {
    case 'log':
      return argument.ln();
    case 'log2':
      return argument.log(2);
    case 'log10':
      return argument.log(10);
    case 'pow':
      return argument.pow(decimalOf(y));
    default:
      return argument[fn]();
  }
}

/** Pairs (x, y); y plays a part for powers alone. */
export function* argumentsFor(
  fn: Exclude<MeasuredFunction, 'erf'>,
  count: number,
  seed: number,
): Generator<readonly [number, number]> {
  const { low, high } = ranges[fn];
  const stream = streamFor(seed, fn);
  const inside = (x: number): boolean => x >= low && x <= high;
  for (const centre of hard)
    for (const sign of [1, -1])
      for (const x of [sign * centre, nextUp64(sign * centre), nextDown64(sign * centre)]) if (inside(x)) yield [x, 3];
  const limit = Math.log2(high);
  for (let i = 0; i < count; i++) {
    // A third uniform, a third over all exponents, a third over the exponents near 1, where formulas change.
    const part = i % 3;
    const span = low > 0 ? [Math.log2(low), limit] : [-60, limit];
    const [from, to] = part === 2 ? [-6, Math.min(limit, 6)] : span;
    const size = 2 ** ((from ?? 0) + unitDouble(stream) * ((to ?? 0) - (from ?? 0)));
    const sign = low < 0 && unitDouble(stream) < 0.5 ? -1 : 1;
    const x = part === 0 && low < 0 ? low + unitDouble(stream) * (high - low) : sign * size;
    const y = (unitDouble(stream) - 0.5) * 30;
    if (inside(x)) yield [x, y];
  }
}
