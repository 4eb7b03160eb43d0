/** The manifest that `pv checkpoint seal` adds: every file of a checkpoint with its size and SHA-256. Readers trust nothing in it. */
import { canonicalJson } from '../../base/canonical-json.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import { compareText, quoted } from '../../base/text.ts';
import { count, list, matching, oneOf, record, type Decoder } from '../../evidence/decoder.ts';

/** Its name in a folder; a single file `NAME` has `NAME.pv-seal.json` next to it. */
export const sealName = 'pv-seal.json';

/** The signed statement about a manifest, next to it. */
export const signatureName = 'pv-seal.intoto.json';

/** In bytes; a manifest of the largest checkpoints has some megabytes. */
export const largestSeal = 64 * 1024 ** 2;

const sealFormat = 'pv-seal/1';

/** More than any trainer writes. */
export const mostFiles = 100_000;

/** A file as it was sealed. */
export interface SealedFile {
  /** From the folder of the checkpoint, with `/` between its parts. */
  readonly path: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

interface SealFile {
  readonly format: typeof sealFormat;
  readonly files: readonly SealedFile[];
}

/** A relative path without `.` and `..`, which cannot leave its folder on any system. */
export const isInside = (path: string): boolean =>
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/u.test(part));

const insidePath: Decoder<string> = (value, at) =>
  typeof value === 'string' && isInside(value)
    ? ok(value)
    : err(`${at} is ${quoted(String(value))}, not the path of a file inside the checkpoint`);

const sealFile: Decoder<SealFile> = record<SealFile>({
  format: oneOf(sealFormat),
  files: list(
    record<SealedFile>({
      path: insidePath,
      bytes: count,
      sha256: matching(/^[0-9a-f]{64}$/, 'a SHA-256 digest in lower-case hexadecimal'),
    }),
    mostFiles,
  ),
});

/** The text of a manifest, one file a line, sorted by path. */
export function writeSeal(files: readonly SealedFile[]): string {
  const lines = files
    .toSorted((a, b) => compareText(a.path, b.path))
    .map(({ path, bytes, sha256 }) => canonicalJson({ path, bytes, sha256 }));
  return `{"format":"${sealFormat}","files":[\n${lines.join(',\n')}\n]}\n`;
}

/** Reads a manifest; PV-8514 says what is wrong with it. */
export function readSeal(text: string): Result<readonly SealedFile[], Problem> {
  const json = parseStrictJson(text, 'manifest');
  if (!json.ok) return badSeal(json.error);
  const decoded = sealFile(json.value, 'manifest');
  if (!decoded.ok) return badSeal(`${decoded.error}.`);
  const seen = new Set<string>();
  for (const { path } of decoded.value.files) {
    if (seen.has(path)) return badSeal(`It lists ${quoted(path)} twice.`);
    seen.add(path);
  }
  return ok(decoded.value.files);
}

const badSeal = (message: string): Result<never, Problem> =>
  wrong('PV-8514', 'manifest', `The manifest cannot be used. ${message}`);
