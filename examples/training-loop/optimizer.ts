/**
 * AdamW as an object that holds its hyper-parameters and its state, and the constructor that hides them.
 */
import type { TrainingConfig } from './config.ts';
import type { Buffer, Device } from './device.ts';
import type { Parameter } from './parameters.ts';

export interface HyperParameters {
  readonly learning_rate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weight_decay: number;
  /** The norm to which what this optimizer gets is clipped; 0: it is not. */
  readonly max_grad_norm: number;
}

export interface Optimizer {
  readonly name: string;
  readonly held: HyperParameters;
  readonly parameters: readonly Parameter[];
  /** The two moments of each parameter. */
  readonly state: readonly { readonly m: Buffer; readonly v: Buffer }[];
}

/** Everything from the config, nothing by default. */
export const fromConfig = (config: TrainingConfig): HyperParameters => ({
  learning_rate: config.learning_rate,
  beta1: config.beta1,
  beta2: config.beta2,
  epsilon: config.epsilon,
  weight_decay: config.weight_decay,
  max_grad_norm: config.max_grad_norm,
});

/** What a constructor that takes the rate alone fills in, which is how a config is ignored. */
export const hiddenDefaults = (config: TrainingConfig): HyperParameters => ({
  ...fromConfig(config),
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weight_decay: 0.01,
});

export interface Construction {
  readonly name: string;
  readonly held: HyperParameters;
  readonly parameters: readonly Parameter[];
  /** Whether the state is cleared after it was allocated. */
  readonly cleared: boolean;
}

export function createOptimizer(device: Device, { cleared, ...rest }: Construction): Optimizer {
  const moment = (name: string, length: number): Buffer => {
    const buffer = device.allocate(name, length);
    if (cleared) device.clear(buffer);
    return buffer;
  };
  const state = rest.parameters.map(({ name, length }) => {
    const v = moment(`${name}.v`, length);
    return { m: moment(`${name}.m`, length), v };
  });
  return { ...rest, state };
}

/** One update of every parameter at step `t`, counted from 1, with the rate of that step. */
export function updateParameters(device: Device, optimizer: Optimizer, rate: number, t: number): void {
  const { beta1, beta2, epsilon, weight_decay } = optimizer.held;
  for (const [i, { weights, gradient, length }] of optimizer.parameters.entries()) {
    const moments = optimizer.state[i];
    if (!moments) throw new Error(`no state for ${weights.name}`);
    const { m, v } = moments;
    const flat = (buffer: Buffer) => ({ buffer, shape: [length] });
    const outputShape = [length];
    device.launch({
      kernel: 'adamFirstMoment',
      operands: [flat(m), flat(gradient), beta1, length],
      output: m,
      outputShape,
    });
    device.launch({
      kernel: 'adamSecondMoment',
      operands: [flat(v), flat(gradient), beta2, length],
      output: v,
      outputShape,
    });
    device.launch({
      kernel: 'adamwUpdate',
      operands: [flat(weights), flat(m), flat(v), rate, beta1, beta2, epsilon, weight_decay, t, length],
      output: weights,
      outputShape,
    });
  }
}
