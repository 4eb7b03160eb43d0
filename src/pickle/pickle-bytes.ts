/** Reads the bytes of a pickle from the front. Every length is checked against what is left before anything is allocated. */
import { decodeUtf8 } from '../base/utf8.ts';

/** Why a pickle cannot be read; it never leaves this folder. */
export class PickleError extends Error {
  override readonly name = 'PickleError';
  /** Of the byte at fault. */
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** A position in the bytes of a pickle. */
export interface PickleBytes {
  /** Where the next byte is. */
  readonly offset: () => number;
  /** The next `length` bytes, a view. */
  readonly take: (length: number | bigint) => Uint8Array;
  /** An unsigned little-endian integer of 1, 2 or 4 bytes. */
  readonly unsigned: (bytes: 1 | 2 | 4) => number;
  readonly unsigned64: () => bigint;
  readonly int32: () => number;
  /** A big-endian double. */
  readonly double: () => number;
  /** UTF-8 text of `length` bytes; Python's lone surrogates are refused. */
  readonly text: (length: number | bigint) => string;
  /** The bytes up to the next line feed, which is consumed, as Latin-1. */
  readonly line: () => string;
  readonly fail: (message: string) => never;
}

export function pickleBytes(bytes: Uint8Array): PickleBytes {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  const fail = (message: string, offset = at): never => {
    throw new PickleError(message, offset);
  };
  const take = (length: number | bigint): Uint8Array => {
    if (length > bytes.length - at) fail(`${length} bytes are announced, but only ${bytes.length - at} are left`);
    const start = at;
    at += Number(length);
    return bytes.subarray(start, at);
  };
  const start = (length: number): number => {
    take(length);
    return at - length;
  };
  const text = (length: number | bigint): string => {
    const from = at;
    return decodeUtf8(take(length)) ?? fail('text that is not UTF-8', from);
  };
  return {
    offset: () => at,
    take,
    unsigned: (size) => {
      const from = start(size);
      return size === 4 ? view.getUint32(from, true) : size === 2 ? view.getUint16(from, true) : view.getUint8(from);
    },
    unsigned64: () => view.getBigUint64(start(8), true),
    int32: () => view.getInt32(start(4), true),
    double: () => view.getFloat64(start(8)),
    text,
    line: () => {
      const end = bytes.indexOf(0x0a, at);
      if (end < 0) fail('a line without an end');
      const found = latin1(take(end - at));
      at += 1;
      return found;
    },
    fail,
  };
}

/** One character per byte, as in strings of Python 2, which have no encoding. */
export const latin1 = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('latin1');

/** A two's-complement little-endian integer of any length, as LONG1 and LONG4 write it. */
export function signedInteger(bytes: Uint8Array): number | bigint {
  const negative = ((bytes.at(-1) ?? 0) & 0x80) !== 0;
  let value = 0n;
  for (const byte of bytes.toReversed()) value = (value << 8n) | BigInt(byte);
  return inRange(negative ? value - (1n << BigInt(8 * bytes.length)) : value);
}

/** A number where a double holds it exactly, otherwise a bigint. */
export const inRange = (value: bigint): number | bigint =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
