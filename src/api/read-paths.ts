import { dirname } from 'node:path';
import type { Contract } from '../contract/contract.ts';
import { contractId } from '../contract/decode.ts';
import { readContracts } from '../contract/validate.ts';
import type { Diagnostic, Staged } from '../diagnostics/diagnostic.ts';
import type { Host } from '../host/host.ts';
import type { Session } from './session.ts';
import { findContractFiles, isBindingName, readSources } from './contract-files.ts';

/** The contract files at some paths, read and decoded as far as they can be. */
export interface ReadPaths {
  /** Files found, in order. */
  readonly paths: readonly string[];
  /** Bindings found in the given folders. */
  readonly bindings: readonly string[];
  /** What could be read of them, however much is wrong. */
  readonly contracts: readonly Contract[];
  /** Findings about their contents. */
  readonly findings: readonly Diagnostic[];
  /** What was requested and could not be read; a command that has any exits with 2. */
  readonly unread: readonly Diagnostic[];
}

/** Reads the contracts that paths on the command line denote. */
export async function readPaths(session: Session, paths: readonly string[]): Promise<ReadPaths> {
  const files = await findContractFiles(session.host, paths);
  const sources = await readSources(session.host, files.paths);
  const contracts = readContracts(sources.value, { elsewhere: await idsBeside(session.host, files.paths) });
  const { bindings, findings, unread } = apartFromBindings(contracts);
  return {
    paths: files.paths.filter((path) => !bindings.includes(path)),
    bindings: [...files.bindings, ...bindings],
    contracts: contracts.value,
    findings,
    unread: [...files.problems, ...sources.diagnostics, ...unread],
  };
}

/**
 * A binding among contracts, as with `contracts/*.yaml`, is used as if it had been found in the folder. If only bindings were
 * given, no contract was requested.
 */
function apartFromBindings({
  value,
  diagnostics,
}: Staged<readonly Contract[]>): Pick<ReadPaths, 'bindings' | 'findings' | 'unread'> {
  const isBinding = ({ code }: Diagnostic): boolean => code === 'PV-2008';
  const others = diagnostics.filter((found) => !isBinding(found));
  const mistaken = diagnostics.filter(isBinding);
  if (value.length === 0 && others.length === 0) return { bindings: [], findings: [], unread: mistaken };
  const named = mistaken.filter(({ span }) => isBindingName(span?.source.path ?? ''));
  return {
    bindings: named.map(({ span }) => span?.source.path ?? ''),
    findings: diagnostics.filter((found) => !named.includes(found)),
    unread: [],
  };
}

/** Contracts next to the files read: giving one file of a folder does not make its dependencies missing. */
async function idsBeside(host: Host, paths: readonly string[]): Promise<readonly string[]> {
  const folders = [...new Set(paths.map((path) => dirname(path)))];
  const listings = await Promise.all(folders.map((folder) => host.list(folder)));
  const names = listings.flatMap((listing) => (listing.ok ? listing.value : []));
  return names.filter(({ name }) => /\.ya?ml$/i.test(name)).map(({ name }) => contractId(name));
}
