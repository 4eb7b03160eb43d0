/** What `pv adopt` does: reads foreign contracts, judges each statement on its own equations, and keeps no evidence. */
import { resolve } from 'node:path';
import { adoptContracts, type ReadFiles } from '../audit/adopt/adopt-contracts.ts';
import { isBaseline } from '../audit/adopt/baseline.ts';
import { withOwnNames } from '../audit/adopt/own-names.ts';
import type { RunChecks } from '../audit/adopt/judge-adoption.ts';
import { rewriteContracts, type Rewritings } from '../audit/adopt/rewriting/rewrite-contracts.ts';
import { forgetfulStore } from '../evidence/forgetful-store.ts';
import { runPlan } from '../plan/run-plan.ts';
import type { Adoption } from '../report/adopt/adoption.ts';
import type { RunOptions } from './audit-options.ts';
import { withPool } from './audit.ts';
import { buildVersion } from './build-version.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import { readWithDependencies } from './project-files.ts';
import type { Session } from './session.ts';

/** What decides the report besides the contracts. */
export interface AdoptOptions extends Pick<RunOptions, 'jobs' | 'onProgress'> {
  readonly seed: number;
  /** Seconds that one check of a statement may take. */
  readonly timeout: number;
  /** A file in the folders that is not a contract: the baseline. */
  readonly besides?: string | undefined;
  /** Whether to look for texts that can be rewritten so that they run. */
  readonly rewrites: boolean;
}

/** The report, or the exit code if the paths could not be read or the run was interrupted. */
export type AdoptOutcome =
  | { readonly ok: true; readonly adoption: Adoption; readonly rewritings: Rewritings | null }
  | { readonly ok: false; readonly exitCode: ExitCode };

/** Judges the contracts that `paths` stand for; bindings are not looked at. */
export async function adoptPaths(
  session: Session,
  paths: readonly string[],
  options: AdoptOptions,
): Promise<AdoptOutcome> {
  const read = await readWithDependencies(session, paths);
  await session.show(read.unread);
  // What was named must be usable; what a folder holds besides is listed, and the rest is judged.
  const others = read.unread.flatMap(({ subject }) => (subject === null || paths.includes(subject) ? [] : [subject]));
  if (others.length < read.unread.length) return { ok: false, exitCode: exitCodes.usage };
  const besides = options.besides === undefined ? null : resolve(session.host.root, options.besides);
  const baselines = new Set(read.contracts.filter(isBaseline).map(({ path }) => path));
  const isBeside = (path: string): boolean => baselines.has(path) || resolve(session.host.root, path) === besides;
  const tool = { name: 'pv', version: await buildVersion(session.host), node: process.versions.node } as const;
  const found = await withPool(session, options, async (pool) => {
    const run: RunChecks = async (checks) => {
      const { receipts } = await runPlan(
        { contracts: [], checks },
        {
          store: forgetfulStore,
          pool,
          tool,
          checkTimeoutMs: options.timeout * 1000,
          fresh: true,
          signal: session.signal,
          onProgress: options.onProgress ?? (() => undefined),
          remainingMs: () => Infinity,
        },
      );
      return new Map(receipts.map((receipt) => [receipt.check, receipt]));
    };
    const files = without(
      {
        paths: [...new Set([...read.paths, ...others])],
        contracts: withOwnNames(read.contracts),
        findings: [...read.findings, ...read.unread],
      },
      isBeside,
    );
    const adoption = await adoptContracts(files, run, { tool, seed: options.seed });
    const rewritings = options.rewrites
      ? await rewriteContracts(files.contracts, adoption.judged, run, { tool, seed: options.seed })
      : null;
    return { adoption, rewritings };
  });
  return session.signal.aborted ? { ok: false, exitCode: exitCodes.interrupted } : { ok: true, ...found };
}

function without({ paths, contracts, findings }: ReadFiles, isLeftOut: (path: string) => boolean): ReadFiles {
  return {
    paths: paths.filter((path) => !isLeftOut(path)),
    contracts: contracts.filter(({ path }) => !isLeftOut(path)),
    findings: findings.filter(({ span }) => span === null || !isLeftOut(span.source.path)),
  };
}
