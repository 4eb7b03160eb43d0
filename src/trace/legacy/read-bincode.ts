/**
 * bincode 1.3 with its defaults (little-endian, fixed-width integers, lengths and usize as u64), read strictly: bincode itself
 * ignores what follows a value, and allocates as much memory as a length field says.
 */
import { count } from '../../base/text.ts';
import { bytesToHex } from '@noble/hashes/utils.js';
import { hashBytes, type Hash } from '../../merkle/hash.ts';
import type { Problem } from '../../base/problem.ts';

/**
 * Reads values one after the other. The first problem is kept; from then on every value is zero or empty, and the
 * offset does not change.
 */
export interface BincodeReader {
  readonly offset: number;
  readonly problem: Problem | null;
  readonly i32: (what: string) => number;
  /** A u64 that is not a length, below 2⁵³. */
  readonly u64: (what: string) => number;
  /**
   * The length of a list whose items take `itemBytes` or more: never more than the rest of the file can hold, nor than
   * `most`.
   */
  readonly count: (what: string, itemBytes: number, most?: number) => number;
  readonly text: (what: string) => string;
  readonly hash: (what: string) => Hash;
  /** One byte, 0 or 1: a bool, or the tag of an Option. */
  readonly flag: (what: string) => boolean;
  /** Checks that nothing follows. */
  readonly end: (what: string) => void;
}

/** No file that anyone reads has more items: a larger length is garbage, a smaller one may be of a file that was cut. */
const largestLength = 2 ** 32;

/** As long as a manifest of v2 may be: a string has 2²⁹ characters at most, and each of a prompt becomes a token. */
const longestText = 8 * 1024 ** 2;

/** How many bytes of garbage are shown. */
const shown = 16;

export function bincodeReader(bytes: Uint8Array): BincodeReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;
  let problem: Problem | null = null;

  /** Where the next `size` bytes start; null if the file has no such bytes, or nothing is read any more. */
  function take(what: string, size: number): number | null {
    if (problem) return null;
    const left = bytes.length - offset;
    if (left < size) {
      problem = endsInside(what, offset, size, left);
      return null;
    }
    offset += size;
    return offset - size;
  }

  function bigInteger(what: string): bigint {
    const start = take(what, 8);
    return start === null ? 0n : view.getBigUint64(start, true);
  }

  function count(what: string, itemBytes: number, most: number = largestLength): number {
    const length = bigInteger(what);
    const fits = Math.floor((bytes.length - offset) / itemBytes);
    if (length <= Math.min(fits, most)) return Number(length);
    problem = length <= fits ? tooMany(what, offset - 8, length, most) : tooLong(what, offset - 8, length, fits);
    return 0;
  }

  return {
    get offset() {
      return offset;
    },
    get problem() {
      return problem;
    },
    i32(what) {
      const start = take(what, 4);
      return start === null ? 0 : view.getInt32(start, true);
    },
    u64(what) {
      const number = bigInteger(what);
      if (number <= Number.MAX_SAFE_INTEGER) return Number(number);
      problem = tooLarge(what, offset - 8, number);
      return 0;
    },
    count,
    text(what) {
      const length = count(`length of ${what}`, 1, longestText);
      const start = take(what, length);
      if (start === null) return '';
      const utf8 = bytes.subarray(start, start + length);
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(utf8);
      const wrong = new TextEncoder().encode(text).findIndex((byte, i) => byte !== utf8[i]);
      if (wrong < 0) return text;
      problem = notUtf8(what, start + wrong, utf8.subarray(wrong, wrong + shown));
      return '';
    },
    hash(what) {
      const start = take(what, hashBytes);
      return start === null ? new Uint8Array(hashBytes) : bytes.slice(start, start + hashBytes);
    },
    flag(what) {
      const start = take(what, 1);
      const byte = start === null ? 0 : view.getUint8(start);
      if (byte > 1) problem = noFlag(what, offset - 1, byte);
      return byte === 1;
    },
    end(what) {
      if (!problem && offset < bytes.length) problem = goesOn(what, offset, bytes);
    },
  };
}

function endsInside(what: string, offset: number, size: number, left: number): Problem {
  const message = `The file ends too early: ${what} at byte ${offset} takes ${count(size, 'byte')}, and ${left} ${left === 1 ? 'is' : 'are'} left.`;
  const sizes = { expected: count(size, 'byte'), actual: count(left, 'byte') };
  return { code: 'PV-8019', check: what, message, offset: offset + left, ...sizes };
}

function tooLong(what: string, offset: number, length: bigint, fits: number): Problem {
  const found = { check: what, offset, expected: `at most ${fits}`, actual: inBothBases(length) };
  if (length > largestLength)
    return { code: 'PV-8020', message: `The ${what} at byte ${offset} is ${length}: no file is that long.`, ...found };
  const message = `The file ends too early, or the ${what} at byte ${offset} is wrong: it is ${length}, and there is room for ${fits}.`;
  return { code: 'PV-8019', message, ...found };
}

function tooMany(what: string, offset: number, length: bigint, most: number): Problem {
  const message = `The ${what} at byte ${offset} is ${length}; the largest allowed is ${most}.`;
  return { code: 'PV-8020', check: what, message, offset, expected: `at most ${most}`, actual: inBothBases(length) };
}

function tooLarge(what: string, offset: number, number: bigint): Problem {
  const message = `The number at byte ${offset} (${what}) is ${number}: no trace reaches 2⁵³ steps.`;
  const found = { offset, expected: `at most ${Number.MAX_SAFE_INTEGER}`, actual: inBothBases(number) };
  return { code: 'PV-8029', check: what, message, ...found };
}

function notUtf8(what: string, offset: number, bytes: Uint8Array): Problem {
  const actual = bytesToHex(bytes);
  const message = `The ${what} is not UTF-8 from byte ${offset} on: ${actual || 'it ends inside a character'}.`;
  return { code: 'PV-8022', check: what, message, offset, expected: 'UTF-8', actual };
}

function noFlag(what: string, offset: number, byte: number): Problem {
  const actual = bytesToHex(Uint8Array.of(byte));
  const message = `The ${what} at byte ${offset} is ${actual}; it must be 00 or 01.`;
  return { code: 'PV-8023', check: what, message, offset, expected: '00 or 01', actual };
}

function goesOn(what: string, offset: number, bytes: Uint8Array): Problem {
  const rest = bytesToHex(bytes.subarray(offset, offset + shown));
  const message = `The file continues after ${what}, from byte ${offset} on, for ${count(bytes.length - offset, 'byte')}: ${rest}.`;
  const sizes = { expected: count(offset, 'byte'), actual: count(bytes.length, 'byte') };
  return { code: 'PV-8021', check: 'end of file', message, offset, ...sizes };
}

const inBothBases = (number: bigint): string => `${number} (0x${number.toString(16)})`;
