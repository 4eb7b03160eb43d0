/**
 * Exact rational numbers for facts that need no rounding to judge. Bounded: operations that would grow beyond
 * BIT_LIMIT give null, and null means "not judged".
 */

/** In lowest terms, denominator positive. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const BIT_LIMIT = 4096;

export function rational(numerator: bigint, denominator: bigint = 1n): Rational | null {
  if (denominator === 0n) return null;
  const sign = denominator < 0n ? -1n : 1n;
  const divisor = greatestCommonDivisor(numerator < 0n ? -numerator : numerator, denominator * sign);
  const result = { numerator: (sign * numerator) / divisor, denominator: (sign * denominator) / divisor };
  return tooLarge(result.numerator) || tooLarge(result.denominator) ? null : result;
}

function tooLarge(value: bigint): boolean {
  return value !== BigInt.asIntN(BIT_LIMIT, value);
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}

/** The value of decimal text such as `6e-8`; null when it is not decimal or its exponent is out of reach. */
export function fromDecimal(text: string): Rational | null {
  const match = /^(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/.exec(text);
  const whole = match?.[1] ?? '';
  const fraction = match?.[2] ?? '';
  const digits = whole + fraction;
  if (!match || digits === '' || digits.length > 400) return null;
  const exponent = Number(match[3] ?? 0) - fraction.length;
  if (Math.abs(exponent) > 1000) return null;
  const scale = 10n ** BigInt(Math.abs(exponent));
  return exponent >= 0 ? rational(BigInt(digits) * scale) : rational(BigInt(digits), scale);
}

export function add(a: Rational, b: Rational): Rational | null {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function negate(a: Rational): Rational {
  return { numerator: -a.numerator, denominator: a.denominator };
}

export function multiply(a: Rational, b: Rational): Rational | null {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** Null when `b` is zero. */
export function divide(a: Rational, b: Rational): Rational | null {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** Whole exponents up to 1024 in size; null for others and for 0 to a negative power. */
export function power(base: Rational, exponent: Rational): Rational | null {
  if (exponent.denominator !== 1n || exponent.numerator > 1024n || exponent.numerator < -1024n) return null;
  const n = exponent.numerator < 0n ? -exponent.numerator : exponent.numerator;
  const bits = BigInt(
    (base.numerator < 0n ? -base.numerator : base.numerator).toString(2).length + base.denominator.toString(2).length,
  );
  if (bits * n > BigInt(2 * BIT_LIMIT)) return null;
  return exponent.numerator < 0n
    ? rational(base.denominator ** n, base.numerator ** n)
    : rational(base.numerator ** n, base.denominator ** n);
}

export function floor(a: Rational): Rational {
  const quotient = a.numerator / a.denominator;
  const below = a.numerator % a.denominator < 0n ? quotient - 1n : quotient;
  return { numerator: below, denominator: 1n };
}

export function compare(a: Rational, b: Rational): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The number as a person reads it: `62`, `7.5`, `1/3`. */
export function printRational(a: Rational): string {
  if (a.denominator === 1n) return shorten(String(a.numerator));
  const decimal = Number(a.numerator) / Number(a.denominator);
  const exact = Number.isFinite(decimal) ? fromDecimal(String(Math.abs(decimal))) : null;
  const magnitude = a.numerator < 0n ? negate(a) : a;
  return exact && compare(exact, magnitude) === 0
    ? String(decimal)
    : Number.isFinite(decimal)
      ? `about ${decimal.toPrecision(6)}`
      : shorten(`${a.numerator}/${a.denominator}`);
}

function shorten(text: string): string {
  return text.length <= 30 ? text : `${text.slice(0, 12)}… (${text.length} digits)`;
}
