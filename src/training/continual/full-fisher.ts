import { wholeFrom, positive } from '../settings.ts';
import type { Parameters } from '../parameters.ts';
import type { EvidenceClass, Invariant } from '../invariants/invariant.ts';
import { tierOf } from '../invariants/tiers.ts';

/** Options of {@link fullFisherBound}. */
export interface FullFisherOptions {
  /**
   * The per-sample gradients of the log-likelihood at some weights: for each sample, one array over all weights in the order of
   * `weights`. The function must depend only on its arguments, the weights and the step.
   */
  readonly sampleGradients: (weights: Parameters, step: number) => readonly Float32Array[];
  /** Epochs between two checks, ≥ 1. */
  readonly everyEpochs: number;
  /** Steps of an epoch, ≥ 1. */
  readonly stepsPerEpoch: number;
  /** The largest allowed share of the Fisher information that the diagonal omits, in (0, 1]. */
  readonly maxInteraction: number;
}

/**
 * How much of the full Fisher matrix F = mean of g·gᵀ its diagonal, which EWC uses, omits: ‖F − diag F‖_F/‖F‖_F, which is 0 if no
 * two weights interact. A deep check for small models, since its cost is quadratic in the number of samples. It runs at the end
 * of every `everyEpochs`-th epoch, provided that deep checks run at that step.
 *
 * The matrix F, of size weights × weights, is never built: ‖F‖_F² = (1/N²)·Σ (gₛ·gₜ)² over all pairs of samples.
 */
export function fullFisherBound(
  options: FullFisherOptions,
  evidence: EvidenceClass = { class: 'external' },
): Invariant {
  const { sampleGradients, everyEpochs, stepsPerEpoch, maxInteraction } = options;
  wholeFrom(1, 'everyEpochs', everyEpochs);
  wholeFrom(1, 'stepsPerEpoch', stepsPerEpoch);
  positive('maxInteraction', maxInteraction);
  return {
    name: 'FullFisher',
    settings: { every_epochs: everyEpochs, steps_per_epoch: stepsPerEpoch, max_interaction: maxInteraction },
    tier: tierOf.FullFisher,
    evidence,
    start: () => ({
      model(proposed, { step }) {
        if (step % (everyEpochs * stepsPerEpoch) !== 0) return [];
        const value = interaction(sampleGradients(proposed, step));
        return [{ what: 'interaction', value, is: 'at most', bound: maxInteraction }];
      },
    }),
  };
}

/** ‖F − diag F‖_F/‖F‖_F; 0 for F = 0, NaN without samples. */
export function interaction(gradients: readonly Float32Array[]): number {
  if (gradients.length === 0) return NaN;
  let whole = 0;
  for (const [s, one] of gradients.entries()) {
    const own = dot(one, one);
    whole += own * own;
    for (let t = 0; t < s; t++) {
      const product = dot(one, gradients[t] ?? one);
      whole += 2 * product * product;
    }
  }
  let diagonal = 0;
  for (let i = 0; i < (gradients[0]?.length ?? 0); i++) {
    let sum = 0;
    for (const gradient of gradients) sum += (gradient[i] ?? NaN) * (gradient[i] ?? NaN);
    diagonal += sum * sum;
  }
  // Both sums are scaled by N². Rounding can make the difference negative.
  return whole === 0 ? 0 : Math.sqrt(Math.max(0, whole - diagonal) / whole);
}

function dot(x: Float32Array, y: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] ?? NaN) * (y[i] ?? NaN);
  return sum;
}
