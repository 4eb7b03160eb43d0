import { resolve } from 'node:path';
import { err, type Result } from '../base/result.ts';
import { listOf, visible } from '../base/text.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { isUnder } from '../host/contained-path.ts';
import type { DirectoryEntry, FileProblem, Host } from '../host/host.ts';
import { pathFrom } from '../host/path-from.ts';

/** The kind of file that a command looks for in folders. */
export interface FileKind {
  /** Whether a file with this name, found in a folder, is one. A file given on the command line always is. */
  readonly accepts: (name: string) => boolean;
  /**
   * Whether an accepted path is only a companion of those looked for: it is listed separately, and a folder with only
   * companions is empty.
   */
  readonly standsBeside?: (path: string) => boolean;
  /** `contract (no .yaml or .yml file)`, after 'holds no'. */
  readonly one: string;
  /** `YAML files`, for a folder that holds too many. */
  readonly many: string;
  readonly hintWhenEmpty: string;
  readonly hintWhenNoFile: string;
  /** Whether links out of the given folder, and back to one above them, are left out; otherwise they are followed. */
  readonly staysInside?: true;
}

/** The files that the paths on a command line denote, sorted and without duplicates; and what is wrong with the paths. */
export interface FoundFiles {
  readonly paths: readonly string[];
  readonly beside: readonly string[];
  /** Links out of the folders, and back to one above them, where they are not followed. */
  readonly linksOut: readonly string[];
  readonly problems: readonly Diagnostic[];
}

/** Projects have no deeper trees; the limit keeps a hostile one from overflowing the stack. */
const maxDepth = 64;
const maxFiles = 100_000;
const skipped = new Set(['node_modules', 'dist', 'coverage']);

/**
 * Finds files of a kind: given files as they are, folders recursively.
 *
 * Hidden folders and node_modules are left out. A path that does not exist or cannot be read, a loop of links and
 * a folder without such files are problems: a run that checked less than requested must not look like success.
 */
export async function findFiles(host: Host, paths: readonly string[], kind: FileKind): Promise<FoundFiles> {
  const search: Search = {
    host,
    kind,
    paths: new Map(),
    beside: new Map(),
    folders: new Map(),
    linksOut: new Set(),
    skipped: [],
    problems: [],
  };
  for (const path of paths) await addPath(search, path);
  return {
    paths: sortedValues(search.paths),
    beside: sortedValues(search.beside),
    linksOut: [...search.linksOut].toSorted(),
    problems: search.problems,
  };
}

interface Search {
  readonly host: Host;
  readonly kind: FileKind;
  /** Real path → path as the user would write it; two paths to one file are one file. */
  readonly paths: Map<string, string>;
  readonly beside: Map<string, string>;
  /** Real path of a folder that was searched → the number of files found; links to it are not searched again. */
  readonly folders: Map<string, number>;
  readonly linksOut: Set<string>;
  /** Folders of build output, which are not searched. */
  readonly skipped: string[];
  readonly problems: Diagnostic[];
}

async function addPath(search: Search, path: string): Promise<void> {
  // The empty path would resolve to the working folder; in a script it comes from an unset variable.
  if (path === '') return fail(search, { kind: 'missing', path, message: 'does not exist' });
  const real = await plainRealPath(search.host, path);
  if (!real.ok) return fail(search, real.error);
  const kind = await search.host.kindOf(path);
  const shown = nearPath(search.host, path);
  if (kind === 'file') return add(search.paths, real.value, shown);
  if (kind !== 'directory') return void search.problems.push(notAFile(search.kind, path));
  const before = search.paths.size + search.problems.length;
  const skippedBefore = search.skipped.length;
  const found = await addFolder(search, tidy(shown), real.value, []);
  if (found === 0 && search.paths.size + search.problems.length === before)
    search.problems.push(emptyFolder(search.kind, path, search.skipped.slice(skippedBefore)));
}

/** Adds the files under a folder and returns their number, including those already known. */
async function addFolder(search: Search, path: string, real: string, ancestors: readonly string[]): Promise<number> {
  if (ancestors.includes(real) || ancestors.length >= maxDepth) {
    search.problems.push(loop(path));
    return 0;
  }
  const known = search.folders.get(real);
  if (known !== undefined) return known;
  const entries = await search.host.list(path);
  if (!entries.ok) {
    fail(search, entries.error);
    return 0;
  }
  let found = 0;
  for (const entry of entries.value) found += await addEntry(search, path, entry, [...ancestors, real]);
  search.folders.set(real, found);
  return found;
}

async function addEntry(
  search: Search,
  folder: string,
  entry: DirectoryEntry,
  ancestors: readonly string[],
): Promise<number> {
  const path = folder === '.' ? entry.name : `${folder === '/' ? '' : folder}/${entry.name}`;
  const isWanted = search.kind.accepts(entry.name);
  if (skipped.has(entry.name)) {
    if (entry.name !== 'node_modules') search.skipped.push(path);
    return 0;
  }
  if (entry.name.startsWith('.') || (entry.kind === 'file' && !isWanted) || entry.kind === 'other') return 0;
  const kind = entry.kind === 'link' ? await search.host.kindOf(path) : entry.kind;
  if (kind === 'other' || (kind === 'file' && !isWanted) || (kind === 'missing' && !isWanted)) return 0;
  const real = await plainRealPath(search.host, path);
  if (!real.ok) {
    failLink(search, path, real.error);
    return 0;
  }
  if (entry.kind === 'link' && leavesOut(search, path, real.value, ancestors)) return 0;
  if (kind === 'directory') return addFolder(search, path, real.value, ancestors);
  return addFound(search, path, real.value);
}

/** A link that leads to itself is left out where links out of the folder are; any other path that cannot be resolved is a problem. */
function failLink(search: Search, path: string, problem: FileProblem): void {
  if (problem.kind === 'loop' && search.kind.staysInside) search.linksOut.add(path);
  else fail(search, problem);
}

/** Whether a link leads out of the folder that was given, or back to one above it, and such links are not followed: it is noted. */
function leavesOut({ kind, linksOut }: Search, path: string, real: string, ancestors: readonly string[]): boolean {
  const [top = real] = ancestors;
  const isLeftOut = kind.staysInside === true && (!isUnder(top, real) || ancestors.includes(real));
  if (isLeftOut) linksOut.add(path);
  return isLeftOut;
}

function addFound(search: Search, path: string, real: string): number {
  if (search.kind.standsBeside?.(path)) {
    add(search.beside, real, path);
    return 0;
  }
  if (search.paths.size >= maxFiles) {
    if (search.problems.at(-1)?.code !== 'PV-8006') search.problems.push(tooMany(search.kind, path));
    return 0;
  }
  add(search.paths, real, path);
  return 1;
}

function add(files: Map<string, string>, real: string, path: string): void {
  if (!files.has(real)) files.set(real, tidy(path));
}

/**
 * Relative to the folder that pv runs in if the path is inside it, so that a report reveals no machine's paths; otherwise as
 * written.
 */
function nearPath({ root }: Host, path: string): string {
  const absolute = resolve(root, path);
  return isUnder(root, absolute) ? pathFrom(root, absolute) || '.' : path;
}

/** The real path; refuses a name with control characters, which could forge lines in reports. */
async function plainRealPath(host: Host, path: string): Promise<Result<string, FileProblem>> {
  if (visible(path) === path) return host.realPath(path);
  return err({ kind: 'other', path, message: 'its name has control characters' });
}

const tidy = (path: string): string => path.replace(/^(\.\/+)+(?=.)/, '').replace(/(?<=.)\/+$/, '');
const sortedValues = (files: ReadonlyMap<string, string>): readonly string[] => [...files.values()].toSorted();

function fail(search: Search, problem: FileProblem): void {
  search.problems.push(unreadable(problem));
}

/** The finding for a path or file that could not be read. */
export function unreadable(problem: FileProblem): Diagnostic {
  const subject = problem.path;
  if (problem.kind === 'missing')
    return diagnostic('PV-8001', null, `'${subject}' does not exist`, {
      subject,
      hint: 'check the spelling and the folder pv runs in',
    });
  if (problem.kind === 'loop') return loop(subject);
  return diagnostic('PV-8002', null, `'${subject}' cannot be read: ${problem.message}`, { subject });
}

const loop = (path: string): Diagnostic =>
  diagnostic('PV-8003', null, `'${path}' leads back to a folder above it, or is nested more than ${maxDepth} deep`, {
    subject: path,
    hint: 'remove the link',
  });

function emptyFolder({ one, hintWhenEmpty }: FileKind, path: string, unsearched: readonly string[]): Diagnostic {
  const [first] = unsearched;
  const elsewhere = first === undefined ? '' : ` outside ${listOf(unsearched, 3)}, which is not searched unless named`;
  const hint = first === undefined ? hintWhenEmpty : `to read it, name it: ${first}`;
  return diagnostic('PV-8004', null, `'${path}' holds no ${one}${elsewhere}`, { subject: path, hint });
}

const notAFile = ({ hintWhenNoFile }: FileKind, path: string): Diagnostic =>
  diagnostic('PV-8005', null, `'${path}' is neither a file nor a folder`, { subject: path, hint: hintWhenNoFile });

const tooMany = ({ many }: FileKind, path: string): Diagnostic =>
  diagnostic('PV-8006', null, `more than ${maxFiles} ${many}; '${path}' and what follows were not read`, {
    subject: path,
    hint: 'name a smaller folder',
  });
