/**
 * The parts of a trace file read back, one at a time: bounds first, then the checksum; columns are not unpacked here.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { hashBytes, sameBytes } from '../../merkle/hash.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { columnBytesLimits, type BlockShape } from './columns.ts';
import {
  checksumBytes,
  checksumOf,
  formatVersion,
  frameTags,
  magic,
  mostUnpacked,
  type Checksum,
  type Footer,
} from './frame.ts';
import {
  blockBytesLimit,
  blockEntriesLimit,
  checkpointBytesLimit,
  expansionLimit,
  manifestBytesLimit,
} from './limits.ts';
import { decodeManifest } from './manifest.ts';
import type { Manifest } from './trace.ts';
import { readVarint, type Cursor } from './varint.ts';

/** The first part of a file; `end` is the offset after it. */
export interface Header {
  readonly kind: 'header';
  readonly manifest: Manifest;
  /** Its encoding, a part of the bytes that were read. */
  readonly json: Uint8Array;
  readonly checksum: Checksum;
  readonly end: number;
}

/** A part with entries, which are not unpacked yet. */
export interface Block {
  readonly kind: 'block';
  readonly shape: BlockShape;
  /** The columns as stored in the file. */
  readonly stored: Uint8Array;
  /** Their size when unpacked; null if they are stored unpacked. */
  readonly unpackedBytes: number | null;
  readonly hashes: Uint8Array;
  /** Null if the file ends within the hashes or the checksum: `hashes` are then what there is of them. */
  readonly checksum: Checksum | null;
  readonly end: number;
}

/** The last part of a finished file. Its checksum is compared by who knows the leaves, whose faults say more. */
export interface FooterFrame extends Footer {
  readonly kind: 'footer';
  readonly checksum: { readonly stored: Checksum; readonly computed: Checksum };
  readonly end: number;
}

/** The bytes end within the part. */
export interface Cut {
  readonly kind: 'cut';
}

const cut: Cut = { kind: 'cut' };

/** The part of the file before its first block. */
export function readHeader(bytes: Uint8Array): Result<Header | Cut, Problem> {
  const start = bytes.subarray(0, magic.length);
  if (bytes.length === 0) return wrong('PV-8030', 'magic', 'The file is empty.', { offset: 0 });
  if (isTextTransfer(start)) {
    const message =
      'The line ends of this file were changed, as if it were a text: copy it in binary mode ("binary" in .gitattributes keeps git from it).';
    return wrong('PV-8084', 'line ends', message, {
      offset: 5,
      expected: bytesToHex(magic),
      actual: bytesToHex(start),
    });
  }
  if (!sameBytes(start, magic.subarray(0, start.length))) {
    return wrong('PV-8030', 'magic', 'This is not a trace of pv: its first bytes are different.', {
      offset: 0,
      expected: bytesToHex(magic),
      actual: bytesToHex(start),
    });
  }
  const version = bytes[magic.length];
  if (version === undefined) return ok(cut);
  if (version !== formatVersion) {
    return wrong('PV-8031', 'version', 'The trace has a version of the format that this pv does not know.', {
      offset: magic.length,
      expected: String(formatVersion),
      actual: String(version),
    });
  }
  const cursor: Cursor = { bytes, at: magic.length + 1 };
  const length = readVarint(cursor);
  if (length === 'cut') return ok(cut);
  if (length === 'malformed' || length > manifestBytesLimit) {
    return tooLarge('manifest', magic.length + 1, length, manifestBytesLimit);
  }
  const [from, end] = [cursor.at, cursor.at + length + checksumBytes];
  if (end > bytes.length) return ok(cut);
  const checksum = checksumOf(new Uint8Array(0), bytes.subarray(0, end - checksumBytes));
  const stored = bytes.subarray(end - checksumBytes, end);
  if (!sameBytes(checksum, stored)) return damaged('header', end - checksumBytes, checksum, stored);
  const json = bytes.subarray(from, from + length);
  const manifest = decodeManifest(json);
  if (manifest.ok) return ok({ kind: 'header', manifest: manifest.value, json, checksum, end });
  return wrongAt(manifest.error, from);
}

/** The magic ends in CR LF, ^Z: what turns line ends into others shows in it. */
function isTextTransfer(start: Uint8Array): boolean {
  const end = bytesToHex(start.subarray(5));
  return sameBytes(start.subarray(0, 5), magic.subarray(0, 5)) && (end.startsWith('0a1a') || end === '0d0d0a');
}

/** The block or footer at `offset`, which is before the end of `bytes`. */
export function readFrame(
  bytes: Uint8Array,
  offset: number,
  before: Checksum,
  manifest: Manifest,
): Result<Block | FooterFrame | Cut, Problem> {
  const tag = bytes[offset];
  if (tag === frameTags.footer) return readFooter(bytes, offset, before);
  if (tag === frameTags.plain || tag === frameTags.packed) return readBlock(bytes, offset, before, manifest);
  return wrong('PV-8036', 'block kind', 'What follows the last block is neither a block nor a footer.', {
    offset,
    expected: '01, 02 or ff',
    actual: bytesToHex(bytes.subarray(offset, offset + 1)),
  });
}

function readBlock(
  bytes: Uint8Array,
  offset: number,
  before: Checksum,
  manifest: Manifest,
): Result<Block | Cut, Problem> {
  const packed = bytes[offset] === frameTags.packed;
  const cursor: Cursor = { bytes, at: offset + 1 };
  const numbers: number[] = [];
  while (numbers.length < (packed ? 4 : 3)) {
    const number = readVarint(cursor);
    if (number === 'cut') return ok(cut);
    if (number === 'malformed') return tooLarge('length', cursor.at, number, 2 ** 32 - 1);
    numbers.push(number);
  }
  const [steps = 0, gaps = 0, columnBytes = 0, storedBytes = columnBytes] = numbers;
  const shape: BlockShape = { steps, gaps, sketch: manifest.sketch };
  const bounded = checkBounds(shape, columnBytes, packed ? storedBytes : null, offset);
  if (!bounded.ok) return bounded;
  const hashesAt = cursor.at + storedBytes;
  if (hashesAt > bytes.length) return ok(cut);
  const checksumAt = hashesAt + steps * hashBytes;
  const end = checksumAt + checksumBytes;
  const block = {
    kind: 'block',
    shape,
    stored: bytes.subarray(cursor.at, hashesAt),
    unpackedBytes: packed ? columnBytes : null,
    hashes: bytes.subarray(hashesAt, checksumAt),
  } as const;
  if (end > bytes.length) return ok({ ...block, checksum: null, end: bytes.length });
  const checksum = checksumOf(before, bytes.subarray(offset, checksumAt));
  const stored = bytes.subarray(checksumAt, end);
  if (sameBytes(checksum, stored)) return ok({ ...block, checksum, end });
  const entries = count(steps + gaps, 'entry', 'entries');
  const where = `  It is unknown which of its ${entries} were changed; the position is that of the first.`;
  return damaged('block', checksumAt, checksum, stored, steps + gaps === 1 ? '' : where);
}

/** All that a block's frame declares, before anything is allocated for it. */
function checkBounds(
  shape: BlockShape,
  columnBytes: number,
  packedBytes: number | null,
  offset: number,
): Result<void, Problem> {
  const entries = shape.steps + shape.gaps;
  if (entries < 1 || entries > blockEntriesLimit)
    return tooLarge('number of entries', offset, entries, blockEntriesLimit);
  const { least, most } = columnBytesLimits(shape);
  const largest = Math.min(most, blockBytesLimit);
  if (columnBytes < least || columnBytes > largest) return tooLarge('length of columns', offset, columnBytes, largest);
  if (packedBytes === null || (packedBytes < columnBytes && columnBytes <= mostUnpacked(packedBytes, shape.steps))) {
    return ok(undefined);
  }
  return wrong(
    'PV-8044',
    'packed size',
    'The columns of a block are packed tighter than any that pv writes, or not at all.',
    {
      offset,
      expected: `${Math.max(0, Math.ceil(columnBytes / expansionLimit) - shape.steps * hashBytes)} to ${count(columnBytes - 1, 'byte')}`,
      actual: count(packedBytes, 'byte'),
    },
  );
}

function readFooter(bytes: Uint8Array, offset: number, before: Checksum): Result<FooterFrame | Cut, Problem> {
  const cursor: Cursor = { bytes, at: offset + 1 };
  const size = readVarint(cursor);
  if (size === 'cut') return ok(cut);
  if (size === 'malformed') return tooLarge('number of leaves', offset + 1, size, 2 ** 32 - 1);
  const root = bytes.slice(cursor.at, cursor.at + hashBytes);
  cursor.at += hashBytes;
  const length = readVarint(cursor);
  if (length === 'cut') return ok(cut);
  if (length === 'malformed' || length > checkpointBytesLimit) {
    return tooLarge('checkpoint', cursor.at, length, checkpointBytesLimit);
  }
  const checksumAt = cursor.at + length;
  const end = checksumAt + checksumBytes;
  if (end > bytes.length) return ok(cut);
  const checkpoint = decodeUtf8(bytes.subarray(cursor.at, checksumAt));
  if (checkpoint === null) {
    return wrong('PV-8036', 'checkpoint UTF-8', 'The signed checkpoint has bytes that are not UTF-8.', {
      offset: cursor.at,
    });
  }
  const checksum = {
    stored: bytes.subarray(checksumAt, end),
    computed: checksumOf(before, bytes.subarray(offset, checksumAt)),
  };
  return ok({ kind: 'footer', size, root, checkpoint: checkpoint === '' ? null : checkpoint, checksum, end });
}

/** A part whose checksum is another than its bytes have. */
export function damaged(
  part: string,
  offset: number,
  computed: Checksum,
  stored: Checksum,
  where = '',
): Result<never, Problem> {
  return wrong(
    'PV-8036',
    `${part} checksum`,
    `A ${part} of the file is damaged: its checksum does not match.${where}`,
    {
      offset,
      expected: bytesToHex(stored),
      actual: bytesToHex(computed),
    },
  );
}

function tooLarge(what: string, offset: number, actual: number | 'malformed', limit: number): Result<never, Problem> {
  return wrong('PV-8035', what, `The ${what} that the file declares is outside the range that a trace can have.`, {
    offset,
    expected: `at most ${limit}`,
    actual: actual === 'malformed' ? 'more than 32 bits' : String(actual),
  });
}

/** A problem within a part, with its place in the file. */
function wrongAt(problem: Problem, offset: number): Result<never, Problem> {
  return { ok: false, error: { ...problem, offset: offset + (problem.offset ?? 0) } };
}
