/**
 * The parts of a trace file: a header with the manifest, blocks of entries, a footer with size and root.
 *
 *     header   89 "pvtr" 0d 0a 1a ‖ version 02 ‖ length ‖ RFC 8785 JSON ‖ check
 *     block    01 ‖ steps ‖ gaps ‖ columns' length ‖ columns ‖ hashes ‖ check
 *     block    02 ‖ steps ‖ gaps ‖ columns' length ‖ packed length ‖ gzip of the columns ‖ hashes ‖ check
 *     footer   ff ‖ leaves ‖ root [32] ‖ length ‖ signed checkpoint (UTF-8, may be empty) ‖ check
 *
 * Numbers without a size are varints. A check is the first four bytes of SHA-256 over the check before it and the part up
 * to here: it finds damage where it is, also in a file without a footer. What a trace commits to is its root.
 */
import { sha256 } from '../hash/sha256.ts';
import type { Hash } from '../merkle/hash.ts';
import { concatBytes } from '@noble/hashes/utils.js';
import { hashColumn, packColumns } from './columns.ts';
import { gzip } from './gzip.ts';
import { expansionLimit } from './limits.ts';
import { encodeManifest } from './manifest.ts';
import { positionsOf } from './entry.ts';
import { start, type Progress } from './sequence.ts';
import type { Entry, Manifest } from './trace.ts';
import { pushVarint } from './varint.ts';

/** Not text, and changed by everything that takes it for text: as PNG has it. */
export const magic = Uint8Array.of(0x89, 0x70, 0x76, 0x74, 0x72, 0x0d, 0x0a, 0x1a);
export const formatVersion = 2;
export const checkBytes = 4;
export const frameTags = { plain: 1, packed: 2, footer: 0xff } as const;

export type Check = Uint8Array;

export function checkOf(before: Check, part: Uint8Array): Check {
  return sha256(before, part).slice(0, checkBytes);
}

/** The end of a finished file. */
export interface Footer {
  /** Leaves, the manifest included. */
  readonly size: number;
  readonly root: Hash;
  /** A signed note over both, as text; null where nobody signed. */
  readonly checkpoint: string | null;
}

/** Writes the parts of one file, in order. */
export interface FrameWriter {
  readonly header: () => Uint8Array;
  /** A block as it is: for single entries, written while they come. */
  readonly plainBlock: (entries: readonly Entry[]) => Uint8Array;
  /** A block whose columns are packed where that makes them smaller. */
  readonly packedBlock: (entries: readonly Entry[]) => Promise<Uint8Array>;
  readonly footer: (footer: Footer) => Uint8Array;
}

export function createFrameWriter(manifest: Manifest): FrameWriter {
  let check: Check = new Uint8Array(0);
  let progress: Progress = start;

  const sealed = (head: readonly number[], ...parts: readonly Uint8Array[]): Uint8Array => {
    const bytes = concatBytes(Uint8Array.from(head), ...parts, new Uint8Array(checkBytes));
    const end = bytes.length - checkBytes;
    check = checkOf(check, bytes.subarray(0, end));
    bytes.set(check, end);
    return bytes;
  };
  const block = (entries: readonly Entry[], columns: Uint8Array, packed: Uint8Array | null): Uint8Array => {
    const steps = entries.filter((entry) => entry.kind === 'step').length;
    const head: number[] = [packed === null ? frameTags.plain : frameTags.packed];
    for (const number of [steps, entries.length - steps, columns.length]) pushVarint(head, number);
    if (packed !== null) pushVarint(head, packed.length);
    progress = advanced(progress, entries);
    return sealed(head, packed ?? columns, hashColumn(entries));
  };

  return {
    header() {
      const json = encodeManifest(manifest);
      const head = [...magic, formatVersion];
      pushVarint(head, json.length);
      return sealed(head, json);
    },
    plainBlock: (entries) => block(entries, packColumns(entries, progress), null),
    async packedBlock(entries) {
      const columns = packColumns(entries, progress);
      const packed = await gzip(columns);
      const pays = packed.length < columns.length && columns.length <= expansionLimit * packed.length;
      return block(entries, columns, pays ? packed : null);
    },
    footer({ size, root, checkpoint }) {
      const text = new TextEncoder().encode(checkpoint ?? '');
      const head: number[] = [frameTags.footer];
      pushVarint(head, size);
      const length: number[] = [];
      pushVarint(length, text.length);
      return sealed(head, root, Uint8Array.from(length), text);
    },
  };
}

function advanced(progress: Progress, entries: readonly Entry[]): Progress {
  const covered = entries.reduce((sum, entry) => sum + positionsOf(entry), 0);
  return { position: progress.position + covered, last: entries[entries.length - 1] ?? progress.last };
}
