/** The weights in a folder: one file or many shards, as safetensors or as files of `torch.save`, with or without an index. */
import { wrong, type Problem } from '../base/problem.ts';
import { ok, type Result } from '../base/result.ts';
import { parseStrictJson } from '../base/strict-json.ts';
import { quoted, shortened } from '../base/text.ts';
import { entriesOf, type Pickled } from '../pickle/pickled.ts';
import { readSafetensorsHeader, safetensorsDataStart, type SafetensorsHeader } from '../tensors/safetensors.ts';
import type { ByteSource } from './byte-source.ts';
import { inFile, type CheckpointFiles, type OpenedTorch } from './checkpoint-files.ts';
import type { StoredTensor } from './checkpoint.ts';
import { placedTensor, torchTensor } from './torch/torch-tensors.ts';

/** Large mixtures of experts have some tens of thousands. */
const mostTensors = 1_000_000;

/** Enough to keep a disk busy. */
const atOnce = 8;

/** What a folder's weight files hold, and what they should hold. */
export interface Weights {
  readonly tensors: readonly StoredTensor[];
  /** Tensors and shards that an index or a shard's name announces, and that are not there. */
  readonly missing: readonly string[];
  /** The strings under `__metadata__` of the first safetensors file. */
  readonly metadata: Readonly<Record<string, string>>;
}

const isIndex = (name: string): boolean => /\.(?:safetensors|bin)\.index\.json$/u.test(name);

/** Of all weight files whose names match; an index decides which shards count. */
export async function weightsIn(
  files: CheckpointFiles,
  asSafetensors: RegExp,
  asTorch: RegExp,
): Promise<Result<Weights, Problem>> {
  const indexes: (readonly [string, string])[] = [];
  for (const name of files.names.filter(isIndex)) {
    const index = await readIndex(files, name);
    if (!index.ok) return index;
    for (const one of index.value) indexes.push(one);
  }
  const shards = new Set(indexes.map(([, shard]) => shard));
  const indexed = files.names.filter((name) => shards.has(name));
  const isSafetensors = [...indexed, ...files.names].some((name) => asSafetensors.test(name));
  const matching = (indexed.length > 0 ? indexed : files.names).filter((name) =>
    indexed.length > 0
      ? name.endsWith('.safetensors') === isSafetensors
      : (isSafetensors ? asSafetensors : asTorch).test(name),
  );
  const read = await readFiles(files, matching);
  if (!read.ok) return read;
  const missing = [...missingShards(files.names), ...missingTensors(files.names, indexes, read.value.tensors)];
  return ok({ ...read.value, missing: [...new Set(missing)] });
}

/** The tensors of these files, in their order. */
async function readFiles(
  files: CheckpointFiles,
  names: readonly string[],
): Promise<Result<Omit<Weights, 'missing'>, Problem>> {
  const tensors: StoredTensor[] = [];
  let metadata: Weights['metadata'] = {};
  for (let from = 0; from < names.length; from += atOnce) {
    const some = names.slice(from, from + atOnce);
    const read = await Promise.all(some.map((name) => readOne(files, name)));
    for (const one of read) {
      if (!one.ok) return one;
      for (const tensor of one.value.tensors) tensors.push(tensor);
      metadata = { ...one.value.metadata, ...metadata };
    }
    if (tensors.length > mostTensors)
      return wrong('PV-8511', 'shards', `Its shards have more than ${mostTensors} tensors, the most that pv reads.`);
  }
  return ok({ tensors, metadata });
}

async function readOne(files: CheckpointFiles, name: string): Promise<Result<Omit<Weights, 'missing'>, Problem>> {
  if (!name.endsWith('.safetensors')) {
    const tensors = await torchWeights(files, name);
    return tensors.ok ? ok({ tensors: tensors.value, metadata: {} }) : tensors;
  }
  const source = await files.source(name);
  return source.ok ? readSafetensorsFile(source.value, name) : source;
}

/** The tensors of a safetensors file, by its header alone. */
export async function readSafetensorsFile(
  source: ByteSource,
  file: string,
): Promise<Result<Omit<Weights, 'missing'>, Problem>> {
  const header = await readHeader(source);
  if (!header.ok) return inFile(file, header.error);
  const { dataStart, metadata } = header.value;
  const tensors = [...header.value.tensors].map(([name, { dtype, shape, start, end }]): StoredTensor => ({
    name,
    dtype,
    shape,
    source,
    offset: dataStart + start,
    bytes: end - start,
    file,
  }));
  return ok({ tensors, metadata });
}

/** Most headers are shorter than this, so that one read is enough. */
const firstRead = 64 * 1024;

async function readHeader(source: ByteSource): Promise<Result<SafetensorsHeader, Problem>> {
  const first = await source.read(0, Math.min(firstRead, source.size));
  if (!first.ok) return first;
  const start = safetensorsDataStart(first.value.subarray(0, 8), source.size);
  if (!start.ok) return start;
  const end = start.value;
  const header = end <= first.value.length ? ok(first.value.subarray(8, end)) : await source.read(8, end - 8);
  return header.ok ? readSafetensorsHeader(header.value, source.size) : header;
}

async function torchWeights(files: CheckpointFiles, name: string): Promise<Result<readonly StoredTensor[], Problem>> {
  const opened = await files.torch(name);
  if (!opened.ok || opened.value === null) return opened.ok ? ok([]) : opened;
  const weights: StoredTensor[] = [];
  for (const [called, value] of entriesOf(opened.value.file.pickle.value) ?? []) {
    const tensor = findTensor(opened.value, name, value, typeof called === 'string' ? called : 'a weight');
    if (!tensor.ok) return tensor;
    if (tensor.value !== null) weights.push(tensor.value);
  }
  return ok(weights);
}

/** The tensor that `value` describes, in the file `name`; null if it is something else. */
export function findTensor(
  { source, file }: OpenedTorch,
  name: string,
  value: Pickled,
  called: string,
): Result<StoredTensor | null, Problem> {
  const tensor = torchTensor(value);
  if (tensor === null) return ok(null);
  const placed = placedTensor(file, source, tensor);
  if (!placed.ok) return inFile(`${name}: ${called}`, placed.error);
  return ok({ name: called, dtype: tensor.dtype, shape: tensor.shape, file: name, ...placed.value });
}

/** Names and shards of an index; PV-8511 if it is malformed or names a file elsewhere. */
async function readIndex(
  files: CheckpointFiles,
  name: string,
): Promise<Result<readonly (readonly [tensor: string, shard: string])[], Problem>> {
  const text = await files.text(name);
  if (!text.ok) return text;
  const json = parseStrictJson(text.value, 'index', mostTensors);
  if (!json.ok) return badIndex(name, json.error);
  const map: unknown = Object(json.value).weight_map;
  if (typeof map !== 'object' || map === null || Array.isArray(map))
    return badIndex(name, 'It has no object "weight_map" from the names of tensors to those of files.');
  const entries: (readonly [string, string])[] = [];
  for (const [tensor, shard] of Object.entries(map)) {
    if (typeof shard !== 'string' || !isPlainName(shard))
      return badIndex(
        name,
        `Tensor ${quoted(tensor)} is in ${quoted(String(shard))}, which is not the name of a file in this folder.`,
      );
    entries.push([tensor, shard]);
  }
  return ok(entries);
}

const badIndex = (name: string, message: string): Result<never, Problem> =>
  wrong('PV-8511', 'index', `${shortened(name)}: ${message}`);

/** A name in the same folder, on every system. */
const isPlainName = (name: string): boolean => /^(?!\.{1,2}$)[^/\\:\0]+$/u.test(name);

/** Shards that the name of another one counts: `model-00002-of-00003.safetensors`. */
function missingShards(names: readonly string[]): readonly string[] {
  const there = new Set(names);
  const counted = new Map<string, readonly [before: string, count: string, after: string]>();
  for (const name of names) {
    const [, before = '', count = '', after = ''] = /^(.*-)\d+-of-(\d+)(\..*)$/u.exec(name) ?? [];
    if (count !== '') counted.set(`${before}${count}${after}`, [before, count, after]);
  }
  const missing: string[] = [];
  for (const [before, count, after] of counted.values())
    // Names are a stranger's: a count beyond all sense is not counted up to.
    for (let i = 1; i <= Math.min(Number(count), 10_000); i++) {
      const shard = `${before}${String(i).padStart(count.length, '0')}-of-${count}${after}`;
      if (!there.has(shard)) missing.push(shard);
    }
  return missing;
}

/** Shards that an index names, and tensors that are not in the shard that it names. */
function missingTensors(
  names: readonly string[],
  indexes: readonly (readonly [tensor: string, shard: string])[],
  tensors: readonly StoredTensor[],
): readonly string[] {
  const files = new Set(names);
  const there = new Set(tensors.map(({ name, file }) => JSON.stringify([name, file])));
  const read = new Set(tensors.map(({ file }) => file));
  return indexes.flatMap(([tensor, shard]) => {
    if (!files.has(shard)) return [shard];
    // A folder may have both kinds of weights, each with its index; only one kind is read.
    if (!read.has(shard) && tensors.length > 0 && !shard.endsWith('.safetensors')) return [];
    return there.has(JSON.stringify([tensor, shard])) ? [] : [`${tensor} in ${shard}`];
  });
}
