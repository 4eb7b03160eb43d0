/** The functions of the public API: one for each command, with its options, without its output. */
import { fileURLToPath } from 'node:url';
import type { PlanRun } from '../plan/run-plan.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { createNodeHost } from '../host/node-host.ts';
import type { DataReport } from '../data/report/data-report.ts';
import type { DiagnosisReport } from '../data/report/diagnosis-report.ts';
import type { Report } from '../report/report.ts';
import { checkOptions, type RunOptions, type StatusOptions } from './audit-options.ts';
import type { CheckOptions, DiagnoseOptions } from './data/options.ts';
import type { ExitCode } from './exit-code.ts';
import type { ContractGraph } from './graph.ts';
import type { FileScanOptions } from './scan.ts';
import type { ScanOutcome } from './scan-outcome.ts';
import type { Session } from './session.ts';
import type { Analysis } from './validate.ts';

/** The environment of a call; by default that of this process. */
export interface World {
  /** The folder that paths start from; by default the current one. */
  readonly folder?: string;
  /** Environment variables: `PV_SECRET` seals evidence, `CI` requires it, `XDG_CACHE_HOME` is the user's cache folder. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Ends the call early; finished checks are stored. */
  readonly signal?: AbortSignal;
}

/** What every call returns. */
export interface Answer {
  /** Why files could not be read or used. Findings about contracts and kernels are in the report. */
  readonly diagnostics: readonly Diagnostic[];
  /** Other messages about the run, as the command prints them. */
  readonly messages: readonly string[];
  /** The command's exit code: 0 ok, 1 findings, 2 usage, 4 out of budget, 130 interrupted. */
  readonly exitCode: ExitCode;
}

/** What `audit` returns: the report, or the diagnostics that say why there is none. */
export interface AuditAnswer extends Answer {
  /** Null if the project could not be read: `diagnostics` say why. */
  readonly report: Report | null;
  /** How many checks ran and how many had evidence that still holds; null if nothing was to be run. */
  readonly run: Pick<PlanRun, 'ran' | 'reused' | 'skipped'> | null;
}

/** Values of inputs, and keys of files for inputs. */
interface Given {
  /** Values of inputs, overriding the data. */
  readonly set?: Readonly<Record<string, number | boolean | string>>;
  /** The key in the file for an input. */
  readonly map?: Readonly<Record<string, string>>;
}

/** The options of `check`, with settings and mappings as plain objects rather than as text. */
export type CheckQuestion = Omit<CheckOptions, 'set' | 'map'> & Given;
/** The options of `diagnose`, with settings and mappings as plain objects rather than as text. */
export type DiagnoseQuestion = Omit<DiagnoseOptions, 'set' | 'map'> & Given;

/**
 * Reads contract files, and folders of them, and finds everything that is wrong with them, as `pv validate` does.
 * With `types: false` the mathematics is parsed but not typed. Never rejects because of a file's content.
 */
export async function validate(
  paths: readonly string[],
  { types = true, ...world }: World & { readonly types?: boolean } = {},
): Promise<Analysis> {
  const { analyse } = await import('./validate.ts');
  return analyse(openSession(world).session, paths, types);
}

/**
 * Runs every check whose evidence is missing or stale and derives each verdict from receipts, as `pv audit` does.
 * Receipts are written to `.pv/` of the project. Rejects with a RangeError for an option with an invalid value. `pv verify` is
 * this plus the report as a page: `formatReport('html', report)`.
 */
export function audit(
  paths: readonly string[],
  { folder, env, signal, ...options }: World & StatusOptions & RunOptions = {},
): Promise<AuditAnswer> {
  return auditWith(paths, { folder, env, signal }, options, options);
}

/** The verdicts according to stored evidence; runs nothing, like `pv status`. */
export function status(
  paths: readonly string[],
  { folder, env, signal, ...options }: World & StatusOptions = {},
): Promise<AuditAnswer> {
  return auditWith(paths, { folder, env, signal }, options, null);
}

async function auditWith(
  paths: readonly string[],
  world: MaybeWorld,
  options: StatusOptions,
  run: RunOptions | null,
): Promise<AuditAnswer> {
  checkOptions({ ...options, ...run });
  const { auditPaths, exitCodeOf } = await import('./audit.ts');
  const { session, heard } = openSession(world);
  const outcome = await auditPaths(session, paths, options, run);
  if (!outcome.ok) return { report: null, run: null, ...heard, exitCode: outcome.exitCode };
  const { report, run: ran } = outcome.audit;
  return { report, run: ran, ...heard, exitCode: exitCodeOf(outcome.audit) };
}

/** Evaluates contracts over data on configs, logs and traces, as `pv check` does; the report is null if nothing was evaluated. */
export async function check(
  contracts: readonly string[],
  { folder, env, signal, set, map, ...question }: World & CheckQuestion,
): Promise<Answer & { readonly report: DataReport | null }> {
  const { runCheck } = await import('./data/run-check.ts');
  const { session, heard } = openSession({ folder, env, signal });
  const outcome = await runCheck(session, contracts, { ...question, ...listed({ set, map }) });
  return { report: outcome.ok ? outcome.report : null, ...heard, exitCode: outcome.exitCode };
}

/** Finds why a training run failed, given its folder or files, as `pv diagnose` does. */
export async function diagnose(
  run: string,
  { folder, env, signal, set, map, ...question }: World & DiagnoseQuestion = {},
): Promise<Answer & { readonly report: DiagnosisReport | null }> {
  const { runDiagnose } = await import('./data/run-diagnose.ts');
  const { session, heard } = openSession({ folder, env, signal });
  const outcome = await runDiagnose(session, run, { ...question, ...listed({ set, map }) });
  return { report: outcome.ok ? outcome.report : null, ...heard, exitCode: outcome.exitCode };
}

/** Scans TypeScript, JavaScript and Python files, and folders of them, with the static rules of `pv scan`. */
export async function scan(
  paths: readonly string[],
  { rule, types, fix, ...world }: World & FileScanOptions = {},
): Promise<ScanOutcome & { readonly exitCode: ExitCode }> {
  const { scanPaths } = await import('./scan.ts');
  const options = {
    ...(rule ? { rule } : {}),
    ...(types === undefined ? {} : { types }),
    ...(fix === undefined ? {} : { fix }),
  };
  return scanPaths(openSession(world).session, paths, options);
}

/** Which contract depends on which, with the verdicts of stored evidence, as `pv graph` shows it. */
export async function graph(
  paths: readonly string[],
  { binding, ...world }: World & { readonly binding?: string } = {},
): Promise<ContractGraph> {
  const { readGraph } = await import('./graph.ts');
  return readGraph(openSession(world).session, paths, binding);
}

type MaybeWorld = { readonly [K in keyof World]?: World[K] | undefined };

/** A session that collects the messages. */
function openSession({ folder, env, signal }: MaybeWorld): {
  readonly session: Session;
  readonly heard: { readonly diagnostics: Diagnostic[]; readonly messages: string[] };
} {
  const heard = { diagnostics: [] as Diagnostic[], messages: [] as string[] };
  const session: Session = {
    host: createNodeHost(folder),
    env: env ?? process.env,
    packageRoot: fileURLToPath(new URL('../..', import.meta.url)),
    signal: signal ?? new AbortController().signal,
    say: (message) => void heard.messages.push(message),
    show: async (diagnostics) => void heard.diagnostics.push(...diagnostics),
  };
  return { session, heard };
}

type MaybeGiven = { readonly [K in keyof Given]?: Given[K] | undefined };

function listed({ set = {}, map = {} }: MaybeGiven): Pick<CheckOptions, 'set' | 'map'> {
  return {
    set: Object.entries(set).map(([name, value]) => ({ name, value })),
    map: Object.entries(map).map(([name, key]) => ({ name, key })),
  };
}
