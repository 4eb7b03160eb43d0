/**
 * Interval arithmetic on float64, rounded outward: the result encloses every real result of real operands in the
 * intervals. Endpoints that are exact stay exact (0·[0, 1] is 0, [0, 1] + [0, 1] is [0, 2]), so that signs survive.
 *
 * Source: Moore, Kearfott, Cloud, Introduction to Interval Analysis (2009), §2 and §4; the errors of sums and products
 * are those of Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed., §4.3 (2Sum) and §4.4 (Dekker's product).
 */
import { nextDown64, nextUp64 } from './float.ts';
import { compareRational, fromFloat, toFloat, type Rational } from './rational.ts';

/** All reals from `low` to `high`; an infinite end means no bound on that side. Never empty, never NaN. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** All reals. */
export const WHOLE: Interval = { low: -Infinity, high: Infinity };

/** A single float64. */
export function point(value: number): Interval {
  return { low: value, high: value };
}

const enclosed = new WeakMap<Rational, Interval>();

/** The narrowest interval of float64 around a rational number; asked for a constant of a formula in every box. */
export function enclose(value: Rational): Interval {
  const known = enclosed.get(value);
  if (known) return known;
  const found = enclosure(value);
  enclosed.set(value, found);
  return found;
}

function enclosure(value: Rational): Interval {
  const nearest = toFloat(value);
  if (nearest === Infinity) return { low: Number.MAX_VALUE, high: Infinity };
  if (nearest === -Infinity) return { low: -Infinity, high: -Number.MAX_VALUE };
  const order = compareRational(fromFloat(nearest), value);
  if (order === 0) return point(nearest);
  return order < 0 ? { low: nearest, high: nextUp64(nearest) } : { low: nextDown64(nearest), high: nearest };
}

/** Null if no number lies in both. */
export function intersect(a: Interval, b: Interval): Interval | null {
  const low = Math.max(a.low, b.low);
  const high = Math.min(a.high, b.high);
  return low <= high ? { low, high } : null;
}

/** The narrowest interval around both. */
export function hull(a: Interval, b: Interval): Interval {
  return { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
}

/** The largest absolute value. */
export function magnitude({ low, high }: Interval): number {
  return Math.max(-low, high);
}

/** The smallest absolute value. */
export function mignitude({ low, high }: Interval): number {
  return low > 0 ? low : high < 0 ? -high : 0;
}

/** Exact: negation does not round. */
export function negateInterval({ low, high }: Interval): Interval {
  return { low: 0 - high, high: 0 - low };
}

/** Encloses |x| for every x in the interval; exact. */
export function absoluteInterval(a: Interval): Interval {
  return { low: mignitude(a), high: magnitude(a) };
}

/** The greatest float64 that is at most a + b. Infinite operands are bounds, and −∞ wins: it is the weaker. */
export function addDown(a: number, b: number): number {
  const sum = a + b;
  if (!Number.isFinite(sum)) return a === -Infinity || b === -Infinity ? -Infinity : overflowDown(sum, a, b);
  // Near the end of the range the error's own computation may overflow.
  if (Math.max(Math.abs(a), Math.abs(b)) > 2 ** 1020) return nextDown64(sum);
  return sumError(a, b, sum) < 0 ? nextDown64(sum) : sum;
}

/** The least float64 that is at least a + b. */
export function addUp(a: number, b: number): number {
  return 0 - addDown(-a, -b);
}

/** A finite sum, product or quotient beyond the largest float64 is still at least that float64. */
function overflowDown(result: number, a: number, b: number): number {
  return result === Infinity && Number.isFinite(a) && Number.isFinite(b) ? Number.MAX_VALUE : result;
}

/** a + b − sum, exactly: sums of float64 do not underflow (Knuth's 2Sum). */
function sumError(a: number, b: number, sum: number): number {
  const virtual = sum - a;
  return a - (sum - virtual) + (b - virtual);
}

/** The greatest float64 that is at most a·b, where 0·∞ is 0: an infinite end is a bound, not a number. */
export function multiplyDown(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  const product = a * b;
  if (!Number.isFinite(product)) return overflowDown(product, a, b);
  if (!productAbove(a, b, product)) return product;
  return a > 0 === b > 0 ? Math.max(0, nextDown64(product)) : nextDown64(product);
}

/** The least float64 that is at least a·b, where 0·∞ is 0. */
export function multiplyUp(a: number, b: number): number {
  return 0 - multiplyDown(-a, b);
}

/** Whether `product` may exceed a·b: exact where Dekker's product is, else yes. */
function productAbove(a: number, b: number, product: number): boolean {
  return !inReach(a, b, product) || productError(a, b, product) < 0;
}

/** Where Dekker's product is exact: beyond, its parts overflow or its error underflows. */
function inReach(a: number, b: number, product: number): boolean {
  const size = Math.abs(product);
  return Math.abs(a) < 2 ** 990 && Math.abs(b) < 2 ** 990 && size > 2 ** -960 && size < 2 ** 1000;
}

/** a·b − product, exactly, for operands below 2^990 and products from 2^−960 on. */
function productError(a: number, b: number, product: number): number {
  const [aHigh, aLow] = split(a);
  const [bHigh, bLow] = split(b);
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** Veltkamp's splitting into 26 and 27 bits. */
function split(a: number): readonly [high: number, low: number] {
  const scaled = 134_217_729 * a;
  const high = scaled - (scaled - a);
  return [high, a - high];
}

/** The greatest float64 that is at most a/b; b is not 0. A finite number over a bound of ∞ is 0. */
export function divideDown(a: number, b: number): number {
  if (a === 0) return 0;
  const quotient = a / b;
  if (Number.isNaN(quotient)) return -Infinity;
  if (!Number.isFinite(a)) return quotient;
  if (!Number.isFinite(b)) return a > 0 === b > 0 ? 0 : -Number.MIN_VALUE;
  if (!Number.isFinite(quotient)) return overflowDown(quotient, a, b);
  if (!quotientAbove(a, b, quotient)) return quotient;
  return a > 0 === b > 0 ? Math.max(0, nextDown64(quotient)) : nextDown64(quotient);
}

/** The least float64 that is at least a/b; b is not 0. */
export function divideUp(a: number, b: number): number {
  return 0 - divideDown(-a, b);
}

/** Whether `quotient` may exceed a/b. */
function quotientAbove(a: number, b: number, quotient: number): boolean {
  const product = quotient * b;
  if (!inReach(quotient, b, product)) return true;
  // quotient·b − a, of which the first part is exact by Sterbenz' lemma.
  const excess = product - a + productError(quotient, b, product);
  return b > 0 ? excess > 0 : excess < 0;
}

/** Encloses all sums. */
export function addIntervals(a: Interval, b: Interval): Interval {
  return { low: addDown(a.low, b.low), high: addUp(a.high, b.high) };
}

/** Encloses all differences, as if both operands were independent. */
export function subtractIntervals(a: Interval, b: Interval): Interval {
  return { low: addDown(a.low, -b.high), high: addUp(a.high, -b.low) };
}

/** Encloses all products. */
export function multiplyIntervals(a: Interval, b: Interval): Interval {
  if (a.low >= 0 && b.low >= 0) return { low: multiplyDown(a.low, b.low), high: multiplyUp(a.high, b.high) };
  return {
    low: Math.min(
      multiplyDown(a.low, b.low),
      multiplyDown(a.low, b.high),
      multiplyDown(a.high, b.low),
      multiplyDown(a.high, b.high),
    ),
    high: Math.max(
      multiplyUp(a.low, b.low),
      multiplyUp(a.low, b.high),
      multiplyUp(a.high, b.low),
      multiplyUp(a.high, b.high),
    ),
  };
}

/** x·x for x in `a`, which is never negative. */
export function squareInterval(a: Interval): Interval {
  const { low, high } = absoluteInterval(a);
  return { low: multiplyDown(low, low), high: multiplyUp(high, high) };
}

/** Quotients with divisors other than 0; everything when the divisor's sign is not known. */
export function divideIntervals(a: Interval, b: Interval): Interval {
  if (b.low < 0 && b.high > 0) return WHOLE;
  if (b.low === 0 && b.high === 0) return WHOLE;
  if (b.high <= 0) return divideIntervals(negateInterval(a), negateInterval(b));
  // b > 0: the ends of a go over that end of b which moves them outward; over 0 they have no bound.
  const low = a.low >= 0 ? divideDown(a.low, b.high) : b.low === 0 ? -Infinity : divideDown(a.low, b.low);
  const high = a.high <= 0 ? divideUp(a.high, b.high) : b.low === 0 ? Infinity : divideUp(a.high, b.low);
  return { low, high };
}

/** √ of the part of `a` that is not negative; [0, 0] when there is none. */
export function sqrtInterval(a: Interval): Interval {
  return { low: a.low <= 0 ? 0 : sqrtDown(a.low), high: a.high <= 0 ? 0 : sqrtUp(a.high) };
}

function sqrtDown(a: number): number {
  const root = Math.sqrt(a);
  return root === Infinity || isRoot(root, a) ? root : nextDown64(root);
}

function sqrtUp(a: number): number {
  const root = Math.sqrt(a);
  return root === Infinity || isRoot(root, a) ? root : nextUp64(root);
}

function isRoot(root: number, a: number): boolean {
  const square = root * root;
  return square === a && a > 2 ** -960 && root < 2 ** 510 && productError(root, root, square) === 0;
}

/** Encloses the smaller of two numbers; exact. */
export function minimumIntervals(a: Interval, b: Interval): Interval {
  return { low: Math.min(a.low, b.low), high: Math.min(a.high, b.high) };
}

/** Encloses the larger of two numbers; exact. */
export function maximumIntervals(a: Interval, b: Interval): Interval {
  return { low: Math.max(a.low, b.low), high: Math.max(a.high, b.high) };
}

/** x to a whole power from 0 to 1024. */
export function powerInterval(a: Interval, exponent: number): Interval {
  if (exponent === 0) return point(1);
  if (exponent % 2 === 0) return powerInterval(squareInterval(a), exponent / 2);
  return exponent === 1 ? a : oddPower(a, exponent);
}

function oddPower({ low, high }: Interval, exponent: number): Interval {
  const end = (value: number): Interval => {
    const size = point(Math.abs(value));
    const power = multiplyIntervals(size, powerInterval(size, exponent - 1));
    return value < 0 ? negateInterval(power) : power;
  };
  return { low: end(low).low, high: end(high).high };
}

/**
 * Rounding to the nearest float32 is monotone, so rounding the ends is exact. A number beyond the largest float32 has no
 * finite rounding; as a lower end the largest float32 represents it.
 */
export function round32Interval({ low, high }: Interval): Interval {
  const roundedLow = Math.fround(low);
  const roundedHigh = Math.fround(high);
  return {
    low: roundedLow === Infinity && low !== Infinity ? LARGEST : roundedLow,
    high: roundedHigh === -Infinity && high !== -Infinity ? -LARGEST : roundedHigh,
  };
}

const LARGEST = (2 - 2 ** -23) * 2 ** 127;
