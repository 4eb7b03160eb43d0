/**
 * The project of a command: its root and the binding of its kernels.
 */
import { dirname, join, resolve } from 'node:path';
import { listOf } from '../base/text.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import type { Session } from './session.ts';
import { readSources } from './contract-files.ts';
import { shownPath } from './project-files.ts';
import { foldersUpTo, projectFolders, type ProjectFolders } from './project-root.ts';

/** A project's folders and its binding file, which has been read but not yet parsed. */
export interface FoundProject extends ProjectFolders {
  /** Null if there is no binding: then no kernel is checked. */
  readonly binding: SourceFile | null;
}

/** What locates a project: the paths of the command line and, if given, the binding. */
export interface ProjectQuestion {
  /** As given on the command line. */
  readonly paths: readonly string[];
  /** The value of `--binding`. */
  readonly named: string | undefined;
  /** Bindings found in the given folders. */
  readonly inside: readonly string[];
}

/** The project; null if its binding cannot be read or is ambiguous, which has then been reported. */
export async function findProject(session: Session, question: ProjectQuestion): Promise<FoundProject | null> {
  const folders = await Promise.all(question.paths.map((path) => folderOf(session, path)));
  const [first = session.host.root] = folders;
  const candidates =
    question.named === undefined ? await bindingsOf(session, folders, question.inside) : [question.named];
  if (candidates.length > 1) {
    session.say(`pv: ${listOf(candidates)} are bindings of different kernels; name one with --binding`);
    return null;
  }
  const [path] = candidates;
  if (path === undefined) {
    const beside = shownPath(session, join(first, 'binding.yaml'));
    session.say(`pv: no binding: ${beside} does not exist, so no kernel is checked (use --binding for another file)`);
    return { ...(await projectFolders(session.host, first)), binding: null };
  }
  const { value, diagnostics } = await readSources(session.host, [path]);
  await session.show(diagnostics);
  const [source] = value;
  return source ? { ...(await projectFolders(session.host, dirname(path))), binding: source } : null;
}

async function folderOf({ host }: Session, path: string): Promise<string> {
  const absolute = resolve(host.root, path);
  return (await host.kindOf(absolute)) === 'directory' ? absolute : dirname(absolute);
}

/** The nearest binding at or above each folder, up to the project's root; without any, those inside. */
async function bindingsOf(
  session: Session,
  folders: readonly string[],
  inside: readonly string[],
): Promise<readonly string[]> {
  const above = await Promise.all([...new Set(folders)].map((folder) => nearestBinding(session, folder)));
  const found = [...new Set(above.flatMap((path) => path ?? []))];
  return found.length > 0 ? found : inside;
}

async function nearestBinding(session: Session, folder: string): Promise<string | null> {
  const { root } = await projectFolders(session.host, folder);
  for (const candidate of foldersUpTo(root, folder)) {
    const path = join(candidate, 'binding.yaml');
    if ((await session.host.kindOf(path)) === 'file') return shownPath(session, path);
  }
  return null;
}
