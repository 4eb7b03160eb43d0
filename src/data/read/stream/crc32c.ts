/** CRC-32C (Castagnoli, RFC 3720 appendix B.4), and the masked form that TFRecord files hold. */

/** Made at its first use: few runs read TFRecords. */
let table: Uint32Array | null = null;

/** Of the reflected polynomial 0x82f63b78. */
function makeTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
    return crc;
  });
}

/** The checksum of `bytes[start, end)`, unmasked, as an unsigned 32-bit number. */
export function crc32c(bytes: Uint8Array, start: number, end: number): number {
  const rows = (table ??= makeTable());
  let crc = 0xffffffff;
  for (let i = start; i < end; i++) crc = (rows[(crc ^ (bytes[i] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** TFRecord rotates a checksum and adds a constant, since checksums of texts with checksums are weak (tsl/lib/hash/crc32c.h). */
export function maskedCrc32c(bytes: Uint8Array, start: number, end: number): number {
  const crc = crc32c(bytes, start, end);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
