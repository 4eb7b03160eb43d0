/**
 * Derives the coefficients of src/numeric/error-function.ts and measures them:
 * `node scripts/run.mjs scripts/fit-error-function.ts [POINTS]`.
 *
 * Both functions that are fitted are smooth and vary slowly: erf(x)/x − 1 in x² around 0, and (1 + 2x)·exp(x²)·erfc(x) in
 * (x − 4)/(x + 4), which maps all large x into a short interval.
 */
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import type { Decimal } from 'decimal.js';
import { exactErf } from '../src/math/functions/exact-elementary.ts';
import { erf, erfc } from '../src/numeric/error-function.ts';
import { chebyshevFit, Digits, pi } from './chebyshev-interpolation.ts';
import { Short, worstOf, type Stretch, type Worst } from './measure-error.ts';

/** The polynomials themselves then err by less than 1e-17, relative: a twentieth of a float64 rounding. */
export const CENTRE_DEGREE = 12;
export const TAIL_DEGREE = 21;
/** The middle of the tail's map. */
const MIDDLE = 4;
const TAIL_FROM = 0.5;
/** Above it erfc is 0 in float64. */
const TAIL_TO = 27.5;
/** From here on the continued fraction needs fewer steps than the series. */
const FRACTION_FROM = 2.5;
/** More digits than 1 − erf(x) loses for x below that. */
const CANCELLED = 6;

type Context = typeof Digits;

/**
 * erfc(x) for x ≥ 0 to the digits of `context`: 1 − erf(x) by its series, and by the continued fraction
 * exp(−x²)/√π · 1/(x + ½/(x + 1/(x + ³⁄₂/(x + …)))) where that is fast (Abramowitz & Stegun 7.1.14).
 */
export function exactErfc(context: Context, x: Decimal): Decimal {
  if (x.greaterThan(FRACTION_FROM))
    return new context(x.times(x).negated().exp().times(scaledByFraction(context, x))).plus(0);
  const wide = context.clone({ precision: context.precision + CANCELLED });
  return new context(new wide(1).minus(exactErf(wide, new wide(x)))).plus(0);
}

/** exp(x²)·erfc(x); n steps leave a relative error below exp(−2x·√(n − 30)), compared with the series. */
function scaledByFraction(context: Context, x: Decimal): Decimal {
  const steps = 30 + Math.ceil((context.precision * Math.LN10) ** 2 / (4 * x.toNumber() ** 2));
  let value = x;
  for (let n = steps; n >= 1; n--) value = x.plus(new context(n).dividedBy(2).dividedBy(value));
  return new context(1).dividedBy(value.times(new context(pi).squareRoot()));
}

function scaledComplement(x: Decimal): Decimal {
  if (x.greaterThan(FRACTION_FROM)) return scaledByFraction(Digits, x);
  return exactErfc(Digits, x).times(x.times(x).exp());
}

const doubles = (lowestFirst: readonly Decimal[]): readonly number[] => lowestFirst.map(Number).toReversed();

/** erf(x)/x − 1 in x² for 0 ≤ x ≤ 1: coefficients, highest power first. */
export function fitCentre(degree: number): readonly number[] {
  // The lowest node is not 0, where erf(x)/x would be 0/0.
  const f = (square: Decimal): Decimal => {
    const x = square.squareRoot();
    return exactErf(Digits, x).dividedBy(x).minus(1);
  };
  return doubles(chebyshevFit(f, new Digits(0), new Digits(1), degree));
}

/** (1 + 2x)·exp(x²)·erfc(x) in (x − 4)/(x + 4) for 1/2 ≤ x ≤ 27.5: coefficients, highest power first. */
export function fitTail(degree: number): readonly number[] {
  const place = (x: number): Decimal => new Digits(x - MIDDLE).dividedBy(x + MIDDLE);
  const f = (u: Decimal): Decimal => {
    const x = u.plus(1).dividedBy(new Digits(1).minus(u)).times(MIDDLE);
    return scaledComplement(x).times(x.times(2).plus(1));
  };
  return doubles(chebyshevFit(f, place(TAIL_FROM), place(TAIL_TO), degree));
}

const exactly = {
  erf: (x: Decimal) => (x.greaterThan(2) ? new Short(1).minus(exactErfc(Short, x)) : exactErf(Short, x)),
  erfc: (x: Decimal) => (x.isNegative() ? new Short(1).plus(exactErf(Short, x.negated())) : exactErfc(Short, x)),
};

/** Every piece of both functions with the bound that the docstrings state. */
export const stretches: readonly (Stretch & { readonly of: 'erf' | 'erfc'; readonly bound: number })[] = [
  { of: 'erf', name: 'erf near 0', low: 1e-300, high: 1e-3, logarithmic: true, bound: 1 },
  { of: 'erf', name: 'erf up to 1', low: 1e-3, high: 1, bound: 1.3 },
  { of: 'erf', name: 'erf above 1', low: 1, high: 6, bound: 1 },
  { of: 'erfc', name: 'erfc below 0', low: -6, high: 0, bound: 1 },
  { of: 'erfc', name: 'erfc up to 1/2', low: 0, high: 0.5, bound: 1.3 },
  { of: 'erfc', name: 'erfc from 1/2', low: 0.5, high: 6, bound: 4 },
  { of: 'erfc', name: 'erfc in its tail', low: 6, high: 27.3, bound: 4 },
];

/** The largest error on one interval. */
export function measure(stretch: (typeof stretches)[number], count: number): Worst {
  return worstOf(stretch.of === 'erf' ? erf : erfc, exactly[stretch.of], stretch, count);
}

function main(): void {
  const count = Number(process.argv[2] ?? 50_000);
  for (const stretch of stretches) {
    const { ulps, at } = measure(stretch, count);
    console.log(`${stretch.name}: ${ulps.toFixed(3)} ulp at ${at}, of ${count} points (stated: ${stretch.bound})`);
  }
  console.log(`\nCENTRE, highest power first:\n${fitCentre(CENTRE_DEGREE).join(',\n')}`);
  console.log(`\nTAIL, highest power first:\n${fitTail(TAIL_DEGREE).join(',\n')}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
