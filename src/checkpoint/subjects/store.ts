/**
 * The store of checkpoints, as bound to `contracts/checkpoint-store-v1.yaml`: real saves and loads, on a disk in memory. Bytes are
 * whole numbers.
 */
import { err } from '../../base/result.ts';
import type { FileOperation, Host } from '../../host/host.ts';
import { createMemoryHost, type MemoryHost } from '../../host/memory-host.ts';
import { checkpointName } from '../store/layout.ts';
import { loadFrom } from '../store/load.ts';
import type { TrainingState } from '../store/training-state.ts';
import { openCheckpoints, type CheckpointWriter } from '../store/writer.ts';

const folder = '/run';

/** Weights as float32 of any bits, and the gradients of one batch if there are any. */
function stateOf(step: number, weights: Int32Array, gradients: Int32Array): TrainingState {
  const data = new Float32Array(Uint8Array.from(weights).buffer);
  const partial = [{ name: 'w', shape: [gradients.length], data: Uint8Array.from(gradients) }];
  const isPartial = gradients.length > 0;
  return {
    position: { step, epoch: 0, nextBatch: 0, accumulated: isPartial ? 1 : 0 },
    weights: [{ name: 'w', shape: [data.length], data }],
    gradients: isPartial ? partial : [],
  };
}

/** A writer that must open. */
async function writerOf(host: Host, keep: number): Promise<CheckpointWriter> {
  const writer = await openCheckpoints(host, folder, { keep });
  if (!writer.ok) throw new Error(writer.error.message);
  return writer.value;
}

/** Step, weights and gradients of what is loaded; nothing if nothing is. */
async function loaded(host: Host): Promise<Int32Array> {
  const found = await loadFrom(host, folder);
  if (!found.ok) return new Int32Array();
  const { position, weights, gradients = [] } = found.value.state;
  const bytes = [...weights, ...gradients].flatMap(({ data }) => [
    ...new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  ]);
  return Int32Array.of(position.step, ...bytes);
}

/** The files of one checkpoint, in the order of their names. */
const filesOf = (host: MemoryHost, sequence: number): readonly string[] =>
  [...host.files.keys()].filter((path) => path.startsWith(`${folder}/${checkpointName(sequence)}/`)).toSorted();

/** Kinds of damage. */
const [flippedBit, cutFile] = [1, 2];

/**
 * What is loaded after a save: untouched for `damage` 0; with bit `at` of all files flipped, counted around, for 1; with file `at` one
 * byte shorter for 2; and without file `at` for 3.
 */
export async function readDamaged(
  weights: Int32Array,
  gradients: Int32Array,
  step: number,
  damage: number,
  at: number,
): Promise<Int32Array> {
  const host = createMemoryHost();
  await (await writerOf(host, 1)).save(stateOf(step, weights, gradients));
  const files = filesOf(host, 1);
  const file = files[at % files.length] ?? '';
  const bytes = host.files.get(file) ?? new Uint8Array();
  if (damage === flippedBit) flip(host, files, at);
  else if (damage === cutFile) host.files.set(file, bytes.slice(0, -1));
  else if (damage > cutFile) host.files.delete(file);
  return loaded(host);
}

function flip(host: MemoryHost, files: readonly string[], bit: number): void {
  const sizes = files.map((path) => host.files.get(path)?.length ?? 0);
  let at = Math.floor(bit / 8) % sizes.reduce((sum, size) => sum + size, 0);
  for (const [i, size] of sizes.entries()) {
    const path = files[i] ?? '';
    const bytes = host.files.get(path)?.slice();
    if (at < size && bytes !== undefined) {
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
      host.files.set(path, bytes);
      return;
    }
    at -= size;
  }
}

/**
 * What is loaded after a power cut: `before` was saved, then `weights`, and the machine stopped at operation `last` of the second save.
 * First 1 if that save was acknowledged, and 0 otherwise. Files that were not synced are empty afterwards.
 */
export async function afterPowerCut(before: Int32Array, weights: Int32Array, last: number): Promise<Int32Array> {
  const host = createMemoryHost();
  const unsynced = new Set<string>();
  let left = Infinity;
  const writer = await writerOf(
    {
      ...host,
      perform: async (operation) => {
        if (left-- <= 0) return err({ kind: 'other', path: folder, message: 'is on a machine without power' });
        note(unsynced, operation);
        return host.perform(operation);
      },
    },
    1,
  );
  await writer.save(stateOf(1, before, new Int32Array()));
  left = last;
  const saved = await writer.save(stateOf(2, weights, new Int32Array()));
  for (const path of unsynced) if (host.files.has(path)) host.files.set(path, new Uint8Array());
  return Int32Array.of(saved.ok ? 1 : 0, ...(await loaded(host)));
}

/** Follows which files have bytes that are not on the disk, under the names that they have. */
function note(unsynced: Set<string>, operation: FileOperation): void {
  if (operation.kind === 'create' || operation.kind === 'write') unsynced.add(operation.path);
  if (operation.kind === 'sync' || operation.kind === 'remove') unsynced.delete(operation.path);
  if (operation.kind !== 'rename') return;
  const { from, to } = operation;
  for (const path of unsynced)
    if (path === from || path.startsWith(`${from}/`)) {
      unsynced.delete(path);
      unsynced.add(`${to}${path.slice(from.length)}`);
    }
}

/** The files after saves of the same steps, since there are few of them. */
const savedFiles = new Map<string, ReadonlyMap<string, Uint8Array>>();

async function saveEach(steps: Int32Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const host = createMemoryHost();
  const writer = await writerOf(host, steps.length);
  for (const step of steps) await writer.save(stateOf(step, Int32Array.of(0, 0, 0, 0), new Int32Array()));
  return host.files;
}

/**
 * The step that is loaded after a save of each of `steps`, of which the last `damaged` were damaged later; −1 if none is. For
 * `pointer` 0 the file that names the last one is gone.
 */
export async function newestWhole(steps: Int32Array, damaged: number, pointer: number): Promise<number> {
  const host = createMemoryHost();
  const key = steps.join();
  const files = savedFiles.get(key) ?? (await saveEach(steps));
  savedFiles.set(key, files);
  for (const [path, bytes] of files) host.files.set(path, bytes);
  for (let i = 0; i < damaged; i++)
    for (const path of filesOf(host, steps.length - i)) host.files.set(path, new Uint8Array());
  if (pointer === 0) host.files.delete(`${folder}/latest.json`);
  return (await loaded(host))[0] ?? -1;
}
