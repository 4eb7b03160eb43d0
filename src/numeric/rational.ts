/** Exact rational numbers without a bound on their size; who feeds them from outside bounds them (see `bitLength`). */
import { invariant } from '../base/invariant.ts';

/** In lowest terms, denominator positive. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const ZERO: Rational = { numerator: 0n, denominator: 1n };
export const ONE: Rational = { numerator: 1n, denominator: 1n };

/** `numerator / denominator` in lowest terms. The denominator is not zero. */
export function fraction(numerator: bigint, denominator: bigint = 1n): Rational {
  invariant(denominator !== 0n, 'a fraction has a denominator other than zero');
  if (denominator === 1n) return { numerator, denominator };
  const sign = denominator < 0n ? -1n : 1n;
  const divisor = greatestCommonDivisor(numerator < 0n ? -numerator : numerator, denominator * sign);
  return { numerator: (sign * numerator) / divisor, denominator: (sign * denominator) / divisor };
}

export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}

/** The exact value of a finite float64. */
export function fromFloat(value: number): Rational {
  invariant(Number.isFinite(value), 'only finite numbers are rational');
  if (Number.isSafeInteger(value)) return { numerator: BigInt(value), denominator: 1n };
  let scaled = value;
  let exponent = 0;
  // Powers of two scale exactly, and every finite float64 is a whole number after at most 1074 doublings.
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    exponent += 1;
  }
  return fraction(BigInt(scaled), 1n << BigInt(exponent));
}

export function addRational(a: Rational, b: Rational): Rational {
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function subtractRational(a: Rational, b: Rational): Rational {
  return addRational(a, negateRational(b));
}

export function negateRational(a: Rational): Rational {
  return { numerator: -a.numerator, denominator: a.denominator };
}

export function multiplyRational(a: Rational, b: Rational): Rational {
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** `b` is not zero. */
export function divideRational(a: Rational, b: Rational): Rational {
  return fraction(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** The greatest whole number that is at most `a`. */
export function floorRational(a: Rational): bigint {
  const quotient = a.numerator / a.denominator;
  return a.numerator % a.denominator < 0n ? quotient - 1n : quotient;
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compareRational(a: Rational, b: Rational): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function isWhole(a: Rational): boolean {
  return a.denominator === 1n;
}

/** The larger bit length of the two parts: what arithmetic on it costs. */
export function bitLength(a: Rational): number {
  const magnitude = a.numerator < 0n ? -a.numerator : a.numerator;
  return Math.max(magnitude.toString(2).length, a.denominator.toString(2).length);
}

/** The float64 nearest to `a` (ties to even); ±∞ beyond the largest. */
export function toFloat(a: Rational): number {
  if (a.numerator < 0n) return -toFloat(negateRational(a));
  if (a.numerator === 0n) return 0;
  const exponent = a.numerator.toString(2).length - a.denominator.toString(2).length;
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
  const bits = significand.toString(2).length;
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
