/**
 * Optimizers as pure rules, which map the weights, gradient and state of one parameter to its next weights and state.
 *
 * Weights and state are float32. Each update is computed in float64 and rounded once when it is stored. It uses only + − × ÷ √,
 * and powers of β are running products, so the bits are the same on every engine.
 */
import type { JsonObject } from '../../base/canonical-json.ts';

/** The arrays of one parameter: its weights and the optimizer's state, in the order of `slots`. */
export interface Slots {
  readonly weights: Float32Array;
  readonly state: readonly Float32Array[];
}

/** The numbers that all parameters share in one step. */
export interface StepNumbers {
  /** The learning rate, finite and ≥ 0. */
  readonly rate: number;
  /** The powers of `decays` after this step: β^t with t counted from 1. */
  readonly powers: readonly number[];
}

/** An update rule. */
export interface Optimizer {
  /** Its name and hyperparameters, as recorded in configurations and certificates. */
  readonly settings: JsonObject & { readonly kind: string };
  /** η, the base of the schedule; finite and ≥ 0. */
  readonly learningRate: number;
  /** Names of the arrays that it keeps per parameter, each as long as the parameter and initially 0. */
  readonly slots: readonly string[];
  /** Factors whose powers it needs for bias correction. */
  readonly decays: readonly number[];
  /** Writes the next weights and state of one parameter into `next`, which may be `now` itself. */
  readonly update: (now: Slots, gradient: Float32Array, numbers: StepNumbers, next: Slots) => void;
}
