/**
 * Unsigned 32-bit numbers in as few bytes as they need: seven bits a byte, the lowest first, the top bit set on all but
 * the last (LEB128, as WebAssembly and Protocol Buffers have it). Each number has one form.
 */
import { largestU32 } from './limits.ts';

/** Appends `value`, an unsigned 32-bit number. */
export function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  bytes.push(rest);
}

/** Bytes and how far they have been read. */
export interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/**
 * The next number; `cut` where the bytes end in it, `malformed` beyond 32 bits or with needless zeros. The cursor moves
 * on success only.
 */
export function readVarint(cursor: Cursor): number | 'cut' | 'malformed' {
  let value = 0;
  for (let i = 0; i < 5; i++) {
    const byte = cursor.bytes[cursor.at + i];
    if (byte === undefined) return 'cut';
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte >= 0x80) continue;
    if ((byte === 0 && i > 0) || value > largestU32) return 'malformed';
    cursor.at += i + 1;
    return value;
  }
  return 'malformed';
}
