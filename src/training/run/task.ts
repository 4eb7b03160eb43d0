/** A model that pv trains itself: its weights, and loss and gradients at any step, all functions of its configuration. */
import type { ParametersInput } from '../parameters.ts';

/** Loss and gradients of one step; arrays are reused by the next call. */
interface LossAndGradients {
  readonly loss: number;
  readonly gradients: Readonly<Record<string, Float32Array>>;
}

/** A model with its data. */
export interface Task {
  /** Fresh arrays of the initial weights. */
  readonly initial: () => ParametersInput;
  /** Loss and gradients at these weights, of the data that step `step` sees: a pure function of both. */
  readonly lossAndGradients: (weights: (name: string) => Float32Array, step: number) => LossAndGradients;
  /** Outputs of the model with its nodes renamed, where renaming them should change nothing; null of other models. */
  readonly equivariance: {
    readonly nodes: number;
    readonly forward: (weights: (name: string) => Float32Array, order: Int32Array) => Float32Array;
  } | null;
  /** Canonical text of what the data are made of. */
  readonly manifest: Uint8Array;
}
