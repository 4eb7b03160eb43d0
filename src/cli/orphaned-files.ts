/** Generated files that are no longer generated: their contract, or their source in it, was removed. */
import { dirname, resolve } from 'node:path';
import { ok, type Result } from '../base/result.ts';
import { isUnedited, madeFrom } from '../codegen/generated-file.ts';
import type { FileProblem, Host } from '../host/host.ts';
import type { ProjectFiles } from '../host/project-files.ts';

/** What has just been generated, and where to look for other generated files. */
export interface OrphanRequest {
  /** The folder of generated files. */
  readonly out: string;
  /** Contracts whose files have just been generated, as named in their headers. */
  readonly contracts: ReadonlySet<string>;
  /** The paths of these files, below `out`. */
  readonly made: ReadonlySet<string>;
  /** The base of the paths in headers. */
  readonly root: string;
}

/** A file that pv wrote once and would not write now. */
export interface Orphan {
  /** With `out`. */
  readonly path: string;
  readonly contract: string;
  readonly isUnedited: boolean;
}

/** Deeper than any file that pv generates. */
const deepest = 4;

/** Files with pv's header that belong to none of the contracts, or to one that no longer generates them; sorted. */
export async function orphanedFiles(
  host: Host,
  { out, contracts, made, root }: OrphanRequest,
): Promise<readonly Orphan[]> {
  const orphans: Orphan[] = [];
  for (const name of await filesBelow(host, out, '', 0)) {
    if (made.has(name)) continue;
    const path = `${out}/${name}`;
    const text = await host.readText(path);
    const contract = text.ok ? madeFrom(text.value) : null;
    if (!text.ok || contract === null) continue;
    // The files of a contract that was not requested are kept as long as the contract exists.
    const isGone = contracts.has(contract) || (await host.kindOf(resolve(root, contract))) === 'missing';
    if (isGone) orphans.push({ path, contract, isUnedited: isUnedited(text.value) });
  }
  return orphans;
}

/** Removes the folders between `out` and a removed file that are now empty. */
export async function removeEmptied(
  { root }: Pick<Host, 'root'>,
  own: ProjectFiles,
  path: string,
  out: string,
): Promise<Result<void, FileProblem>> {
  for (let folder = dirname(path); folder.length > out.length; folder = dirname(folder)) {
    const removed = await own.removeEmptyFolder(resolve(root, folder));
    if (!removed.ok) return removed;
    if (!removed.value) break;
  }
  return ok(undefined);
}

async function filesBelow(host: Host, out: string, folder: string, depth: number): Promise<readonly string[]> {
  if (depth > deepest) return [];
  const entries = await host.list(folder === '' ? out : `${out}/${folder}`);
  const found: string[] = [];
  for (const { name, kind } of entries.ok ? entries.value : []) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (kind === 'directory') found.push(...(await filesBelow(host, out, path, depth + 1)));
    else if (kind === 'file' && name.endsWith('.ts')) found.push(path);
  }
  return found;
}
