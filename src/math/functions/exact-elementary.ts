/**
 * Special functions in arbitrary precision, correct to the digits of `context` up to a few units in the last.
 *
 * Each works in a wider context where digits would cancel; non-finite arguments have their limits.
 */
import type { Decimal } from 'decimal.js';
import { exactExp } from './exact-exponential.ts';
import { fixed } from './fixed-point.ts';
import type { DecimalContext } from './row.ts';

const GUARD_DIGITS = 12;
/** Binary digits that the terms of a series may lose. */
const GUARD_BITS = 64;

const widened = new WeakMap<DecimalContext, Map<number, DecimalContext>>();

/** Made once: a context costs as much as many operations in it. */
function wider(context: DecimalContext, extra: number): DecimalContext {
  const precision = context.precision + GUARD_DIGITS + extra;
  const known = widened.get(context) ?? new Map<number, DecimalContext>();
  const wide = known.get(precision) ?? context.clone({ precision });
  widened.set(context, known.set(precision, wide));
  return wide;
}

/** How many leading zeros |x| has after the point: the digits that exp(x) − 1 cancels. */
function smallness(x: Decimal): number {
  return x.isZero() ? 0 : Math.max(0, -x.e);
}

/** Those of π that decimal.js has, and those that it reduces an angle with beyond the result's and the angle's own. */
const [digitsOfPi, spare] = [1025, 7];

/**
 * A trigonometric function of an angle that is reduced exactly.
 *
 * @throws RangeError where there are not enough digits of π for that: beyond some 10^900 in 40 digits, and for an angle
 * of 500 digits in as many.
 */
export function trigonometric(fn: (x: Decimal) => Decimal): (context: DecimalContext, x: Decimal) => Decimal {
  return (context, x) => {
    if (!x.isFinite()) return new context(Number.NaN);
    const wide = wider(context, 0);
    if (wide.precision + Math.max(x.e, x.precision()) + spare > digitsOfPi)
      throw new RangeError(
        `the angle ${x.toPrecision(3)} takes more than ${digitsOfPi} digits of π in ${context.precision} digits`,
      );
    return new context(fn(new wide(x))).plus(0);
  };
}

/** exp(x) − 1; below 10^−digits the series x + x²/2 is already exact to the digits. */
export function exactExpm1(context: DecimalContext, x: Decimal): Decimal {
  if (!x.isFinite() || x.isZero()) return x.isZero() ? x : x.exp().minus(1);
  if (smallness(x) > context.precision) return x.plus(x.times(x).dividedBy(2));
  const wide = wider(context, smallness(x));
  return new context(exactExp(wide, new wide(x)).minus(1)).plus(0);
}

/** log(1 + x); NaN below −1, −∞ at −1. */
export function exactLog1p(context: DecimalContext, x: Decimal): Decimal {
  if (!x.isFinite() || x.isZero()) return x.isZero() ? x : x.plus(1).ln();
  if (smallness(x) > context.precision) return x.minus(x.times(x).dividedBy(2));
  const wide = wider(context, smallness(x));
  return new context(new wide(x).plus(1).ln()).plus(0);
}

/** 1/(1 + e^−x), arranged so that no intermediate result overflows. */
export function exactSigmoid(context: DecimalContext, x: Decimal): Decimal {
  const one = new context(1);
  if (!x.isNegative()) return one.dividedBy(exactExp(context, x.negated()).plus(1));
  const e = exactExp(context, x);
  return e.dividedBy(e.plus(1));
}

/** (1 − t)/(1 + t) with t = exp(−2|x|); |x| in digits that 1 − t cancels. */
export function exactTanh(context: DecimalContext, x: Decimal): Decimal {
  if (!x.isFinite() || x.isZero() || smallness(x) > context.precision) return x.tanh();
  const wide = wider(context, smallness(x));
  const t = exactExp(wide, new wide(x).abs().times(-2));
  const size = new wide(1).minus(t).dividedBy(t.plus(1));
  return new context(x.isNegative() ? size.negated() : size).plus(0);
}

/** (exp(x) − exp(−x))/2; near 0, where that cancels, by decimal.js's series, which is very slow elsewhere. */
export function exactSinh(context: DecimalContext, x: Decimal): Decimal {
  return x.isFinite() && x.abs().greaterThan(1) ? halfOf(context, x, (a, b) => a.minus(b)) : x.sinh();
}

/** (exp(x) + exp(−x))/2. */
export function exactCosh(context: DecimalContext, x: Decimal): Decimal {
  return x.isFinite() ? halfOf(context, x, (a, b) => a.plus(b)) : x.cosh();
}

function halfOf(context: DecimalContext, x: Decimal, combined: (a: Decimal, b: Decimal) => Decimal): Decimal {
  const wide = wider(context, 0);
  const [rising, falling] = [exactExp(wide, new wide(x)), exactExp(wide, new wide(x).negated())];
  return new context(combined(rising, falling).dividedBy(2)).plus(0);
}

/** log(1 + e^x), arranged so that no intermediate result overflows. */
export function exactSoftplus(context: DecimalContext, x: Decimal): Decimal {
  if (!x.isFinite()) return x.isNegative() ? new context(0) : x;
  const rest = exactLog1p(context, exactExp(context, x.abs().negated()));
  return x.isNegative() ? rest : x.plus(rest);
}

/**
 * The error function by erf(x) = 2/√π · exp(−x²) · Σ_k 2^k x^(2k+1) / (2k+1)!!.
 *
 * Every term is positive, so nothing cancels.
 * Where exp(−x²) is below the digits the value is ±1. Source: Abramowitz & Stegun 7.1.6.
 */
export function exactErf(context: DecimalContext, x: Decimal): Decimal {
  if (x.isNaN() || x.isZero()) return x;
  const sign = x.isNegative() ? -1 : 1;
  const wide = wider(context, 0);
  const y = new wide(x).abs();
  const square = y.times(y);
  if (square.greaterThan((context.precision + GUARD_DIGITS) * Math.LN10)) return new context(sign);
  const factor = new wide(2).dividedBy(wide.acos(-1).squareRoot()).times(exactExp(wide, square.negated()));
  return new context(factor.times(erfSeries(wide, y, square)).times(sign)).plus(0);
}

/** y·Σ_k 2^k y^(2k) / (2k+1)!!, the sum in binary fixed point: it is at least 1. */
function erfSeries(wide: DecimalContext, y: Decimal, square: Decimal): Decimal {
  if (square.e < -wide.precision) return y;
  const bits = BigInt(Math.ceil(wide.precision * Math.log2(10)) + GUARD_BITS);
  const twice = 2n * fixed(square, Number(bits));
  let term = 1n << bits;
  let sum = term;
  for (let k = 1n; term > 0n; k++) {
    term = ((term * twice) >> bits) / (2n * k + 1n);
    sum += term;
  }
  const digits = (sum * 10n ** BigInt(wide.precision)) >> bits;
  return y.times(new wide(`${digits}e-${wide.precision}`));
}

const MAX_STEPS = 2_000;

/**
 * n choose k for whole numbers n ≥ 0: 0 unless 0 ≤ k ≤ n; NaN for other numbers.
 *
 * @throws RangeError where more than 2,000 factors or numbers beyond 10¹⁸ are to be multiplied.
 */
export function exactBinomial(context: DecimalContext, n: Decimal, k: Decimal): Decimal {
  if (!n.isInteger() || n.lessThan(0) || !k.isInteger()) return new context(Number.NaN);
  if (k.lessThan(0) || k.greaterThan(n)) return new context(0);
  const rest = n.minus(k);
  const steps = (k.lessThan(rest) ? k : rest).toNumber();
  if (steps > MAX_STEPS || n.greaterThan(1e18))
    throw new RangeError(`${n.toString()} choose ${k.toString()}: exact evaluation stops after ${MAX_STEPS} factors`);
  const first = BigInt(n.toFixed()) - BigInt(steps);
  let product = 1n;
  for (let i = 1n; i <= BigInt(steps); i++) product = (product * (first + i)) / i;
  return new context(product.toString());
}

const MAX_FACTORIAL = 10_000;

/**
 * x! for integers from 0 to 10,000; NaN for other numbers.
 *
 * @throws RangeError above 10,000, where the digits would take longer than any claim needs.
 */
export function exactFactorial(context: DecimalContext, x: Decimal): Decimal {
  if (x.equals(Infinity)) return x;
  if (!x.isInteger() || x.lessThan(0)) return new context(Number.NaN);
  if (x.greaterThan(MAX_FACTORIAL))
    throw new RangeError(`factorial of ${x.toString()}: exact evaluation stops at ${MAX_FACTORIAL}!`);
  let product = new context(1);
  for (let k = 2; k <= x.toNumber(); k++) product = product.times(k);
  return product;
}
