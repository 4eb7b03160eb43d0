/** Lists a folder with all folders below it. */
import { ok, type Result } from '../../base/result.ts';
import type { DirectoryEntry, FileProblem, Host } from '../../host/host.ts';
import { inFolder } from './run-folder.ts';

/** A file, a link or something else that is no folder. */
export interface FolderEntry {
  /** From the folder, with `/`. */
  readonly path: string;
  readonly kind: DirectoryEntry['kind'];
}

/** Follows no link. Leaves out the paths in `ignored` and what lies below them. */
export async function entriesBelow(
  host: Host,
  folder: string,
  ignored: ReadonlySet<string>,
  below = '',
): Promise<Result<readonly FolderEntry[], FileProblem>> {
  const listed = await host.list(below === '' ? folder : inFolder(folder, below));
  if (!listed.ok) return listed;
  const found: FolderEntry[] = [];
  for (const { name, kind } of listed.value) {
    const path = below === '' ? name : `${below}/${name}`;
    if (ignored.has(path)) continue;
    if (kind !== 'directory') found.push({ path, kind });
    else {
      const inside = await entriesBelow(host, folder, ignored, path);
      if (!inside.ok) return inside;
      found.push(...inside.value);
    }
  }
  return ok(found);
}
