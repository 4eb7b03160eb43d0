/** The proximal term of FedProx, which a participant adds to its loss. */
import { invariant } from '../../base/invariant.ts';

/**
 * The gradient of loss(w) + μ/2·‖w − start‖²: g + μ·(w − start), each element in float64 and rounded once. μ = 0 gives g. All three have the same
 * length.
 *
 * Source: Li et al. (2020), Federated optimization in heterogeneous networks, arXiv:1812.06127, equation 2.
 */
export function proximalGradient(
  gradient: Float32Array,
  weights: Float32Array,
  start: Float32Array,
  mu: number,
): Float32Array {
  invariant(weights.length === gradient.length && start.length === gradient.length, 'a weight has one gradient');
  if (mu === 0) return gradient.slice();
  return gradient.map((g, i) => g + mu * ((weights[i] ?? NaN) - (start[i] ?? NaN)));
}
