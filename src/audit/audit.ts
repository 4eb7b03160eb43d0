/**
 * The whole of `pv audit`: plan what a verdict needs, run what is stale, derive the report from receipts.
 */
import type { Goal } from '../contract/goal.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { EvidenceStore } from '../evidence/store.ts';
import type { MethodId, Receipt } from '../evidence/receipt.ts';
import type { TheoremStore } from '../evidence/theorem-store.ts';
import type { Level } from '../evidence/verdict.ts';
import type { Job, JobResult } from '../plan/check.ts';
import { assumedChecks } from '../plan/assumed-claims.ts';
import { makePlan, type Plan, type PlanOptions } from '../plan/make-plan.ts';
import type { Pool } from '../host/pool.ts';
import { runPlan, type PlanRun, type RunOptions } from '../plan/run-plan.ts';
import type { Report } from '../report/report.ts';
import { buildReport } from './build-report.ts';
import { olderEvidence } from './older-evidence.ts';
import type { PreparedProof } from '../real-proofs/prepare.ts';
import type { Project } from './read-project.ts';
import { superseded } from './superseded.ts';
import { standingProofs, withRealProofs } from './real-proofs.ts';
import { unclaimedKernels } from './unclaimed-kernels.ts';

/** One audit: a project that has been read, its evidence, and what may be run. */
export interface AuditRequest {
  readonly project: Project;
  /** What reading the contracts found. */
  readonly findings: readonly Diagnostic[];
  readonly store: EvidenceStore;
  /** The proofs over the reals that contracts require, and where records of them are kept. */
  readonly realProofs: { readonly store: TheoremStore; readonly prepared: readonly PreparedProof[] };
  /** Null: derives the report from the store without running anything. */
  readonly run:
    | (Pick<
        RunOptions,
        'checkTimeoutMs' | 'fresh' | 'spotChecks' | 'signal' | 'onProgress' | 'onContract' | 'remainingMs'
      > & {
        readonly pool: Pick<Pool<Job, JobResult>, 'run'>;
      })
    | null;
  readonly options: Omit<PlanOptions, 'tool'>;
  readonly tool: Receipt['tool'];
  readonly minimumLevel: Level;
  /** Whether the gate passes claims that are waived. */
  readonly allowWaived: boolean;
  /** `2027-03-31`: waivers that ended earlier do not count. */
  readonly today: string;
  /** Only this claim of every contract, by its id; null: all. */
  readonly claim: string | null;
  /** Only checks of these methods are run; null: all. */
  readonly methods: ReadonlySet<MethodId> | null;
  /** Only checks of contracts with these paths, and the proofs that they assume, are run; absent: all. */
  readonly ofContract?: (path: string) => boolean;
  readonly reproduce: (goal: Goal, path: string) => string;
}

/** The report of an audit and the run behind it, from which commands print progress and costs. */
export interface Audit {
  readonly report: Report;
  readonly plan: Plan;
  /** Null if nothing was to be run. */
  readonly run: PlanRun | null;
  /** Superseded receipts that were removed. */
  readonly removed: number;
}

/**
 * Runs the stale checks of the plan, removes superseded receipts after a complete run, and derives the report from
 * the receipts. Problems of the store are findings of the report.
 */
export async function audit(request: AuditRequest): Promise<Audit> {
  const { project, store, tool, minimumLevel, reproduce } = request;
  const whole = makePlan(project.elaborated, project.subjects, { ...request.options, tool });
  const unclaimed = request.claim === null ? unclaimedKernels(whole, project.subjects) : [];
  const plan = request.claim === null ? whole : onlyClaim(whole, request.claim);
  const run = request.run && (await runPlan(onlyAsked(plan, request), { ...request.run, store, tool }));
  const stored = run ?? (await receiptsOf(store));
  const removed = run && isWhole(request, run) ? await store.remove(superseded(plan, run.receipts, tool)) : nothing;
  const gone = new Set(removed.value);
  const receipts = stored.receipts.filter(({ check }) => !gone.has(check));
  const older = run ? olderEvidence(plan, run.older) : [];
  const diagnostics = [
    ...request.findings,
    ...project.diagnostics,
    ...stored.diagnostics,
    ...removed.diagnostics,
    ...unclaimed,
    ...older,
  ];
  const currentChecks = new Set(whole.checks.map(({ id }) => id));
  const proofs = await standingProofs(request.realProofs.store, request.realProofs.prepared);
  const { subjects, faults } = project;
  const report = buildReport({
    plan,
    currentChecks,
    receipts,
    changed: stored.changed,
    subjects,
    faults,
    diagnostics: [...diagnostics, ...proofs.diagnostics],
    tool,
    minimumLevel,
    accuracy: project.accuracy,
    waivers: { rows: project.waivers, today: request.today },
    allowWaived: request.allowWaived,
    claim: request.claim,
    reproduce,
  });
  return { report: withRealProofs(report, proofs), plan, run, removed: removed.value.length };
}

const nothing = { value: [], diagnostics: [] } as const;

/** Whether every check of the contracts has a receipt now. */
function isWhole({ claim, methods }: AuditRequest, { skipped }: PlanRun): boolean {
  return claim === null && methods === null && skipped === 0;
}

async function receiptsOf(store: EvidenceStore): Promise<Pick<PlanRun, 'receipts' | 'changed' | 'diagnostics'>> {
  const { value, changed, diagnostics } = await store.readAll();
  return { receipts: value, changed, diagnostics };
}

function onlyAsked(plan: Plan, { methods, ofContract }: AuditRequest): Plan {
  const asked = methods === null ? plan.checks : plan.checks.filter(({ method }) => methods.has(method));
  if (!ofContract) return { ...plan, checks: asked };
  const named = new Set(
    plan.contracts
      .map(({ elaborated }) => elaborated.contract)
      .filter(({ path }) => ofContract(path))
      .map(({ id }) => id),
  );
  const wanted = withAssumed(
    plan,
    asked.filter(({ contract }) => named.has(contract)).map(({ id }) => id),
  );
  return { ...plan, checks: asked.filter(({ id }) => wanted.has(id)) };
}

function onlyClaim(plan: Plan, claim: string): Plan {
  const contracts = plan.contracts.flatMap(({ elaborated, goals, asRead }) => {
    const kept = goals.filter(({ goal }) => goal.claim === claim);
    const { contract, notGoals } = elaborated;
    const narrowed = {
      ...contract,
      obligations: contract.obligations.filter(({ id }) => id === claim),
      falsificationTests: contract.falsificationTests.filter(({ id }) => id === claim),
      dependsOn: [],
    };
    const others = notGoals.filter((missing) => missing.claim === claim);
    const unevaluated = elaborated.unevaluated.filter(({ id }) => id === claim);
    return kept.length + others.length + unevaluated.length > 0
      ? [
          {
            elaborated: { ...elaborated, contract: narrowed, notGoals: others, unevaluated },
            goals: kept,
            asRead: asRead.filter(({ goal }) => goal.claim === claim),
          },
        ]
      : [];
  });
  const own = contracts.flatMap(({ goals, asRead }) =>
    [...goals, ...asRead].flatMap(({ checks }) => checks.map(({ id }) => id)),
  );
  const wanted = withAssumed(plan, own);
  return { contracts, checks: plan.checks.filter(({ id }) => wanted.has(id)) };
}

/** With the proofs of sub-contracts that replace kernels, and theirs. */
function withAssumed({ checks }: Plan, ids: readonly string[]): ReadonlySet<string> {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const wanted = new Set(ids);
  for (const id of wanted) {
    const check = byId.get(id);
    if (check) for (const below of assumedChecks(check)) wanted.add(below);
  }
  return wanted;
}
