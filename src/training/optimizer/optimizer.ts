/**
 * Optimizers as pure rules: from weights, gradient and state of one parameter they make the next weights and the next state.
 *
 * Weights and state are float32; each update is computed in float64 and rounded once where it is stored. Only + − × ÷ √ are
 * used, and powers of β are running products, so that the bits are the same on every engine.
 */
import type { JsonObject } from '../../base/canonical-json.ts';

/** The arrays of one parameter: its weights, and the optimizer's state in the order of `slots`. */
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
  /** Its name and hyper-parameters, as configs and certificates have them. */
  readonly settings: JsonObject & { readonly kind: string };
  /** η, the base of the schedule; finite and ≥ 0. */
  readonly learningRate: number;
  /** Names of the arrays that it keeps for each parameter, each as long as the parameter and 0 at first. */
  readonly slots: readonly string[];
  /** Factors whose powers it needs for the correction of its bias. */
  readonly decays: readonly number[];
  /** Writes the next weights and state of one parameter into `next`, which may be `now` itself. */
  readonly update: (now: Slots, gradient: Float32Array, numbers: StepNumbers, next: Slots) => void;
}
