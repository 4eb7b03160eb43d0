/**
 * Makes the finished file of a trace out of the file that grew, reading one and writing the other piece by piece.
 */
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { err, ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import type { FileProblem, FileWriter, Host } from '../../host/host.ts';
import { createCompactRange } from '../../merkle/compact-range.ts';
import { leafHash, sameBytes } from '../../merkle/hash.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { unpackColumns } from './columns.ts';
import { createFrameWriter, type Checksum, type Footer, type FrameWriter } from './frame.ts';
import { entryLeaf, manifestLeaf } from './leaf.ts';
import { readFrame, readHeader } from './read-frame.ts';
import { admit, start, type Progress } from './sequence.ts';
import type { Entry, Manifest } from './trace.ts';
import { blockEntries } from './write-trace.ts';

/**
 * Writes the entries of the growing file `from` to `to`, packed and with `footer`; the value is its length in bytes.
 *
 * What is read is checked as any file is, and its root compared with the footer's: a file that something else wrote to is
 * not finished. `from` must hold plain blocks only, as a recorder writes them.
 */
export async function packJournal(
  host: Host,
  from: string,
  to: string,
  footer: Footer,
): Promise<Result<number, Problem | FileProblem>> {
  const created = await host.createFile(to, { fresh: true });
  if (!created.ok) return created;
  const packer = createPacker(created.value);
  let problem: Problem | FileProblem | null = null;
  const read = await host.readChunks(from, async (chunk) => {
    problem = await packer.push(chunk);
    return problem === null;
  });
  problem ??= read.ok ? await packer.end(footer) : read.error;
  const closed = await created.value.close();
  if (problem !== null) return err(problem);
  return closed.ok ? ok(packer.written()) : closed;
}

interface Packer {
  /** Takes the next bytes of the growing file; what is wrong with them, or null. */
  readonly push: (chunk: Uint8Array) => Promise<Problem | FileProblem | null>;
  readonly end: (footer: Footer) => Promise<Problem | FileProblem | null>;
  readonly written: () => number;
}

interface Opened {
  readonly manifest: Manifest;
  readonly frames: FrameWriter;
  checksum: Checksum;
  progress: Progress;
}

function createPacker(file: FileWriter): Packer {
  let opened: Opened | null = null;
  /** Bytes that end within a part of the file. */
  let rest = new Uint8Array(0);
  let group: Entry[] = [];
  let written = 0;
  const tree = createCompactRange();

  const append = (bytes: Uint8Array): FileProblem | null => {
    written += bytes.length;
    const appended = file.append(bytes);
    return appended.ok ? null : appended.error;
  };
  const flush = async ({ frames }: Opened): Promise<FileProblem | null> => {
    if (group.length === 0) return null;
    const bytes = await frames.packedBlock(group);
    group = [];
    return append(bytes);
  };
  /** Takes the part of the file at `offset` of `rest`: where it ends, or null if more bytes are needed. */
  const take = async (offset: number): Promise<Result<number | null, Problem | FileProblem>> => {
    if (opened === null) {
      const header = readHeader(rest);
      if (!header.ok) return header;
      if (header.value.kind === 'cut') return ok(null);
      const { manifest, json, checksum, end } = header.value;
      opened = { manifest, frames: createFrameWriter(json), checksum, progress: start };
      tree.append(leafHash(manifestLeaf(json)));
      const problem = append(opened.frames.header());
      return problem === null ? ok(end) : err(problem);
    }
    if (offset === rest.length) return ok(null);
    const frame = readFrame(rest, offset, opened.checksum, opened.manifest);
    if (!frame.ok) return frame;
    if (frame.value.kind === 'cut' || (frame.value.kind === 'block' && frame.value.checksum === null)) return ok(null);
    if (frame.value.kind === 'footer' || frame.value.unpackedBytes !== null) return finishedAlready(offset);
    const { stored, hashes, shape, checksum, end } = frame.value;
    const entries = unpackColumns(stored, hashes, shape, opened.progress);
    if (!entries.ok) return entries;
    for (const entry of entries.value) {
      const admitted = admit(opened.manifest, opened.progress, entry);
      if (!admitted.ok) return admitted;
      opened.progress = admitted.value;
      tree.append(leafHash(entryLeaf(entry)));
      group.push(entry);
    }
    opened.checksum = checksum ?? opened.checksum;
    const problem = group.length < blockEntries(opened.manifest.sketch) ? null : await flush(opened);
    return problem === null ? ok(end) : err(problem);
  };

  return {
    async push(chunk) {
      rest = rest.length === 0 ? chunk.slice() : concatBytes(rest, chunk);
      for (let offset = 0; ;) {
        const taken = await take(offset);
        if (!taken.ok) return taken.error;
        if (taken.value === null) {
          rest = rest.slice(offset);
          return null;
        }
        offset = taken.value;
      }
    },
    async end(footer) {
      const root = tree.root();
      if (opened === null || rest.length > 0 || tree.size !== footer.size || !sameBytes(root, footer.root)) {
        return {
          code: 'PV-8043',
          check: 'root',
          message: 'The file that grew holds something else than was recorded: another program has written to it.',
          expected: `${bytesToHex(footer.root)} of ${count(footer.size, 'leaf', 'leaves')}`,
          actual: `${bytesToHex(root)} of ${count(tree.size, 'leaf', 'leaves')}`,
        };
      }
      return (await flush(opened)) ?? append(opened.frames.footer(footer));
    },
    written: () => written,
  };
}

function finishedAlready(offset: number): Result<never, Problem> {
  return wrong('PV-8036', 'block kind', 'The file that grew holds parts of a finished file.', { offset });
}
