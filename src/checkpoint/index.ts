/** `provable-contracts/checkpoint`: checkpoints that survive a crash at any moment, and are verified before they are loaded. */
import type { Problem } from '../base/problem.ts';
import type { Result } from '../base/result.ts';
import { createNodeHost } from '../host/node-host.ts';
import { loadFrom, type LoadedCheckpoint } from './store/load.ts';
import type { TrainingState } from './store/training-state.ts';
import { openCheckpoints, type SavedCheckpoint, type SaveOptions } from './store/writer.ts';

export type { LoadedCheckpoint } from './store/load.ts';
export type { TrainingPosition, TrainingState } from './store/training-state.ts';
export type { SavedCheckpoint, SaveOptions } from './store/writer.ts';
export { withEval, type TrainableModule } from './with-eval.ts';
export type { NamedTensor } from '../tensors/safetensors.ts';
export type { DType, TensorArray } from '../tensors/typed-arrays.ts';
export type { Problem } from '../base/problem.ts';

/** The error of this module: `code` is a stable code of `pv explain`, that of `problem`. */
export interface CheckpointError extends Error {
  readonly name: 'CheckpointError';
  readonly code: Problem['code'];
  readonly problem: Problem;
}

/** The only writer of a folder, as {@link openCheckpointFolder} returns it. */
export interface CheckpointFolder {
  /** What its file system (NFS, SMB, FUSE, tmpfs) may lose although it was saved, in a sentence; null where nothing is known to be. */
  readonly caution: string | null;
  /**
   * Saves the state as it is at the call, of which it makes a copy in memory first. When its promise is fulfilled, the checkpoint outlives
   * the process and the machine. Rejects with PV-8540, PV-8541 or PV-8543.
   */
  readonly save: (state: TrainingState) => Promise<SavedCheckpoint>;
  /** Lets other writers in; so does the end of the process. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a folder for the checkpoints of a run, and keeps other processes from writing to it until it is closed. Throws PV-8541 if
 * nothing could be saved there (full, read-only, no rename or sync), PV-8542 if another process writes to it.
 */
export async function openCheckpointFolder(folder: string, options: SaveOptions = {}): Promise<CheckpointFolder> {
  const writer = orThrow(await openCheckpoints(createNodeHost(), folder, options));
  return {
    caution: writer.caution,
    save: async (state) => orThrow(await writer.save(state)),
    close: async () => {
      await writer.close();
    },
  };
}

/** Opens a folder, saves one checkpoint and closes it; see {@link openCheckpointFolder} for a whole run. */
export async function saveCheckpoint(
  folder: string,
  state: TrainingState,
  options: SaveOptions = {},
): Promise<SavedCheckpoint> {
  const opened = await openCheckpointFolder(folder, options);
  try {
    return await opened.save(state);
  } finally {
    await opened.close();
  }
}

/**
 * The last acknowledged checkpoint, or the latest earlier one that verifies; `passedOver` says what was damaged. Throws PV-8544 if
 * none does.
 */
export const loadCheckpoint = async (folder: string): Promise<LoadedCheckpoint> =>
  orThrow(await loadFrom(createNodeHost(), folder));

function orThrow<T>(result: Result<T, Problem>): T {
  if (result.ok) return result.value;
  const { code, message } = result.error;
  throw Object.assign(new Error(`${code}: ${message}`), { name: 'CheckpointError', code, problem: result.error });
}
