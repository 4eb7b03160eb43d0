import type { Decimal } from 'decimal.js';
import type { DecimalContext } from './row.ts';

/** x mod y with the sign of y; NaN for y = 0. */
export function exactModulo(x: Decimal, y: Decimal): Decimal {
  const rest = x.modulo(y);
  return !rest.isZero() && rest.isNegative() !== y.isNegative() ? rest.plus(y) : rest;
}

/** ⌊x / y⌋, exact for any finite x and y ≠ 0 whose quotient fits the digits. */
export function exactFloorDivide(x: Decimal, y: Decimal): Decimal {
  if (y.isZero() || !x.isFinite() || !y.isFinite()) return x.dividedBy(y).floor();
  const truncated = x.dividedToIntegerBy(y);
  const inexact = !x.modulo(y).isZero();
  return inexact && x.isNegative() !== y.isNegative() ? truncated.minus(1) : truncated;
}

/** −1, 0 or 1; zeros keep their sign, and NaN stays NaN. */
export function exactSign(context: DecimalContext, x: Decimal): Decimal {
  return x.isNaN() || x.isZero() ? x : new context(x.isNegative() ? -1 : 1);
}

// decimal.js ignores the sign of zero and, for NaN, the other operand: the rules of Math.min and Math.max are kept instead.
export function exactMinimum(context: DecimalContext, a: Decimal, b: Decimal): Decimal {
  if (a.isNaN() || b.isNaN()) return new context(Number.NaN);
  return a.lessThan(b) || (a.equals(b) && a.isNegative()) ? a : b;
}

/** The larger operand, and NaN if either is NaN; 0 is above −0. */
export function exactMaximum(context: DecimalContext, a: Decimal, b: Decimal): Decimal {
  if (a.isNaN() || b.isNaN()) return new context(Number.NaN);
  return a.greaterThan(b) || (a.equals(b) && b.isNegative()) ? a : b;
}

/** `min(max(x, low), high)`: where low > high, the result is high. */
export function exactClamp(context: DecimalContext, x: Decimal, low: Decimal, high: Decimal): Decimal {
  return exactMinimum(context, exactMaximum(context, x, low), high);
}
