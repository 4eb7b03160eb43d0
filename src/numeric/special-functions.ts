/**
 * Scalar functions that JavaScript lacks or defines differently from the notation, in float64.
 *
 * All are total: outside their domain they return NaN, and NaN in gives NaN out.
 */

/** Σ c_k x^(m−k) by Horner's rule, the highest power first. */
function horner(x: number, coefficients: readonly number[]): number {
  let sum = 0;
  for (const c of coefficients) sum = sum * x + c;
  return sum;
}

// W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23 (1969), 631–637,
// tables II and III (degrees 4/4, 8/8 and 5/5), as in SPECFUN's CALERF.
// Table II's numerator minus its denominator: x + x·(P − Q)/Q rounds less than x·P/Q.
const SMALL_P_MINUS_Q = [
  -0.8142222938153968, -20.440167208473554, -130.16048378339403, -905.1312883920702, 365.14075569929884,
];
const SMALL_Q = [1, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3];
const MIDDLE_P = [
  2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594, 6.61191906371416295e1, 2.98635138197400131e2,
  8.8195222124176909e2, 1.71204761263407058e3, 2.05107837782607147e3, 1.23033935479799725e3,
];
const MIDDLE_Q = [
  1, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2, 1.62138957456669019e3, 3.29079923573345963e3,
  4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3,
];
const LARGE_P = [
  1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1,
  1.60837851487422766e-2, 6.58749161529837803e-4,
];
const LARGE_Q = [
  1, 2.56852019228982242, 1.87295284992346725, 5.27905102951428412e-1, 6.05183413124413191e-2, 2.33520497626869185e-3,
];
/** Where erf is one half: below it 1 − erf has larger rounding errors than erf. */
const HALF_POINT = 0.4769362762044699;
const INVERSE_SQRT_PI = 0.5641895835477563;

/** exp(−y²) with y² split into a part that is exact in float64 and a small rest, so that no digit of y² is lost. */
function expMinusSquare(y: number): number {
  const head = Math.trunc(y * 16) / 16;
  return Math.exp(-head * head) * Math.exp(-(y - head) * (y + head));
}

/** 1 − erf(y) for y ≥ 0.46875. */
function complement(y: number): number {
  if (y > 27.3) return 0;
  if (y <= 4) return (expMinusSquare(y) * horner(y, MIDDLE_P)) / horner(y, MIDDLE_Q);
  const z = 1 / (y * y);
  const tail = (z * horner(z, LARGE_P)) / horner(z, LARGE_Q);
  return (expMinusSquare(y) / y) * (INVERSE_SQRT_PI - tail);
}

/**
 * The error function, 2/√π ∫₀ˣ exp(−t²) dt, within 2 units in the last place of float64. The worst seen is 1.96,
 * near 0.61; below 0.477 and above 1 it is under 1 (against the series of functions/exact-elementary.ts).
 *
 * Source: W. J. Cody 1969 (see the coefficients above).
 */
export function erf(x: number): number {
  const y = Math.abs(x);
  if (y <= HALF_POINT) {
    const z = y * y;
    return x + x * (horner(z, SMALL_P_MINUS_Q) / horner(z, SMALL_Q));
  }
  // 0.5 − c + 0.5 keeps the digits that 1 − c would round away.
  const magnitude = y > 6 ? 1 : 0.5 - complement(y) + 0.5;
  return Number.isNaN(x) ? Number.NaN : Math.sign(x) * magnitude;
}

/** 1 / (1 + exp(−x)), without overflow for either sign. */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const e = Math.exp(x);
  return e / (1 + e);
}

/** log(1 + exp(x)), without overflow; log1p keeps the digits for very negative x. */
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
 * 0⁰ = 1, and a negative x with a fractional y is NaN.
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

/** x! for integers 0 ≤ x ≤ 170, ∞ above, NaN for anything else. The product is rounded above 22!. */
export function factorial(x: number): number {
  if (!(x >= 0) || Math.floor(x) !== x) return Number.NaN;
  if (x > 170) return Infinity;
  let product = 1;
  for (let k = 2; k <= x; k++) product *= k;
  return product;
}

/** |a − b| ≤ allowed. False when any of the three is NaN; equal infinities satisfy it, other infinite differences never do. */
export function approximately(a: number, b: number, allowed: number): boolean {
  if (a === b) return true;
  const error = Math.abs(a - b);
  return error <= allowed && error < Infinity;
}
