/** A folder of torch.distributed.checkpoint, as FSDP and its relatives save it: `.metadata`, and `.distcp` files of many ranks. */
import type { Problem } from '../../base/problem.ts';
import { wrong } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { isPickled, type Pickled } from '../../pickle/pickled.ts';
import { unpickle } from '../../pickle/unpickle.ts';
import { sliceOf, type ByteSource } from '../byte-source.ts';
import { fileName, inFile, type CheckpointFiles } from '../checkpoint-files.ts';
import type { Checkpoint, OptimizerState, StoredTensor } from '../checkpoint.ts';
import { mergedOptimizers } from '../torch/optimizers.ts';
import { customKeys, describedBy } from '../torch/saved-dict.ts';
import { openTorchFile } from '../torch/torch-file.ts';
import { placedTensor, torchTensor } from '../torch/torch-tensors.ts';
import { nestedDict, optimizerDict, wrapperKey } from './saved-dict.ts';
import { badMetadata, readMetadata, type ChunkedTensor, type StoredObject, type StoredPart } from './metadata.ts';

const metadataFile = '.metadata';

/** Descriptions of very large models have some tens of megabytes. */
const largestMetadata = 256 * 1024 ** 2;

/** Objects are counters and settings; larger ones are left alone. */
const largestObject = 1024 ** 2;
const mostObjects = 10_000;

/** Whether a folder is one. */
export const isDistributed = ({ names }: CheckpointFiles): boolean => names.includes(metadataFile);

/** Reads the folder; PV-8513 and others say what is malformed. */
export async function readDistributed(files: CheckpointFiles): Promise<Result<Checkpoint, Problem>> {
  const source = await files.source(metadataFile);
  if (!source.ok) return source;
  const { size } = source.value;
  if (size > largestMetadata) return badMetadata(`It has ${size} bytes.`);
  const bytes = await source.value.read(0, size);
  const pickle = bytes.ok ? unpickle(bytes.value) : bytes;
  if (!pickle.ok) return inFile(metadataFile, pickle.error);
  const metadata = readMetadata(pickle.value.value);
  if (!metadata.ok) return metadata;
  const { objects } = metadata.value;
  const missing = await missingParts(files, metadata.value);
  if (!missing.ok) return missing;
  const wrapper = wrapperKey(
    [...metadata.value.tensors, ...objects].map(({ path }) => path),
    new Set<string>([...customKeys.weights, ...customKeys.optimizer]),
  );
  const inside = (path: readonly string[]): readonly string[] =>
    path[0] === wrapper && path.length > 1 ? path.slice(1) : path;
  const tensors = metadata.value.tensors.map(
    (tensor) => ({ name: tensor.name, path: inside(tensor.path), stored: storedTensor(files, tensor) }) as const,
  );
  const values = await readObjects(files, objects);
  if (!values.ok) return values;
  const root = nestedDict([
    ...values.value.map(([path, value]) => [inside(path), value] as const),
    // A tensor is only its name, as something that is kept elsewhere.
    ...tensors.map(({ path, name }) => [path, { kind: 'persistent', id: name }] as const),
  ]);
  const optimizer = await readOptimizers(root, new Map(tensors.map(({ name, stored }) => [name, stored])));
  if (!optimizer.ok) return optimizer;
  const { keys, state } = optimizer.value;
  const isWeight = ([key = '']: readonly string[]): boolean => customKeys.weights.some((one) => one === key);
  const weights = tensors.filter(({ path }) => isWeight(path)).map(({ stored }) => stored);
  // Weights may also have been saved without a key of their own.
  const rest = tensors.filter(({ path }) => !keys.has(path[0] ?? '') && !isWeight(path)).map(({ stored }) => stored);
  return ok({
    ...describedBy(root),
    format: 'torch.distributed.checkpoint folder',
    log: [],
    optimizer: state,
    weights: weights.length > 0 ? weights : rest,
    others: weights.length > 0 ? rest : [],
    files: files.names,
    missingWeights: missing.value,
    checksums: [],
    name: fileName(files.path),
    refused: pickle.value.globals.filter((name) => !name.startsWith('torch.')),
  });
}

/** Files that are named and not there. PV-8513 if one ends before a part of it. */
async function missingParts(
  files: CheckpointFiles,
  { tensors, objects }: { readonly tensors: readonly ChunkedTensor[]; readonly objects: readonly StoredObject[] },
): Promise<Result<readonly string[], Problem>> {
  const ends = new Map<string, number>();
  const parts = [
    ...objects.map(({ part }) => part),
    ...tensors.flatMap(({ chunks }) => chunks.map(({ part }) => part)),
  ];
  for (const { file, offset, length } of parts) ends.set(file, Math.max(ends.get(file) ?? 0, offset + length));
  const there = new Set(files.names);
  for (const [file, end] of ends) {
    if (!there.has(file)) continue;
    const source = await files.source(file);
    if (!source.ok) return source;
    if (source.value.size < end)
      return inFile(file, {
        code: 'PV-8513',
        check: 'distributed checkpoint',
        message: `The file is cut off: .metadata says that its parts end at byte ${end}.`,
        offset: source.value.size,
      });
  }
  return ok([...ends.keys()].filter((file) => !there.has(file)));
}

/** Its chunks follow each other if the tensor was cut along its first dimension, as FSDP does. */
function storedTensor(files: CheckpointFiles, tensor: ChunkedTensor): StoredTensor {
  const { name, dtype, shape, width, chunks } = tensor;
  const bytes = shape.reduce((product, n) => product * n, width);
  const isByRows = chunks.every(({ sizes }) => sizes.every((n, i) => i === 0 || n === shape[i]));
  const inOrder = chunks.toSorted((a, b) => (a.offsets[0] ?? 0) - (b.offsets[0] ?? 0));
  const lengths = inOrder.map(({ sizes }) => sizes.reduce((product, n) => product * n, width));
  const opened = new Map<number, ByteSource>();
  const read: ByteSource['read'] = async (from, length) => {
    if (!isByRows)
      return badMetadata(`The chunks of tensor ${name} are not whole rows, which pv does not put together.`);
    const result = new Uint8Array(length);
    let start = 0;
    for (const [i, chunk] of inOrder.entries()) {
      const end = start + (lengths[i] ?? 0);
      const [first, last] = [Math.max(from, start), Math.min(from + length, end)];
      if (first < last) {
        const known = opened.get(i);
        const source = known === undefined ? await chunkSource(files, chunk.part, lengths[i] ?? 0) : ok(known);
        if (!source.ok) return source;
        opened.set(i, source.value);
        const piece = await source.value.read(first - start, last - first);
        if (!piece.ok) return piece;
        result.set(piece.value, first - from);
      }
      start = end;
    }
    return ok(result);
  };
  const file = new Set(chunks.map(({ part }) => part.file));
  return { name, dtype, shape, source: { size: bytes, read }, offset: 0, bytes, file: [...file].toSorted().join(', ') };
}

/** The elements of one chunk, which torch.save wrote into a part of a file. */
async function chunkSource(
  files: CheckpointFiles,
  part: StoredPart,
  bytes: number,
): Promise<Result<ByteSource, Problem>> {
  const opened = await openPart(files, part);
  if (!opened.ok) return opened;
  const { source, value, file } = opened.value;
  const tensor = torchTensor(value);
  const placed = tensor === null ? null : placedTensor(file, source, tensor);
  if (placed?.ok === false) return inFile(part.file, placed.error);
  if (placed === null || placed.value.bytes !== bytes)
    return inFile(part.file, {
      code: 'PV-8513',
      check: 'distributed checkpoint',
      message: 'A part of the file is not the chunk that .metadata describes.',
      offset: part.offset,
    });
  return ok(sliceOf(placed.value.source, placed.value.offset, bytes));
}

async function openPart(files: CheckpointFiles, { file: name, offset, length }: StoredPart) {
  const whole = await files.source(name);
  if (!whole.ok) return whole;
  const source = sliceOf(whole.value, offset, length);
  const file = await openTorchFile(source);
  return file.ok ? ok({ source, file: file.value, value: file.value.pickle.value }) : inFile(name, file.error);
}

/** What was saved besides tensors, by path. */
async function readObjects(
  files: CheckpointFiles,
  objects: readonly StoredObject[],
): Promise<Result<readonly (readonly [path: readonly string[], value: Pickled])[], Problem>> {
  const found: (readonly [path: readonly string[], value: Pickled])[] = [];
  const there = new Set(files.names);
  if (objects.length > mostObjects) return badMetadata(`It has more than ${mostObjects} objects that are not tensors.`);
  for (const { path, part } of objects) {
    if (part.length > largestObject || !there.has(part.file)) continue;
    const opened = await openPart(files, part);
    if (!opened.ok) return opened;
    found.push([path, opened.value.value]);
  }
  return ok(found);
}

/** The dict itself, or what is under its keys. */
async function readOptimizers(
  root: ReadonlyMap<Pickled, Pickled>,
  tensors: ReadonlyMap<string, StoredTensor>,
): Promise<Result<{ readonly keys: ReadonlySet<Pickled>; readonly state: OptimizerState | null }, Problem>> {
  const whole = optimizerDict({ kind: 'dict', entries: root });
  const found = [...root].flatMap(([key, value]) => {
    const dict = optimizerDict(value);
    return dict === null ? [] : [[key, dict] as const];
  });
  const find = (item: Pickled, called: string) => {
    const tensor = isPickled(item, 'persistent') && typeof item.id === 'string' ? tensors.get(item.id) : undefined;
    return ok(tensor === undefined ? null : { ...tensor, name: called });
  };
  const states = whole === null ? found.map(([, dict]) => dict) : [whole];
  const state = await mergedOptimizers(states.map((value) => ({ value, find })));
  if (!state.ok) return wrong(state.error.code, state.error.check, state.error.message);
  const keys = whole === null ? [...customKeys.optimizer, ...found.map(([key]) => key)] : root.keys();
  return ok({ keys: new Set<Pickled>(keys), state: state.value });
}
