/**
 * Scalar functions that JavaScript lacks or defines differently from the notation, in float64.
 *
 * All are total: outside their domain they return NaN, and NaN in gives NaN out. The formulas are the definitions,
 * rearranged so that nothing overflows; errors are measured against arbitrary precision, with the test's bounds stated here.
 */

/** 1 / (1 + exp(−x)), without overflow for either sign; within 2 units in the last place. */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const e = Math.exp(x);
  return e / (1 + e);
}

/** log(1 + exp(x)), without overflow, within 1.5 units in the last place; log1p keeps the digits for very negative x. */
export function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}

/** x mod y with the sign of y (floored division), exact for integers below 2⁵³; NaN for y = 0. */
export function modulo(x: number, y: number): number {
  const rest = x % y;
  return rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest;
}

/** ⌊x / y⌋, exact for integers below 2⁵³ where the rounded quotient need not be; x / 0 is ±∞ or NaN. */
export function floorDivide(x: number, y: number): number {
  const quotient = x / y;
  if (y === 0 || !Number.isFinite(x) || !Number.isFinite(y) || !Number.isFinite(quotient)) return Math.floor(quotient);
  const exact = (x - modulo(x, y)) / y;
  const down = Math.floor(exact);
  return exact - down > 0.5 ? down + 1 : down;
}

/**
 * x to the power y. Squares and cubes are products, so that they do not depend on the engine's `Math.pow`;
 * 0⁰ = 1, and a negative x with a fractional y is NaN. Squares are rounded once, cubes twice (1.5 units in the last
 * place); the rest are as good as the engine, whose worst seen is 1.1.
 */
export function power(x: number, y: number): number {
  if (y === 2) return x * x;
  if (y === 3) return x * x * x;
  return x ** y;
}

/** The nearest integer, ties to the even one (IEEE 754 roundToIntegralTiesToEven). Keeps −0 and the infinities. */
export function roundHalfEven(x: number): number {
  const below = Math.floor(x);
  const rest = x - below;
  const nearest = rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below;
  return nearest === 0 && (x < 0 || Object.is(x, -0)) ? -0 : nearest;
}

/** 0! to 170!, the last below 2¹⁰²⁴, each rounded once. */
const FACTORIALS: readonly number[] = factorials(170);

function factorials(last: number): readonly number[] {
  const exact = [1n];
  for (let k = 1; k <= last; k++) exact.push((exact[k - 1] ?? 1n) * BigInt(k));
  return exact.map(Number);
}

/** x! rounded to the nearest float64 for integers 0 ≤ x ≤ 170, ∞ above, NaN for anything else. */
export function factorial(x: number): number {
  if (!(x >= 0) || Math.floor(x) !== x) return Number.NaN;
  return FACTORIALS[x] ?? Infinity;
}

/**
 * n choose k for whole numbers n ≥ 0: 0 unless 0 ≤ k ≤ n, ∞ above the largest double, NaN for anything else. Exact while k times the
 * result is below 2⁵³; each of at most 1,030 steps rounds twice after that.
 */
export function binomial(n: number, k: number): number {
  if (!(n >= 0 && n < Infinity && Math.floor(n) === n && Math.floor(k) === k && Math.abs(k) < Infinity))
    return Number.NaN;
  if (k < 0 || k > n) return 0;
  const steps = Math.min(k, n - k);
  let product = 1;
  // The product doubles at each step, so that it ends at ∞ if not before.
  for (let i = 1; i <= steps && product < Infinity; i++) product = (product * (n - steps + i)) / i;
  return product;
}

/** |a − b| ≤ allowed. False when any of the three is NaN; equal infinities satisfy it, other infinite differences never do. */
export function approximately(a: number, b: number, allowed: number): boolean {
  if (a === b) return true;
  const error = Math.abs(a - b);
  return error <= allowed && error < Infinity;
}
