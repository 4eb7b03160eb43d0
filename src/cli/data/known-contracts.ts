/** Contracts over data, read once and then remembered while they, this build of pv and the command line are the same. */
import { readGraph, writeGraph } from '../../base/plain-graph.ts';
import type { DataContract } from '../../contract/data-contract.ts';
import type { Cli } from '../cli.ts';
import { remembered, type Form, roomForSmall } from '../validation/remember.ts';
import { sealOf } from '../validation/seal.ts';
import type { DataContracts } from './data-contracts.ts';

export interface Remembering {
  /** Names the code that reads contracts; null for code that has no name. */
  readonly build: string | null;
  /** False when the person asks for none. */
  readonly cache: boolean;
}

/**
 * The contracts that `paths` stand for. Verdicts are never remembered: only what reading and typing the contracts comes to.
 * Nothing is in CI, where a cache could only have come with the files that are to be judged.
 */
export async function knownContracts(
  cli: Cli,
  paths: readonly string[],
  { build, cache }: Remembering,
): Promise<DataContracts> {
  const read = async (host: Cli['host']): Promise<DataContracts> =>
    (await import('./data-contracts.ts')).readDataContracts({ ...cli, host }, paths);
  const inCi = (cli.process.env['CI'] ?? '') !== '';
  const seal = cache && !inCi && build !== null ? await sealOf(cli.host, cli.process.env) : null;
  if (seal === null || build === null) return read(cli.host);
  return remembered(cli.host, { command: 'check', build, types: true, paths, seal }, form, read);
}

const form: Form<DataContracts, { readonly contracts: readonly DataContract[] }> = {
  ...roomForSmall,
  record: (answer) => (answer.complete ? writeGraph(answer.contracts) : null),
  // The seal shows that this build of pv wrote the line, so it says what `record` was given.
  restore: (record) =>
    typeof record === 'string' ? { contracts: readGraph(record) as readonly DataContract[] } : null,
};
