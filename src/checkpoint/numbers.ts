/** The numbers of stored tensors, read in pieces of bounded size. */
import { ok, type Result } from '../base/result.ts';
import type { Problem } from '../base/problem.ts';
import type { StoredTensor } from './checkpoint.ts';

/** In bytes; a multiple of every element's size. */
export const pieceBytes = 1024 ** 2;

type Decode = (view: DataView, at: number) => number;

/** Little-endian floating-point types: bytes per element, and how to read one. */
const floats: Readonly<Record<string, { readonly bytes: number; readonly decode: Decode }>> = {
  F64: { bytes: 8, decode: (view, at) => view.getFloat64(at, true) },
  F32: { bytes: 4, decode: (view, at) => view.getFloat32(at, true) },
  BF16: { bytes: 2, decode: (view, at) => bfloat16(view.getUint16(at, true)) },
  F8_E4M3: { bytes: 1, decode: (view, at) => float8(view.getUint8(at)) },
  F8_E5M2: { bytes: 1, decode: (view, at) => float16(view.getUint8(at) << 8) },
  F16: { bytes: 2, decode: (view, at) => float16(view.getUint16(at, true)) },
};

const scratch = new DataView(new ArrayBuffer(4));

function bfloat16(bits: number): number {
  scratch.setUint32(0, bits * 0x10000);
  return scratch.getFloat32(0);
}

function float16(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** E4M3 has no infinities, and NaN only with all bits set. */
function float8(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x80 ? -1 : 1, (bits >> 3) & 15, bits & 7];
  if (exponent === 15 && fraction === 7) return NaN;
  return exponent === 0 ? sign * fraction * 2 ** -9 : sign * (1 + fraction / 8) * 2 ** (exponent - 7);
}

/** Whether pv reads numbers of this type. */
export const isFloat = (dtype: string): boolean => Object.hasOwn(floats, dtype);

/** The numbers of little-endian bytes in float32, which holds every type but F64 exactly; null for a type that is not floating-point. */
export function widened(dtype: string, bytes: Uint8Array): Float32Array | null {
  const type = floats[dtype];
  if (type === undefined) return null;
  const view = viewOf(bytes);
  return Float32Array.from({ length: bytes.length / type.bytes }, (_, i) => type.decode(view, i * type.bytes));
}

/** Whether the platform stores numbers as the files do. */
const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Where the bits of a type are in a word, and those that are all set in NaN and the infinities. */
const words = {
  F32: { bytes: 4, exponent: 0x7f800000, sign: 0x80000000 | 0 },
  BF16: { bytes: 2, exponent: 0x7f80, sign: 0x8000 },
  F16: { bytes: 2, exponent: 0x7c00, sign: 0x8000 },
} as const;

/**
 * Whether some of the numbers may be NaN, infinite or, with `negatives`, negative: a scan of the bits, many times as fast
 * as reading the numbers. True where it cannot tell.
 */
export function mayBeUnusual(dtype: string, { buffer, byteOffset, length }: Uint8Array, negatives: boolean): boolean {
  if (!isLittleEndian || !Object.hasOwn(words, dtype)) return true;
  const { bytes, exponent, sign } = words[dtype as keyof typeof words];
  if (byteOffset % bytes !== 0) return true;
  const count = Math.floor(length / bytes);
  const found = negatives ? sign : 0;
  const numbers = bytes === 4 ? new Int32Array(buffer, byteOffset, count) : new Uint16Array(buffer, byteOffset, count);
  for (let i = 0; i < count; i++) {
    const bits = numbers[i] ?? 0;
    if ((bits & exponent) === exponent || (bits & found) !== 0) return true;
  }
  return false;
}

/** An element of a tensor. */
export interface Element {
  readonly index: number;
  readonly value: number;
}

/** The first element of `piece` for which `isFault` is true; null if there is none. */
export function faultIn(dtype: string, piece: Uint8Array, isFault: (value: number) => boolean): Element | null {
  const type = floats[dtype];
  if (type === undefined) return null;
  const view = viewOf(piece);
  for (let i = 0; i + type.bytes <= view.byteLength; i += type.bytes) {
    const value = type.decode(view, i);
    if (isFault(value)) return { index: i / type.bytes, value };
  }
  return null;
}

/** The first element for which `isFault` is true; null if there is none. */
export async function firstFault(
  { dtype, source, offset, bytes }: StoredTensor,
  isFault: (value: number) => boolean,
): Promise<Result<Element | null, Problem>> {
  const width = floats[dtype]?.bytes;
  if (width === undefined) return ok(null);
  for (let at = 0; at < bytes; at += pieceBytes) {
    const piece = await source.read(offset + at, Math.min(pieceBytes, bytes - at));
    if (!piece.ok) return piece;
    const fault = faultIn(dtype, piece.value, isFault);
    if (fault) return ok({ ...fault, index: fault.index + at / width });
  }
  return ok(null);
}

/** All numbers in `piece`, which begins and ends between them; none for a type that pv does not read. */
export function numbersIn(dtype: string, piece: Uint8Array): readonly number[] {
  const type = floats[dtype];
  if (type === undefined) return [];
  const view = viewOf(piece);
  return Array.from({ length: Math.floor(piece.length / type.bytes) }, (_, i) => type.decode(view, i * type.bytes));
}

/** From the first byte that is not zero to the last. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Null if all numbers are 0 or −0. Looks at no byte between the two. `bytes` begins and ends between numbers. */
export function nonZeroSpan(dtype: string, bytes: Uint8Array): Span | null {
  const width = floats[dtype]?.bytes ?? 1;
  const isFilled = (byte: number, i: number): boolean => byte !== 0 && (byte !== 0x80 || i % width !== width - 1);
  const first = bytes.findIndex(isFilled);
  return first < 0 ? null : { first: first - (first % width), last: bytes.findLastIndex(isFilled) };
}

/** The number of a tensor with one floating-point element; null for any other. */
export async function scalarOf(tensor: StoredTensor): Promise<Result<number | null, Problem>> {
  if (tensor.bytes !== floats[tensor.dtype]?.bytes) return ok(null);
  const found = await firstFault(tensor, () => true);
  return found.ok ? ok(found.value?.value ?? null) : found;
}

/** How far apart two tensors of one type and shape are. */
export interface Change {
  readonly isEqual: boolean;
  /** Euclidean norms of the difference and of each; null for types that are not floating-point, NaN if an element is. */
  readonly norms: { readonly difference: number; readonly before: number; readonly after: number } | null;
}

/** Compares two tensors of one type and shape, byte for byte and in their norms. */
export async function changeBetween(before: StoredTensor, after: StoredTensor): Promise<Result<Change, Problem>> {
  const type = floats[before.dtype];
  let isEqual = true;
  let [difference, norm, normAfter] = [0, 0, 0];
  for (let at = 0; at < before.bytes; at += pieceBytes) {
    const length = Math.min(pieceBytes, before.bytes - at);
    const [a, b] = [
      await before.source.read(before.offset + at, length),
      await after.source.read(after.offset + at, length),
    ];
    if (!a.ok) return a;
    if (!b.ok) return b;
    isEqual &&= Buffer.compare(a.value, b.value) === 0;
    const [x, y] = [viewOf(a.value), viewOf(b.value)];
    for (let i = 0; type !== undefined && i + type.bytes <= length; i += type.bytes) {
      const [was, is] = [type.decode(x, i), type.decode(y, i)];
      norm += was * was;
      normAfter += is * is;
      difference += (is - was) * (is - was);
    }
  }
  return ok({
    isEqual,
    norms:
      type === undefined
        ? null
        : { difference: Math.sqrt(difference), before: Math.sqrt(norm), after: Math.sqrt(normAfter) },
  });
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
