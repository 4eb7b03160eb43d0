/** The same bytes, as nothing but a Uint8Array: `slice` of a Buffer of Node does not copy. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
