/** What is in a checkpoint, on one page: nothing is judged, and no number of a tensor is read. */
import type { Problem } from '../base/problem.ts';
import { ok, type Result } from '../base/result.ts';
import type { CheckpointFiles } from './checkpoint-files.ts';
import type { Checkpoint, Position, SchedulerState, Setting, StoredTensor } from './checkpoint.ts';
import { sha256Of } from './hash-file.ts';

/** A file, with its hash if that was asked for. */
export interface InspectedFile {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal; null if it was not computed. */
  readonly sha256: string | null;
  readonly isLink: boolean;
}

/** One tensor. */
interface InspectedTensor {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: number;
  readonly file: string;
}

/** Tensors of one kind. */
export interface TensorGroup {
  readonly count: number;
  /** Numbers in all of them: the parameters of a model. */
  readonly elements: number;
  readonly bytes: number;
  /** How many tensors have each type, the most frequent first. */
  readonly dtypes: Readonly<Record<string, number>>;
  readonly tensors: readonly InspectedTensor[];
}

/** The page. */
export interface Inspection {
  readonly format: string;
  readonly position: Position | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, Setting>>;
  readonly weights: TensorGroup;
  readonly optimizer:
    | (TensorGroup & {
        readonly optimizers: number;
        readonly groups: number;
        readonly states: number;
        readonly steps: readonly number[];
      })
    | null;
  readonly others: TensorGroup;
  readonly scheduler: Checkpoint['scheduler'];
  /** With several optimizers: all schedulers. */
  readonly schedulers: readonly SchedulerState[];
  readonly randomStates: readonly string[] | null;
  readonly lossScale: number | null;
  /** Weights and shards that are announced and not there. */
  readonly missing: readonly string[];
  /** What loading its pickles would import. */
  readonly imports: readonly string[];
  readonly files: readonly InspectedFile[];
}

/** Describes a checkpoint; `files` are those of its folder. */
export function inspection(checkpoint: Checkpoint, files: readonly InspectedFile[]): Inspection {
  const { format, position, optimizer, scheduler, randomStates, lossScale } = checkpoint;
  const states = optimizer?.states ?? [];
  const moments = states.flatMap(({ index, tensors }) =>
    [...tensors.values()].map((tensor) => ({ ...tensor, name: tensor.name || `state[${index}]` })),
  );
  return {
    format,
    position,
    versions: Object.fromEntries(checkpoint.versions),
    settings: Object.fromEntries(checkpoint.settings),
    weights: groupOf(checkpoint.weights),
    optimizer: optimizer && {
      optimizers: checkpoint.several?.optimizers.length ?? 1,
      groups: optimizer.groups.length,
      states: states.length,
      steps: [...new Set(states.flatMap(({ step }) => step ?? []))].toSorted((a, b) => a - b),
      ...groupOf(moments),
    },
    others: groupOf(checkpoint.others),
    scheduler,
    schedulers: checkpoint.several?.schedulers ?? [],
    randomStates,
    lossScale,
    missing: checkpoint.missingWeights,
    imports: checkpoint.refused,
    files,
  };
}

function groupOf(tensors: readonly StoredTensor[]): TensorGroup {
  const dtypes = new Map<string, number>();
  let [elements, bytes] = [0, 0];
  const inspected = tensors.map((tensor): InspectedTensor => {
    dtypes.set(tensor.dtype, (dtypes.get(tensor.dtype) ?? 0) + 1);
    elements += tensor.shape.reduce((product, n) => product * n, 1);
    bytes += tensor.bytes;
    const { name, dtype, shape, file } = tensor;
    return { name, dtype, shape, bytes: tensor.bytes, file };
  });
  const byFrequency = [...dtypes].toSorted(([, a], [, b]) => b - a);
  return { count: tensors.length, elements, bytes, dtypes: Object.fromEntries(byFrequency), tensors: inspected };
}

/** The files of a checkpoint with their sizes; `withHashes` reads all of them. */
export async function inspectedFiles(
  { names, links, source }: CheckpointFiles,
  withHashes: boolean,
): Promise<Result<readonly InspectedFile[], Problem>> {
  const isLink = new Set(links);
  const found: InspectedFile[] = [];
  for (const name of names) {
    const opened = await source(name);
    if (!opened.ok) return opened;
    const sha256 = withHashes ? await sha256Of(opened.value) : ok(null);
    if (!sha256.ok) return sha256;
    found.push({ name, bytes: opened.value.size, sha256: sha256.value, isLink: isLink.has(name) });
  }
  return ok(found);
}
