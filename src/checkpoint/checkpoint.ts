/** A checkpoint as its checks see it, whatever trainer wrote it. What a format does not have is null, never a guess. */
import type { ByteSource } from './byte-source.ts';

/** Where training stopped. */
export interface Position {
  /** Optimizer steps taken. */
  readonly globalStep: number;
  readonly epoch: number | null;
  /** Steps of the whole run; null if unknown. */
  readonly maxSteps: number | null;
}

/** One line of the training log that has a learning rate or a loss. */
export interface LoggedStep {
  readonly step: number;
  readonly learningRate: number | null;
  readonly loss: number | null;
}

/** What a scheduler stored. */
export interface SchedulerState {
  /** PyTorch's `last_epoch`: how often it was stepped. */
  readonly lastEpoch: number;
  /** Per parameter group. */
  readonly learningRates: readonly number[];
  readonly baseLearningRates: readonly number[];
  /** It counts epochs: it was stepped once for each, so that its count is not that of the optimizer's steps. */
  readonly countsEpochs: boolean;
}

/** Numbers that are still in their file. */
export interface StoredTensor {
  /** `model.embed.weight`, or `state[3].exp_avg` for the optimizer. */
  readonly name: string;
  /** As safetensors names it. */
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly source: ByteSource;
  /** Of its first byte in the file. */
  readonly offset: number;
  readonly bytes: number;
  readonly file: string;
}

/** One group of parameters that share their settings. */
export interface ParameterGroup {
  readonly learningRate: number | null;
  /** Indexes into the optimizer's states. */
  readonly parameters: readonly number[];
  /** The peak that the scheduler starts from, as the optimizer keeps it. */
  readonly initialRate: number | null;
  /** SGD without momentum keeps nothing for its parameters. */
  readonly isStateless: boolean;
  /** PyTorch's Adam and AdamW, by their `amsgrad`: each parameter has a step and two moments. */
  readonly isAdam: boolean;
  /** Hyperparameters that no optimizer can work with, such as a NaN. */
  readonly unusable: readonly string[];
}

/** What the optimizer keeps for one parameter. */
export interface ParameterState {
  readonly index: number;
  readonly step: number | null;
  /** By their names in PyTorch: `exp_avg`, `exp_avg_sq`, `momentum_buffer`. */
  readonly tensors: ReadonlyMap<string, StoredTensor>;
}

/** The optimizer as it was saved. */
export interface OptimizerState {
  readonly groups: readonly ParameterGroup[];
  readonly states: readonly ParameterState[];
}

/** Optimizers of one run, and its schedulers; if there are as many, each is the scheduler of the optimizer at its place. */
export interface SeveralOptimizers {
  readonly optimizers: readonly OptimizerState[];
  readonly schedulers: readonly SchedulerState[];
}

/** A part of a file that has a checksum. */
interface ChecksummedPart {
  /** `optimizer.pt: archive/data/3`. */
  readonly name: string;
  readonly source: ByteSource;
  readonly offset: number;
  readonly size: number;
  readonly crc32: number;
}

/** A value of the trainer's configuration. */
export type Setting = string | number | boolean | null;

/** A checkpoint that was read; its tensors are read only where a check needs their numbers. */
export interface Checkpoint {
  /** The format, in words: `Hugging Face Trainer folder`. */
  readonly format: string;
  readonly position: Position | null;
  readonly settings: ReadonlyMap<string, Setting>;
  readonly scheduler: SchedulerState | null;
  /** With several optimizers: the groups and states of all, numbered on from one to the next. */
  readonly optimizer: OptimizerState | null;
  /** Absent with one optimizer. With several, `scheduler` is null. */
  readonly several?: SeveralOptimizers;
  readonly weights: readonly StoredTensor[];
  /** Tensors that are neither weights nor the optimizer's, such as averaged weights and random states. */
  readonly others: readonly StoredTensor[];
  readonly log: readonly LoggedStep[];
  /** Names of its files, sorted. */
  readonly files: readonly string[];
  /** Weights and shards that an index or a shard's name announces, and that are not there. */
  readonly missingWeights: readonly string[];
  /** What its random generators and its loss scaler saved; null where there is no such file. */
  readonly randomStates: readonly string[] | null;
  readonly lossScale: number | null;
  readonly checksums: readonly ChecksummedPart[];
  /** The name of its folder; empty if the trainer does not name folders by their steps. */
  readonly name: string;
  /** Of the libraries that wrote it, as far as it says. */
  readonly versions: ReadonlyMap<string, string>;
  /** Classes and functions that its pickles name and pv did not import, except those of plain tensors and dicts. */
  readonly refused: readonly string[];
}
