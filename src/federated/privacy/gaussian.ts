/** Exact accounting of Gaussian noise in which every release has all participants. */
import { logErfc } from '../../numeric/error-function.ts';

const logNormalCdf = (x: number): number => logErfc(-x / Math.SQRT2) - Math.LN2;

/**
 * The least δ for which k releases with sensitivity Δ and noise σ are (ε, δ)-private: Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ) with
 * μ = √k·Δ/σ.
 *
 * Source: Balle & Wang (2018), Improving the Gaussian mechanism for differential privacy, arXiv:1805.06530, theorem 8; composition:
 * Dong, Roth & Su (2019), Gaussian differential privacy, arXiv:1905.02383, corollary 3.3.
 */
export function gaussianDelta(epsilon: number, mu: number): number {
  if (mu === 0) return 0;
  const upper = Math.exp(logNormalCdf(mu / 2 - epsilon / mu));
  return Math.max(0, upper - Math.exp(epsilon + logNormalCdf(-mu / 2 - epsilon / mu)));
}

/**
 * The least ε for which {@link gaussianDelta} is at most δ, within a relative 10⁻¹³ for μ from 10⁻³; 0 if ε = 0 is enough, and Infinity
 * for μ above 10⁶, where float64 has no digits left for δ. Towards smaller μ the two terms of δ cancel: at μ = 10⁻⁸, ε (below 10⁻⁶) is
 * within a relative 10⁻⁶.
 *
 * Newton's method on log δ, whose derivative is −e^ε·Φ(−μ/2 − ε/μ)/δ, kept between a bound from below and one from above.
 */
export function gaussianEpsilon(mu: number, delta: number): number {
  if (!(mu <= 1e6)) return Infinity;
  if (gaussianDelta(0, mu) <= delta) return 0;
  let [low, high, epsilon] = [0, Infinity, mu * mu];
  for (let step = 0; step < mostSteps; step++) {
    const found = gaussianDelta(epsilon, mu);
    if (found > delta) low = epsilon;
    else high = epsilon;
    const slope = Math.exp(epsilon + logNormalCdf(-mu / 2 - epsilon / mu));
    // Far below the target, rounding is all that is left of δ.
    const next = found > delta / 1000 ? epsilon + (Math.log(found / delta) * found) / slope : NaN;
    if (Math.abs(next - epsilon) <= 1e-14 * epsilon || high <= low * (1 + 1e-14)) break;
    epsilon = next > low && next < high ? next : high === Infinity ? 2 * epsilon : (low + high) / 2;
  }
  // The digits of δ end before those of ε.
  let above = 1e-14;
  while (gaussianDelta(epsilon, mu) > delta) {
    epsilon *= 1 + above;
    above *= 2;
  }
  return epsilon;
}

/** Bisection alone would need some 60. */
const mostSteps = 200;
