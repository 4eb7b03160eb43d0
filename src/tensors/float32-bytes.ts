/**
 * Float32 numbers as little-endian bytes for files and hashes, whatever the byte order of the machine.
 */

/** Whether typed arrays are little-endian on this machine, as WebAssembly's memory and our files are. */
export const littleEndianHost: boolean = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The bytes of `values`: on a little-endian machine a view of the array itself, elsewhere a copy. */
export function littleEndianBytes(values: Float32Array, isLittleEndian: boolean = littleEndianHost): Uint8Array {
  if (isLittleEndian) return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const view = new DataView(new ArrayBuffer(values.byteLength));
  for (const [i, value] of values.entries()) view.setFloat32(4 * i, value, true);
  return new Uint8Array(view.buffer);
}

/**
 * The numbers in `bytes`, whose length must be a multiple of four: a view if byte order and alignment allow it, otherwise a
 * copy.
 */
export function float32Numbers(bytes: Uint8Array, isLittleEndian: boolean = littleEndianHost): Float32Array {
  if (isLittleEndian && bytes.byteOffset % 4 === 0) {
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

/** The index of the first NaN or infinity, or −1. */
export function firstNonFinite(values: Float32Array): number {
  // A float64 sum of float32 numbers cannot overflow, so it is finite if and only if all of them are. Four sums run in parallel.
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
