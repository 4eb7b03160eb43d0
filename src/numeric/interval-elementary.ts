/**
 * Elementary functions of intervals, from the float64 functions of the JavaScript engine, widened by what these err.
 *
 * No standard bounds the error of Math.exp and its like, so the widths are measured: scripts/check-intervals.ts compares
 * each function with 40 decimal digits at 10⁵ points and more, hard ones among them. The table allows at least twice the
 * largest error that was seen; docs/error-bounds.md has the figures.
 */
import { addDown, addUp, hull, point, WHOLE, type Interval } from './interval.ts';
import { ulp64 } from './float.ts';
import { erf } from './error-function.ts';

/** The functions that an interval can be put through. */
export type IntervalFunction = keyof typeof float64Functions;

const float64Functions = {
  exp: Math.exp,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  tanh: Math.tanh,
  sinh: Math.sinh,
  cosh: Math.cosh,
  atan: Math.atan,
  asin: Math.asin,
  acos: Math.acos,
  erf,
} as const;

/** How far the engine's float64 functions may lie from the exact value, in units in the last place of their result. */
export const functionUlps: Readonly<Record<IntervalFunction | 'pow', number>> = {
  exp: 2,
  log: 2,
  log2: 4,
  log10: 4,
  sin: 2,
  cos: 2,
  tan: 2,
  tanh: 5,
  sinh: 4,
  cosh: 4,
  atan: 2,
  asin: 2,
  acos: 2,
  erf: 3,
  pow: 2,
};

/** The engine's float64 function itself. */
export function float64Function(fn: IntervalFunction): (x: number) => number {
  return float64Functions[fn];
}

/** Every f(x) for x in the interval where f is defined; WHOLE where it is defined nowhere. */
export function functionInterval(fn: IntervalFunction, x: Interval): Interval {
  switch (fn) {
    case 'sin':
      // sin x = cos(x − π/2), whose maxima are a quarter turn later.
      return waveInterval(fn, x, 1);
    case 'cos':
      return waveInterval(fn, x, 0);
    case 'tan':
      return mayContainQuarter(x, 1, 2) ? WHOLE : monotone(fn, x);
    case 'cosh':
      return evenInterval(x);
    case 'log':
    case 'log2':
    case 'log10':
      return logInterval(fn, x);
    case 'asin':
    case 'acos':
      return arcInterval(fn, x);
    default:
      return monotone(fn, x);
  }
}

/** Values that a function cannot leave, whatever the widening says. */
const ranges: Readonly<Partial<Record<IntervalFunction, Interval>>> = {
  exp: { low: 0, high: Infinity },
  sin: { low: -1, high: 1 },
  cos: { low: -1, high: 1 },
  tanh: { low: -1, high: 1 },
  erf: { low: -1, high: 1 },
  cosh: { low: 1, high: Infinity },
  acos: { low: 0, high: 4 },
};

/** Arguments whose results are exact: the standard says so for 0 and 1, and the tests check it. */
const exactAt: Readonly<Partial<Record<IntervalFunction, number>>> = {
  exp: 0,
  log: 1,
  log2: 1,
  log10: 1,
  sin: 0,
  cos: 0,
  tan: 0,
  tanh: 0,
  sinh: 0,
  cosh: 0,
  atan: 0,
  asin: 0,
  acos: 1,
  erf: 0,
};

/** An interval around the exact f(x), for one float64 x in the domain of f or an end of it. */
function at(fn: IntervalFunction, x: number): Interval {
  const value = float64Functions[fn](x) + 0;
  if (x === exactAt[fn]) return point(value);
  const range = ranges[fn] ?? WHOLE;
  const width = functionUlps[fn] * ulp64(value);
  if (!Number.isFinite(value)) return Math.abs(x) === Infinity ? point(value) : beyond(value);
  return { low: Math.max(range.low, addDown(value, -width)), high: Math.min(range.high, addUp(value, width)) };
}

/** The function overflowed at a finite argument: the exact value is near the largest float64 or beyond. */
function beyond(value: number): Interval {
  return value > 0
    ? { low: Number.MAX_VALUE * 0.99, high: Infinity }
    : { low: -Infinity, high: -Number.MAX_VALUE * 0.99 };
}

/** For functions that grow. */
function monotone(fn: IntervalFunction, x: Interval): Interval {
  return { low: at(fn, x.low).low, high: at(fn, x.high).high };
}

function evenInterval({ low, high }: Interval): Interval {
  const ends = hull(at('cosh', low), at('cosh', high));
  return low <= 0 && high >= 0 ? { low: 1, high: ends.high } : ends;
}

function logInterval(fn: 'log' | 'log2' | 'log10', { low, high }: Interval): Interval {
  if (high <= 0) return WHOLE;
  return { low: low <= 0 ? -Infinity : at(fn, low).low, high: at(fn, high).high };
}

function arcInterval(fn: 'asin' | 'acos', x: Interval): Interval {
  if (x.low > 1 || x.high < -1) return WHOLE;
  const low = at(fn, Math.max(x.low, -1));
  const high = at(fn, Math.min(x.high, 1));
  return fn === 'asin' ? { low: low.low, high: high.high } : { low: high.low, high: low.high };
}

/** A cosine shifted by `phase` quarter turns: its ends, and 1 or −1 where a crest or a trough may lie between. */
function waveInterval(fn: 'sin' | 'cos', x: Interval, phase: number): Interval {
  if (!(x.low > -FAR && x.high < FAR)) return { low: -1, high: 1 };
  const ends = hull(at(fn, x.low), at(fn, x.high));
  return {
    low: mayContainQuarter(x, phase + 2, 4) ? -1 : ends.low,
    high: mayContainQuarter(x, phase, 4) ? 1 : ends.high,
  };
}

/** Beyond this the count of quarter turns is not exact enough. */
const FAR = 2 ** 26;

/** Whether (k·period + first)·π/2 may lie in the interval for a whole k; when unsure, yes. */
function mayContainQuarter({ low, high }: Interval, first: number, period: number): boolean {
  if (!(low > -FAR && high < FAR)) return true;
  // FAR quarter turns carry an error below 1e-8, so a margin of 1e-6 decides in favour of yes.
  const from = (low / (Math.PI / 2) - first) / period - 1e-6;
  const to = (high / (Math.PI / 2) - first) / period + 1e-6;
  return Math.floor(to) >= Math.ceil(from);
}

/** x^y for x > 0, by the corners of the box: the power is monotone in each argument alone. WHOLE when x may be below 0. */
export function generalPower(x: Interval, y: Interval): Interval {
  if (x.low < 0) return WHOLE;
  const corners = [x.low, x.high].flatMap((base) => [y.low, y.high].map((exponent) => powerAt(base, exponent)));
  return corners.reduce(hull);
}

function powerAt(base: number, exponent: number): Interval {
  const value = base ** exponent;
  if (exponent === 0 || base === 1 || exponent === 1) return point(exponent === 1 ? base : 1);
  if (base === 0 && exponent > 0 && Number.isFinite(exponent)) return point(0);
  // 0^0 and ∞^0 are corners whose neighbourhood takes every value.
  if (!Number.isFinite(value) || base === 0 || !Number.isFinite(base)) return { low: 0, high: Infinity };
  const width = functionUlps.pow * ulp64(value);
  return { low: Math.max(0, addDown(value, -width)), high: addUp(value, width) };
}
