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
 * The least ε for which {@link gaussianDelta} is at most δ, from above, within a relative 10⁻¹⁴; 0 if ε = 0 is enough, and Infinity
 * for μ above 10⁶, where float64 has no digits left for δ.
 */
export function gaussianEpsilon(mu: number, delta: number): number {
  if (!(mu <= 1e6)) return Infinity;
  if (gaussianDelta(0, mu) <= delta) return 0;
  let [low, high] = [0, 1];
  while (gaussianDelta(high, mu) > delta) [low, high] = [high, 2 * high];
  while (high - low > 1e-14 * high) {
    const middle = low + (high - low) / 2;
    if (middle === low || middle === high) break;
    if (gaussianDelta(middle, mu) > delta) low = middle;
    else high = middle;
  }
  return high;
}
