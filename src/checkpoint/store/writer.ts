/**
 * Saves checkpoints so that a crash at any moment leaves the last acknowledged one: all files are synced under a temporary name,
 * the folder gets its name by a rename, then `latest.json` is replaced, and only then are old checkpoints removed.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { quoted } from '../../base/text.ts';
import type { FileProblem, Host } from '../../host/host.ts';
import { writeSynced } from '../../host/write-synced.ts';
import { sha256Stream } from '../../merkle/sha256.ts';
import { writeSafetensors } from '../../tensors/safetensors.ts';
import {
  checkpointName,
  inside,
  listCheckpoints,
  manifestName,
  partFiles,
  pointerName,
  type FileName,
  type Pointer,
} from './layout.ts';
import { acquireLock, temporaryLock, type Lock } from './lock.ts';
import { writeManifest, type ListedFile } from './manifest.ts';
import { makeFolder, probeName, tryOperations } from './prepare-folder.ts';
import { removeFolder } from './remove-folder.ts';
import { writeStateFile } from './state-file.ts';
import { checkToSave, tensorParts, type TrainingState } from './training-state.ts';
import { unwritable } from './unwritable.ts';

/** How checkpoints are saved. */
export interface SaveOptions {
  /** How many checkpoints stay, the new one included; 2 by default, so that a damaged one has a predecessor. */
  readonly keep?: number;
}

/** A checkpoint that is durable. */
export interface SavedCheckpoint {
  /** Its folder. */
  readonly path: string;
  readonly sequence: number;
  /** Of all its files but the manifest. */
  readonly bytes: number;
  /** Why old checkpoints could not be removed; null if they could. */
  readonly unpruned: FileProblem | null;
}

/** The only writer of a folder. */
export interface CheckpointWriter {
  /** What the file system of the folder may lose although it was saved, in a sentence; null where nothing is known to be. */
  readonly caution: string | null;
  /**
   * Saves the state as it is at the call: it is copied before this returns its promise, so that training may go on. When the promise
   * is fulfilled, the checkpoint outlives this process and the machine. PV-8540 for a state that cannot be saved, PV-8541 if it cannot
   * be written, PV-8543 if another writer has taken over.
   */
  readonly save: (state: TrainingState) => Promise<Result<SavedCheckpoint, Problem>>;
  /** Lets other writers in. */
  readonly close: () => Promise<Result<void, FileProblem>>;
}

/** Opens a folder for writing, and makes it if it is missing; PV-8541 if nothing can be saved there, PV-8542 if another process writes to it. */
export async function openCheckpoints(
  host: Host,
  folder: string,
  options: SaveOptions = {},
): Promise<Result<CheckpointWriter, Problem>> {
  const { keep = 2, ...unknown } = options;
  const [key] = Object.keys(unknown);
  if (key !== undefined)
    return wrong('PV-8540', 'options', `There is no option ${quoted(key)}; the one that there is is keep.`);
  if (folder.trim() === '') return wrong('PV-8540', 'options', 'The path of the folder is empty.');
  if (!Number.isSafeInteger(keep) || keep < 1)
    return wrong('PV-8540', 'options', `keep is ${keep}; it must be a whole number ≥ 1.`);
  const made = await makeFolder(host, folder);
  if (!made.ok) return unwritable(made.error);
  const lock = await acquireLock(host, folder);
  if (!lock.ok) return lock;
  const cleared = await removeUnfinished(host, folder, () => true);
  const tried = cleared.ok ? await tryOperations(host, folder) : cleared;
  if (!tried.ok) {
    await lock.value.release();
    return unwritable(tried.error);
  }
  // One save after the other: two at a time would write the same temporary folder.
  let last: Promise<unknown> = Promise.resolve();
  const unreliable = (await host.fileSystem(folder))?.unreliable ?? null;
  let spare: ArrayBuffer | null = null;
  return ok({
    caution: unreliable === null ? null : cautionOf(unreliable),
    async save(state) {
      const checked = checkToSave(state);
      if (!checked.ok) return checked;
      const { step } = state.position;
      const views = filesOf(state);
      const size = views.reduce((total, [, parts]) => total + sizeOf(parts), 0);
      // Memory that was touched before is copied to twice as fast.
      const memory = spare?.byteLength === size ? spare : new ArrayBuffer(size);
      spare = null;
      const files = copied(views, memory);
      const saved = last.then(() => save(host, folder, lock.value, { keep, step, files }));
      last = saved.finally(() => void (spare = memory));
      return saved;
    },
    async close() {
      await last;
      spare = null;
      return lock.value.release();
    },
  });
}

const cautionOf = (fileSystem: string): string =>
  fileSystem === 'tmpfs'
    ? 'The checkpoints are in memory (tmpfs): they are lost when the machine stops. Save them on a disk.'
    : `The checkpoints are on ${fileSystem}, which may lose what was synced, or let two machines write at once. Save them on a local disk, and copy finished ones.`;

const unfinished = '.saving-';
const unfinishedPointer = `.${pointerName}-`;
const givenUp = '.removed-';

/** All names of what is not finished; each continues with a token or something else that is unique. */
const prefixes = [unfinished, unfinishedPointer, givenUp, temporaryLock, probeName];

/** Removes what earlier writers began and did not finish, as far as `isOurs` wants it. */
async function removeUnfinished(
  host: Host,
  folder: string,
  isOurs: (suffix: string) => boolean,
): Promise<Result<void, FileProblem>> {
  const listed = await host.list(folder);
  if (!listed.ok) return listed;
  for (const { name, kind } of listed.value) {
    const prefix = prefixes.find((one) => name.startsWith(one));
    if (prefix === undefined || !isOurs(name.slice(prefix.length))) continue;
    const path = inside(folder, name);
    const removed = await (kind === 'directory' ? removeFolder(host, path) : host.perform({ kind: 'remove', path }));
    if (!removed.ok) return removed;
  }
  return ok(undefined);
}

async function save(
  host: Host,
  folder: string,
  lock: Lock,
  { keep, step, files }: { readonly keep: number; readonly step: number; readonly files: readonly FileToWrite[] },
): Promise<Result<SavedCheckpoint, Problem>> {
  const owned = await lock.check();
  if (!owned.ok) return owned;
  const listing = await listCheckpoints(host, folder);
  if (!listing.ok) return unwritable(listing.error);
  const { sequences } = listing.value;
  const sequence = 1 + (sequences[0] ?? 0);
  const bytes = files.reduce((total, [, parts]) => total + sizeOf(parts), 0);
  const room = await checkRoom(host, folder, bytes);
  if (!room.ok) return room;
  const written = await writeCheckpoint(host, folder, files, {
    sequence,
    token: lock.token,
    step,
  });
  const published = written.ok ? await publish(host, folder, lock, sequence, written.value) : unwritable(written.error);
  if (!published.ok) {
    // What cannot be removed now is removed by the next writer; the caller needs the reason for the failure.
    await removeUnfinished(host, folder, (suffix) => suffix === String(lock.token));
    return published;
  }
  const pruned = await prune(host, folder, sequences.slice(keep - 1));
  return ok({
    path: inside(folder, checkpointName(sequence)),
    sequence,
    bytes,
    unpruned: pruned.ok ? null : pruned.error,
  });
}

type FileToWrite = readonly [name: FileName, parts: readonly Uint8Array[]];

/** Views of the arrays of the state. */
function filesOf(state: TrainingState): readonly FileToWrite[] {
  const tensors = tensorParts.flatMap((part): readonly FileToWrite[] => {
    const own = state[part] ?? [];
    return own.length === 0 && part !== 'weights' ? [] : [[partFiles[part], writeSafetensors(own)]];
  });
  return [...tensors, ['state.json', [writeStateFile(state)]]];
}

/** The same bytes in `memory`, which has room for all of them: arrays may change before they are written. */
function copied(files: readonly FileToWrite[], memory: ArrayBuffer): readonly FileToWrite[] {
  let end = 0;
  return files.map(([name, parts]) => {
    const own = parts.map((part) => {
      const copy = new Uint8Array(memory, end, part.length);
      copy.set(part);
      end += part.length;
      return copy;
    });
    return [name, own];
  });
}

const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((total, { length }) => total + length, 0);

/** For folders, the manifest and the pointer. */
const roomBesides = 64 * 1024;

/** PV-8541 if the disk would be full before the end, so that nothing is begun. */
async function checkRoom(host: Host, folder: string, bytes: number): Promise<Result<void, Problem>> {
  const free = (await host.fileSystem(folder))?.freeBytes ?? null;
  const needed = bytes + roomBesides;
  if (free === null || free >= needed) return ok(undefined);
  return unwritable({
    kind: 'no-space',
    path: folder,
    message: `has room for ${free} bytes, and the checkpoint needs ${needed}`,
  });
}

/** Writes and syncs a whole checkpoint under a temporary name; returns its manifest. */
async function writeCheckpoint(
  host: Host,
  folder: string,
  files: readonly FileToWrite[],
  numbers: { readonly sequence: number; readonly token: number; readonly step: number },
): Promise<Result<Uint8Array, FileProblem>> {
  const temporary = inside(folder, unfinished + numbers.token);
  const made = await host.perform({ kind: 'make-folder', path: temporary });
  if (!made.ok) return made;
  // At the same time: while the disk takes one file, another is hashed. A failure waits for the others, which hold open files.
  const all = await Promise.all(files.map((file) => writeListed(host, temporary, file)));
  const listed: ListedFile[] = [];
  for (const one of all) {
    if (!one.ok) return one;
    listed.push(one.value);
  }
  const manifest = writeManifest({ ...numbers, files: listed });
  const written = await writeSynced(host, inside(temporary, manifestName), [manifest]);
  if (!written.ok) return written;
  const synced = await host.perform({ kind: 'sync-folder', path: temporary });
  return synced.ok ? ok(manifest) : synced;
}

/** Writes and syncs one file, and hashes it meanwhile. */
async function writeListed(
  host: Host,
  temporary: string,
  [name, parts]: FileToWrite,
): Promise<Result<ListedFile, FileProblem>> {
  const hash = sha256Stream();
  const written = await writeSynced(host, inside(temporary, name), parts, { beside: hash.update });
  return written.ok ? ok({ name, bytes: sizeOf(parts), sha256: hash.hex() }) : written;
}

/** Gives the checkpoint its name, then points at it; each is durable before the next begins. */
async function publish(
  host: Host,
  folder: string,
  lock: Lock,
  sequence: number,
  manifest: Uint8Array,
): Promise<Result<void, Problem>> {
  const named = await renameDurably(host, folder, lock, unfinished + lock.token, checkpointName(sequence));
  if (!named.ok) return named;
  const hash = sha256Stream();
  hash.update(manifest);
  const pointer: Pointer = {
    format: 'pv-checkpoint-pointer/1',
    checkpoint: checkpointName(sequence),
    manifest: hash.hex(),
    token: lock.token,
  };
  const temporary = unfinishedPointer + lock.token;
  const written = await writeSynced(host, inside(folder, temporary), [utf8ToBytes(canonicalJson({ ...pointer }))]);
  return written.ok ? renameDurably(host, folder, lock, temporary, pointerName) : unwritable(written.error);
}

async function renameDurably(
  host: Host,
  folder: string,
  lock: Lock,
  from: string,
  to: string,
): Promise<Result<void, Problem>> {
  const owned = await lock.check();
  if (!owned.ok) return owned;
  const renamed = await host.perform({ kind: 'rename', from: inside(folder, from), to: inside(folder, to) });
  const synced = renamed.ok ? await host.perform({ kind: 'sync-folder', path: folder }) : renamed;
  return synced.ok ? ok(undefined) : unwritable(synced.error);
}

/** Each gets another name first, so that no half of one is taken for a checkpoint. */
async function prune(host: Host, folder: string, sequences: readonly number[]): Promise<Result<void, FileProblem>> {
  for (const sequence of sequences) {
    const removed = inside(folder, givenUp + sequence);
    const renamed = await host.perform({ kind: 'rename', from: inside(folder, checkpointName(sequence)), to: removed });
    if (!renamed.ok) return renamed;
    const gone = await removeFolder(host, removed);
    if (!gone.ok) return gone;
  }
  return ok(undefined);
}
