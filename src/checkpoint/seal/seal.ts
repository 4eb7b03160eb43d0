/** Adds a manifest of hashes to a checkpoint that another trainer wrote. */
import { asClause } from '../../host/file-problem.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import type { Host } from '../../host/host.ts';
import { byteSource } from '../byte-source.ts';
import { sha256Of } from '../hash-file.ts';
import { isInside, writeSeal, type SealedFile } from './manifest.ts';
import { structureOf, type Structure } from './structure.ts';
import { placeOf, treeOf } from './tree.ts';

/** What was sealed. */
export interface Sealed {
  readonly manifest: string;
  readonly files: readonly SealedFile[];
  /** What is wrong with the checkpoint already, and what a resume needs and it does not have. */
  readonly structure: Pick<Structure, 'problems' | 'lacks'>;
}

/**
 * Hashes every file, then writes the manifest, atomically and durably. PV-8515 if something cannot be sealed, such as a link, or if a
 * manifest is there and `force` is not given.
 */
export async function sealCheckpoint(host: Host, path: string, force: boolean): Promise<Result<Sealed, Problem>> {
  const place = await placeOf(host, path);
  const { manifest } = place;
  // Before hours of hashing; the write decides again.
  if (!force && (await host.kindOf(manifest)) !== 'missing') return isSealed(manifest);
  const tree = await treeOf(host, place);
  if (!tree.ok) return tree;
  if (tree.value.length === 0) return unsealable('There are no files to seal.');
  const files: SealedFile[] = [];
  for (const { path: name, kind } of tree.value) {
    if (kind !== 'file')
      return unsealable(
        `${quoted(name)} is ${kind === 'link' ? 'a link, whose target is not part of the checkpoint. Copy the checkpoint with cp -rL, and seal the copy' : 'not a regular file'}.`,
      );
    if (!isInside(name))
      return unsealable(`${quoted(name)} has a backslash in its name, which other systems read as a folder.`);
    const file = await hashed(host, place.root, name);
    if (!file.ok) return file;
    files.push(file.value);
  }
  const changed = await changeSince(host, place.root, files);
  if (changed !== null)
    return unsealable(`${quoted(changed)} changed while it was hashed. Seal the checkpoint when nothing writes to it.`);
  const structure = await structureOf(host, path, tree.value);
  const written = await host.writeFileAtomic(manifest, writeSeal(files), { fresh: !force });
  if (written.ok) return ok({ manifest, files, structure });
  return written.error.kind === 'exists'
    ? isSealed(manifest)
    : unsealable(`${quoted(manifest)} cannot be written: ${asClause(written.error)}.`);
}

async function hashed(host: Host, root: string, path: string): Promise<Result<SealedFile, Problem>> {
  const file = await host.openFile(`${root}/${path}`);
  if (!file.ok) return wrong('PV-8502', 'file', `${quoted(path)} cannot be read: ${asClause(file.error)}.`);
  const sha256 = await sha256Of(byteSource(file.value));
  await file.value.close();
  return sha256.ok ? ok({ path, bytes: file.value.size, sha256: sha256.value }) : sha256;
}

/** The first file that has another size than when it was hashed. */
async function changeSince(host: Host, root: string, files: readonly SealedFile[]): Promise<string | null> {
  for (const { path, bytes } of files) {
    const file = await host.openFile(`${root}/${path}`);
    if (!file.ok) return path;
    await file.value.close();
    if (file.value.size !== bytes) return path;
  }
  return null;
}

const isSealed = (manifest: string): Result<never, Problem> =>
  unsealable(`${quoted(manifest)} exists. pv checkpoint verify compares the checkpoint with it; --force replaces it.`);

const unsealable = (message: string): Result<never, Problem> =>
  wrong('PV-8515', 'seal', `The checkpoint cannot be sealed. ${message}`);
