/** Typed arrays as tensors of safetensors files: the element type of each, and its bytes in the file's order, little-endian. */
import { littleEndianHost } from './float32-bytes.ts';

/** An array whose elements a tensor can have. */
export type TensorArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/** The arrays by their element type. */
const arrays = {
  F32: Float32Array,
  F64: Float64Array,
  I8: Int8Array,
  U8: Uint8Array,
  I16: Int16Array,
  U16: Uint16Array,
  I32: Int32Array,
  U32: Uint32Array,
  I64: BigInt64Array,
  U64: BigUint64Array,
} as const;

/** Element types that JavaScript has no arrays of, by the array that holds their bits. */
const asBits = { F16: 'U16', BF16: 'U16', BOOL: 'U8', F8_E4M3: 'U8', F8_E5M2: 'U8' } as const;

/** Element types, as safetensors names them. */
export type DType = keyof typeof arrays | keyof typeof asBits;

/** Whether elements of type `dtype` are kept in arrays like this one. */
export const holdsType = (array: TensorArray, dtype: DType): boolean => array instanceof arrays[storedAs(dtype)];

const storedAs = (dtype: DType): keyof typeof arrays => (isBits(dtype) ? asBits[dtype] : dtype);

const isBits = (dtype: DType): dtype is keyof typeof asBits => Object.hasOwn(asBits, dtype);

/** The element type of an array itself, such as `F32`; null for an array of another kind. */
export function typeOfArray(array: unknown): DType | null {
  for (const [dtype, Type] of Object.entries(arrays)) if (array instanceof Type) return dtype as keyof typeof arrays;
  return null;
}

/** The bytes of an array, little-endian: a view of it on a little-endian machine, elsewhere a copy. */
export function bytesOfArray(array: TensorArray, isLittleEndian: boolean = littleEndianHost): Uint8Array {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return isLittleEndian ? bytes : swapped(bytes, array.BYTES_PER_ELEMENT);
}

/** The array of a tensor's bytes, which must be aligned in their buffer: a view of them on a little-endian machine. */
export function arrayOfBytes(dtype: DType, bytes: Uint8Array, isLittleEndian: boolean = littleEndianHost): TensorArray {
  const Type = arrays[storedAs(dtype)];
  const { buffer, byteOffset } = isLittleEndian ? bytes : swapped(bytes, Type.BYTES_PER_ELEMENT);
  return new Type(buffer as ArrayBuffer, byteOffset, bytes.length / Type.BYTES_PER_ELEMENT);
}

function swapped(bytes: Uint8Array, size: number): Uint8Array {
  const copy = new Uint8Array(bytes);
  for (let start = 0; start < copy.length; start += size) copy.subarray(start, start + size).reverse();
  return copy;
}
