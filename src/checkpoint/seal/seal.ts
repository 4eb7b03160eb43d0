/** Adds a manifest of hashes to a checkpoint that another trainer wrote. */
import { asClause } from '../../host/file-problem.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import type { FileProblem, Host } from '../../host/host.ts';
import { labelOf } from '../../notes/note.ts';
import type { Signer } from '../../notes/signer.ts';
import { byteSource } from '../byte-source.ts';
import { sha256Of } from '../hash-file.ts';
import { isInside, writeSeal, type SealedFile } from './manifest.ts';
import { signSeal, type Manifest } from './signature.ts';
import { structureOf, type Structure } from './structure.ts';
import { placeOf, treeOf, type SealedPlace } from './tree.ts';

/** What was sealed. */
export interface Sealed {
  readonly manifest: string;
  readonly files: readonly SealedFile[];
  /** What is wrong with the checkpoint already, and what a resume needs and it does not have. */
  readonly structure: Pick<Structure, 'problems' | 'lacks'>;
  /** The keys that signed the manifest. */
  readonly signedBy: readonly string[];
}

/** How a checkpoint is sealed. */
export interface SealOptions {
  /** Whether an existing manifest is replaced. */
  readonly force: boolean;
  readonly signers?: readonly Signer[];
}

/**
 * Hashes every file, then writes the manifest, atomically and durably, and then its signatures. PV-8515 if something cannot be sealed,
 * such as a link, or if a manifest is there and `force` is not given; PV-8415 for a cosigner's key.
 */
export async function sealCheckpoint(
  host: Host,
  path: string,
  { force, signers = [] }: SealOptions,
): Promise<Result<Sealed, Problem>> {
  const place = await placeOf(host, path);
  const { manifest } = place;
  // Before hours of hashing; the write decides again.
  if (!force && (await host.kindOf(manifest)) !== 'missing') return isSealed(manifest);
  const tree = await treeOf(host, place);
  if (!tree.ok) return tree;
  if (tree.value.length === 0) return unsealable('There are no files to seal.');
  const files: Hashed[] = [];
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
  const written = await writeAll(host, place, { text: writeSeal(files), files }, { force, signers });
  return written.ok ? ok({ manifest, files, structure, signedBy: written.value }) : written;
}

/** The keys that signed. A signature of another manifest is removed before its manifest is replaced. */
async function writeAll(
  host: Host,
  place: SealedPlace,
  sealed: Manifest,
  { force, signers }: Required<SealOptions>,
): Promise<Result<readonly string[], Problem>> {
  const { manifest, signature } = place;
  const envelope = signers.length === 0 ? ok(null) : signSeal(place, sealed, signers);
  if (!envelope.ok) return envelope;
  const removed = await host.remove(signature);
  const written = removed.ok ? await host.writeFileAtomic(manifest, sealed.text, { fresh: !force }) : removed;
  if (!written.ok) return written.error.kind === 'exists' ? isSealed(manifest) : unwritable(written.error);
  const signed = envelope.value === null ? ok(undefined) : await host.writeFileAtomic(signature, `${envelope.value}\n`);
  return signed.ok ? ok(signers.map(({ key }) => labelOf(key))) : unwritable(signed.error);
}

const unwritable = (problem: FileProblem): Result<never, Problem> =>
  unsealable(`${quoted(problem.path)} cannot be written: ${asClause(problem)}.`);

/** A file as it was when it was hashed. */
interface Hashed extends SealedFile {
  readonly version: string;
}

async function hashed(host: Host, root: string, path: string): Promise<Result<Hashed, Problem>> {
  const file = await host.openFile(`${root}/${path}`);
  if (!file.ok) return wrong('PV-8502', 'file', `${quoted(path)} cannot be read: ${asClause(file.error)}.`);
  const sha256 = await sha256Of(byteSource(file.value));
  await file.value.close();
  const { size: bytes, version } = file.value;
  return sha256.ok ? ok({ path, bytes, sha256: sha256.value, version }) : sha256;
}

/** The first file that was written or replaced since it was opened to be hashed. */
async function changeSince(host: Host, root: string, files: readonly Hashed[]): Promise<string | null> {
  for (const { path, version } of files) {
    const file = await host.openFile(`${root}/${path}`);
    if (!file.ok) return path;
    await file.value.close();
    if (file.value.version !== version) return path;
  }
  return null;
}

const isSealed = (manifest: string): Result<never, Problem> =>
  unsealable(`${quoted(manifest)} exists. pv checkpoint verify compares the checkpoint with it; --force replaces it.`);

const unsealable = (message: string): Result<never, Problem> =>
  wrong('PV-8515', 'seal', `The checkpoint cannot be sealed. ${message}`);
