/** The numbers of stored tensors, read in pieces of bounded size. */
import { ok, type Result } from '../base/result.ts';
import type { Problem } from '../base/problem.ts';
import type { StoredTensor } from './checkpoint.ts';

/** In bytes; a multiple of every element's size. */
const pieceBytes = 4 * 1024 ** 2;

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

/** The index of the first element for which `isFault` is true, with the element; null if there is none. */
export async function firstFault(
  { dtype, source, offset, bytes }: StoredTensor,
  isFault: (value: number) => boolean,
): Promise<Result<{ readonly index: number; readonly value: number } | null, Problem>> {
  const type = floats[dtype];
  if (type === undefined) return ok(null);
  for (let at = 0; at < bytes; at += pieceBytes) {
    const piece = await source.read(offset + at, Math.min(pieceBytes, bytes - at));
    if (!piece.ok) return piece;
    const view = new DataView(piece.value.buffer, piece.value.byteOffset, piece.value.length);
    for (let i = 0; i + type.bytes <= view.byteLength; i += type.bytes) {
      const value = type.decode(view, i);
      if (isFault(value)) return ok({ index: (at + i) / type.bytes, value });
    }
  }
  return ok(null);
}

/** The number of a tensor with one floating-point element; null for any other. */
export async function scalarOf(tensor: StoredTensor): Promise<Result<number | null, Problem>> {
  if (tensor.bytes !== floats[tensor.dtype]?.bytes) return ok(null);
  const found = await firstFault(tensor, () => true);
  return found.ok ? ok(found.value?.value ?? null) : found;
}
