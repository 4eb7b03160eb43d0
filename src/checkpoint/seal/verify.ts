/**
 * Whether a checkpoint is complete, every byte is as it was sealed, and its files are consistent in themselves. Each file is read
 * once: the checksums of its parts are computed from the same bytes as its hash.
 */
import { asClause } from '../../host/file-problem.ts';
import type { Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import type { Host } from '../../host/host.ts';
import { byteSource } from '../byte-source.ts';
import { sha256Of } from '../hash-file.ts';
import type { VerifierKey } from '../../notes/key.ts';
import { partChecksums } from '../part-checksums.ts';
import type { ZipEntry } from '../torch/stored-zip.ts';
import type { SealedFile } from './manifest.ts';
import { differences, sealAt } from './stored-hashes.ts';
import { trustIn, type Trust } from './signature.ts';
import { structureOf } from './structure.ts';
import { placeOf, sealedPath, treeOf } from './tree.ts';

/** What was found. */
export interface Verification {
  /** Null if pv does not know the format. */
  readonly format: string | null;
  /** What a resume needs and the checkpoint does not have, so that nothing was verified of it. */
  readonly lacks: readonly string[];
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
  given: string,
  keys: readonly VerifierKey[] = [],
): Promise<Result<Verification, Problem>> {
  const path = await sealedPath(host, given);
  const place = await placeOf(host, path);
  const sealed = await sealAt(host, place);
  if (!sealed.ok) return sealed;
  const tree = await treeOf(host, place);
  if (!tree.ok) return tree;
  const structure = await structureOf(host, path, tree.value);
  const vouched = sealed.value?.files ?? null;
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
    lacks: structure.lacks,
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
      problems: [problem('PV-8502', 'file', `${quoted(name)} cannot be read: ${asClause(file.error)}.`)],
    };
  const { size, close } = file.value;
  const sums = partChecksums(entries);
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
  const actual = sums.values();
  const problems = entries.flatMap((entry, i) =>
    actual[i] === entry.crc32
      ? []
      : [
          problem(
            'PV-8516',
            'CRC-32',
            `${quoted(name, 200)} is damaged: the bytes of its part ${quoted(entry.name)} do not have the checksum in the archive.`,
            hexadecimal(entry.crc32),
            hexadecimal(actual[i] ?? 0),
          ),
        ],
  );
  if (seal !== null && sha256.value !== seal.sha256)
    problems.push(
      problem('PV-8516', 'SHA-256', `${quoted(name, 200)} is not as it was sealed.`, seal.sha256, sha256.value),
    );
  return { bytes: size, problems };
}

const hexadecimal = (value: number): string => value.toString(16).padStart(8, '0');

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
