/**
 * Reads a trace file, finished or still growing, and holds it to everything that it declares.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { createCompactRange, type CompactRange } from '../../merkle/compact-range.ts';
import { leafHash, sameBytes } from '../../merkle/hash.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { unpackColumns } from './columns.ts';
import { gunzip } from './gzip.ts';
import { entryLeaf, manifestLeaf } from './leaf.ts';
import { entriesLimit, sketchNumbersOfEntry } from './limits.ts';
import { damaged, readFrame, readHeader, type Block, type FooterFrame } from './read-frame.ts';
import { plainBytes } from './plain-bytes.ts';
import { admit, start, type Progress } from './sequence.ts';
import type { Entry, Manifest, TraceFile } from './trace.ts';

/**
 * The trace in the bytes of a file: entries checked one by one and together, size and root computed from them and
 * compared.
 *
 * A file without its footer is read up to its last complete entry, with `complete` false; its manifest must be complete. Memory
 * is proportional to the file's size, whatever lengths it declares, and nothing is read after `most` entries (PV-8035). `pause`
 * is awaited before each block of a thousand entries, so that a page stays alive.
 */
export async function readTrace(
  file: Uint8Array,
  pause?: () => Promise<void>,
  most: number = entriesLimit,
): Promise<Result<TraceFile, Problem>> {
  const bytes = plainBytes(file);
  const header = readHeader(bytes);
  if (!header.ok) return header;
  if (header.value.kind === 'cut') {
    return wrong('PV-8032', 'header', 'The file ends within its manifest, so that nothing of it can be read.', {
      offset: bytes.length,
      expected: 'a manifest and its checksum',
      actual: `the end of the file after ${count(bytes.length, 'byte')}`,
    });
  }
  const { manifest, json } = header.value;
  let { checksum, end } = header.value;
  const reading: Reading = { manifest, entries: [], progress: start, tree: createCompactRange() };
  reading.tree.append(leafHash(manifestLeaf(json)));
  while (end < bytes.length) {
    await pause?.();
    const frame = readFrame(bytes, end, checksum, manifest);
    if (!frame.ok) return at(frame.error, reading.progress);
    if (frame.value.kind === 'cut') break;
    if (frame.value.kind === 'footer') return finish(reading, frame.value, end, bytes.length);
    const full = fullAt(reading, frame.value, most);
    if (full !== null)
      return wrong('PV-8035', 'number of entries', full, { offset: end, expected: `at most ${most}`, actual: 'more' });
    const taken = await takeBlock(reading, frame.value, end);
    if (!taken.ok) return taken;
    if (frame.value.checksum === null) return ok(fileOf(reading, null, bytes.length - taken.value));
    ({ checksum, end } = frame.value);
  }
  return ok(fileOf(reading, null, bytes.length - end));
}

interface Reading {
  readonly manifest: Manifest;
  readonly entries: Entry[];
  progress: Progress;
  readonly tree: CompactRange;
}

/** Why a block is not read any more, null if it is. */
function fullAt({ entries }: Reading, { shape: { steps, gaps, sketch } }: Block, most: number): string | null {
  if ((entries.length + steps + gaps) * (1 + sketch / sketchNumbersOfEntry) <= most) return null;
  const counted = sketch === 0 ? '' : `, ${sketchNumbersOfEntry} logits of a sketch counted as one`;
  return `The trace continues after ${count(most, 'entry', 'entries')}${counted}: no more are read into memory.`;
}

/** Adds the entries of a block at `offset`; the value is where the last of them ends. */
async function takeBlock(reading: Reading, block: Block, offset: number): Promise<Result<number, Problem>> {
  const columns = block.unpackedBytes === null ? block.stored : await gunzip(block.stored, block.unpackedBytes);
  if (columns === null) {
    return wrong('PV-8044', 'gzip', 'The columns of a block do not unpack to what the block declares.', {
      offset,
      position: reading.progress.position,
      expected: `${block.unpackedBytes} bytes`,
    });
  }
  const entries = unpackColumns(columns, block.hashes, block.shape, reading.progress);
  if (!entries.ok) return at(entries.error, reading.progress, offset);
  for (const entry of entries.value) {
    const admitted = admit(reading.manifest, reading.progress, entry);
    if (!admitted.ok) return at(admitted.error, reading.progress, offset);
    reading.progress = admitted.value;
    reading.entries.push(entry);
    reading.tree.append(leafHash(entryLeaf(entry)));
  }
  return ok(wholeBytes(block, entries.value, offset));
}

/** Where the last whole entry of a block ends: before the block where it has none. */
function wholeBytes(block: Block, entries: readonly Entry[], offset: number): number {
  if (block.checksum !== null) return block.end;
  const steps = entries.filter((entry) => entry.kind === 'step').length;
  return entries.length === 0 ? offset : block.end - (block.hashes.length - steps * 32);
}

function finish(reading: Reading, footer: FooterFrame, offset: number, length: number): Result<TraceFile, Problem> {
  if (footer.size !== reading.tree.size) {
    return wrong('PV-8042', 'number of leaves', 'The file holds another number of entries than its footer counts.', {
      offset,
      expected: String(footer.size),
      actual: String(reading.tree.size),
    });
  }
  const root = reading.tree.root();
  if (!sameBytes(footer.root, root)) {
    return wrong('PV-8043', 'root', 'The entries of the file have another root than its footer names.', {
      offset,
      expected: bytesToHex(footer.root),
      actual: bytesToHex(root),
    });
  }
  const { stored, computed } = footer.checksum;
  if (!sameBytes(stored, computed)) return damaged('footer', footer.end - stored.length, computed, stored);
  if (footer.end === length) return ok(fileOf(reading, footer, 0));
  return wrong('PV-8033', 'trailing bytes', 'The file continues after its footer.', {
    offset: footer.end,
    expected: count(footer.end, 'byte'),
    actual: count(length, 'byte'),
  });
}

function fileOf(reading: Reading, footer: FooterFrame | null, droppedBytes: number): TraceFile {
  const { manifest, entries, tree } = reading;
  return {
    manifest,
    entries,
    size: tree.size,
    root: tree.root(),
    checkpoint: footer?.checkpoint ?? null,
    complete: footer !== null,
    droppedBytes,
  };
}

/** A problem with the current reading position, unless it has its own. */
function at(problem: Problem, progress: Progress, offset?: number): Result<never, Problem> {
  return {
    ok: false,
    error: { position: progress.position, ...(offset === undefined ? {} : { offset }), ...problem },
  };
}
