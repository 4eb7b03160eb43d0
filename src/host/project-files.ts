import { resolve, sep } from 'node:path';
import { err, type Result } from '../base/result.ts';
import { containedPath, containedPlace } from './contained-path.ts';
import type { FileProblem, Host } from './host.ts';

/**
 * The files of one project, named from its root: nothing outside it is read or written, whether by `..`, an absolute path or a
 * link (`outside`), and nothing is written into `node_modules`, which belongs to the package manager.
 *
 * Whatever pv writes on its own goes through here; only a file that a person named on the command line may lie elsewhere.
 */
export interface ProjectFiles {
  readonly absolute: (path: string) => Promise<Result<string, FileProblem>>;
  readonly read: (path: string) => Promise<Result<string, FileProblem>>;
  /** As {@link Host.writeFileAtomic}. */
  readonly write: (path: string, content: string) => Promise<Result<void, FileProblem>>;
  /** As {@link Host.remove}. */
  readonly remove: (path: string) => Promise<Result<void, FileProblem>>;
  /** As {@link Host.removeEmptyFolder}. */
  readonly removeEmptyFolder: (path: string) => Promise<Result<boolean, FileProblem>>;
}

/** Writing below `root` only: a path that leaves it through a link is a problem of the kind `outside`. */
export function projectFiles(host: Host, root: string): ProjectFiles {
  const onWritable = async <T>(
    path: string,
    action: (absolute: string) => Promise<Result<T, FileProblem>>,
  ): Promise<Result<T, FileProblem>> => {
    const place = await containedPlace(host, root, path);
    // Where a file is in the way of the path, the system refuses the write itself, and says it in its own words.
    if (!place.ok) return place.error.kind === 'not-a-directory' ? action(resolve(host.root, root, path)) : place;
    return isInPackages(place.value.real) ? err(inPackages(path)) : action(place.value.path);
  };
  return {
    absolute: (path) => containedPath(host, root, path),
    read: async (path) => {
      const found = await containedPath(host, root, path);
      return found.ok ? host.readText(found.value) : found;
    },
    write: (path, content) => onWritable(path, (absolute) => host.writeFileAtomic(absolute, content)),
    remove: (path) => onWritable(path, (absolute) => host.remove(absolute)),
    removeEmptyFolder: (path) => onWritable(path, (absolute) => host.removeEmptyFolder(absolute)),
  };
}

/** Whether a path leads through a folder of installed packages. */
const isInPackages = (path: string): boolean => path.split(sep).includes('node_modules');

const inPackages = (path: string): FileProblem => ({
  kind: 'outside',
  path,
  message: 'is in node_modules, where pv writes nothing',
});
