/**
 * Whether a checkpoint is complete, every byte is as it was sealed, and its files are consistent in themselves. Each file is read
 * once: the checksums of its parts are computed from the same bytes as its hash.
 */
import { crc32 } from 'node:zlib';
import { bytesToHex } from '@noble/hashes/utils.js';
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import type { Host } from '../../host/host.ts';
import { byteSource } from '../byte-source.ts';
import { sha256Of } from '../hash-file.ts';
import { sha256 } from '../../merkle/sha256.ts';
import type { VerifierKey } from '../../notes/key.ts';
import { openCheckpoint } from '../open-checkpoint.ts';
import { manifestName } from '../store/layout.ts';
import { readManifest } from '../store/manifest.ts';
import type { ZipEntry } from '../torch/stored-zip.ts';
import { largestSeal, readSeal, type SealedFile } from './manifest.ts';
import { trustIn, type Manifest, type Trust } from './signature.ts';
import { placeOf, treeOf, type SealedPlace, type TreeEntry } from './tree.ts';

/** What was found. */
export interface Verification {
  /** Null if pv does not know the format. */
  readonly format: string | null;
  readonly isSealed: boolean;
  /** Who vouches for the manifest. */
  readonly trust: Trust;
  /** Everything that is wrong, each with its code. */
  readonly problems: readonly Problem[];
  /** Files whose bytes were compared with a hash or a checksum, and all files. */
  readonly checked: number;
  readonly files: number;
  readonly bytes: number;
  /** Files whose bytes nothing vouches for. */
  readonly unchecked: readonly string[];
  readonly verdict: 'verified' | 'incomplete' | 'failed';
}

/** PV-8514 if the manifest cannot be used, PV-8502 if a folder cannot be read. Each of `keys` has to have signed the manifest. */
export async function verifyCheckpoint(
  host: Host,
  path: string,
  keys: readonly VerifierKey[] = [],
): Promise<Result<Verification, Problem>> {
  const place = await placeOf(host, path);
  const sealed = await sealAt(host, place);
  if (!sealed.ok) return sealed;
  const tree = await treeOf(host, place);
  if (!tree.ok) return tree;
  const structure = await structureOf(host, path);
  const vouched = sealed.value?.files ?? (place.only === null ? await ownManifest(host, place.root) : null);
  const trust = await trustIn(host, place, sealed.value, keys);
  const problems = [...(trust.ok ? [] : [trust.error]), ...structure.problems, ...differences(vouched, tree.value)];
  const listed = new Map(vouched?.map((file) => [file.path, file]));
  const unchecked: string[] = [];
  let bytes = 0;
  const files = tree.value.filter(({ kind }) => kind === 'file');
  for (const { path: name } of files) {
    const entries = structure.entries.get(name) ?? [];
    const seal = listed.get(name) ?? null;
    if (seal === null && entries.length === 0) {
      unchecked.push(name);
      continue;
    }
    const read = await checkFile(host, place.root, { name, seal, entries });
    bytes += read.bytes;
    for (const problem of read.problems) problems.push(problem);
  }
  const isComplete = vouched !== null && structure.format !== null && unchecked.length === 0;
  return ok({
    format: structure.format,
    isSealed: vouched !== null,
    trust: trust.ok ? trust.value : { kind: 'unsigned' },
    problems,
    checked: files.length - unchecked.length,
    files: files.length,
    bytes,
    unchecked,
    verdict: problems.length > 0 ? 'failed' : isComplete ? 'verified' : 'incomplete',
  });
}

/** Null if there is no manifest. */
async function sealAt(host: Host, { manifest }: SealedPlace): Promise<Result<Manifest | null, Problem>> {
  const text = await host.readText(manifest, { maxBytes: largestSeal });
  if (text.ok) {
    const files = readSeal(text.value);
    return files.ok ? ok({ text: text.value, files: files.value }) : files;
  }
  return text.error.kind === 'missing'
    ? ok(null)
    : wrong('PV-8514', 'manifest', `The manifest cannot be read: it ${text.error.message}.`);
}

/** The files of a checkpoint of our own, which its manifest vouches for, and the manifest itself; null for any other folder. */
async function ownManifest(host: Host, root: string): Promise<readonly SealedFile[] | null> {
  const read = await host.readBytes(`${root}/${manifestName}`, { maxBytes: largestSeal });
  const manifest = read.ok ? readManifest(read.value) : null;
  if (!read.ok || manifest?.ok !== true) return null;
  const { length } = read.value;
  const own = { path: manifestName, bytes: length, sha256: bytesToHex(sha256(read.value)) };
  return [
    own,
    ...manifest.value.files.map(({ name, bytes, sha256: digest }) => ({ path: name, bytes, sha256: digest })),
  ];
}

interface Structure {
  readonly format: string | null;
  readonly problems: readonly Problem[];
  /** Parts with checksums, by file. */
  readonly entries: ReadonlyMap<string, readonly ZipEntry[]>;
}

/** Headers, indexes and archives, without their data. */
async function structureOf(host: Host, path: string): Promise<Structure> {
  const opened = await openCheckpoint(host, path);
  if (!opened.ok) {
    const isUnknown = opened.error.code === 'PV-8510';
    return { format: null, problems: isUnknown ? [] : [opened.error], entries: new Map() };
  }
  const { checkpoint, files, close } = opened.value;
  await close();
  const missing = checkpoint.missingWeights.map((name) =>
    problem(
      'PV-8516',
      'complete',
      `${quoted(name, 200)} is missing, although an index or the name of a shard announces it.`,
    ),
  );
  const entries = new Map([...files.opened].map(([name, { file }]) => [name, file.entries]));
  return { format: checkpoint.format, problems: missing, entries };
}

/** What the folder has and the manifest does not, and the reverse. */
function differences(sealed: readonly SealedFile[] | null, tree: readonly TreeEntry[]): readonly Problem[] {
  if (sealed === null) return [];
  const there = new Map(tree.map(({ path, kind }) => [path, kind]));
  const listed = new Set(sealed.map(({ path }) => path));
  return [
    ...sealed.flatMap(({ path }) => {
      const kind = there.get(path);
      if (kind === 'file') return [];
      const found = kind === undefined ? 'is missing' : kind === 'link' ? 'is a link now' : 'is not a regular file';
      return [problem('PV-8516', 'complete', `${quoted(path, 200)} ${found}, but was sealed as a file.`)];
    }),
    ...tree
      .filter(({ path }) => !listed.has(path))
      .map(({ path, kind }) =>
        problem(
          'PV-8517',
          'complete',
          `${quoted(path, 200)} is not in the manifest${kind === 'link' ? ', and is a link' : ''}.`,
        ),
      ),
  ];
}

interface FileToCheck {
  readonly name: string;
  readonly seal: SealedFile | null;
  readonly entries: readonly ZipEntry[];
}

/** Compares size, hash and checksums; a file that was never sealed has only checksums. */
async function checkFile(
  host: Host,
  root: string,
  { name, seal, entries }: FileToCheck,
): Promise<{ readonly bytes: number; readonly problems: readonly Problem[] }> {
  const file = await host.openFile(`${root}/${name}`);
  if (!file.ok)
    return {
      bytes: 0,
      problems: [problem('PV-8502', 'file', `${quoted(name)} cannot be read: it ${file.error.message}.`)],
    };
  const { size, close } = file.value;
  const sums = checksumsOf(entries);
  const sha256 =
    seal !== null && seal.bytes !== size
      ? ok(null)
      : await sha256Of(byteSource(file.value), entries.length === 0 ? undefined : sums.update);
  await close();
  if (!sha256.ok) return { bytes: 0, problems: [sha256.error] };
  if (sha256.value === null)
    return {
      bytes: 0,
      problems: [
        problem('PV-8516', 'size', `${quoted(name, 200)} does not have the size that was sealed.`, seal?.bytes, size),
      ],
    };
  const problems = sums
    .wrong()
    .map(({ entry, actual }) =>
      problem(
        'PV-8516',
        'CRC-32',
        `${quoted(name, 200)} is damaged: the bytes of its part ${quoted(entry.name)} do not have the checksum in the archive.`,
        hexadecimal(entry.crc32),
        hexadecimal(actual),
      ),
    );
  if (seal !== null && sha256.value !== seal.sha256)
    problems.push(
      problem('PV-8516', 'SHA-256', `${quoted(name, 200)} is not as it was sealed.`, seal.sha256, sha256.value),
    );
  return { bytes: size, problems };
}

const hexadecimal = (value: number): string => value.toString(16).padStart(8, '0');

/** Checksums of the parts of a file whose pieces come one after the other. */
function checksumsOf(entries: readonly ZipEntry[]) {
  const inOrder = entries.toSorted((a, b) => a.offset - b.offset);
  const actual = inOrder.map(() => 0);
  let first = 0;
  return {
    update: (offset: number, bytes: Uint8Array): void => {
      const end = offset + bytes.length;
      for (let i = first; i < inOrder.length; i++) {
        const entry = inOrder[i];
        if (entry === undefined || entry.offset >= end) return;
        const stop = entry.offset + entry.size;
        if (stop <= offset) {
          if (i === first) first += 1;
          continue;
        }
        const piece = bytes.subarray(Math.max(0, entry.offset - offset), Math.min(bytes.length, stop - offset));
        actual[i] = crc32(piece, actual[i]);
      }
    },
    wrong: () => inOrder.flatMap((entry, i) => (actual[i] === entry.crc32 ? [] : [{ entry, actual: actual[i] ?? 0 }])),
  };
}

const problem = (
  code: Problem['code'],
  check: string,
  message: string,
  expected?: string | number,
  actual?: string | number,
): Problem => ({
  code,
  check,
  message,
  ...(expected === undefined ? {} : { expected: String(expected) }),
  ...(actual === undefined ? {} : { actual: String(actual) }),
});
