/**
 * The parts of a trace file: a header with the manifest, blocks of entries, a footer with size and root.
 *
 *     header   89 "pvtr" 0d 0a 1a ‖ version 02 ‖ length ‖ RFC 8785 JSON ‖ checksum
 *     block    01 ‖ steps ‖ gaps ‖ columns' length ‖ columns ‖ hashes ‖ checksum
 *     block    02 ‖ steps ‖ gaps ‖ columns' length ‖ packed length ‖ gzip of the columns ‖ hashes ‖ checksum
 *     footer   ff ‖ leaves ‖ root [32] ‖ length ‖ signed checkpoint (UTF-8, may be empty) ‖ checksum
 *
 * Numbers without a size are varints. A checksum is the first four bytes of SHA-256 over the checksum before it and the
 * part up to here: it finds damage where it is, also in a file without a footer. What a trace commits to is its root.
 */
import { sha256 } from '../../merkle/sha256.ts';
import { hashBytes, type Hash } from '../../merkle/hash.ts';
import { concatBytes } from '@noble/hashes/utils.js';
import { hashColumn, packColumns } from './columns.ts';
import { gzip, leastMemberBytes } from './gzip.ts';
import { expansionLimit } from './limits.ts';
import type { Entry } from './trace.ts';
import { pushVarint } from './varint.ts';

/** Not text, and changed by everything that takes it for text: as PNG has it. */
export const magic: Uint8Array = Uint8Array.of(0x89, 0x70, 0x76, 0x74, 0x72, 0x0d, 0x0a, 0x1a);
/** Of the file; the byte after {@link magic}. */
export const formatVersion = 2;
/** Bytes of a {@link Checksum}. */
export const checksumBytes = 4;
/** The first byte of each part after the header. */
export const frameTags = { plain: 1, packed: 2, footer: 0xff } as const;

/** The checksum of a part of a file and of everything before it. */
export type Checksum = Uint8Array;

/** The checksum of `part` after the checksum `before`. */
export function checksumOf(before: Checksum, part: Uint8Array): Checksum {
  return sha256(before, part).slice(0, checksumBytes);
}

/** The end of a finished file. */
export interface Footer {
  /** Leaves, the manifest included. */
  readonly size: number;
  readonly root: Hash;
  /** A signed note over both, as text; null if unsigned. */
  readonly checkpoint: string | null;
}

/** How far a file is written, as far as its next part depends on it. */
export interface WrittenSoFar {
  /** Of its last part. */
  readonly checksum: Checksum;
  /** Whether its last entry is a step: the input of a step that follows is not stored. */
  readonly endsInStep: boolean;
}

/** A part of a file, and how far the file is written with it. */
export interface Part {
  readonly bytes: Uint8Array;
  readonly then: WrittenSoFar;
}

const nothing: WrittenSoFar = { checksum: new Uint8Array(0), endsInStep: false };

/** A plain block, for single entries that are written as they come. */
export function plainBlock(entries: readonly Entry[], before: WrittenSoFar): Part {
  return block(entries, packColumns(entries, before.endsInStep), null, before);
}

/** A block whose columns are packed where that makes them smaller. */
async function packedBlock(entries: readonly Entry[], before: WrittenSoFar): Promise<Part> {
  const columns = packColumns(entries, before.endsInStep);
  const packed = columns.length > leastMemberBytes ? await gzip(columns) : columns;
  const steps = entries.filter((entry) => entry.kind === 'step').length;
  const pays = packed.length < columns.length && columns.length <= mostUnpacked(packed.length, steps);
  return block(entries, columns, pays ? packed : null, before);
}

/** The maximum size of columns packed in this many bytes. */
export const mostUnpacked = (packedBytes: number, steps: number): number =>
  expansionLimit * (packedBytes + steps * hashBytes);

function block(entries: readonly Entry[], columns: Uint8Array, packed: Uint8Array | null, before: WrittenSoFar): Part {
  const hashes = hashColumn(entries);
  const steps = hashes.length / hashBytes;
  const head: number[] = [packed === null ? frameTags.plain : frameTags.packed];
  for (const number of [steps, entries.length - steps, columns.length]) pushVarint(head, number);
  if (packed !== null) pushVarint(head, packed.length);
  const bytes = sealed(before.checksum, [Uint8Array.from(head), packed ?? columns, hashes]);
  const last = entries[entries.length - 1];
  return { bytes, then: { checksum: checksumIn(bytes), endsInStep: last ? last.kind === 'step' : before.endsInStep } };
}

/** The bytes of `parts` and their checksum after `before`. */
function sealed(before: Checksum, parts: readonly Uint8Array[]): Uint8Array {
  const bytes = concatBytes(before, ...parts, new Uint8Array(checksumBytes));
  const end = bytes.length - checksumBytes;
  bytes.set(sha256(bytes.subarray(0, end)).subarray(0, checksumBytes), end);
  return bytes.subarray(before.length);
}

const checksumIn = (part: Uint8Array): Checksum => part.slice(-checksumBytes);

/** Writes the parts of one file, in order. */
export interface FrameWriter {
  /** How far the file is. */
  readonly written: WrittenSoFar;
  /** Goes on after a part that someone else has made. */
  readonly goOn: (written: WrittenSoFar) => void;
  readonly header: () => Uint8Array;
  readonly plainBlock: (entries: readonly Entry[]) => Uint8Array;
  readonly packedBlock: (entries: readonly Entry[]) => Promise<Uint8Array>;
  readonly footer: (footer: Footer) => Uint8Array;
}

/** `json` is the manifest's encoding. */
export function createFrameWriter(json: Uint8Array): FrameWriter {
  let written = nothing;
  const write = ({ bytes, then }: Part): Uint8Array => {
    written = then;
    return bytes;
  };
  return {
    get written() {
      return written;
    },
    goOn: (then) => void (written = then),
    header() {
      const head = [...magic, formatVersion];
      pushVarint(head, json.length);
      const bytes = sealed(nothing.checksum, [Uint8Array.from(head), json]);
      return write({ bytes, then: { checksum: checksumIn(bytes), endsInStep: false } });
    },
    plainBlock: (entries) => write(plainBlock(entries, written)),
    packedBlock: async (entries) => write(await packedBlock(entries, written)),
    footer({ size, root, checkpoint }) {
      const text = new TextEncoder().encode(checkpoint ?? '');
      const head: number[] = [frameTags.footer];
      pushVarint(head, size);
      const length: number[] = [];
      pushVarint(length, text.length);
      return sealed(written.checksum, [Uint8Array.from(head), root, Uint8Array.from(length), text]);
    },
  };
}
