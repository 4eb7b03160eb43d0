/** What `pv audit`, `pv verify` and `pv status` do: read a project, run what is stale, derive a report from evidence. */
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { audit, type Audit, type AuditRequest } from '../audit/audit.ts';
import { closest, quoted } from '../base/text.ts';
import type { Contract } from '../contract/contract.ts';
import { writtenStatements } from '../contract/elaborate/claims/statements.ts';
import { createStore } from '../evidence/store.ts';
import { createPool, type Pool } from '../host/pool.ts';
import { startFunctionProcess, startJudge, startThread } from '../host/runner.ts';
import type { Job, JobResult } from '../plan/check.ts';
import type { RunOptions, StatusOptions } from './audit-options.ts';
import { readAuditedProject, type AuditedProject } from './audit-project.ts';
import { withAccuracyMet } from './accuracy-met.ts';
import { buildVersion, checkEntry, functionEntry } from './build-version.ts';
import { reproduceCommand } from './command-line.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import type { FoundProject } from './find-project.ts';
import type { Session } from './session.ts';
import { trustOf } from './trust.ts';

/** For `pv kani`: no other method is run, and the proofs are those that its command line requests. */
export interface OnlyProofs {
  readonly methods: AuditRequest['methods'];
  readonly ofContract: NonNullable<AuditRequest['ofContract']>;
  readonly bounded: NonNullable<AuditRequest['options']['bounded']>;
}

/** What an audit found, or the exit code if the project could not be read, in which case nothing ran. */
export type AuditOutcome =
  | { readonly ok: true; readonly audit: Audit; readonly project: FoundProject }
  | { readonly ok: false; readonly exitCode: ExitCode };

/** Reads the project that `paths` belong to and derives its report; with `run`, first runs what is stale. */
export async function auditPaths(
  session: Session,
  paths: readonly string[],
  options: StatusOptions,
  run: RunOptions | null,
  only: OnlyProofs | null = null,
): Promise<AuditOutcome> {
  const known = await readAuditedProject(session, paths, options);
  if (!known.complete) return { ok: false, exitCode: known.exitCode };
  const { contracts, found: place } = known;
  if (run?.claim !== undefined && !isClaim(contracts, run.claim)) {
    const near = closest(run.claim, contracts.flatMap(claimsOf));
    session.say(`pv: no contract has a claim ${quoted(run.claim)}${near === null ? '' : `; did you mean '${near}'?`}`);
    return { ok: false, exitCode: exitCodes.usage };
  }
  const request = await requestOf(session, known, options, run?.claim ?? null, only);
  const found = run ? await runWithClasses(session, contracts, request, run) : await audit({ ...request, run: null });
  // An interrupted run has nothing to report; what it finished is stored.
  return session.signal.aborted
    ? { ok: false, exitCode: exitCodes.interrupted }
    : { ok: true, audit: found, project: place };
}

/** What a kernel breaks is tried again with the tolerances of the less accurate classes, unless time is limited. */
async function runWithClasses(
  session: Session,
  contracts: readonly Contract[],
  request: Omit<AuditRequest, 'run'>,
  run: RunOptions,
): Promise<Audit> {
  const found = await runOnWorkers(session, request, run);
  if (session.signal.aborted || run.budget !== undefined || request.methods !== null) return found;
  const quietly: RunOptions = { ...run, onProgress: () => undefined, onContract: () => undefined };
  const report = await withAccuracyMet(found.report, {
    contracts,
    request,
    run: (again) => runOnWorkers(session, again, quietly),
  });
  return { ...found, report };
}

/** The request of an audit, but for what it may run. */
export async function requestOf(
  session: Session,
  { findings, project, proofs, found: { root, binding } }: AuditedProject,
  options: StatusOptions,
  claim: string | null,
  only: OnlyProofs | null,
): Promise<Omit<AuditRequest, 'run'>> {
  const { host } = session;
  const { minLevel = 'L0', allowWaived = false, seed = 1, backend = 'gpujs-webasm', device = ['any'] } = options;
  const trust = await trustOf(session, root);
  return {
    project,
    findings,
    store: createStore(host, root, trust),
    realProofs: { store: { host, root, trust }, prepared: proofs },
    tool: { name: 'pv', version: await buildVersion(host), node: process.versions.node },
    minimumLevel: minLevel,
    allowWaived,
    today: new Date(host.posixSeconds() * 1000).toISOString().slice(0, 10),
    claim,
    methods: only?.methods ?? null,
    ...(only ? { ofContract: only.ofContract } : {}),
    options: {
      seed,
      cases: options.cases ?? null,
      backends: [backend],
      devices: device,
      ...(only ? { bounded: only.bounded } : {}),
    },
    reproduce: (goal, path) => reproduceCommand(goal, { ...options, seed, path, binding: binding?.path ?? null }),
  };
}

const claimsOf = ({ obligations, falsificationTests, equations }: Contract): readonly string[] =>
  [...obligations, ...falsificationTests, ...equations.flatMap(writtenStatements)].map(({ id }) => id);

function isClaim(contracts: readonly Contract[], claim: string): boolean {
  return contracts.some((contract) => claimsOf(contract).includes(claim));
}

/** One in fifty reused checks is repeated, as long as that is quick. A random seed makes the choice unpredictable. */
export const spotChecks = { seed: randomInt(2 ** 32), share: 0.02, longestMs: 2_000 } as const;

/** Memory of one worker: eight of them fit into usual CI machines. */
const memoryMb = 1024;

/** Runs the stale checks of a request on worker threads and processes. */
export async function runOnWorkers(
  session: Session,
  request: Omit<AuditRequest, 'run'>,
  options: RunOptions,
): Promise<Audit> {
  const { budget, timeout = 120, fresh = false, onProgress, onContract } = options;
  const { host, signal } = session;
  const deadline = budget === undefined ? Infinity : host.monotonicMs() + budget * 1000;
  return withPool(session, options, (pool) =>
    audit({
      ...request,
      run: {
        pool,
        checkTimeoutMs: timeout * 1000,
        fresh,
        spotChecks,
        signal,
        remainingMs: () => deadline - host.monotonicMs(),
        onProgress: onProgress ?? (() => undefined),
        ...(onContract && { onContract }),
      },
    }),
  );
}

/** Workers for as long as `use` takes; they end with it, and when the session is aborted. */
export async function withPool<T>(
  { signal }: Session,
  { jobs, onPrinted }: Pick<RunOptions, 'jobs' | 'onPrinted'>,
  use: (pool: Pick<Pool<Job, JobResult>, 'run'>) => Promise<T>,
): Promise<T> {
  const printed = { onPrinted: onPrinted ?? (() => undefined) };
  const pool = createPool<Job, JobResult>({
    size: jobs ?? availableParallelism(),
    start: (home, events) =>
      home === null
        ? startThread(checkEntry, { memoryMb }, { ...events, ...printed })
        : startJudge(checkEntry, { memoryMb }, { ...events, ...printed }, (own) =>
            startFunctionProcess(functionEntry, { memoryMb }, own),
          ),
  });
  const stop = (): void => void pool.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await use(pool);
  } finally {
    signal.removeEventListener('abort', stop);
    await pool.close();
  }
}

/** The exit code of `pv audit`. */
export function exitCodeOf({ report, run }: Audit): ExitCode {
  if (run && run.skipped > 0) return exitCodes.budget;
  return report.gate.passed ? exitCodes.ok : exitCodes.findings;
}
