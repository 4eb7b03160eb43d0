/** A computed decimal with the bound of its error, and the sizes that bounds are computed from: all are decimal logarithms. */
import type { Decimal } from 'decimal.js';

/** A computed number, and log₁₀ of the bound of its error. */
export interface Bounded {
  readonly value: Decimal;
  readonly error: number;
}

/** log₁₀ of the error of an exact number. */
export const EXACT = -Infinity;
/** With an infinite value: the number has that sign and exceeds every exponent. */
export const UNKNOWN = Infinity;
/** Nothing is known about the number, its value included. */
export const LOST = Number.NaN;

/** log₁₀ of the size of `x`, to a few digits; −∞ of zero. */
export function sizeOf(x: Decimal): number {
  if (!x.isFinite()) return x.isNaN() ? Number.NaN : Infinity;
  if (x.isZero()) return -Infinity;
  const [first = 0, second = 0] = x.d;
  return Math.log10(first + second / 1e7) + x.e - (String(first).length - 1);
}

/** log₁₀(10^a + 10^b). */
export function sum(a: number, b: number): number {
  const [large, small] = a >= b ? [a, b] : [b, a];
  if (small === -Infinity || large === Infinity) return large;
  return large + Math.log10(1 + 10 ** (small - large));
}

/** log₁₀ of half a unit in the last digit, and of the error of functions that are not correctly rounded. */
export const HALF_UNIT = 0.7;
/** As {@link HALF_UNIT}, for functions that are not correctly rounded. */
export const FEW_UNITS = 2;

/** The rounding error of `x`, computed in `digits` digits. */
export const rounding = (x: Decimal, digits: number, units: number): number => sizeOf(x) - digits + units;

/** The number is further from 0 than its error. */
export const hasKnownSign = ({ value, error }: Bounded): boolean => error < sizeOf(value);

/** log₁₀ of the largest error among the operands. */
export const largestError = (operands: readonly Bounded[]): number => Math.max(...operands.map(({ error }) => error));
