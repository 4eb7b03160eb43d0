/** Exact rational numbers without a bound on their size; who feeds them from outside bounds them (see `bitLength`). */
import { invariant } from '../base/invariant.ts';

/** In lowest terms, denominator positive. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** 0/1. */
export const ZERO: Rational = { numerator: 0n, denominator: 1n };
/** 1/1. */
export const ONE: Rational = { numerator: 1n, denominator: 1n };

/** `numerator / denominator` in lowest terms. The denominator is not zero. */
export function fraction(numerator: bigint, denominator: bigint = 1n): Rational {
  invariant(denominator !== 0n, 'a fraction has a denominator other than zero');
  if (denominator < 0n) return fraction(-numerator, -denominator);
  return inLowestTerms(numerator, denominator, commonDivisor(numerator, denominator));
}

/** Both divided by what is known to divide them. */
function inLowestTerms(numerator: bigint, denominator: bigint, divisor: bigint): Rational {
  return divisor === 1n
    ? { numerator, denominator }
    : { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** Up to here float64 holds whole numbers, and remainders of them, exactly. */
const safe = BigInt(Number.MAX_SAFE_INTEGER);

/** The greatest common divisor of |a| and a positive b. */
function commonDivisor(a: bigint, b: bigint): bigint {
  if (b === 1n) return 1n;
  let x = a < 0n ? -a : a;
  if (x === 1n) return 1n;
  if (x === 0n) return b;
  let y = b;
  // Float32 numbers and their sums and products have powers of two below: the least bit of both is what they share.
  if (y > safe && (y & (y - 1n)) === 0n) return (x | y) & -(x | y);
  while (x > safe || y > safe) {
    if (y === 0n) return x;
    [x, y] = [y, x % y];
  }
  let [p, q] = [Number(x), Number(y)];
  while (q !== 0) [p, q] = [q, p % q];
  return p === 1 ? 1n : BigInt(p);
}

/** The exact value of a finite float64. */
export function fromFloat(value: number): Rational {
  invariant(Number.isFinite(value), 'only finite numbers are rational');
  if (Number.isInteger(value)) return { numerator: BigInt(value), denominator: 1n };
  // Powers of two scale exactly: up to where every float64 is a whole number, and down to an odd one.
  let significand = value;
  let exponent = 0;
  while (Math.abs(significand) < 2 ** 52) {
    const step = Math.min(900, Math.max(1, 52 - Math.ceil(Math.log2(Math.abs(significand)))));
    significand *= 2 ** step;
    exponent += step;
  }
  for (; significand % 2 === 0; exponent--) significand /= 2;
  return { numerator: BigInt(significand), denominator: 1n << BigInt(exponent) };
}

// Parts that are in lowest terms share little, and what they share is found from smaller numbers than their products:
// Knuth, The Art of Computer Programming, vol. 2, §4.5.1.

/** The exact sum, in lowest terms. */
export function addRational(a: Rational, b: Rational): Rational {
  const [{ numerator: n, denominator: d }, { numerator: m, denominator: e }] = [a, b];
  if (d === e) return d === 1n ? { numerator: n + m, denominator: d } : fraction(n + m, d);
  const shared = commonDivisor(d, e);
  if (shared === 1n) return { numerator: n * e + m * d, denominator: d * e };
  const [left, right] = [e / shared, d / shared];
  const sum = n * left + m * right;
  const divisor = commonDivisor(sum, shared);
  return divisor === 1n
    ? { numerator: sum, denominator: d * left }
    : { numerator: sum / divisor, denominator: right * (e / divisor) };
}

/** The exact difference, in lowest terms. */
export function subtractRational(a: Rational, b: Rational): Rational {
  return addRational(a, negateRational(b));
}

/** The opposite number. */
export function negateRational(a: Rational): Rational {
  return { numerator: -a.numerator, denominator: a.denominator };
}

/** The exact product, in lowest terms. */
export function multiplyRational(a: Rational, b: Rational): Rational {
  const [{ numerator: n, denominator: d }, { numerator: m, denominator: e }] = [a, b];
  if (n === 0n || m === 0n) return ZERO;
  const [left, right] = [commonDivisor(n, e), commonDivisor(m, d)];
  return {
    numerator: quotient(n, left) * quotient(m, right),
    denominator: quotient(d, right) * quotient(e, left),
  };
}

const quotient = (a: bigint, divisor: bigint): bigint => (divisor === 1n ? a : a / divisor);

/** `b` is not zero. */
export function divideRational(a: Rational, b: Rational): Rational {
  const { numerator, denominator } = b;
  invariant(numerator !== 0n, 'nothing is divided by zero');
  return multiplyRational(
    a,
    numerator < 0n
      ? { numerator: -denominator, denominator: -numerator }
      : { numerator: denominator, denominator: numerator },
  );
}

/** The greatest whole number that is at most `a`. */
export function floorRational(a: Rational): bigint {
  const quotient = a.numerator / a.denominator;
  return a.numerator % a.denominator < 0n ? quotient - 1n : quotient;
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compareRational(a: Rational, b: Rational): number {
  const isSame = a.denominator === b.denominator;
  const left = isSame ? a.numerator : a.numerator * b.denominator;
  const right = isSame ? b.numerator : b.numerator * a.denominator;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Whether it is an integer. */
export function isWhole(a: Rational): boolean {
  return a.denominator === 1n;
}

/** The larger bit length of the two parts: what arithmetic on it costs. */
export function bitLength(a: Rational): number {
  return Math.max(bitsOf(a.numerator < 0n ? -a.numerator : a.numerator), bitsOf(a.denominator));
}

/** Whether a part is beyond the largest float64, about 2¹⁰²⁴: nearly free to tell, where bits must be counted. */
export function isLong({ numerator, denominator }: Rational): boolean {
  return !Number.isFinite(Number(numerator)) || !Number.isFinite(Number(denominator));
}

/** How many binary digits a whole number has that is not negative; 1 for 0. */
export function bitsOf(magnitude: bigint): number {
  const digits = magnitude.toString(16);
  return digits.length * 4 - (Math.clz32(Math.max(1, parseInt(digits.charAt(0), 16))) - 28);
}

/** The float64 nearest to `a` (ties to even); ±∞ beyond the largest. */
export function toFloat(a: Rational): number {
  if (a.numerator < 0n) return -toFloat(negateRational(a));
  // A quotient of numbers that float64 holds is rounded once.
  if (a.numerator <= safe && a.denominator <= safe) return Number(a.numerator) / Number(a.denominator);
  const exponent = bitsOf(a.numerator) - bitsOf(a.denominator);
  // Two bits more than a significand and a sticky bit: rounding once more cannot go the wrong way.
  const shift = Math.min(56 - exponent, 1130);
  const scaled = shift >= 0 ? a.numerator << BigInt(shift) : a.numerator;
  const divisor = shift >= 0 ? a.denominator : a.denominator << BigInt(-shift);
  const quotient = scaled / divisor;
  const sticky = scaled % divisor === 0n ? 0n : 1n;
  return roundToFloat(quotient * 2n + sticky, -shift - 1);
}

/** `significand · 2^exponent`, rounded to the nearest float64. */
function roundToFloat(significand: bigint, exponent: number): number {
  const bits = bitsOf(significand);
  // Subnormals keep fewer bits, so the place of the last one is bounded below.
  const dropped = Math.max(bits - 53, -1074 - exponent);
  if (dropped <= 0) return Number(significand) * 2 ** exponent;
  const unit = 1n << BigInt(dropped);
  const kept = significand / unit;
  const rest = significand % unit;
  const half = unit / 2n;
  const rounded = rest > half || (rest === half && kept % 2n === 1n) ? kept + 1n : kept;
  return scaleByPower(Number(rounded), exponent + dropped);
}

/** 2^e alone may leave the range of float64 where the product does not. */
function scaleByPower(value: number, exponent: number): number {
  if (exponent > 1023) return value * 2 ** 1023 * 2 ** Math.min(exponent - 1023, 1023);
  return exponent < -1022 ? value * 2 ** -1022 * 2 ** Math.max(exponent + 1022, -1074) : value * 2 ** exponent;
}
