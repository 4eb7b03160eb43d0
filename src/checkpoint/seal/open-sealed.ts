/** Opens a checkpoint with the hashes that are kept with it, so that those who read its bytes can hold them to their hashes. */
import type { Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Host } from '../../host/host.ts';
import type { StoredHashes } from '../checkpoint.ts';
import { openCheckpoint, type OpenCheckpoint } from '../open-checkpoint.ts';
import { manifestName } from '../store/layout.ts';
import { sealName } from './manifest.ts';
import { differences, sealAt } from './stored-hashes.ts';
import { placeOf, sealedPath, treeOf } from './tree.ts';

/** PV-8514 if there is a manifest that cannot be used, besides the problems of a checkpoint that cannot be opened. */
export async function openSealed(host: Host, given: string): Promise<Result<OpenCheckpoint, Problem>> {
  const path = await sealedPath(host, given);
  const opened = await openCheckpoint(host, path);
  if (!opened.ok) return opened;
  const hashes = await hashesOf(host, path, opened.value);
  if (hashes.ok && hashes.value === null) return opened;
  if (hashes.ok && hashes.value !== null)
    return ok({ ...opened.value, checkpoint: { ...opened.value.checkpoint, hashes: hashes.value } });
  await opened.value.close();
  return hashes.ok ? opened : hashes;
}

async function hashesOf(
  host: Host,
  path: string,
  { files }: OpenCheckpoint,
): Promise<Result<StoredHashes | null, Problem>> {
  const place = await placeOf(host, path);
  const sealed = await sealAt(host, place);
  if (!sealed.ok) return sealed;
  if (sealed.value === null) return ok(null);
  const tree = await treeOf(host, place);
  if (!tree.ok) return tree;
  const there = new Set(tree.value.flatMap(({ path: name, kind }) => (kind === 'file' ? [name] : [])));
  const found: StoredHashes['files'][number][] = [];
  for (const { path: name, bytes, sha256 } of sealed.value.files) {
    // What is missing or a link is a difference.
    if (!there.has(name)) continue;
    const source = await files.source(name);
    if (!source.ok) return source;
    found.push({ name, bytes, sha256, source: source.value });
  }
  const differ = differences(sealed.value.files, tree.value);
  return ok({
    by: sealed.value.text === null ? manifestName : sealName,
    files: found,
    missing: differ.filter(({ code }) => code === 'PV-8516').map(({ message }) => message),
    unlisted: differ.filter(({ code }) => code === 'PV-8517').map(({ message }) => message),
  });
}
