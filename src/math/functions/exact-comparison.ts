import type { Decimal } from 'decimal.js';
import { MAX_FLOAT32, nextDown32, nextUp32, ulp32 } from '../../numeric/float.ts';
import type { DecimalContext } from './row.ts';

/** As `approximately` in numeric/special-functions.ts. */
export function exactApproximately(_: DecimalContext, a: Decimal, b: Decimal, allowed: Decimal): boolean {
  if (a.equals(b)) return true;
  const error = a.minus(b).abs();
  return error.isFinite() && error.lessThanOrEqualTo(allowed);
}

// 2⁻¹⁴⁹ has 105 significant digits and the midpoint of two float32 at most one more.
const FLOAT32_DIGITS = 200;

/** The value of a float64, digit for digit; `new Decimal(number)` would take its shortest decimal rendering instead. */
export function exactOf(context: DecimalContext, value: number): Decimal {
  if (!Number.isFinite(value) || Object.is(value, -0)) return new context(value);
  if (Number.isInteger(value)) return new context(BigInt(value).toString());
  let exponent = 0;
  let mantissa = value;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent += 1;
  }
  // m/2^k = m·5^k/10^k. No precision is requested: a decimal made from text keeps every digit.
  return new context(`${BigInt(mantissa) * 5n ** BigInt(exponent)}e-${exponent}`);
}

/** The float32 nearest to `value`, ties to even: rounding to float64 first would round twice. */
export function exactRound32(context: DecimalContext, value: Decimal): Decimal {
  const guess = Math.fround(value.toNumber());
  if (!Number.isFinite(guess)) return new context(guess);
  const wide = context.clone({ precision: Math.max(FLOAT32_DIGITS, value.precision() + 60) });
  const x = new wide(value);
  const toGuess = x.minus(exactOf(wide, guess)).abs();
  for (const other of [nextDown32(guess), nextUp32(guess)]) {
    if (Number.isFinite(other) && x.minus(exactOf(wide, other)).abs().lessThan(toGuess)) return exactOf(context, other);
  }
  return exactOf(context, guess);
}

/**
 * The unit in the last place of the float32 nearest to `value`; a finite number that overflows counts as the largest
 * float32.
 */
export function exactUlp32(context: DecimalContext, value: Decimal): Decimal {
  const rounded = exactRound32(context, value).toNumber();
  const overflows = value.isFinite() && !Number.isFinite(rounded);
  return exactOf(context, ulp32(overflows ? MAX_FLOAT32 : rounded));
}

/** As `ulpDistance` in numeric/float.ts. */
export function exactUlpDistance(context: DecimalContext, a: Decimal, b: Decimal): Decimal {
  if (a.equals(b)) return new context(0);
  const unit = exactUlp32(context, b);
  if (!unit.isFinite() && !unit.isNaN()) return new context(a.isNaN() ? Number.NaN : Infinity);
  return a.minus(b).abs().dividedBy(unit);
}
