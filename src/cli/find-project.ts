/**
 * Which project a command is about: its root, and the binding of its kernels.
 */
import { dirname, join, resolve } from 'node:path';
import { listOf } from '../base/text.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import { say, type Cli } from './cli.ts';
import { readSources } from './contract-files.ts';
import { shownPath } from './project-files.ts';
import { foldersUpTo, projectFolders, type ProjectFolders } from './project-root.ts';
import { sayDiagnostics } from './say-diagnostics.ts';

export interface FoundProject extends ProjectFolders {
  /** Null when there is no binding: then no kernel is checked. */
  readonly binding: SourceFile | null;
}

export interface ProjectQuestion {
  /** As they stand on the command line. */
  readonly paths: readonly string[];
  /** The value of `--binding`. */
  readonly named: string | undefined;
  /** Bindings found in the folders that were named. */
  readonly inside: readonly string[];
}

/** The project; null when its binding cannot be read or is not the only one, which has then been said. */
export async function findProject(cli: Cli, question: ProjectQuestion): Promise<FoundProject | null> {
  const folders = await Promise.all(question.paths.map((path) => folderOf(cli, path)));
  const [first = cli.host.root] = folders;
  const candidates = question.named === undefined ? await bindingsOf(cli, folders, question.inside) : [question.named];
  if (candidates.length > 1) {
    say(cli, `pv: ${listOf(candidates)} are bindings of different kernels; name one with --binding`);
    return null;
  }
  const [path] = candidates;
  if (path === undefined) {
    const beside = shownPath(cli, join(first, 'binding.yaml'));
    say(cli, `pv: no binding: ${beside} does not exist, so no kernel is checked (--binding names another file)`);
    return { ...(await projectFolders(cli.host, first)), binding: null };
  }
  const { value, diagnostics } = await readSources(cli.host, [path]);
  sayDiagnostics(cli, diagnostics);
  const [source] = value;
  return source ? { ...(await projectFolders(cli.host, dirname(path))), binding: source } : null;
}

async function folderOf({ host }: Cli, path: string): Promise<string> {
  const absolute = resolve(host.root, path);
  return (await host.kindOf(absolute)) === 'directory' ? absolute : dirname(absolute);
}

/** Of each folder the nearest binding at or above it, up to the project's root; without any, those inside. */
async function bindingsOf(cli: Cli, folders: readonly string[], inside: readonly string[]): Promise<readonly string[]> {
  const above = await Promise.all([...new Set(folders)].map((folder) => nearestBinding(cli, folder)));
  const found = [...new Set(above.flatMap((path) => path ?? []))];
  return found.length > 0 ? found : inside;
}

async function nearestBinding(cli: Cli, folder: string): Promise<string | null> {
  const { root } = await projectFolders(cli.host, folder);
  for (const candidate of foldersUpTo(root, folder)) {
    const path = join(candidate, 'binding.yaml');
    if ((await cli.host.kindOf(path)) === 'file') return shownPath(cli, path);
  }
  return null;
}
