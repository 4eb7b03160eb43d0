/** Stochastic gradient descent, Adam, AdamW and Lion. */
import { present } from '../../base/invariant.ts';
import { notNegative, positive, within } from '../settings.ts';
import type { Optimizer } from './optimizer.ts';

const slot = (state: readonly Float32Array[], i: number): Float32Array =>
  present(state[i], 'every slot of the optimizer has its array');

/** Options of {@link sgd}. */
export interface SgdOptions {
  /** η ≥ 0. */
  readonly learningRate: number;
  /** μ in [0, 1); 0 by default. */
  readonly momentum?: number;
  /** λ ≥ 0, added to the gradient as λ·θ; 0 by default. */
  readonly weightDecay?: number;
}

/**
 * v ← μ·v + (g + λ·θ); θ ← θ − η·v.
 *
 * Source: Sutskever et al. (2013), On the importance of initialization and momentum in deep learning, section 2, in the form
 * of PyTorch's `torch.optim.SGD`: the learning rate multiplies v as a whole, not each gradient as it enters v.
 */
export function sgd({ learningRate, momentum = 0, weightDecay = 0 }: SgdOptions): Optimizer {
  notNegative('learningRate', learningRate);
  within('momentum', momentum, 0, 1);
  notNegative('weightDecay', weightDecay);
  return {
    settings: { kind: 'sgd', learning_rate: learningRate, momentum, weight_decay: weightDecay },
    learningRate,
    slots: ['velocity'],
    decays: [],
    update(now, gradient, { rate }, next) {
      const [old, weights] = [slot(now.state, 0), now.weights];
      const [velocity, out] = [slot(next.state, 0), next.weights];
      for (let i = 0; i < weights.length; i++) {
        const weight = weights[i] ?? NaN;
        const v = Math.fround(momentum * (old[i] ?? NaN) + ((gradient[i] ?? NaN) + weightDecay * weight));
        velocity[i] = v;
        out[i] = weight - rate * v;
      }
    },
  };
}

/** Options of {@link adam} and {@link adamW}. */
export interface AdamOptions {
  /** η ≥ 0; 0.001 by default. */
  readonly learningRate?: number;
  /** β₁ in [0, 1); 0.9 by default. */
  readonly beta1?: number;
  /** β₂ in [0, 1); 0.999 by default. */
  readonly beta2?: number;
  /** ε > 0; 1e-8 by default. */
  readonly epsilon?: number;
  /** λ ≥ 0; 0 by default for Adam, 0.01 for AdamW. */
  readonly weightDecay?: number;
}

/**
 * m ← β₁·m + (1 − β₁)·g; v ← β₂·v + (1 − β₂)·g²; θ ← θ − η·(m/(1 − β₁ᵗ)) / (√(v/(1 − β₂ᵗ)) + ε), with λ·θ added to g.
 *
 * Source: Kingma & Ba (2015), arXiv:1412.6980, algorithm 1; the decay is that of `torch.optim.Adam`.
 */
export const adam = (options: AdamOptions = {}): Optimizer => adaptive('adam', { weightDecay: 0, ...options }, false);

/**
 * Adam with decoupled weight decay λ: θ ← θ − η·(m̂/(√v̂ + ε) + λ·θ).
 *
 * Source: Loshchilov & Hutter (2019), arXiv:1711.05101, algorithm 2.
 */
export const adamW = (options: AdamOptions = {}): Optimizer =>
  adaptive('adamw', { weightDecay: 0.01, ...options }, true);

function adaptive(
  kind: 'adam' | 'adamw',
  options: AdamOptions & { readonly weightDecay: number },
  decoupled: boolean,
): Optimizer {
  const { learningRate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay } = options;
  notNegative('learningRate', learningRate);
  within('beta1', beta1, 0, 1);
  within('beta2', beta2, 0, 1);
  positive('epsilon', epsilon);
  notNegative('weightDecay', weightDecay);
  const [coupled, apart] = decoupled ? [0, weightDecay] : [weightDecay, 0];
  return {
    settings: { kind, learning_rate: learningRate, beta1, beta2, epsilon, weight_decay: weightDecay },
    learningRate,
    slots: ['first_moment', 'second_moment'],
    decays: [beta1, beta2],
    update(now, gradient, { rate, powers }, next) {
      const [oldFirst, oldSecond, weights] = [slot(now.state, 0), slot(now.state, 1), now.weights];
      const [first, second, out] = [slot(next.state, 0), slot(next.state, 1), next.weights];
      const firstScale = 1 - present(powers[0], 'β₁ has its power');
      const secondScale = 1 - present(powers[1], 'β₂ has its power');
      for (let i = 0; i < weights.length; i++) {
        const weight = weights[i] ?? NaN;
        const g = (gradient[i] ?? NaN) + coupled * weight;
        const m = Math.fround(beta1 * (oldFirst[i] ?? NaN) + (1 - beta1) * g);
        const v = Math.fround(beta2 * (oldSecond[i] ?? NaN) + (1 - beta2) * (g * g));
        first[i] = m;
        second[i] = v;
        out[i] = weight - rate * (m / firstScale / (Math.sqrt(v / secondScale) + epsilon) + apart * weight);
      }
    },
  };
}

/** Options of {@link lion}. */
export interface LionOptions {
  /** η ≥ 0; 0.0001 by default. */
  readonly learningRate?: number;
  /** β₁ in [0, 1); 0.9 by default. */
  readonly beta1?: number;
  /** β₂ in [0, 1); 0.99 by default. */
  readonly beta2?: number;
  /** λ ≥ 0; 0 by default. */
  readonly weightDecay?: number;
}

/**
 * θ ← θ − η·(sign(β₁·m + (1 − β₁)·g) + λ·θ); m ← β₂·m + (1 − β₂)·g, with sign 0 = 0.
 *
 * Source: Chen et al. (2023), Symbolic discovery of optimization algorithms, arXiv:2302.06675, algorithm 2.
 */
export function lion({ learningRate = 1e-4, beta1 = 0.9, beta2 = 0.99, weightDecay = 0 }: LionOptions = {}): Optimizer {
  notNegative('learningRate', learningRate);
  within('beta1', beta1, 0, 1);
  within('beta2', beta2, 0, 1);
  notNegative('weightDecay', weightDecay);
  return {
    settings: { kind: 'lion', learning_rate: learningRate, beta1, beta2, weight_decay: weightDecay },
    learningRate,
    slots: ['momentum'],
    decays: [],
    update(now, gradient, { rate }, next) {
      const [old, weights] = [slot(now.state, 0), now.weights];
      const [momentum, out] = [slot(next.state, 0), next.weights];
      for (let i = 0; i < weights.length; i++) {
        const [weight, m, g] = [weights[i] ?? NaN, old[i] ?? NaN, gradient[i] ?? NaN];
        const direction = Math.sign(beta1 * m + (1 - beta1) * g);
        momentum[i] = beta2 * m + (1 - beta2) * g;
        out[i] = weight - rate * (direction + weightDecay * weight);
      }
    },
  };
}
