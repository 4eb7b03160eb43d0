/** A model that pv trains itself. Its weights, and its loss and gradients at any step, are functions of its configuration. */
import type { ParametersInput } from '../parameters.ts';

/** Loss and gradients of one step; the next call overwrites the arrays. */
interface LossAndGradients {
  readonly loss: number;
  readonly gradients: Readonly<Record<string, Float32Array>>;
}

/** A model with its data. */
export interface Task {
  /** New arrays with the initial weights. */
  readonly initial: () => ParametersInput;
  /** Loss and gradients at these weights, on the data of step `step`: a pure function of both. */
  readonly lossAndGradients: (weights: (name: string) => Float32Array, step: number) => LossAndGradients;
  /** The model's outputs with its nodes permuted, for models that should be equivariant; null for others. */
  readonly equivariance: {
    readonly nodes: number;
    readonly forward: (weights: (name: string) => Float32Array, order: Int32Array) => Float32Array;
  } | null;
  /** A canonical text from which the data are made. */
  readonly manifest: Uint8Array;
}
