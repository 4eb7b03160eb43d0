/**
 * The files of a project that commands other than `validate` need: contracts with those they depend on, and the binding.
 */
import { dirname, join, relative, resolve, sep } from 'node:path';
import { contractId } from '../contract/decode.ts';
import type { Goal } from '../contract/goal.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import { say, type Cli } from './cli.ts';
import { findContractFiles, readSources } from './contract-files.ts';
import { readPaths, sayDiagnostics, type ReadPaths } from './read-paths.ts';

export interface ReadProjectPaths extends ReadPaths {
  /** Files that were asked for; `paths` also holds those they depend on. */
  readonly asked: readonly string[];
}

/** The files asked for and, from beside them, the contracts that they depend on. */
export async function readWithDependencies(cli: Cli, paths: readonly string[]): Promise<ReadProjectPaths> {
  let wanted = paths;
  let asked: readonly string[] | null = null;
  for (;;) {
    const read = await readPaths(cli, wanted);
    asked ??= read.paths;
    const present = new Set(read.contracts.map(({ id }) => id));
    const missing = read.contracts.flatMap(({ path, dependsOn }) =>
      dependsOn.filter(({ value }) => !present.has(value)).map(({ value }) => join(dirname(path), `${value}.yaml`)),
    );
    const found: string[] = [];
    for (const path of new Set(missing))
      if (!read.paths.includes(path) && (await cli.host.kindOf(path)) === 'file') found.push(path);
    if (found.length === 0 || read.unread.length > 0) return { ...read, asked };
    wanted = [...wanted, ...found];
  }
}

/** Ids of the contracts in the folders of `paths`, read in this run or not. */
export async function contractIdsBeside(cli: Cli, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const files = await findContractFiles(cli.host, [...new Set(paths.map((path) => dirname(path)))]);
  return new Set(files.paths.map(contractId));
}

export type FoundBinding = { readonly ok: true; readonly value: SourceFile | null } | { readonly ok: false };

/** The file that was named; else `binding.yaml` beside the first path; else none, which is said. */
export async function readBinding(
  cli: Cli,
  paths: readonly string[],
  named: string | undefined,
): Promise<FoundBinding> {
  const [first = '.'] = paths;
  const beside = join((await cli.host.kindOf(first)) === 'directory' ? first : dirname(first), 'binding.yaml');
  const path = named ?? ((await cli.host.kindOf(beside)) === 'file' ? beside : null);
  if (path === null) {
    say(cli, `pv: no binding: ${beside} does not exist, so no kernel is checked (--binding names another file)`);
    return { ok: true, value: null };
  }
  const { value, diagnostics } = await readSources(cli.host, [path]);
  sayDiagnostics(cli, diagnostics);
  const [source] = value;
  return source && diagnostics.length === 0 ? { ok: true, value: source } : { ok: false };
}

/** A path as the person would write it from the project's root, with `/`: the same however it was named. */
export function shownPath(cli: Cli, path: string): string {
  return relative(cli.host.root, resolve(cli.host.root, path)).replaceAll(sep, '/') || '.';
}

/** What decides which cases are run, beside the contract. */
export interface ReproduceOptions {
  readonly path: string;
  readonly binding: string | null;
  readonly seed: number;
  readonly cases?: number;
  readonly backend?: string;
}

/** The command that repeats the check of a goal: for a POSIX shell, whatever the contract's author called things. */
export function reproduceCommand({ claim }: Goal, { path, binding, seed, cases, backend }: ReproduceOptions): string {
  const flags = [
    ...(binding === null ? [] : ['--binding', binding]),
    '--claim',
    claim,
    '--seed',
    String(seed),
    ...(cases === undefined ? [] : ['--cases', String(cases)]),
    ...(backend === undefined ? [] : ['--backend', backend]),
  ];
  // What follows `--` is a path even when it begins with a dash.
  const files = path.startsWith('-') ? ['--', path] : [];
  const words = [...(files.length > 0 ? [] : [path]), ...flags, '--fresh', ...files];
  return `pv audit ${words.map(shellWord).join(' ')}`;
}

function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
