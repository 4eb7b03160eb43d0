/**
 * Derives the coefficients of `gelu` (src/kernels/gelu.ts) and measures them: `node scripts/run.mjs scripts/fit-normal-tail.ts`.
 *
 * The upper tail of the normal distribution is Φ(−x) = erfc(x/√2)/2 = t·exp(−x²/2)·q(t) with t = 1/(1 + 3x/8) and a
 * smooth, slowly varying q. The kernel's polynomial interpolates q at the Chebyshev nodes of the t of 0 ≤ x ≤ 16; beyond,
 * the tail is 0 in float32. In this form the polynomial has no digits to lose, unlike one for the logarithm of the tail.
 */
import { pathToFileURL } from 'node:url';
import type { Decimal } from 'decimal.js';
import { exactErf } from '../src/math/functions/exact-elementary.ts';
import { chebyshevFit, Digits, withMoreDigits } from './chebyshev-interpolation.ts';

/** The largest x of the fit. */
const LARGEST = 16;
/** High enough: the polynomial's own error is a seventh of a float32 rounding, so a higher degree gains nothing. */
export const DEGREE = 9;
/** Digits that 1 − erf loses at x = 16, and some to spare. */
const CANCELLED = 70;
const SCALE = 0.375;

const Wide = withMoreDigits(CANCELLED);

/** Φ(−x)·exp(x²/2) for 0 ≤ x ≤ 16, to about 50 digits. */
function scaledTail(x: Decimal): Decimal {
  const wide = new Wide(x);
  const tail = new Wide(1).minus(exactErf(Wide, wide.dividedBy(new Wide(2).squareRoot()))).dividedBy(2);
  return new Digits(tail.times(wide.times(wide).dividedBy(2).exp()));
}

/** The coefficients of the kernel's polynomial, lowest power first, rounded to ten significant digits. */
export function fitNormalTail(degree: number): readonly number[] {
  const q = (t: Decimal): Decimal => scaledTail(new Digits(1).dividedBy(t).minus(1).dividedBy(SCALE)).dividedBy(t);
  const lowest = new Digits(1).dividedBy(1 + SCALE * LARGEST);
  return chebyshevFit(q, lowest, new Digits(1), degree).map((c) => Number(c.toPrecision(10)));
}

/** Φ(−x)·exp(x²/2) as the kernel computes it, every operation rounded by `round`. */
function evaluate(coefficients: readonly number[], x: number, round: (value: number) => number): number {
  const t = round(1 / round(1 + round(SCALE * x)));
  const sum = coefficients.reduceRight((total, c) => round(round(total * t) + round(c)), 0);
  return round(sum * t);
}

interface FitError {
  /** Of the polynomial alone, in float64. */
  readonly fit: number;
  /** With every operation rounded to float32. */
  readonly float32: number;
}

/** `count` + 1 float32 numbers x from 0 to 16, each with its exact Φ(−x)·exp(x²/2). */
export function sampleTail(count: number): readonly (readonly [x: number, exact: number])[] {
  return Array.from({ length: count + 1 }, (_, k) => {
    const x = Math.fround((LARGEST * k) / count);
    return [x, scaledTail(new Digits(x)).toNumber()] as const;
  });
}

/** The largest relative errors of Φ(−x)·exp(x²/2) over a sample. */
export function measureFit(coefficients: readonly number[], sample: ReturnType<typeof sampleTail>): FitError {
  let [fit, float32] = [0, 0];
  for (const [x, exact] of sample) {
    fit = Math.max(fit, Math.abs(evaluate(coefficients, x, (value) => value) / exact - 1));
    float32 = Math.max(float32, Math.abs(evaluate(coefficients, x, Math.fround) / exact - 1));
  }
  return { fit, float32 };
}

function main(): void {
  const sample = sampleTail(4000);
  for (let degree = DEGREE - 2; degree <= DEGREE + 2; degree++) {
    const { fit, float32 } = measureFit(fitNormalTail(degree), sample);
    console.log(`degree ${degree}: relative error ${fit.toExponential(2)}, in float32 ${float32.toExponential(2)}`);
  }
  console.log(`\nthe kernel's, highest power first:\n${fitNormalTail(DEGREE).toReversed().join('\n')}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
