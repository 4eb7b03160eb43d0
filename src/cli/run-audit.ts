/**
 * What `pv audit`, `pv verify` and `pv status` share: reading a project, running it on workers, showing the report.
 */
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { audit, type Audit, type AuditRequest } from '../audit/audit.ts';
import { closest, count, quoted } from '../base/text.ts';
import type { Contract } from '../contract/contract.ts';
import { writtenStatements } from '../contract/elaborate/statements.ts';
import type { Goal } from '../contract/goal.ts';
import { createStore } from '../evidence/store.ts';
import type { BackendId } from '../subject/kernel.ts';
import type { Job, JobResult } from '../plan/check.ts';
import { startJudge, startThread } from '../host/runner.ts';
import { createPool } from '../host/pool.ts';
import { formatReport } from '../report/formats.ts';
import type { Report } from '../report/report.ts';
import { say, type Cli } from './cli.ts';
import { readAuditedProject } from './audit-project.ts';
import { buildVersion, checkEntry, functionEntry } from './build-version.ts';
import { createCodeOutput } from './code-output.ts';
import { reproduceCommand } from './command-line.ts';
import type { FoundProject } from './find-project.ts';
import { reportPaint } from './report-paint.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import type { ReportFlags, RunFlags } from './audit-flags.ts';
import { createProgress } from './progress.ts';
import { trustOf } from './trust.ts';

export type AuditOutcome =
  | { readonly ok: true; readonly audit: Audit; readonly project: FoundProject }
  | { readonly ok: false; readonly exitCode: ExitCode };

/** Of `pv kani`: other methods are not run, and proofs are those that its command line asks for. */
export interface OnlyProofs {
  readonly methods: AuditRequest['methods'];
  readonly ofContract: NonNullable<AuditRequest['ofContract']>;
  readonly bounded: NonNullable<AuditRequest['options']['bounded']>;
}

/** Reads the project and derives its report; with `run`, after running what is stale. */
export async function auditPaths(
  cli: Cli,
  paths: readonly string[],
  flags: ReportFlags,
  run: RunFlags | null,
  only: OnlyProofs | null = null,
): Promise<AuditOutcome> {
  const known = await readAuditedProject(cli, paths, flags.binding);
  if (!known.complete) return { ok: false, exitCode: known.exitCode };
  const { contracts, findings, project, proofs, found: place } = known;
  if (run?.claim !== undefined && !isClaim(contracts, run.claim)) {
    const near = closest(run.claim, contracts.flatMap(claimsOf));
    say(cli, `pv: no contract has a claim ${quoted(run.claim)}${near === null ? '' : `; did you mean '${near}'?`}`);
    return { ok: false, exitCode: exitCodes.usage };
  }
  const { root, binding } = place;
  const { host } = cli;
  const trust = await trustOf(cli, root);
  const common = {
    project,
    findings,
    store: createStore(host, root, trust),
    realProofs: { store: { host, root, trust }, prepared: proofs },
    tool: { name: 'pv', version: await buildVersion(host), node: process.versions.node },
    minimumLevel: flags.minLevel,
    allowWaived: flags.allowWaived,
    today: new Date(cli.host.posixSeconds() * 1000).toISOString().slice(0, 10),
    claim: run?.claim ?? null,
    methods: only?.methods ?? null,
    ...(only ? { ofContract: only.ofContract } : {}),
    options: {
      seed: flags.seed,
      cases: flags.cases ?? null,
      backends: [flags.backend ?? 'gpujs-webasm'],
      devices: flags.device ?? ['any'],
      ...(only ? { bounded: only.bounded } : {}),
    },
    reproduce: (goal: Goal, path: string) => reproduceCommand(goal, { ...flags, path, binding: binding?.path ?? null }),
  } as const;
  const found = run ? await runOnWorkers(cli, common, run) : await audit({ ...common, run: null });
  // A run that was interrupted has nothing to report; what it finished is stored.
  return cli.signal.aborted
    ? { ok: false, exitCode: exitCodes.interrupted }
    : { ok: true, audit: found, project: place };
}

const claimsOf = ({ obligations, falsificationTests, equations }: Contract): readonly string[] =>
  [...obligations, ...falsificationTests, ...equations.flatMap(writtenStatements)].map(({ id }) => id);

function isClaim(contracts: readonly Contract[], claim: string): boolean {
  return contracts.some((contract) => claimsOf(contract).includes(claim));
}

/** One in fifty reused checks is repeated, as long as that takes little time. A random seed makes the choice unpredictable. */
const spotChecks = { seed: randomInt(2 ** 32), share: 0.02, longestMs: 2_000 } as const;

/** Of one worker: eight of them fit into the machines that CI lends. */
const memoryMb = 1024;

async function runOnWorkers(cli: Cli, request: Omit<AuditRequest, 'run'>, flags: RunFlags): Promise<Audit> {
  const progress = createProgress(cli, flags.quiet);
  const onPrinted = createCodeOutput(cli, progress.clear);
  const pool = createPool<Job, JobResult>({
    size: flags.jobs ?? availableParallelism(),
    start: (home, events) =>
      home === null
        ? startThread(checkEntry, { memoryMb }, { ...events, onPrinted })
        : startJudge(checkEntry, functionEntry, { memoryMb }, { ...events, onPrinted }),
  });
  const deadline = flags.budget === undefined ? Infinity : cli.host.monotonicMs() + flags.budget * 1000;
  const stop = (): void => void pool.close();
  cli.signal.addEventListener('abort', stop, { once: true });
  try {
    return await audit({
      ...request,
      run: {
        pool,
        checkTimeoutMs: flags.timeout * 1000,
        fresh: flags.fresh,
        spotChecks,
        signal: cli.signal,
        remainingMs: () => deadline - cli.host.monotonicMs(),
        onProgress: (done, total, check, part) =>
          progress.update(done, total, check ? [check.goal, check.method, part ?? ''].join(' ').trimEnd() : ''),
      },
    });
  } finally {
    progress.clear();
    cli.signal.removeEventListener('abort', stop);
    await pool.close();
  }
}

/** The report in the format asked for; `command` shows it again, in another format. */
export function showReport(cli: Cli, report: Report, format: ReportFlags['format'], command: string): Promise<string> {
  const { color, columns } = cli.process.stdout;
  return formatReport(format, report, { width: columns, paint: reportPaint(color), command });
}

/** Which contracts did not run where the command line says, because their bindings, or plain functions, go before it. */
export function sayElsewhere(cli: Cli, backend: BackendId | undefined, { plan }: Audit): void {
  if (backend === undefined) return;
  const elsewhere = plan.contracts.flatMap(({ elaborated, goals }) => {
    const own = goals.flatMap(({ checks }) => checks.filter(({ method }) => onKernels.has(method)));
    const places = [...new Set(own.map((check) => check.backend))];
    return places.length === 0 || places.includes(backend) ? [] : [`${elaborated.contract.id} (${places.join(', ')})`];
  });
  if (elsewhere.length > 0)
    say(
      cli,
      `pv: nothing of these ran on ${backend}, since their bindings or functions go before it: ${elsewhere.join(', ')}`,
    );
}

const onKernels: ReadonlySet<string> = new Set(['property', 'falsify', 'statistical']);

/** What the run did, for the person: how much ran, how much was reused, what was left out. */
export function sayRun(cli: Cli, { run, removed }: Audit): void {
  if (!run) return;
  say(
    cli,
    `${count(run.ran, 'check')} ran, ${run.reused} reused${run.rechecked > 0 ? ` (${run.rechecked} of them repeated, drawn with seed ${spotChecks.seed})` : ''}${run.skipped > 0 ? `, ${run.skipped} left out: the budget ran out` : ''}` +
      (removed > 0 ? `; ${count(removed, 'old receipt')} removed` : ''),
  );
}

export function exitCodeOf({ report, run }: Audit): ExitCode {
  if (run && run.skipped > 0) return exitCodes.budget;
  return report.gate.passed ? exitCodes.ok : exitCodes.findings;
}
