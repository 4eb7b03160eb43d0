/** A model that pv trains itself. Its weights, and its loss and gradients at any step, are functions of its configuration. */
import type { Weights } from '../model/module.ts';
import type { JsonObject } from '../../base/canonical-json.ts';
import type { ParametersInput } from '../parameters.ts';

/** Loss and gradients; the next call overwrites the arrays. */
export interface LossAndGradients {
  readonly loss: number;
  readonly gradients: Readonly<Record<string, Float32Array>>;
}

/** The single samples of a task whose loss is their mean. */
export interface TaskSamples {
  /** Samples have the indices 0 to count − 1. */
  readonly count: number;
  /** The samples of step `step`. */
  readonly at: (step: number) => readonly number[];
  /** The mean loss of some samples and its gradients, in arrays other than those of {@link Task.lossAndGradients}. */
  readonly lossAndGradients: (weights: Weights, samples: readonly number[]) => LossAndGradients;
}

/** The `robustness:` key of a run file. */
export interface RobustnessRequest {
  /** The radius in the maximum norm. */
  readonly epsilon: number;
  readonly method: 'ibp' | 'deeppoly' | 'hybrid';
  /** Number of samples to certify, chosen by the seed of the run. */
  readonly samples: number;
  /** Whether to search for each sample's largest certified radius up to epsilon. */
  readonly radius: boolean;
}

/** One of several tasks that a run learns one after another. */
export interface SequencedTask {
  readonly name: string;
  readonly steps: number;
  readonly task: Task;
}

/** A model with its data. */
export interface Task {
  /** New arrays with the initial weights. */
  readonly initial: () => ParametersInput;
  /** Loss and gradients at these weights, on the data of step `step`: a pure function of both. */
  readonly lossAndGradients: (weights: Weights, step: number) => LossAndGradients;
  /** The model's outputs with its nodes permuted, for models that should be equivariant; null for others. */
  readonly equivariance: {
    readonly nodes: number;
    readonly forward: (weights: Weights, order: Int32Array) => Float32Array;
  } | null;
  /** Null if its samples have no losses of their own; then there is no replay and no Fisher information. */
  readonly samples: TaskSamples | null;
  /** Certifies that samples keep their labels at these weights; null for models that pv cannot bound. */
  readonly certifyRobustness: ((weights: Weights, request: RobustnessRequest) => JsonObject) | null;
  /** The tasks that it consists of; empty for a single task. */
  readonly sequence: readonly SequencedTask[];
  /** A canonical text from which the data are made. */
  readonly manifest: Uint8Array;
}
