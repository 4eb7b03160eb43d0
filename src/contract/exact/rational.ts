/**
 * Exact rational numbers for facts that need no rounding to judge. Bounded: operations that would grow beyond
 * BIT_LIMIT give null, and null means "not judged".
 */
import {
  addRational,
  compareRational,
  divideRational,
  floorRational,
  fraction,
  isWhole,
  multiplyRational,
  negateRational,
  toFloat,
  type Rational,
} from '../../numeric/rational.ts';

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

/** The value of decimal text such as `6e-8`; null if it is not decimal or its exponent is out of reach. */
export function fromDecimal(text: string): Rational | null {
  const match = /^(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/.exec(text);
  const whole = match?.[1] ?? '';
  const decimals = match?.[2] ?? '';
  const digits = whole + decimals;
  if (!match || digits === '' || digits.length > 400) return null;
  const exponent = Number(match[3] ?? 0) - decimals.length;
  if (Math.abs(exponent) > 1000) return null;
  const scale = 10n ** BigInt(Math.abs(exponent));
  return exponent >= 0 ? rational(BigInt(digits) * scale) : rational(BigInt(digits), scale);
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

/** The number as a person reads it: `62`, `7.5`, `1/3`. */
export function printRational(a: Rational): string {
  if (isWhole(a)) return shorten(String(a.numerator));
  const decimal = toFloat(a);
  const exact = Number.isFinite(decimal) ? fromDecimal(String(Math.abs(decimal))) : null;
  const magnitude = a.numerator < 0n ? negateRational(a) : a;
  return exact && compareRational(exact, magnitude) === 0
    ? String(decimal)
    : Number.isFinite(decimal)
      ? `about ${decimal.toPrecision(6)}`
      : shorten(`${a.numerator}/${a.denominator}`);
}

function shorten(text: string): string {
  return text.length <= 30 ? text : `${text.slice(0, 12)}… (${text.length} digits)`;
}
