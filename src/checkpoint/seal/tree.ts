/** All files of a checkpoint, in all of its folders, sorted. Links are listed, never followed. */
import { asClause } from '../../host/file-problem.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { compareText, quoted } from '../../base/text.ts';
import type { Host } from '../../host/host.ts';
import { fileName } from '../checkpoint-files.ts';
import { mostFiles, sealName, signatureName } from './manifest.ts';

/** What is to be sealed or verified. */
export interface SealedPlace {
  /** The folder that paths of the manifest begin in. */
  readonly root: string;
  /** Where the manifest is. */
  readonly manifest: string;
  /** Where the signatures of the manifest are. */
  readonly signature: string;
  /** The one file, if a single file is sealed. */
  readonly only: string | null;
}

/** Where a link to a file leads, whose seal is next to it; any other path as it is. */
export async function sealedPath(host: Host, path: string): Promise<string> {
  const name = fileName(path);
  const listed = await host.list(path.slice(0, -name.length) || '.');
  const isLink = listed.ok && listed.value.some((entry) => entry.name === name && entry.kind === 'link');
  if (!isLink || (await host.kindOf(path)) !== 'file') return path;
  const real = await host.realPath(path);
  return real.ok ? real.value : path;
}

/** A folder has its manifest inside, a file next to it. */
export async function placeOf(host: Host, path: string): Promise<SealedPlace> {
  if ((await host.kindOf(path)) === 'directory')
    return { root: path, manifest: `${path}/${sealName}`, signature: `${path}/${signatureName}`, only: null };
  const name = fileName(path);
  return {
    root: path.slice(0, -name.length) || '.',
    manifest: `${path}.${sealName}`,
    signature: `${path}.${signatureName}`,
    only: name,
  };
}

/** Something in a folder that is not a folder. */
export interface TreeEntry {
  readonly path: string;
  readonly kind: 'file' | 'link' | 'other';
}

const deepest = 32;

/** Without the manifest itself and its signatures; PV-8502 if a folder cannot be read, PV-8515 if there is no end to them. */
export async function treeOf(host: Host, { root, only }: SealedPlace): Promise<Result<readonly TreeEntry[], Problem>> {
  const found: TreeEntry[] = [];
  const waiting: (readonly [prefix: string, depth: number])[] = [['', 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [prefix, depth] = next;
    const listed = await host.list(prefix === '' ? root : `${root}/${prefix}`);
    if (!listed.ok)
      return wrong(
        'PV-8502',
        'folder',
        `The folder ${quoted(prefix || root)} cannot be read: ${asClause(listed.error)}.`,
      );
    for (const { name, kind } of listed.value) {
      const path = `${prefix}${name}`;
      if (only === null ? path === sealName || path === signatureName : path !== only) continue;
      if (kind !== 'directory') found.push({ path, kind });
      else waiting.push([`${path}/`, depth + 1]);
    }
    if (found.length > mostFiles || depth > deepest || waiting.length > mostFiles)
      return wrong('PV-8515', 'files', `The checkpoint has more than ${mostFiles} files, or folders ${deepest} deep.`);
  }
  return ok(found.toSorted((a, b) => compareText(a.path, b.path)));
}
