/**
 * `.metadata` of torch.distributed.checkpoint: a pickle that says of which tensors and objects a checkpoint consists, how tensors are cut
 * into chunks, and where in the `.distcp` files each chunk is.
 *
 * Source: PyTorch 2.x, torch/distributed/checkpoint/metadata.py and filesystem.py (`_StorageInfo`).
 */
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import { entriesOf, isPickled, itemsOf, nameOf, type Pickled } from '../../pickle/pickled.ts';
import { torchDType } from '../torch/dtypes.ts';

/** A part of a `.distcp` file: what torch.save wrote for a chunk or an object. */
export interface StoredPart {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** A block of a tensor. */
interface Chunk {
  readonly offsets: readonly number[];
  readonly sizes: readonly number[];
  readonly part: StoredPart;
}

/** A tensor in chunks. */
export interface ChunkedTensor {
  readonly name: string;
  readonly path: readonly string[];
  readonly dtype: string;
  /** Bytes per element. */
  readonly width: number;
  readonly shape: readonly number[];
  readonly chunks: readonly Chunk[];
}

/** A value that is not a tensor. */
export interface StoredObject {
  readonly path: readonly string[];
  readonly part: StoredPart;
}

/** What the checkpoint consists of. */
export interface DistributedMetadata {
  readonly tensors: readonly ChunkedTensor[];
  readonly objects: readonly StoredObject[];
}

const mostItems = 1_000_000;

/** PV-8513 says what is malformed. */
export function readMetadata(value: Pickled): Result<DistributedMetadata, Problem> {
  const fields = fieldsOf(value);
  const described = entriesOf(fields?.get('state_dict_metadata'));
  if (described === null) return badMetadata('It has no dict "state_dict_metadata".');
  if (described.size > mostItems) return badMetadata(`It describes more than ${mostItems} tensors and objects.`);
  const parts = readParts(fields?.get('storage_data'));
  if (!parts.ok) return parts;
  const paths = entriesOf(fields?.get('planner_data'));
  const [tensors, objects]: [ChunkedTensor[], StoredObject[]] = [[], []];
  for (const [name, entry] of described) {
    if (typeof name !== 'string') return badMetadata('The name of a tensor or an object is not text.');
    const path = pathOf(name, paths?.get(name));
    const about = fieldsOf(entry);
    if (about?.has('chunks') === true) {
      const tensor = readTensor(name, about, parts.value);
      if (!tensor.ok) return tensor;
      tensors.push({ name, path, ...tensor.value });
    } else {
      const part = parts.value.get(partKey(name, null)) ?? parts.value.get(partKey(name, []));
      if (part !== undefined) objects.push({ path, part });
    }
  }
  return ok({ tensors, objects });
}

/** The state of an object that a dataclass would be. */
const fieldsOf = (value: Pickled | undefined): ReadonlyMap<Pickled, Pickled> | null =>
  isPickled(value, 'call') ? entriesOf(value.state) : null;

const pathOf = (name: string, planned: Pickled | undefined): readonly string[] =>
  itemsOf(planned)?.map((part) => (typeof part === 'object' ? '?' : String(part))) ?? name.split('.');

function readTensor(
  name: string,
  about: ReadonlyMap<Pickled, Pickled>,
  parts: ReadonlyMap<string, StoredPart>,
): Result<Omit<ChunkedTensor, 'name' | 'path'>, Problem> {
  const properties = about.get('properties');
  const state = isPickled(properties, 'call') ? properties.state : null;
  const type = torchDType(nameOf(itemsOf(state)?.[0] ?? entriesOf(state)?.get('dtype')));
  const shape = sizesOf(about.get('size'));
  const listed = itemsOf(about.get('chunks'));
  if (type === null || shape === null || listed === null)
    return badMetadata(`Tensor ${quoted(name)} has no known type, size and list of chunks.`);
  const chunks: Chunk[] = [];
  for (const item of listed) {
    const fields = fieldsOf(item);
    const [offsets, sizes] = [sizesOf(fields?.get('offsets')), sizesOf(fields?.get('sizes'))];
    if (offsets === null || sizes === null || offsets.length !== shape.length || sizes.length !== shape.length)
      return badMetadata(`A chunk of tensor ${quoted(name)} has no offsets and sizes in ${shape.length} dimensions.`);
    const part = parts.get(partKey(name, offsets));
    if (part === undefined)
      return badMetadata(`The chunk of tensor ${quoted(name)} at [${offsets.join(', ')}] is in no file.`);
    chunks.push({ offsets, sizes, part });
  }
  const problem = coverage(shape, chunks);
  if (problem !== null) return badMetadata(`The chunks of tensor ${quoted(name)} ${problem}.`);
  return ok({ dtype: type.dtype, width: type.bytes, shape, chunks });
}

const elements = (sizes: readonly number[]): number => sizes.reduce((product, n) => product * n, 1);

/** What is wrong with chunks that should make up a tensor; null if they may. */
function coverage(shape: readonly number[], chunks: readonly Chunk[]): string | null {
  const isInside = chunks.every(({ offsets, sizes }) =>
    shape.every((n, i) => (offsets[i] ?? 0) + (sizes[i] ?? 0) <= n),
  );
  if (!isInside) return 'reach beyond it';
  if (new Set(chunks.map(({ offsets }) => offsets.join())).size < chunks.length) return 'overlap';
  const covered = chunks.reduce((sum, { sizes }) => sum + elements(sizes), 0);
  return covered === elements(shape) ? null : `have ${covered} of its ${elements(shape)} elements`;
}

/** `torch.Size([2, 3])`, or a tuple. */
function sizesOf(value: Pickled | undefined): readonly number[] | null {
  const given = isPickled(value, 'call') ? itemsOf(value.arguments)?.[0] : value;
  const items = itemsOf(given);
  return items?.every((n) => Number.isSafeInteger(n) && Number(n) >= 0) === true ? items.map(Number) : null;
}

const partKey = (name: string, offsets: readonly number[] | null): string => JSON.stringify([name, offsets]);

/** Where each chunk and object is, by name and offsets. */
function readParts(value: Pickled | undefined): Result<ReadonlyMap<string, StoredPart>, Problem> {
  const parts = new Map<string, StoredPart>();
  for (const [index, info] of entriesOf(value) ?? []) {
    const [key, place] = [fieldsOf(index), fieldsOf(info)];
    const name = key?.get('fqn');
    const [file, offset, length] = ['relative_path', 'offset', 'length'].map((field) => place?.get(field));
    if (typeof name !== 'string' || typeof file !== 'string' || !isCount(offset) || !isCount(length))
      return badMetadata('An entry of "storage_data" has no name, file, offset and length.');
    if (!/^(?!\.{1,2}$)[^/\\:\0]+$/u.test(file))
      return badMetadata(`${quoted(name)} is in ${quoted(file)}, which is not the name of a file in this folder.`);
    parts.set(partKey(name, sizesOf(key?.get('offset'))), { file, offset, length });
  }
  return ok(parts);
}

const isCount = (value: Pickled | undefined): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** PV-8513. */
export const badMetadata = (message: string): Result<never, Problem> =>
  wrong('PV-8513', 'distributed checkpoint', `.metadata is malformed. ${message}`);
