/**
 * Runs what a plan needs and the store does not have: reads receipts, runs the rest on workers, writes the results.
 */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { EvidenceStore } from '../evidence/store.ts';
import type { Receipt, RecordedInput } from '../evidence/receipt.ts';
import { assumedChecks, whyNotProved } from './assumed-claims.ts';
import type { Check, Job, JobResult } from './check.ts';
import type { Plan } from './make-plan.ts';
import type { Pool, PoolOutcome } from '../host/pool.ts';
import { endedProcess, homeOf, runsFunctions } from './function-home.ts';
import { checkOrder } from './check-order.ts';
import { abortedResult } from './run-job.ts';
import { runRanges, type Ran } from './run-ranges.ts';
import { disagreement, drawn, type SpotChecks } from './spot-check.ts';

/** Where checks run, and how long they may take. */
export interface RunOptions {
  readonly store: EvidenceStore;
  readonly pool: Pick<Pool<Job, JobResult>, 'run'>;
  readonly tool: Receipt['tool'];
  /** Longest time of one check. */
  readonly checkTimeoutMs: number;
  /** Runs every check again, whatever the store holds. */
  readonly fresh: boolean;
  readonly signal: AbortSignal;
  /** `part` says how far that check is, where it is run in parts: `range 3 of 128`. */
  readonly onProgress: (done: number, total: number, check: Check | null, part?: string) => void;
  /** Called when the last check of a contract has ended, if all of them ran: with the receipts of this run. */
  readonly onContract?: (contract: string, receipts: readonly Receipt[]) => void;
  /** Which reused checks are made again, to be compared; absent: none. */
  readonly spotChecks?: SpotChecks;
  /** What is left of the budget of the whole run; Infinity without one. */
  readonly remainingMs: () => number;
}

/** The receipts after a run, and what it took to get them. */
export interface PlanRun {
  /** Every trustworthy receipt of the store after the run. */
  readonly receipts: readonly Receipt[];
  readonly ran: number;
  readonly reused: number;
  /** Reused checks that were made again and compared. */
  readonly rechecked: number;
  /** Checks that the budget left out. */
  readonly skipped: number;
  /** Checks with receipts of what has changed since: why. */
  readonly changed: ReadonlyMap<string, string>;
  /** Those of them that have a receipt of an earlier run, by id. */
  readonly older: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** After its own deadline a job gets this long to notice, and to say how far it came, before its runner is ended. */
const graceMs = 1_000;

/**
 * Runs the checks that have no usable receipt. Stops early if `signal` is aborted or the time is over; what ran by
 * then is stored.
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<PlanRun> {
  const { store } = options;
  const stored = await store.readAll();
  const diagnostics = [...stored.diagnostics];
  const receipts = new Map(stored.value.map((receipt) => [receipt.check, receipt]));
  const wanted = plan.checks.filter((check) => options.fresh || !isUsable(check, receipts.get(check.id)));
  const findings = new Map<string, Diagnostic>();
  let done = 0;
  let skipped = 0;
  const older = new Set<string>();
  options.onProgress(0, wanted.length, null);
  const sayEnded = contractsEnding(wanted, options.onContract);
  const runs = new Map<string, Promise<void>>();
  const runOne = async (check: Check): Promise<void> => {
    const below = assumedChecks(check);
    await Promise.all(below.flatMap((id) => runs.get(id) ?? []));
    const standing = Object.fromEntries(below.map((id) => [id, whyNotProved(receipts.get(id))]));
    const known = await store.failures(check.goal);
    diagnostics.push(...known.diagnostics);
    const onPart = (part: string): void => options.onProgress(done, wanted.length, check, part);
    const { result, finding } = await runCheck(check, { replay: known.value, standing, onPart }, options);
    if (finding) findings.set(finding.message, finding);
    if (!result) {
      skipped++;
      if (receipts.has(check.id)) older.add(check.id);
      return;
    }
    receipts.set(check.id, result.receipt);
    diagnostics.push(...(await store.write(result.receipt)).diagnostics);
    if (check.method === 'bounded' && result.receipt.verdict !== 'incomplete') await store.removeScans(check.id);
    if (result.failure) diagnostics.push(...(await store.addFailure(check.goal, result.failure)).diagnostics);
    options.onProgress(++done, wanted.length, check);
    sayEnded(check, result.receipt);
  };
  for (const check of restingLast(checkOrder(wanted, plan.contracts))) runs.set(check.id, runOne(check));
  await Promise.all(runs.values());
  const isWanted = new Set(wanted);
  const reused = plan.checks.filter((check) => !isWanted.has(check));
  const spot = await runSpotChecks(reused, receipts, options);
  diagnostics.push(...spot.diagnostics);
  return {
    receipts: [...receipts.values()],
    ran: done,
    reused: reused.length,
    rechecked: spot.rechecked,
    skipped,
    changed: stored.changed,
    older,
    diagnostics: [...diagnostics, ...[...findings.values()].toSorted((a, b) => (a.message < b.message ? -1 : 1))],
  };
}

/** To be called with each check that ran; calls `onContract` with the last one of each contract. */
function contractsEnding(
  wanted: readonly Check[],
  onContract: RunOptions['onContract'] = () => undefined,
): (check: Check, receipt: Receipt) => void {
  const counts = new Map<string, number>();
  const receipts = new Map<string, Receipt[]>();
  for (const { contract } of wanted) {
    counts.set(contract, (counts.get(contract) ?? 0) + 1);
    receipts.set(contract, []);
  }
  return ({ contract }, receipt) => {
    const ended = receipts.get(contract) ?? [];
    ended.push(receipt);
    if (ended.length === counts.get(contract)) onContract(contract, ended);
  };
}

/** Makes some of `reused` again. A receipt that it does not come out as is replaced, and an error says so. */
async function runSpotChecks(
  reused: readonly Check[],
  receipts: Map<string, Receipt>,
  options: RunOptions,
): Promise<{ readonly rechecked: number; readonly diagnostics: readonly Diagnostic[] }> {
  const { spotChecks, store } = options;
  const diagnostics: Diagnostic[] = [];
  let rechecked = 0;
  const again = async (check: Check): Promise<void> => {
    const known = await store.failures(check.goal);
    const standing = Object.fromEntries(assumedChecks(check).map((id) => [id, whyNotProved(receipts.get(id))]));
    const { result } = await runCheck(check, { replay: known.value, standing, onPart: () => undefined }, options);
    const stored = receipts.get(check.id);
    if (!result || !stored) return;
    rechecked++;
    const found = disagreement(stored, result.receipt);
    if (!found) return;
    receipts.set(check.id, result.receipt);
    diagnostics.push(found, ...(await store.write(result.receipt)).diagnostics);
  };
  if (spotChecks) await Promise.all(drawn(reused, spotChecks, (check) => receipts.get(check)).map(again));
  return { rechecked, diagnostics: diagnostics.toSorted((a, b) => (a.message < b.message ? -1 : 1)) };
}

/**
 * A run that ended early is tried again, and so is one that could not run at all: a backend may be installed by now,
 * or the machine may have more memory.
 */
function isUsable(check: Check, receipt: Receipt | undefined): boolean {
  if (receipt === undefined || (runsFunctions(check) && !receipt.inputs)) return false;
  return receipt.verdict !== 'incomplete' && receipt.verdict !== 'undetermined';
}

/** Puts checks that rest on others after those, so that they can wait for them. */
function restingLast(checks: readonly Check[]): readonly Check[] {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const placed = new Set<Check>();
  const place = (check: Check): void => {
    if (placed.has(check)) return;
    for (const id of assumedChecks(check)) {
      const below = byId.get(id);
      if (below) place(below);
    }
    placed.add(check);
  };
  checks.forEach(place);
  return [...placed];
}

const notRun: Ran = { result: null, finding: null };

interface Given {
  /** Inputs that failed before. */
  readonly replay: readonly RecordedInput[];
  readonly standing: NonNullable<Job['standing']>;
  readonly onPart: (part: string) => void;
}

async function runCheck(check: Check, { replay, standing, onPart }: Given, options: RunOptions): Promise<Ran> {
  const { tool, signal, checkTimeoutMs, store, fresh } = options;
  if (check.method === 'types') {
    const job = { check, replay, timeoutMs: checkTimeoutMs, tool };
    return signal.aborted ? notRun : { result: typesResult(job), finding: null };
  }
  const whole = await runOnPool({ check, replay, tool, standing }, () => true, options);
  const scanned = whole.result?.scanned;
  if (scanned?.kind !== 'ranges') return whole;
  return runRanges({
    check: check.id,
    ranges: scanned,
    store,
    fresh,
    runPart: (part, wanted) => runOnPool({ check, replay, tool, part }, wanted, options),
    onProgress: (done, total) => onPart(`range ${done} of ${total}`),
  });
}

async function runOnPool(given: Omit<Job, 'timeoutMs'>, wanted: () => boolean, options: RunOptions): Promise<Ran> {
  const { signal, remainingMs, checkTimeoutMs } = options;
  let job: Job = { ...given, timeoutMs: checkTimeoutMs };
  const outcome = await options.pool.run(() => {
    const left = remainingMs();
    if (signal.aborted || left <= 0 || !wanted()) return null;
    job = { ...given, timeoutMs: Math.min(checkTimeoutMs, left) };
    return { job, timeoutMs: job.timeoutMs + graceMs };
  }, homeOf(given.check));
  if (outcome === null) return notRun;
  const ran = outcomeOf(job, outcome, options);
  const cut = job.timeoutMs < checkTimeoutMs && !ran.result?.scanned && ran.result?.receipt.verdict === 'incomplete';
  return cut ? notRun : ran;
}

/** The TypeScript compiler has accepted the binding, or there would be no such check: see `resolveBindings`. */
function typesResult(job: Job): JobResult {
  const { receipt } = abortedResult(job, 'tested', '');
  return {
    receipt: { ...receipt, cases: 1, declaredCases: 1, premiseHits: 1, reason: null, timing: { elapsedMs: 0 } },
    failure: null,
    finding: null,
  };
}

function whyTooLong({ method }: Check): string {
  if (method === 'bounded') return 'lower the bound, or give it more time';
  // These evaluate formulas, without a kernel.
  if (method === 'reals' || method === 'soundness') return 'the formula takes too long, or an input is too large';
  return 'a kernel hangs or is too slow';
}

function outcomeOf(job: Job, outcome: PoolOutcome<JobResult>, { signal }: RunOptions): Ran {
  switch (outcome.kind) {
    case 'done':
      return { result: outcome.result, finding: outcome.result.finding };
    case 'timed-out':
      return {
        result: abortedResult(
          job,
          'incomplete',
          `it did not end within ${job.timeoutMs / 1000} s: ${whyTooLong(job.check)}`,
        ),
        finding: null,
      };
    case 'crashed': {
      if (signal.aborted) return notRun;
      const ended = endedProcess(job.check, outcome.message);
      const reason = ended?.reason ?? `its worker failed: ${outcome.message}`;
      return { result: abortedResult(job, 'undetermined', reason), finding: ended?.finding ?? null };
    }
  }
}
