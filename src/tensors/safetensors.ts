/**
 * The safetensors format: an eight-byte length, a JSON header, then the bytes of all tensors without gaps.
 *
 * Source: https://github.com/huggingface/safetensors, README "Format". The reader rejects what other readers may interpret
 * differently: repeated names, gaps, overlaps, bytes that belong to no tensor, headers that do not begin with `{`.
 */
import type { JsonValue } from '../base/canonical-json.ts';
import { ok, type Result } from '../base/result.ts';
import { parseStrictJson } from '../base/strict-json.ts';
import { quoted } from '../base/text.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { wrong, type Problem } from '../base/problem.ts';
import { float32Numbers } from './float32-bytes.ts';
import { bytesOfArray, typeOfArray, type DType, type TensorArray } from './typed-arrays.ts';

/** Bytes per element, by type. */
const elementBytes = {
  BOOL: 1,
  U8: 1,
  I8: 1,
  F8_E4M3: 1,
  F8_E5M2: 1,
  U16: 2,
  I16: 2,
  F16: 2,
  BF16: 2,
  U32: 4,
  I32: 4,
  F32: 4,
  U64: 8,
  I64: 8,
  F64: 8,
} as const satisfies Record<DType, number>;

/** One tensor in a file. */
export interface Tensor {
  readonly dtype: DType;
  /** Sizes of its dimensions, the last one contiguous; empty for a scalar. */
  readonly shape: readonly number[];
  /** Its elements, little-endian, row by row: a view into the file. */
  readonly bytes: Uint8Array;
}

/** The tensors of a file, by name. */
export interface Safetensors {
  readonly tensors: ReadonlyMap<string, Tensor>;
  /** The strings under `__metadata__`. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Float32 numbers to write under a name. */
export interface NamedFloats {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** Numbers of any type to write under a name. */
export interface NamedTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: TensorArray;
  /** The type of the elements if it is not that of the array: BF16 and F16 are kept in a Uint16Array. */
  readonly dtype?: DType;
}

/** The reference reader's limit, 100 MB. */
const longestHeader = 100_000_000;

/** Large mixtures of experts have some tens of thousands. */
const mostTensors = 1_000_000;

/** What a header says of a tensor. */
interface HeaderEntry {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: DType | null;
  readonly byteLength: number;
}

/**
 * The beginning of a file with these tensors in this order: eight bytes of length and the header, padded with spaces to a multiple
 * of eight bytes. For files whose tensors are written as they are computed.
 */
export function safetensorsHeader(
  tensors: readonly HeaderEntry[],
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array {
  const entries: [string, JsonValue][] = Object.keys(metadata).length > 0 ? [['__metadata__', metadata]] : [];
  let end = 0;
  for (const { name, shape, dtype, byteLength } of tensors) {
    const start = end;
    end += byteLength;
    entries.push([name, { dtype, shape, data_offsets: [start, end] }]);
  }
  const json = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const padded = new Uint8Array(8 + Math.ceil(json.length / 8) * 8).fill(0x20, 8);
  padded.set(json, 8);
  new DataView(padded.buffer).setBigUint64(0, BigInt(padded.length - 8), true);
  return padded;
}

/**
 * The parts of the file, in order: the header as {@link safetensorsHeader} gives it, then the bytes of each tensor in the given
 * order (views, not copies). The same input gives the same bytes.
 */
export function writeSafetensors(
  tensors: readonly NamedTensor[],
  metadata: Readonly<Record<string, string>> = {},
): readonly Uint8Array[] {
  const entries = tensors.map(({ name, shape, data, dtype }) => ({
    name,
    shape,
    dtype: dtype ?? typeOfArray(data),
    byteLength: data.byteLength,
  }));
  return [safetensorsHeader(entries, metadata), ...tensors.map(({ data }) => bytesOfArray(data))];
}

/** Where a tensor is in a file. */
interface TensorPlace {
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** Of its bytes, from the end of the header. */
  readonly start: number;
  readonly end: number;
}

/** The header of a file: what it holds, and where. */
export interface SafetensorsHeader {
  readonly tensors: ReadonlyMap<string, TensorPlace>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Where the tensors begin in the file. */
  readonly dataStart: number;
}

/**
 * Where the header of a file of `size` bytes ends, from its first eight bytes; PV-8420 if that is outside the file.
 */
export function safetensorsDataStart(first: Uint8Array, size: number): Result<number, Problem> {
  if (first.length < 8) return malformed(`It has ${first.length} bytes, but the header length alone takes eight.`);
  const length = new DataView(first.buffer, first.byteOffset, 8).getBigUint64(0, true);
  if (length > BigInt(Math.min(longestHeader, size - 8)))
    return malformed(`Its header claims ${length} bytes; the rest of the file has ${size - 8}.`, 0);
  return ok(8 + Number(length));
}

/** Reads the header (without its length) of a file of `size` bytes; PV-8420 says what is malformed and where. */
export function readSafetensorsHeader(header: Uint8Array, size: number): Result<SafetensorsHeader, Problem> {
  const text = decodeUtf8(header);
  if (text === null || !text.startsWith('{')) return malformed('Its header is not JSON text that begins with "{".', 8);
  const json = parseStrictJson(text, 'header', mostTensors);
  if (!json.ok) return malformed(json.error, 8);
  if (!isRecord(json.value)) return malformed('Its header is not a JSON object.', 8);
  const { __metadata__: metadata = {}, ...entries } = json.value;
  if (!isTexts(metadata)) return malformed('__metadata__ is not an object of strings.', 8);
  const dataStart = 8 + header.length;
  const tensors = placesOf(entries, size - dataStart);
  return tensors.ok ? ok({ tensors: tensors.value, metadata, dataStart }) : tensors;
}

/** Reads a whole file; PV-8420 says what is malformed and where. */
export function readSafetensors(file: Uint8Array): Result<Safetensors, Problem> {
  const start = safetensorsDataStart(file.subarray(0, 8), file.length);
  if (!start.ok) return start;
  const header = readSafetensorsHeader(file.subarray(8, start.value), file.length);
  if (!header.ok) return header;
  const { tensors, metadata, dataStart } = header.value;
  const read = [...tensors].map(([name, { dtype, shape, start: from, end }]): [string, Tensor] => [
    name,
    { dtype, shape, bytes: file.subarray(dataStart + from, dataStart + end) },
  ]);
  return ok({ tensors: new Map(read), metadata });
}

/** The elements of an F32 tensor, or null for another type. A view into the file if its alignment allows it. */
export const float32Of = ({ dtype, bytes }: Tensor): Float32Array | null =>
  dtype === 'F32' ? float32Numbers(bytes) : null;

function placesOf(
  entries: Readonly<Record<string, unknown>>,
  dataLength: number,
): Result<ReadonlyMap<string, TensorPlace>, Problem> {
  const found: (readonly [string, TensorPlace])[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    const place = placeOf(entry);
    if (place === null)
      return malformed(`Tensor ${quoted(name)} does not have a known dtype, a shape and two data_offsets.`);
    const { dtype, shape, start, end } = place;
    const size = shape.reduce((product, n) => product * n, elementBytes[dtype]);
    if (end - start !== size || end > dataLength)
      return malformed(
        `Tensor ${quoted(name)} of shape [${shape.join(', ')}] and type ${dtype} takes ${size} bytes, but its offsets are ${start} to ${end} of ${dataLength}.`,
      );
    found.push([name, place]);
  }
  let end = 0;
  for (const [name, place] of found.toSorted(([, a], [, b]) => a.start - b.start || a.end - b.end)) {
    if (place.start !== end)
      return malformed(`Tensor ${quoted(name)} begins at ${place.start}, but the previous tensor ends at ${end}.`);
    ({ end } = place);
  }
  if (end !== dataLength)
    return malformed(`Its tensors end at byte ${end}, but ${dataLength} bytes follow the header.`);
  return ok(new Map(found));
}

function placeOf(entry: unknown): TensorPlace | null {
  if (!isRecord(entry)) return null;
  const { dtype, shape, data_offsets: offsets } = entry;
  if (!isDType(dtype) || !areSizes(shape) || !areSizes(offsets)) return null;
  const [start, end, ...more] = offsets;
  if (start === undefined || end === undefined || more.length > 0 || end < start) return null;
  return { dtype, shape, start, end };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isRecord(value) && Object.values(value).every((text) => typeof text === 'string');

const isDType = (value: unknown): value is DType => typeof value === 'string' && Object.hasOwn(elementBytes, value);

const areSizes = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && n >= 0);

const malformed = (message: string, offset?: number): Result<never, Problem> =>
  wrong(
    'PV-8420',
    'safetensors',
    `The safetensors file is malformed. ${message}`,
    offset === undefined ? {} : { offset },
  );
