/**
 * The contracts of a project that commands other than `validate` need: the requested ones and those they depend on.
 */
import { dirname, join, resolve } from 'node:path';
import { contractId } from '../contract/decode.ts';
import { pathFrom } from '../host/path-from.ts';
import type { Session } from './session.ts';
import { findContractFiles } from './contract-files.ts';
import { readPaths, type ReadPaths } from './read-paths.ts';

/** All contract files that a command needs, of which only some were requested. */
export interface ReadProjectPaths extends ReadPaths {
  /** The requested files; `paths` also contains those they depend on. */
  readonly asked: readonly string[];
}

/** The requested files and, from the same folders, the contracts that they depend on. */
export async function readWithDependencies(session: Session, paths: readonly string[]): Promise<ReadProjectPaths> {
  let wanted = paths;
  let asked: readonly string[] | null = null;
  for (;;) {
    const read = await readPaths(session, wanted);
    asked ??= read.paths;
    const present = new Set(read.contracts.map(({ id }) => id));
    const missing = read.contracts.flatMap(({ path, dependsOn }) =>
      dependsOn.filter(({ value }) => !present.has(value)).map(({ value }) => join(dirname(path), `${value}.yaml`)),
    );
    const found: string[] = [];
    for (const path of new Set(missing))
      if (!read.paths.includes(path) && (await session.host.kindOf(path)) === 'file') found.push(path);
    if (found.length === 0 || read.unread.length > 0) return { ...read, asked };
    wanted = [...wanted, ...found];
  }
}

/** Ids of the contracts in the folders of `paths`, read in this run or not. */
export async function contractIdsBeside(session: Session, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const files = await findContractFiles(session.host, [...new Set(paths.map((path) => dirname(path)))]);
  return new Set(files.paths.map(contractId));
}

/** A path as a person would write it from the folder that pv runs in, with `/`: the same however it was given. */
export function shownPath(session: Session, path: string): string {
  return pathFrom(session.host.root, resolve(session.host.root, path)) || '.';
}
