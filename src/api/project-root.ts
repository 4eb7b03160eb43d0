/**
 * Which folder is the project: where kernels are looked up and evidence is stored, wherever pv is started.
 */
import { dirname, join, resolve, sep } from 'node:path';
import { isUnder } from '../host/contained-path.ts';
import type { Host } from '../host/host.ts';

/** The folders that a run is about; absolute. */
export interface ProjectFolders {
  /** The folder that contains `.pv/` and generated files. */
  readonly root: string;
  /** Where `module_path` may start, the best first. */
  readonly moduleRoots: readonly string[];
}

/**
 * The project that `folder` belongs to: the nearest folder at or above it that holds a `package.json`.
 *
 * Without one it is the nearest that holds `.pv/`, else the folder pv runs in when that is above, else `folder` itself; a
 * `module_path` may then also start from `folder`. One that is not found from there is tried from the folder pv runs in.
 *
 * Files that other users may have put above it, such as in `/tmp`, have no effect: neither evidence nor modules are read from
 * there. Contracts of an installed package belong to the project that installed it; their modules are looked up in the package
 * first.
 */
export async function projectFolders(host: Host, folder: string): Promise<ProjectFolders> {
  const own = resolve(host.root, folder);
  const installer = installerOf(own);
  if (installer !== own) {
    const { root, moduleRoots } = await projectFolders(host, installer);
    const inside = await nearest(host, own, 'package.json', 'file');
    return { root, moduleRoots: distinct([inside ?? own, ...moduleRoots]) };
  }
  const packaged = await nearest(host, own, 'package.json', 'file');
  if (packaged !== null) return { root: packaged, moduleRoots: distinct([packaged, host.root]) };
  const root = (await nearest(host, own, '.pv', 'directory')) ?? (isUnder(host.root, own) ? host.root : own);
  return { root, moduleRoots: distinct([own, root, host.root]) };
}

/** The folder whose `node_modules` contains `folder`; `folder` itself if it is in none. */
function installerOf(folder: string): string {
  const names = folder.split(sep);
  const first = names.indexOf('node_modules');
  return first < 0 ? folder : names.slice(0, first).join(sep) || sep;
}

/** `folder` and the folders above it, up to `top`; absolute. */
export function foldersUpTo(top: string, folder: string): readonly string[] {
  const above = dirname(folder);
  return folder === top || above === folder ? [folder] : [folder, ...foldersUpTo(top, above)];
}

async function nearest(host: Host, folder: string, name: string, kind: 'file' | 'directory'): Promise<string | null> {
  for (const candidate of foldersUpTo('', folder)) {
    if (candidate !== folder && (await host.isSharedByUsers(candidate))) return null;
    if ((await host.kindOf(join(candidate, name))) === kind) return candidate;
  }
  return null;
}

const distinct = (folders: readonly string[]): readonly string[] => [...new Set(folders)];
