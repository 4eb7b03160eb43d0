/**
 * Polynomials through the Chebyshev nodes of an interval, to 50 digits: what the scripts that derive coefficients share.
 *
 * They need no iteration, and their largest error exceeds that of the best polynomial of their degree by a factor that
 * grows like the logarithm of the degree only (Trefethen, Approximation Theory and Approximation Practice, chapter 15).
 */
import { Decimal } from 'decimal.js';

const DIGITS = 50;
/** A number of 50 digits. */
export const Digits = Decimal.clone({ precision: DIGITS });
export const pi = Digits.acos(-1);

/** A context with `more` digits than {@link Digits}, for what cancels that many. */
export function withMoreDigits(more: number): typeof Digits {
  return Digits.clone({ precision: DIGITS + more });
}

/** Σ c_k t^k at `t`. */
export function polynomial(coefficients: readonly Decimal[], t: Decimal): Decimal {
  return coefficients.reduceRight((sum, c) => sum.times(t).plus(c), new Digits(0));
}

/** `coefficients` (lowest power first) of the polynomial times (t − root). */
function timesRoot(coefficients: readonly Decimal[], root: Decimal): Decimal[] {
  return [new Digits(0), ...coefficients].map((c, k) => c.minus(root.times(coefficients[k] ?? 0)));
}

/** Newton's interpolation: the polynomial of lowest degree through the points, lowest power first. */
function interpolate(points: readonly (readonly [Decimal, Decimal])[]): readonly Decimal[] {
  let result: Decimal[] = [];
  let basis: Decimal[] = [new Digits(1)];
  for (const [t, value] of points) {
    const step = value.minus(polynomial(result, t)).dividedBy(polynomial(basis, t));
    result = basis.map((b, k) => b.times(step).plus(result[k] ?? 0));
    basis = timesRoot(basis, t);
  }
  return result;
}

/** The coefficients, lowest power first, of the polynomial that meets `f` at the Chebyshev nodes of [low, high]. */
export function chebyshevFit(
  f: (t: Decimal) => Decimal,
  low: Decimal,
  high: Decimal,
  degree: number,
): readonly Decimal[] {
  const half = high.minus(low).dividedBy(2);
  const points = Array.from({ length: degree + 1 }, (_, k) => {
    const node = Digits.cos(pi.times(2 * k + 1).dividedBy(2 * degree + 2));
    const t = low.plus(half).plus(half.times(node));
    return [t, f(t)] as const;
  });
  return interpolate(points);
}
