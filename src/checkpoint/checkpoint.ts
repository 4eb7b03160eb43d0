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
  /** PyTorch's class, such as `OneCycleLR`, where the keys of the state show it. Trainers build a `LambdaLR`. */
  readonly kind?: string;
  /** Absent where its state does not determine its rates. */
  readonly own?: OwnRate;
}

/** The rate of a group of the optimizer after `count` steps of the scheduler; NaN where its state gives none. */
export type OwnRate = (count: number, group: number, settings: ReadonlyMap<string, Setting>) => number;

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
  /** SGD without momentum keeps nothing for its parameters, and LBFGS one state for all of them. */
  readonly isStateless: boolean;
  /** PyTorch's Adam and AdamW, by their `amsgrad`: each parameter has a step and two moments. */
  readonly isAdam: boolean;
  /** Hyperparameters that no optimizer can work with, such as a NaN. */
  readonly unusable: readonly string[];
  /** Its hyperparameters by name, and the members of lists as `betas.0`; absent where the format does not keep them. */
  readonly settings?: ReadonlyMap<string, Setting>;
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
  /** How many there are, if more than one: they need not take the same steps. */
  readonly optimizers?: number;
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

/** Hashes that are kept with a checkpoint. */
export interface StoredHashes {
  /** The file that has them: `pv-seal.json`, or `manifest.json` of our own format. */
  readonly by: string;
  readonly files: readonly HashedFile[];
  /** Files that were hashed and are not there, in sentences; files that were not hashed. */
  readonly missing: readonly string[];
  readonly unlisted: readonly string[];
}

/** A file that was hashed. */
interface HashedFile {
  readonly name: string;
  readonly source: ByteSource;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
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
  /** Bytes of the random states, as far as they are in files or tensors of their own. */
  readonly randomBytes?: readonly StoredTensor[];
  readonly checksums: readonly ChecksummedPart[];
  /** Of its files; absent where none are kept with it, or nobody looked for them. */
  readonly hashes?: StoredHashes;
  /** The name of its folder; empty if the trainer does not name folders by their steps. */
  readonly name: string;
  /** Of the libraries that wrote it, as far as it says. */
  readonly versions: ReadonlyMap<string, string>;
  /** Classes and functions that its pickles name and pv did not import, except those of plain tensors and dicts. */
  readonly refused: readonly string[];
}
