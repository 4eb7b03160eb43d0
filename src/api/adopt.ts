/** What `pv adopt` does: reads foreign contracts, judges each statement on its own equations, and keeps no evidence. */
import { adoptedGoals, asMathematics } from '../audit/adopt/adoption-checks.ts';
import { buildAdoption } from '../audit/adopt/build-adoption.ts';
import { findDifferences } from '../audit/adopt/differences.ts';
import { judgeAdopted, type RunChecks } from '../audit/adopt/judge-adoption.ts';
import { elaborateAll } from '../audit/elaborate-all.ts';
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
}

/** The report, or the exit code if the paths could not be read or the run was interrupted. */
export type AdoptOutcome =
  { readonly ok: true; readonly adoption: Adoption } | { readonly ok: false; readonly exitCode: ExitCode };

/** Judges the contracts that `paths` stand for; bindings are not looked at. */
export async function adoptPaths(
  session: Session,
  paths: readonly string[],
  options: AdoptOptions,
): Promise<AdoptOutcome> {
  const read = await readWithDependencies(session, paths);
  await session.show(read.unread);
  if (read.unread.length > 0) return { ok: false, exitCode: exitCodes.usage };
  const elaborated = elaborateAll(read.contracts);
  const exact = elaborateAll(read.contracts.map(asMathematics));
  const tool = { name: 'pv', version: await buildVersion(session.host), node: process.versions.node } as const;
  const common = { tool, seed: options.seed };
  const goals = adoptedGoals({ written: elaborated, exact }, common);
  const { found: judged, differences } = await withPool(session, options, async (pool) => {
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
    const found = await judgeAdopted(goals, run, common);
    return { found, differences: await findDifferences(elaborated, run, common) };
  });
  if (session.signal.aborted) return { ok: false, exitCode: exitCodes.interrupted };
  const diagnostics = [...read.findings, ...elaborated.flatMap((one) => one.diagnostics)];
  const known = new Set(read.contracts.map(({ path }) => path));
  // What is recognised as a binding is not meant to be a contract.
  const others = new Set(
    read.findings.flatMap(({ code, span }) => (code === 'PV-2008' && span ? [span.source.path] : [])),
  );
  const unread = read.paths.filter((path) => !known.has(path) && !others.has(path));
  const parts = { elaborated, goals, judged, differences, diagnostics, unread, seed: options.seed };
  return { ok: true, adoption: buildAdoption(parts) };
}
