/**
 * Float32 numbers as the bytes that files and hashes are made of: little-endian, whatever the machine is.
 */

/** Whether typed arrays hold numbers as WebAssembly's memory and our files do. */
export const littleEndianHost: boolean = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The bytes of `values`: those of the array itself where the machine is little-endian, which costs no copy. */
export function littleEndianBytes(values: Float32Array, isLittleEndian: boolean = littleEndianHost): Uint8Array {
  if (isLittleEndian) return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const view = new DataView(new ArrayBuffer(values.byteLength));
  for (const [i, value] of values.entries()) view.setFloat32(4 * i, value, true);
  return new Uint8Array(view.buffer);
}

/**
 * The numbers in `bytes`, a multiple of four of them: a view where the machine and the alignment allow it, or else a
 * copy.
 */
export function float32Numbers(bytes: Uint8Array, isLittleEndian: boolean = littleEndianHost): Float32Array {
  if (isLittleEndian && bytes.byteOffset % 4 === 0) {
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

/** The first index that holds NaN or an infinity, −1 where none does. */
export function firstNonFinite(values: Float32Array): number {
  // Float32 numbers cannot overflow a sum of doubles: it is finite if and only if all of them are. Four sums run at once.
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = values.length - (values.length % 4);
  for (let i = 0; i < whole; i += 4) {
    a += values[i] ?? 0;
    b += values[i + 1] ?? 0;
    c += values[i + 2] ?? 0;
    d += values[i + 3] ?? 0;
  }
  for (let i = whole; i < values.length; i++) a += values[i] ?? 0;
  return Number.isFinite(a + b + c + d) ? -1 : values.findIndex((value) => !Number.isFinite(value));
}
