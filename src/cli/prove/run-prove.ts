/** `pv prove`: reads contracts, has Rocq check the proofs that they require, and reports which hold. */
import { dirname, join, resolve } from 'node:path';
import { elaborateAll } from '../../audit/elaborate-all.ts';
import { ok, type Result } from '../../base/result.ts';
import { closest, count, quoted } from '../../base/text.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { theoremsDirectory } from '../../evidence/store-path.ts';
import type { TheoremStore } from '../../evidence/theorem-store.ts';
import { inOne } from '../../evidence/unused-receipts.ts';
import type { FileProblem, Host } from '../../host/host.ts';
import { runProgram } from '../../host/program.ts';
import { projectFiles } from '../../host/project-files.ts';
import { coqcVersion, openWorkshop, type Workshop } from '../../real-proofs/check-proof.ts';
import { asksForProof, prepareProofs, type PreparedProof } from '../../real-proofs/prepare.ts';
import { prove, standingOf, type ProvedClaim } from '../../real-proofs/prove.ts';
import { realProofsJson, realProofsText } from '../../report/proofs/real-text.ts';
import { print, say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { createProgress } from '../progress.ts';
import { readWithDependencies } from '../../api/project-files.ts';
import { projectFolders } from '../../api/project-root.ts';
import { reportPaint } from '../report-paint.ts';
import { sayDiagnostics } from '../say-diagnostics.ts';
import { trustOf } from '../../api/trust.ts';
import { readPrelude } from '../../api/read-prelude.ts';
import { removeFolder } from './remove-folder.ts';
import { writeScripts } from './write-scripts.ts';

/** The parsed flags of `pv prove`; `timeout` is per proof, in seconds. */
export type ProveFlags = {
  readonly claim?: string;
  readonly coqc: string;
  readonly timeout: number;
  readonly jobs?: number;
  readonly fresh: boolean;
  readonly write: boolean;
  readonly files?: string;
  readonly quiet: boolean;
  readonly format: 'text' | 'json';
};

/**
 * Checks the proofs that the requested contracts require and records those that hold. Returns `findings` if any does
 * not, `usage` if something requested could not be read.
 */
export async function runProve(cli: Cli, flags: ProveFlags, paths: readonly string[]): Promise<ExitCode> {
  const read = await readWithDependencies(cli, paths);
  sayDiagnostics(cli, read.unread);
  if (read.unread.length > 0) return exitCodes.usage;
  const asked = read.contracts.filter(({ path }) => read.asked.includes(path));
  const ids = asked.flatMap(({ obligations }) => obligations.map(({ id }) => id));
  const { claim } = flags;
  if (claim !== undefined && !ids.includes(claim)) {
    const near = closest(claim, ids);
    say(cli, `pv: no contract has an obligation ${quoted(claim)}${near === null ? '' : `; did you mean '${near}'?`}`);
    return exitCodes.usage;
  }
  const prelude = await readPrelude(cli);
  const prepared = await prepareProofs({
    host: cli.host,
    contracts: elaborateAll(read.contracts),
    prelude,
    wants: (contract, obligation) =>
      asked.includes(contract) && (claim === undefined ? asksForProof(obligation) : obligation.id === claim),
  });
  sayDiagnostics(
    cli,
    read.findings.filter(({ severity }) => severity === 'error'),
  );
  if (flags.write) return writeScripts(cli, prepared);
  const { root } = await projectFolders(cli.host, dirname(asked[0]?.path ?? cli.host.root));
  const store = { host: cli.host, root, trust: await trustOf(cli, root) };
  const results = await check(cli, flags, { prepared, prelude, store });
  if (results === null) return cli.signal.aborted ? exitCodes.interrupted : exitCodes.usage;
  if (flags.format === 'json') print(cli, `${JSON.stringify(realProofsJson(results), null, 2)}\n`);
  else print(cli, realProofsText(results, reportPaint(cli.process.stdout.color)));
  const said = results.flatMap(({ diagnostics }) => diagnostics);
  sayDiagnostics(cli, inOne(said, theoremsDirectory));
  if (results.length === 0) say(cli, 'pv: the contracts ask for no proof over the reals (methods: { proof: {} })');
  return results.length > 0 && results.every(({ standing }) => standing === 'proved')
    ? exitCodes.ok
    : exitCodes.findings;
}

interface Work {
  readonly prepared: readonly PreparedProof[];
  readonly prelude: string;
  readonly store: TheoremStore;
}

/** Null if Rocq could not be run, or the run was interrupted. */
async function check(
  cli: Cli,
  flags: ProveFlags,
  { prepared, prelude, store }: Work,
): Promise<readonly ProvedClaim[] | null> {
  const { host } = cli;
  const known = await Promise.all(prepared.map((one) => standingOf(store, one)));
  const version = await coqcVersion(runProgram, flags.coqc, host.root);
  const needed = known.filter(
    ({ prepared: { inputs }, standing, checker }) =>
      inputs !== null && (flags.fresh || standing !== 'proved' || (version !== null && checker !== `coqc ${version}`)),
  );
  if (needed.length === 0) return known;
  if (version === null) {
    // What was proved before holds as long as nothing has changed; anything else cannot be proved here.
    sayDiagnostics(cli, [missing(flags.coqc, needed.length)]);
    return flags.fresh ? null : known;
  }
  const place = flags.files === undefined ? await ownFolder(host, store.root) : ok(resolve(host.root, flags.files));
  if (!place.ok) {
    say(cli, `pv: ${place.error.path} ${place.error.message}: Rocq has no folder to work in`);
    return null;
  }
  const folder = place.value;
  const workshop: Workshop = {
    host,
    run: runProgram,
    coqc: flags.coqc,
    timeoutMs: flags.timeout * 1000,
    signal: cli.signal,
    folder,
  };
  const progress = createProgress(cli, flags.quiet);
  try {
    const fault = await openWorkshop(workshop, prelude);
    if (fault !== null) throw new Error(`Rocq ${version} refuses the prelude: ${fault}`);
    const results = await prove(prepared, {
      workshop,
      version,
      store,
      jobs: flags.jobs ?? null,
      fresh: flags.fresh,
      signal: cli.signal,
      onProgress: (done, goal) => progress.update(done, prepared.length, goal),
    });
    return cli.signal.aborted ? null : results;
  } finally {
    progress.clear();
    if (flags.files === undefined) await removeFolder(host, folder);
  }
}

/** Where Rocq works by default: inside the project, even if `.pv` is a link. */
const ownFolder = (host: Host, root: string): Promise<Result<string, FileProblem>> =>
  projectFiles(host, root).absolute(join('.pv', 'rocq', String(process.pid)));

const missing = (program: string, needed: number) =>
  diagnostic(
    'PV-6035',
    null,
    `there is no ${quoted(program)}, and ${count(needed, 'proof')} would have to be checked`,
    {
      subject: '--coqc',
      hint: 'install Rocq (Debian: apt-get install --no-install-recommends coq), or name its compiler with --coqc',
    },
  );
