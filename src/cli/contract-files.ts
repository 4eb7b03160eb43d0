import { diagnostic, type Diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import { resolve } from 'node:path';
import { isUnder } from '../host/contained-path.ts';
import type { DirectoryEntry, FileProblem, Host } from '../host/host.ts';
import { pathFrom } from '../host/path-from.ts';

/** What the paths on a command line stand for: files to read, sorted, each once; and what is wrong with the paths. */
export interface ContractFiles {
  readonly paths: readonly string[];
  /** Bindings found on the way: not contracts, so not read as such. */
  readonly bindings: readonly string[];
  readonly problems: readonly Diagnostic[];
}

/** Deeper trees are no contract folders; the bound keeps a hostile one from growing the stack. */
const maxDepth = 64;
const maxFiles = 100_000;
const skipped = new Set(['node_modules', 'dist', 'coverage']);

/**
 * Finds contract files: named files as they are, folders recursively for `.yaml` and `.yml`.
 *
 * Hidden folders and node_modules are left out. A path that does not exist or cannot be read, a loop of links and
 * a folder without contracts are problems: a run that checked less than it was asked to must not look like success.
 */
export async function findContractFiles(host: Host, paths: readonly string[]): Promise<ContractFiles> {
  const search: Search = { host, paths: new Map(), bindings: new Map(), problems: [] };
  for (const path of paths) await addPath(search, path);
  return { paths: sortedValues(search.paths), bindings: sortedValues(search.bindings), problems: search.problems };
}

interface Search {
  readonly host: Host;
  /** Real path → path as the user would write it; two ways to one file are one file. */
  readonly paths: Map<string, string>;
  readonly bindings: Map<string, string>;
  readonly problems: Diagnostic[];
}

async function addPath(search: Search, path: string): Promise<void> {
  // The empty path would resolve to the working folder; from a script it is an unset variable.
  if (path === '') return fail(search, { kind: 'missing', path, message: 'does not exist' });
  const real = await search.host.realPath(path);
  if (!real.ok) return fail(search, real.error);
  const kind = await search.host.kindOf(path);
  const shown = nearPath(search.host, path);
  if (kind === 'file') return add(search.paths, real.value, shown);
  if (kind !== 'directory') return void search.problems.push(notAFile(path));
  const before = search.paths.size + search.problems.length;
  const found = await addFolder(search, tidy(shown), real.value, []);
  if (found === 0 && search.paths.size + search.problems.length === before) search.problems.push(emptyFolder(path));
}

/** Adds what is under a folder and returns how many contracts that were, counting those already known. */
async function addFolder(search: Search, path: string, real: string, ancestors: readonly string[]): Promise<number> {
  if (ancestors.includes(real) || ancestors.length >= maxDepth) {
    search.problems.push(loop(path));
    return 0;
  }
  const entries = await search.host.list(path);
  if (!entries.ok) {
    fail(search, entries.error);
    return 0;
  }
  let found = 0;
  for (const entry of entries.value) found += await addEntry(search, path, entry, [...ancestors, real]);
  return found;
}

async function addEntry(
  search: Search,
  folder: string,
  entry: DirectoryEntry,
  ancestors: readonly string[],
): Promise<number> {
  const path = folder === '.' ? entry.name : `${folder === '/' ? '' : folder}/${entry.name}`;
  const isYaml = /\.ya?ml$/i.test(entry.name);
  if (
    entry.name.startsWith('.') ||
    skipped.has(entry.name) ||
    (entry.kind === 'file' && !isYaml) ||
    entry.kind === 'other'
  )
    return 0;
  const kind = entry.kind === 'link' ? await search.host.kindOf(path) : entry.kind;
  if (kind === 'other' || (kind === 'file' && !isYaml) || (kind === 'missing' && !isYaml)) return 0;
  const real = await search.host.realPath(path);
  if (!real.ok) {
    fail(search, real.error);
    return 0;
  }
  if (kind === 'directory') return addFolder(search, path, real.value, ancestors);
  return addYaml(search, path, real.value);
}

function addYaml(search: Search, path: string, real: string): number {
  if (/(^|[./])binding\.ya?ml$/i.test(path)) {
    add(search.bindings, real, path);
    return 0;
  }
  if (search.paths.size >= maxFiles) {
    if (search.problems.at(-1)?.code !== 'PV-8006') search.problems.push(tooMany(path));
    return 0;
  }
  add(search.paths, real, path);
  return 1;
}

function add(files: Map<string, string>, real: string, path: string): void {
  if (!files.has(real)) files.set(real, tidy(path));
}

/** From the folder that pv runs in when it lies there, so that a report tells no machine's paths; as it was written otherwise. */
function nearPath({ root }: Host, path: string): string {
  const absolute = resolve(root, path);
  return isUnder(root, absolute) ? pathFrom(root, absolute) || '.' : path;
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

const emptyFolder = (path: string): Diagnostic =>
  diagnostic('PV-8004', null, `'${path}' holds no contract (no .yaml or .yml file)`, {
    subject: path,
    hint: 'name the folder that holds the contracts',
  });

const notAFile = (path: string): Diagnostic =>
  diagnostic('PV-8005', null, `'${path}' is neither a file nor a folder`, {
    subject: path,
    hint: 'write the contract to a file first',
  });

const tooMany = (path: string): Diagnostic =>
  diagnostic('PV-8006', null, `more than ${maxFiles} YAML files; '${path}' and what follows were not read`, {
    subject: path,
    hint: 'name a smaller folder',
  });

/** Larger files are no contracts; the reader has its own, lower bound with a better message. */
const maxBytes = 16 * 1024 * 1024;

/** The texts of files, in order; those that cannot be read are left out and reported. */
export async function readSources(host: Host, paths: readonly string[]): Promise<Staged<readonly SourceFile[]>> {
  const sources: SourceFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const batch = 32;
  for (let i = 0; i < paths.length; i += batch) {
    const some = paths.slice(i, i + batch);
    const texts = await Promise.all(some.map((path) => host.readText(path, { maxBytes })));
    texts.forEach((text, k) => {
      if (text.ok) sources.push({ path: some[k] ?? '', text: text.value });
      else diagnostics.push(unreadable(text.error));
    });
  }
  return { value: sources, diagnostics };
}
