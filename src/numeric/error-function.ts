/**
 * The error function and its complement in float64, with coefficients of our own: scripts/fit-error-function.ts derives
 * them and measures what is stated here, against series and continued fractions of 50 digits.
 *
 * Errors are in units in the last place of the exact value: bounds of what was seen over 350,000 points, not proofs.
 */

/** Horner's rule, the highest power first. */
function horner(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (const c of coefficients) sum = sum * x + c;
  return sum;
}

/** erf(x)/x − 1 for 0 ≤ x ≤ 1 as a polynomial in x², the highest power first. */
export const CENTRE: readonly number[] = [
  5.957176147748911e-11, -1.1372848856791674e-9, 1.4659775274047436e-8, -1.6350312701054695e-7,
  0.0000016461000484121368, -0.000014925595266831182, 0.0001205533111164271, -0.000854832698083379,
  0.0052239776248180145, -0.026866170645076792, 0.11283791670954879, -0.3761263890318375, 0.1283791670955126,
];

/**
 * (1 + 2x)·exp(x²)·erfc(x) for x ≥ 1/2 as a polynomial in (x − 4)/(x + 4), the highest power first. The product varies
 * only between 1.12 and 1.3, so that the polynomial has no digits to lose.
 *
 * Source of the form: M. M. Shepherd and J. G. Laframboise, "Chebyshev approximation of (1 + 2x)exp(x²)erfc x in
 * 0 ≤ x < ∞", Math. Comp. 36 (1981), 249–253.
 */
export const TAIL: readonly number[] = [
  -1.0584315800092537e-8, -1.2307439672359532e-8, 1.0597059762801646e-7, 6.724741028727314e-8, -8.228929299321569e-7,
  2.9930534208115295e-7, 0.000005708855199403216, -0.00001122457422226363, -0.000024399065923152382,
  0.0001506224355538403, -0.00019925669365832713, -0.00075777343482625, 0.005031969972671415, -0.01619773404021866,
  0.03716751553844642, -0.0663303658134497, 0.09373283499827546, -0.10103906603626016, 0.06809705425469505,
  0.015379652102619127, -0.13962111684056253, 1.2329951186255526,
];

/** From here on erf is 1 in float64. */
const ERF_ONE = 6;
/** From here on erfc is 0 in float64: it is below half of 2⁻¹⁰⁷⁴. */
const ERFC_ZERO = 27.3;

/** erf(x) for |x| ≤ 1. The sum rounds less than a product would. */
function centre(x: number): number {
  return x + x * horner(CENTRE, x * x);
}

/** erfc(x) for x ≥ 1/2. */
function tail(x: number): number {
  if (x >= ERFC_ZERO) return 0;
  const scaled = horner(TAIL, (x - 4) / (x + 4)) / (1 + 2 * x);
  // The square of the float32 next to x is exact, so that exp(−x²) loses no digit of x²; the rest is tiny.
  const head = Math.fround(x);
  const rest = (head - x) * (head + x);
  return Math.exp(-head * head) * (scaled + scaled * Math.expm1(rest));
}

/**
 * The error function, 2/√π ∫₀ˣ exp(−t²) dt, within 1.3 units in the last place: the worst seen is 1.232, near 0.973; near
 * 0 it is 0.75, above 1 it is 0.86.
 */
export function erf(x: number): number {
  const y = Math.abs(x);
  if (y <= 1) return centre(x);
  if (Number.isNaN(x)) return Number.NaN;
  return Math.sign(x) * (y >= ERF_ONE ? 1 : 1 - tail(y));
}

/**
 * The complementary error function, 1 − erf(x), without cancellation for large x: within 1.3 units in the last place for
 * x < 1/2, within 4 above, down to the smallest subnormal number (the worst seen: 1.225 and 3.862).
 */
export function erfc(x: number): number {
  if (Number.isNaN(x)) return Number.NaN;
  return x < 0.5 ? 1 - erf(x) : tail(x);
}

/** log(erfc(x)), also where erfc(x) underflows: within a relative 10⁻¹⁵ for x ≥ 1/2. */
export function logErfc(x: number): number {
  if (x < 0.5) return Math.log(erfc(x));
  return Math.log(horner(TAIL, (x - 4) / (x + 4)) / (1 + 2 * x)) - x * x;
}
