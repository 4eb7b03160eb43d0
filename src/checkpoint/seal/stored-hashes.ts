/** The hashes that are kept with a checkpoint: those of its seal, or of the manifest that our own format has. */
import { asClause } from '../../host/file-problem.ts';
import { bytesToHex } from '@noble/hashes/utils.js';
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import type { Host } from '../../host/host.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { manifestName } from '../store/layout.ts';
import { readManifest } from '../store/manifest.ts';
import { largestSeal, readSeal, type SealedFile } from './manifest.ts';
import type { SealedPlace, TreeEntry } from './tree.ts';

/** Hashes, and the text of the seal that has them; null if they are from the manifest of our own format. */
export interface KeptHashes {
  readonly files: readonly SealedFile[];
  readonly text: string | null;
}

/** Null if there is no manifest; PV-8514 if it cannot be used. */
export async function sealAt(
  host: Host,
  { manifest, root, only }: SealedPlace,
): Promise<Result<KeptHashes | null, Problem>> {
  const text = await host.readText(manifest, { maxBytes: largestSeal });
  if (text.ok) {
    const files = readSeal(text.value);
    return files.ok ? ok({ files: files.value, text: text.value }) : files;
  }
  return text.error.kind === 'missing'
    ? ok(only === null ? await ownManifest(host, root) : null)
    : wrong('PV-8514', 'manifest', `The manifest cannot be read: ${asClause(text.error)}.`);
}

/** The files of a checkpoint of our own, which its manifest vouches for, and the manifest itself; null for any other folder. */
async function ownManifest(host: Host, root: string): Promise<KeptHashes | null> {
  const read = await host.readBytes(`${root}/${manifestName}`, { maxBytes: largestSeal });
  const manifest = read.ok ? readManifest(read.value) : null;
  if (!read.ok || manifest?.ok !== true) return null;
  const { length } = read.value;
  const own = { path: manifestName, bytes: length, sha256: bytesToHex(sha256(read.value)) };
  const files = manifest.value.files.map(({ name, bytes, sha256: digest }) => ({ path: name, bytes, sha256: digest }));
  return { files: [own, ...files], text: null };
}

/** What the folder has and the manifest does not, and the reverse. */
export function differences(sealed: readonly SealedFile[] | null, tree: readonly TreeEntry[]): readonly Problem[] {
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

const problem = (code: Problem['code'], check: string, message: string): Problem => ({ code, check, message });
