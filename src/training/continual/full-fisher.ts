import { wholeFrom, positive } from '../settings.ts';
import type { Parameters } from '../parameters.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { tierOf } from '../invariants/tiers.ts';

/** Options of {@link fullFisherBound}. */
export interface FullFisherOptions {
  /**
   * The gradients of single samples' log-likelihoods at some weights: of each sample one array with all weights in the order of
   * `weights`. It must depend on nothing but its argument.
   */
  readonly sampleGradients: (weights: Parameters) => readonly Float32Array[];
  /** Epochs between two checks, ≥ 1. */
  readonly everyEpochs: number;
  /** Steps of an epoch, ≥ 1. */
  readonly stepsPerEpoch: number;
  /** The largest share of the Fisher information that the diagonal leaves out, in (0, 1]. */
  readonly maxInteraction: number;
}

/**
 * How much the diagonal of the Fisher information, which EWC uses, leaves out of the whole F = mean of g·gᵀ:
 * ‖F − diag F‖_F/‖F‖_F, 0 where no two weights interact. For small models, and as a deep check at the end of every
 * `everyEpochs`-th epoch: its cost grows with the square of the samples. It is due at those of the steps at which deep checks run.
 *
 * F itself, of weights × weights, is never made: ‖F‖_F² = (1/N²)·Σ (gₛ·gₜ)² over all pairs of samples.
 */
export function fullFisherBound(options: FullFisherOptions): Invariant {
  const { sampleGradients, everyEpochs, stepsPerEpoch, maxInteraction } = options;
  wholeFrom(1, 'everyEpochs', everyEpochs);
  wholeFrom(1, 'stepsPerEpoch', stepsPerEpoch);
  positive('maxInteraction', maxInteraction);
  return {
    name: 'FullFisher',
    settings: { every_epochs: everyEpochs, steps_per_epoch: stepsPerEpoch, max_interaction: maxInteraction },
    tier: tierOf.FullFisher,
    evidence: { class: 'external' },
    start: () => ({
      model(proposed, { step }) {
        if (step % (everyEpochs * stepsPerEpoch) !== 0) return [];
        const value = interaction(sampleGradients(proposed));
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
  // Both sums are N² times what they stand for; rounding can make the difference negative.
  return whole === 0 ? 0 : Math.sqrt(Math.max(0, whole - diagonal) / whole);
}

function dot(x: Float32Array, y: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] ?? NaN) * (y[i] ?? NaN);
  return sum;
}
