/** Optimizers, schedules and invariants as run files name them. */
import { finite, oneOf, record, type Decoder } from '../../evidence/decoder.ts';
import { err } from '../../base/result.ts';
import { fullFisherBound } from '../continual/full-fisher.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { lossStabilityBound } from '../invariants/loss-stability.ts';
import { coherenceBound } from '../invariants/coherence.ts';
import { energyGate } from '../invariants/energy-gate.ts';
import { lipschitzBound } from '../invariants/lipschitz.ts';
import { permutationEquivariance } from '../invariants/permutation-equivariance.ts';
import { weightNormBound } from '../invariants/weight-norm.ts';
import type { Optimizer } from '../optimizer/optimizer.ts';
import { adam, adamW, lion, sgd } from '../optimizer/rules.ts';
import {
  constant,
  cosineAnnealing,
  exponential,
  reduceOnPlateau,
  stepDecay,
  warmupLinear,
  type Schedule,
} from '../optimizer/schedule.ts';
import type { Task } from './task.ts';
import { present } from '../../base/invariant.ts';
import { byKind, mapped, whole } from './fields.ts';
import { chosen } from './chosen.ts';
import { sampleGradients, samplesOf } from './sequence.ts';

const kind = (name: string): Decoder<string> => oneOf(name);

/** The `optimizer:` key. */
export const optimizer: Decoder<Optimizer> = byKind<Optimizer>({
  sgd: mapped(
    record<{ kind: string; learning_rate: number; momentum?: number; weight_decay?: number }>(
      { kind: kind('sgd'), learning_rate: finite, momentum: finite, weight_decay: finite },
      ['momentum', 'weight_decay'],
    ),
    ({ learning_rate: learningRate, momentum = 0, weight_decay: weightDecay = 0 }) =>
      sgd({ learningRate, momentum, weightDecay }),
  ),
  adam: adaptive('adam', adam),
  adamw: adaptive('adamw', adamW),
  lion: mapped(
    record<{ kind: string; learning_rate: number; beta1?: number; beta2?: number; weight_decay?: number }>(
      { kind: kind('lion'), learning_rate: finite, beta1: finite, beta2: finite, weight_decay: finite },
      ['beta1', 'beta2', 'weight_decay'],
    ),
    ({ learning_rate: learningRate, weight_decay: weightDecay = 0, beta1 = 0.9, beta2 = 0.99 }) =>
      lion({ learningRate, beta1, beta2, weightDecay }),
  ),
});

function adaptive(name: string, make: typeof adam): Decoder<Optimizer> {
  return mapped(
    record<{
      kind: string;
      learning_rate: number;
      beta1?: number;
      beta2?: number;
      epsilon?: number;
      weight_decay?: number;
    }>(
      { kind: kind(name), learning_rate: finite, beta1: finite, beta2: finite, epsilon: finite, weight_decay: finite },
      ['beta1', 'beta2', 'epsilon', 'weight_decay'],
    ),
    ({ learning_rate: learningRate, weight_decay: weightDecay, ...rest }) =>
      make({ learningRate, ...(weightDecay === undefined ? {} : { weightDecay }), ...rest }),
  );
}

/** The `schedule:` key. */
export const schedule: Decoder<Schedule> = byKind<Schedule>({
  constant: mapped(record<{ kind: string }>({ kind: kind('constant') }), constant),
  step_decay: mapped(
    record<{ kind: string; every: number; gamma: number }>({ kind: kind('step_decay'), every: finite, gamma: finite }),
    stepDecay,
  ),
  exponential: mapped(
    record<{ kind: string; gamma: number }>({ kind: kind('exponential'), gamma: finite }),
    exponential,
  ),
  cosine_annealing: mapped(
    record<{ kind: string; steps: number; floor?: number }>(
      { kind: kind('cosine_annealing'), steps: finite, floor: finite },
      ['floor'],
    ),
    cosineAnnealing,
  ),
  warmup_linear: mapped(
    record<{ kind: string; steps: number }>({ kind: kind('warmup_linear'), steps: finite }),
    warmupLinear,
  ),
  reduce_on_plateau: mapped(
    record<{ kind: string; factor: number; patience: number; floor?: number }>(
      { kind: kind('reduce_on_plateau'), factor: finite, patience: finite, floor: finite },
      ['floor'],
    ),
    reduceOnPlateau,
  ),
});

/** Makes an invariant for the task of a run; throws if the task does not support it. */
export type MakeInvariant = (task: Task) => Invariant;

/** The check costs time and memory for every pair of samples. */
const mostFisherSamples = 1000;

/** The decoder of each invariant's settings, by name. */
const invariants: Readonly<Record<string, Decoder<MakeInvariant>>> = {
  LossStabilityBound: mapped(
    record<{ spike_cap: number; window: number; max_gradient_norm: number; max_step_size: number }>({
      spike_cap: finite,
      window: finite,
      max_gradient_norm: finite,
      max_step_size: finite,
    }),
    (of) => {
      const made = lossStabilityBound({
        spikeCap: of.spike_cap,
        window: of.window,
        maxGradientNorm: of.max_gradient_norm,
        maxStepSize: of.max_step_size,
      });
      return () => made;
    },
  ),
  WeightNormBound: mapped(
    record<{ max_norm: number; min_norm?: number }>({ max_norm: finite, min_norm: finite }, ['min_norm']),
    ({ max_norm: max, min_norm: min = 0 }) => {
      const made = weightNormBound({ max, min });
      return () => made;
    },
  ),
  LipschitzBound: mapped(
    record<{
      max_lipschitz: number;
      power_iterations?: number;
      tolerance?: number;
      gate?: 'upper_bound' | 'estimate';
      gram_iterations?: number;
    }>(
      {
        max_lipschitz: finite,
        power_iterations: finite,
        tolerance: finite,
        gate: oneOf('upper_bound', 'estimate'),
        gram_iterations: finite,
      },
      ['power_iterations', 'tolerance', 'gate', 'gram_iterations'],
    ),
    ({
      max_lipschitz: maxLipschitz,
      power_iterations: powerIterations,
      tolerance,
      gate,
      gram_iterations: gramIterations,
    }) => {
      const made = lipschitzBound({
        maxLipschitz,
        ...(gramIterations === undefined ? {} : { gramIterations }),
        ...(powerIterations === undefined ? {} : { powerIterations }),
        ...(tolerance === undefined ? {} : { tolerance }),
        ...(gate === undefined ? {} : { gate }),
      });
      return () => made;
    },
  ),
  CoherenceBound: mapped(
    record<{ min_coherence: number; eigenvalue_samples?: number }>(
      { min_coherence: finite, eigenvalue_samples: finite },
      ['eigenvalue_samples'],
    ),
    ({ min_coherence: minCoherence, eigenvalue_samples: eigenvalueSamples }) => {
      const made = coherenceBound({ minCoherence, ...(eigenvalueSamples === undefined ? {} : { eigenvalueSamples }) });
      return () => made;
    },
  ),
  EnergyGate: mapped(
    record<{
      min_energy: number;
      critical_energy: number;
      escalation_tier?: 'standard' | 'deep';
      rate_factor?: number;
    }>(
      {
        min_energy: finite,
        critical_energy: finite,
        escalation_tier: oneOf('standard', 'deep'),
        rate_factor: finite,
      },
      ['escalation_tier', 'rate_factor'],
    ),
    ({
      min_energy: minEnergy,
      critical_energy: criticalEnergy,
      escalation_tier: escalationTier,
      rate_factor: rateFactor,
    }) => {
      const made = energyGate({
        minEnergy,
        criticalEnergy,
        ...(escalationTier === undefined ? {} : { escalationTier }),
        ...(rateFactor === undefined ? {} : { rateFactor }),
      });
      return () => made;
    },
  ),
  PermutationEquivariance: mapped(
    record<{ max_deviation: number; samples?: number; rng_seed?: number }>(
      { max_deviation: finite, samples: finite, rng_seed: finite },
      ['samples', 'rng_seed'],
    ),
    ({ max_deviation: maxDeviation, samples = 1, rng_seed: seed = 0 }) => {
      const settings = { maxDeviation, samples, seed };
      // Made once without a model, so that settings out of range are found before training begins.
      permutationEquivariance({ ...settings, nodes: 1, forward: () => new Float32Array() });
      return ({ equivariance }) =>
        permutationEquivariance({
          ...present(equivariance, 'readRun refuses it for other models'),
          ...settings,
        });
    },
  ),
  FullFisher: mapped(
    record<{ every_epochs: number; max_interaction: number; samples?: number; rng_seed?: number }>(
      {
        every_epochs: finite,
        max_interaction: finite,
        samples: whole(1, mostFisherSamples),
        rng_seed: whole(0, Number.MAX_SAFE_INTEGER),
      },
      ['samples', 'rng_seed'],
    ),
    ({ every_epochs: everyEpochs, max_interaction: maxInteraction, samples = 32, rng_seed: seed = 0 }) => {
      const options = { everyEpochs, maxInteraction, stepsPerEpoch: 1 };
      fullFisherBound({ ...options, sampleGradients: () => [] });
      return (task) => {
        const { at } = samplesOf(task);
        return fullFisherBound(
          {
            ...options,
            sampleGradients: (weights, step) => {
              const some = chosen(at(step), samples, seed, 'full Fisher', step);
              return Array.from(sampleGradients(task, weights, some), (gradients) =>
                concatenated(weights.map(({ name }) => gradients[name] ?? new Float32Array())),
              );
            },
          },
          { class: 'statistical', seed, samples },
        );
      };
    },
  ),
};

function concatenated(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

/** One item of `invariants:`, a mapping from the name to the settings. */
export const invariant: Decoder<MakeInvariant> = (value, at) => {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [entry, ...more] = entries;
  if (entry === undefined || more.length > 0) return err(`${at} is not a single name with its settings`);
  const [name, settings] = entry;
  const decoder = Object.hasOwn(invariants, name) ? invariants[name] : undefined;
  if (name === 'Custom')
    return err(
      `${at}.Custom has no place in a run file, which contains no code: pass custom({ … }) to createVerifiedTrainer instead`,
    );
  if (decoder === undefined) return err(`${at}.${name} is not one of ${Object.keys(invariants).join(', ')}`);
  return decoder(settings, `${at}.${name}`);
};
