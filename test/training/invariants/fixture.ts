/** A small trainer, and attempts, for tests of invariants. */
import type { Attempt, Invariant } from '../../../src/training/invariants/invariant.ts';
import { norm } from '../../../src/training/norm.ts';
import { sgd } from '../../../src/training/optimizer/rules.ts';
import { layersByPrefix, readParameters, type ParametersInput } from '../../../src/training/parameters.ts';
import type { TrainerOptions } from '../../../src/training/trainer/configuration.ts';
import { createVerifiedTrainer } from '../../../src/training/trainer/trainer.ts';
import { orThrow } from '../../../src/training/training-error.ts';

/** A trainer of one matrix `a.weight` with plain gradient descent at a rate of 0.1. */
export function trainerWith(invariants: readonly Invariant[], options: Partial<TrainerOptions> = {}) {
  return createVerifiedTrainer({
    parameters: { 'a.weight': { shape: [2, 2], data: Float32Array.of(3, 0, 0, 4) } },
    optimizer: sgd({ learningRate: 0.1 }),
    invariants,
    ...options,
  });
}

/** The gradient of `a.weight`. */
export const gradientOf = (...values: readonly number[]) => ({ 'a.weight': Float32Array.from(values) });

/** What the layers measure at weights, again and again, each a committed step. */
export function layerMeter(invariant: Invariant) {
  const checks = invariant.start({ anchorNorms: () => [], taskOf: () => 0 });
  let step = 0;
  const measure = (weights: ParametersInput) => {
    const attempt = attemptAt(++step, weights);
    const measured = layersByPrefix(attempt.parameters).flatMap(
      (layer) =>
        checks.layer?.({ layer, weights: layer.members.flatMap((i) => attempt.parameters[i]?.data ?? []) }, attempt) ??
        [],
    );
    checks.committed?.(attempt);
    return measured;
  };
  return Object.assign(measure, { checks });
}

/** An attempt without gradients. */
export function attemptAt(step: number, weights: ParametersInput): Attempt {
  const parameters = orThrow(readParameters(weights));
  const gradients = parameters.map(({ data }) => new Float32Array(data.length));
  return { step, loss: 1, rate: 0.1, gradients, gradientNorm: norm(gradients), parameters };
}
