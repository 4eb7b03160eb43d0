/**
 * Confidence intervals of what samples estimate. `alpha` is the probability that an interval misses; half of it on each side.
 */
import { erfc } from './error-function.ts';

/** A closed interval of reals. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The number that a standard normal exceeds with probability `tail` (1e-12 to 0.5), by bisection to 1e-12. */
export function normalQuantile(tail: number): number {
  return bisect(0, 8, (z) => erfc(z / Math.SQRT2) / 2 > tail);
}

/** The point of [low, high] where `above` turns from true to false, to 60 halvings. */
function bisect(low: number, high: number, above: (x: number) => boolean): number {
  let [from, to] = [low, high];
  for (let step = 0; step < 60; step++) {
    const middle = (from + to) / 2;
    if (above(middle)) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

/** First four moments of a sample about its mean. */
export interface Moments {
  readonly count: number;
  readonly mean: number;
  /** Unbiased: divided by count − 1. */
  readonly variance: number;
  /** The mean of (x − mean)⁴. */
  readonly fourth: number;
}

/** The mean ± z·s/√N: normal approximation (central limit theorem). */
export function meanInterval({ count, mean, variance }: Moments, alpha: number): Interval {
  const half = normalQuantile(alpha / 2) * Math.sqrt(variance / count);
  return { low: mean - half, high: mean + half };
}

/**
 * The variance ± z·√((μ₄ − σ⁴)/N): normal approximation for any distribution with a fourth moment.
 * Source: Cramér (1946), Mathematical Methods of Statistics, section 27.4.
 */
export function varianceInterval({ count, variance, fourth }: Moments, alpha: number): Interval {
  const half = normalQuantile(alpha / 2) * Math.sqrt(Math.max(0, fourth - variance * variance) / count);
  return { low: Math.max(0, variance - half), high: variance + half };
}

/**
 * The exact interval of a probability from `hits` of `count` independent trials.
 * Source: Clopper & Pearson (1934), Biometrika 26(4): its ends are quantiles of beta distributions.
 */
export function proportionInterval(hits: number, count: number, alpha: number): Interval {
  const low = hits === 0 ? 0 : bisect(0, 1, (p) => regularizedBeta(p, hits, count - hits + 1) < alpha / 2);
  const high = hits === count ? 1 : bisect(0, 1, (p) => regularizedBeta(p, hits + 1, count - hits) < 1 - alpha / 2);
  return { low, high };
}

/** I_x(a, b), the distribution function of a beta distribution. Source: DLMF 8.17.4 and the continued fraction 8.17.22. */
export function regularizedBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - regularizedBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return front / (a * betaFraction(x, a, b));
}

/** The continued fraction by Steed's recurrence from below: 1 + d₁/(1 + d₂/(1 + …)), cut where more terms change nothing. */
function betaFraction(x: number, a: number, b: number): number {
  const terms = 200 + Math.ceil(4 * Math.sqrt(Math.max(a, b)));
  let tail = 1;
  for (let m = terms; m >= 1; m--) tail = 1 + coefficient(m, x, a, b) / tail;
  return tail;
}

function coefficient(index: number, x: number, a: number, b: number): number {
  const m = Math.floor(index / 2);
  return index % 2 === 1
    ? (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    : (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
}

/** log Γ(x) for x ≥ 1, to about 1e-13: Stirling's series after shifting x to 10 or more. Source: DLMF 5.11.1. */
export function logGamma(x: number): number {
  let shift = 0;
  let y = x;
  for (; y < 10; y++) shift += Math.log(y);
  const inverse = 1 / (y * y);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / y;
  return (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + series - shift;
}
