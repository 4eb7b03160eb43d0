/**
 * Exact rational numbers for facts that need no rounding to judge. Bounded: operations that would grow beyond
 * BIT_LIMIT give null, and null means "not judged".
 */
import {
  addRational,
  divideRational,
  floorRational,
  fraction,
  isWhole,
  multiplyRational,
  type Rational,
} from './rational.ts';

const BIT_LIMIT = 4096;

/** A fraction in lowest terms; null for a zero denominator, or if it outgrows the bound. */
export function rational(numerator: bigint, denominator: bigint = 1n): Rational | null {
  return denominator === 0n ? null : bounded(fraction(numerator, denominator));
}

function bounded(value: Rational): Rational | null {
  return tooLarge(value.numerator) || tooLarge(value.denominator) ? null : value;
}

function tooLarge(value: bigint): boolean {
  return value !== BigInt.asIntN(BIT_LIMIT, value);
}

/** The value of decimal text such as `-6e-8`; null if it is not decimal or its exponent is out of reach. */
export function fromDecimal(text: string): Rational | null {
  const match = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text);
  const [, sign = '', whole = '', decimals = '', power = '0'] = match ?? [];
  const digits = whole + decimals;
  const exponent = Number(power) - decimals.length;
  if (digits === '' || digits.length > 400 || Math.abs(exponent) > 1000) return null;
  const significand = BigInt(sign === '-' ? `-${digits}` : digits);
  const scale = 10n ** BigInt(Math.abs(exponent));
  return exponent >= 0 ? rational(significand * scale) : rational(significand, scale);
}

/** The exact sum; null if it outgrows the bound. */
export function add(a: Rational, b: Rational): Rational | null {
  return bounded(addRational(a, b));
}

/** The exact product; null if it outgrows the bound. */
export function multiply(a: Rational, b: Rational): Rational | null {
  return bounded(multiplyRational(a, b));
}

/** Null if `b` is zero. */
export function divide(a: Rational, b: Rational): Rational | null {
  return b.numerator === 0n ? null : bounded(divideRational(a, b));
}

/** Whole exponents up to 1024 in size; null for others and for 0 to a negative power. */
export function power(base: Rational, exponent: Rational): Rational | null {
  if (!isWhole(exponent) || exponent.numerator > 1024n || exponent.numerator < -1024n) return null;
  const n = exponent.numerator < 0n ? -exponent.numerator : exponent.numerator;
  const bits = BigInt(
    (base.numerator < 0n ? -base.numerator : base.numerator).toString(2).length + base.denominator.toString(2).length,
  );
  if (bits * n > BigInt(2 * BIT_LIMIT)) return null;
  return exponent.numerator < 0n
    ? rational(base.denominator ** n, base.numerator ** n)
    : rational(base.numerator ** n, base.denominator ** n);
}

/** The greatest whole number that is at most `a`. */
export function floor(a: Rational): Rational {
  return { numerator: floorRational(a), denominator: 1n };
}
