/**
 * Rényi accounting of Gaussian noise where every release has a Poisson sample of the participants.
 *
 * Source: Mironov, Talwar & Zhang (2019), Rényi differential privacy of the sampled Gaussian mechanism, arXiv:1908.10530: with
 * A_α = E[((1 − q) + q·exp((2z − 1)/2σ²))^α] for z ~ N(0, σ²), one release costs log(A_α)/(α − 1) at order α (theorem 4, section 3.3).
 */
import { softplus } from '../../numeric/special-functions.ts';

/** A sampled release. */
export interface SampledRelease {
  /** σ over the sensitivity, above 0. */
  readonly noiseMultiplier: number;
  /** q: each participant takes part with this probability, independently and unseen by those who see the result. */
  readonly samplingRate: number;
}

/** The orders of the Rényi accountants of Opacus (1.1 to 10.9, 12 to 63), with 11 and five higher ones for tiny losses. */
export const defaultOrders: readonly number[] = [
  ...Array.from({ length: 99 }, (_, i) => 1 + (i + 1) / 10),
  ...Array.from({ length: 53 }, (_, i) => 11 + i),
].concat([64, 128, 256, 512, 1024]);

/** A sum over an order beyond this is not worth its time. */
const highestOrder = 100_000;

/**
 * The Rényi divergence of one release at an order above 1. Without sampling it is α/2σ², which is also its bound for orders above 10⁵.
 * Infinity without noise.
 */
export function renyiDivergence(order: number, { noiseMultiplier: sigma, samplingRate: q }: SampledRelease): number {
  if (q === 0) return 0;
  if (!(sigma > 0)) return Infinity;
  if (q === 1 || order > highestOrder) return order / (2 * sigma * sigma);
  return logMoment(order, q, sigma) / (order - 1);
}

/** log(A_α). */
function logMoment(order: number, q: number, sigma: number): number {
  if (Number.isInteger(order)) return softplus(logExcess(order, q, sigma));
  if (pointsOf(order, sigma) <= mostPoints) return quadrature(order, q, sigma);
  // log(A_α) is convex in α (Wang, Balle & Kasiviswanathan 2019, arXiv:1808.00087, corollary 10), and log(A₁) = 0.
  const below = Math.floor(order);
  const share = order - below;
  const at = (n: number): number => (n === 1 ? 0 : softplus(logExcess(n, q, sigma)));
  return (1 - share) * at(below) + share * at(below + 1);
}

/** log(A_n − 1) = log(Σ_{k≥2} C(n,k)·(1−q)^(n−k)·q^k·(exp((k²−k)/2σ²) − 1)) for an integer n ≥ 2: no term is negative. */
function logExcess(n: number, q: number, sigma: number): number {
  const terms: number[] = [];
  let logBinomial = 0;
  for (let k = 1; k <= n; k++) {
    logBinomial += Math.log((n - k + 1) / k);
    if (k === 1) continue;
    const x = (k * k - k) / (2 * sigma * sigma);
    const logGain = x > 40 ? x : Math.log(Math.expm1(x));
    terms.push(logBinomial + (n - k) * Math.log1p(-q) + k * Math.log(q) + logGain);
  }
  return logSum(terms);
}

function logSum(terms: readonly number[]): number {
  const largest = terms.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!Number.isFinite(largest)) return largest;
  return largest + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - largest), 0));
}

/** Points of a quadrature at most. */
const mostPoints = 80_000;
/** Beyond so many standard deviations the Gaussian is below 10⁻³¹. */
const reach = 12;

/**
 * The integrand is analytic up to ±πσ² from the real axis, where (1−q) + q·exp(…) may be 0, and grows there with the Gaussian: with
 * this step the trapezoidal rule errs by a relative e⁻⁴⁵ (Trefethen & Weideman 2014, SIAM Review 56, theorem 5.1).
 */
const stepSize = (sigma: number): number => Math.min(sigma / 4, 0.39 * sigma * sigma);

const pointsOf = (order: number, sigma: number): number => Math.ceil((order + 2 * reach * sigma) / stepSize(sigma));

/** log(A_α) for a fractional α by the trapezoidal rule. */
function quadrature(order: number, q: number, sigma: number): number {
  const [h, from] = [stepSize(sigma), -reach * sigma];
  const points = pointsOf(order, sigma);
  const logWeight = Math.log(h / (sigma * Math.sqrt(2 * Math.PI)));
  const logs: number[] = [];
  let excess = 0;
  for (let i = 0; i <= points; i++) {
    const z = from + i * h;
    const gaussian = logWeight - (z * z) / (2 * sigma * sigma);
    const t = (2 * z - 1) / (2 * sigma * sigma);
    // log of (1 − q) + q·e^t without overflow.
    const logRatio = t > 40 ? t + Math.log(q + (1 - q) * Math.exp(-t)) : Math.log1p(q * Math.expm1(t));
    logs.push(gaussian + order * logRatio);
    excess += Math.exp(gaussian) * powerExcess(q * Math.expm1(t), order);
  }
  // E[r] = 0 for r = ratio − 1, so that A_α − 1 = E[(1 + r)^α − 1 − αr], which keeps its digits where A_α is nearly 1.
  return excess < 1 ? Math.log1p(excess) : logSum(logs);
}

/** (1 + r)^α − 1 − αr ≥ 0 for r ≥ −1. */
function powerExcess(r: number, order: number): number {
  if (Math.abs(r) > 1e-4) return Math.expm1(order * Math.log1p(r)) - order * r;
  const third = ((order - 2) / 3) * r;
  return (order * (order - 1) * r * r * (1 + third * (1 + ((order - 3) / 4) * r))) / 2;
}

/**
 * How a Rényi divergence becomes ε: `classic` is ρ + log(1/δ)/(α − 1) (Mironov 2017, arXiv:1702.07476, proposition 3); `improved` is
 * ρ + log((α − 1)/α) − (log δ + log α)/(α − 1) (Balle et al. 2020, arXiv:1905.09982, theorem 21), which is never larger.
 */
export type Conversion = 'classic' | 'improved';

/** ε at δ from the total Rényi divergence at each order: the least over the orders, at least 0. */
export function epsilonOfRenyi(
  orders: readonly number[],
  divergences: readonly number[],
  delta: number,
  conversion: Conversion = 'improved',
): number {
  const epsilons = orders.map((order, i) => {
    const divergence = divergences[i] ?? NaN;
    if (conversion === 'classic') return divergence - Math.log(delta) / (order - 1);
    return divergence + Math.log1p(-1 / order) - (Math.log(delta) + Math.log(order)) / (order - 1);
  });
  const least = epsilons.reduce((a, b) => Math.min(a, b), Infinity);
  return Math.max(0, least);
}
