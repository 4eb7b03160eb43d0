/** Holds src/plan/function-home.ts, src/plan/spot-check.ts. */
import { describe, expect, it } from 'vitest';
import { createStore, type EvidenceStore } from '../../src/evidence/store.ts';
import type { Verdict } from '../../src/evidence/verdict.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import type { Job, JobResult } from '../../src/plan/check.ts';
import type { PoolOutcome, Start } from '../../src/host/pool.ts';
import { abortedResult } from '../../src/plan/run-job.ts';
import { runPlan, type RunOptions } from '../../src/plan/run-plan.ts';
import { planOf, planOptions } from './projects.ts';
import { ourTrust } from '../evidence/sample-receipt.ts';

const contract = `metadata: { version: "1.0.0", description: Twice }
equations:
  double:
    formula: "D(x)_i = 2·x_i"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100"
proof_obligations:
  - id: DB-1
    type: equivalence
    property: It is the equation
    formal: "D(x) ≈ D_ref(x)"
    tolerance: { ulp: 0.5 }
`;
const text = 'export function kernel(this: any, x: number[]): number { return 2 * x[this.thread.x]; }';
const plan = await planOf({ 'c-v1': contract }, [{ contract: 'c-v1', equation: 'double', text }]);

/** A pool that decides at once; a types check never gets here. */
function poolOf(outcome: (job: Job) => PoolOutcome<JobResult>, started: Job[] = []): RunOptions['pool'] {
  return {
    run: async (begin: () => Start<Job> | null) => {
      const start = begin();
      if (start) started.push(start.job);
      return start && outcome(start.job);
    },
  };
}
const finish =
  (verdict: Verdict) =>
  (job: Job): PoolOutcome<JobResult> => ({ kind: 'done', result: abortedResult(job, verdict, 'so') });

const optionsOf = (store: EvidenceStore, more: Partial<RunOptions>): RunOptions => ({
  store,
  pool: poolOf(finish('tested')),
  tool: planOptions.tool,
  checkTimeoutMs: 10_000,
  fresh: false,
  signal: new AbortController().signal,
  onProgress: () => undefined,
  remainingMs: () => Infinity,
  ...more,
});
const memoryStore = (): EvidenceStore => createStore(createMemoryHost(), '/', ourTrust);

describe('running a plan', () => {
  it('reports a contract once all its checks have run, with their receipts, and one that was cut off never', async () => {
    const ended: string[] = [];
    const onContract: RunOptions['onContract'] = (name, receipts) => void ended.push(`${name}: ${receipts.length}`);
    const store = memoryStore();
    await runPlan(plan, optionsOf(store, { onContract, remainingMs: () => 0 }));
    expect(ended).toEqual([]);
    await runPlan(plan, optionsOf(store, { onContract, fresh: true }));
    expect(ended).toEqual(['c-v1: 4']);
  });

  it.each([
    ['tested', 0],
    ['falsified', 0],
    ['vacuous', 0],
    // What ended early or could not run is tried again; the types check is green.
    ['incomplete', 3],
    ['undetermined', 3],
  ] as const)('a second time reuses what is %s, but for %i checks', async (verdict, again) => {
    const store = memoryStore();
    const first = await runPlan(plan, optionsOf(store, { pool: poolOf(finish(verdict)) }));
    expect(first).toMatchObject({ ran: 4, reused: 0, skipped: 0, diagnostics: [] });
    expect(first.receipts).toHaveLength(4);
    expect(await runPlan(plan, optionsOf(store, {}))).toMatchObject({ ran: again, reused: 4 - again });
    expect(await runPlan(plan, optionsOf(store, { fresh: true }))).toMatchObject({ ran: 4, reused: 0 });
  });

  it('makes reused checks again where it is asked to, and fails when one comes out otherwise', async () => {
    const store = memoryStore();
    await runPlan(plan, optionsOf(store, {}));
    const first = await runPlan(plan, optionsOf(store, {}));
    const spotChecks = { seed: 1, share: 1, longestMs: 1e9 };
    const same = await runPlan(plan, optionsOf(store, { spotChecks }));
    expect(same).toMatchObject({ ran: 0, reused: 4, rechecked: 4, diagnostics: [] });
    expect(same.receipts).toEqual(first.receipts);
    // What was cut short says nothing.
    const cut = await runPlan(plan, optionsOf(store, { spotChecks, pool: poolOf(finish('incomplete')) }));
    expect([cut.diagnostics, cut.receipts]).toEqual([[], first.receipts]);
    const other = await runPlan(plan, optionsOf(store, { spotChecks, pool: poolOf(finish('falsified')) }));
    expect(other.diagnostics.map(({ code, severity }) => [code, severity])).toEqual(
      Array.from({ length: 3 }, () => ['PV-6062', 'error']),
    );
    expect(other.receipts.filter(({ verdict }) => verdict === 'falsified')).toHaveLength(3);
    const later = await runPlan(plan, optionsOf(store, {}));
    expect(later.receipts.filter(({ verdict }) => verdict === 'falsified')).toHaveLength(3);
    const none = await runPlan(plan, optionsOf(store, { spotChecks: { ...spotChecks, share: 0 } }));
    expect(none).toMatchObject({ reused: 4, rechecked: 0 });
    expect((await runPlan(plan, optionsOf(store, { spotChecks, fresh: true }))).rechecked).toBe(0);
  });

  it('gives no job more time than the budget has left, and keeps nothing that the budget cut', async () => {
    const started: Job[] = [];
    const store = memoryStore();
    const run = await runPlan(
      plan,
      optionsOf(store, { pool: poolOf(finish('incomplete'), started), remainingMs: () => 700 }),
    );
    expect(started.map(({ timeoutMs }) => timeoutMs)).toEqual([700, 700, 700]);
    expect(run).toMatchObject({ ran: 1, skipped: 3 });
    expect((await store.readAll()).value.map(({ method }) => method)).toEqual(['types']);
  });

  it('begins nothing once the budget is spent or the run is interrupted', async () => {
    const started: Job[] = [];
    const pool = poolOf(finish('tested'), started);
    expect(await runPlan(plan, optionsOf(memoryStore(), { pool, remainingMs: () => 0 }))).toMatchObject({ skipped: 3 });
    expect(await runPlan(plan, optionsOf(memoryStore(), { pool, signal: AbortSignal.abort() }))).toMatchObject({
      ran: 0,
      skipped: 4,
      receipts: [],
    });
    expect(started).toEqual([]);
  });

  it('names the checks that keep the receipt of an earlier run', async () => {
    const store = memoryStore();
    expect((await runPlan(plan, optionsOf(store, { remainingMs: () => 0 }))).older).toEqual(new Set());
    await runPlan(plan, optionsOf(store, {}));
    const { older, receipts } = await runPlan(plan, optionsOf(store, { fresh: true, remainingMs: () => 0 }));
    expect(older.size).toBe(3);
    expect([...older].every((check) => receipts.some((receipt) => receipt.check === check))).toBe(true);
  });

  it('records what hung and what crashed, and stores no crash of an interrupted run', async () => {
    const verdictOf = async (outcome: PoolOutcome<JobResult>) => {
      const { receipts } = await runPlan(plan, optionsOf(memoryStore(), { pool: poolOf(() => outcome) }));
      const told = (wanted: string): readonly (readonly unknown[])[] =>
        receipts.filter(({ method }) => method === wanted).map(({ verdict, reason }) => [verdict, reason]);
      if (outcome.kind === 'timed-out')
        // No kernel runs in these.
        expect(told('soundness')).toEqual([
          ['incomplete', 'it did not end within 10 s: the formula takes too long, or an input is too large'],
        ]);
      return told('property');
    };
    expect(await verdictOf({ kind: 'timed-out', timeoutMs: 15_000 })).toEqual([
      ['incomplete', 'it did not end within 10 s: a kernel hangs or is too slow'],
    ]);
    expect(await verdictOf({ kind: 'crashed', message: 'out of memory' })).toEqual([
      ['undetermined', 'its worker failed: out of memory'],
    ]);
    const abort = new AbortController();
    const pool = poolOf(() => {
      abort.abort();
      return { kind: 'crashed', message: 'terminated' };
    });
    const { receipts } = await runPlan(plan, optionsOf(memoryStore(), { pool, signal: abort.signal }));
    expect(receipts.filter(({ method }) => method !== 'types')).toEqual([]);
  });

  it('stores the inputs that failed and gives them to the next run', async () => {
    const store = memoryStore();
    const failure = { sizes: { n: 1 }, values: { x: { hex: 'f32:0000803f', text: '[1]' } } };
    const failing = (job: Job): PoolOutcome<JobResult> => ({
      kind: 'done',
      result: { ...abortedResult(job, 'falsified', 'so'), failure: job.check.method === 'property' ? failure : null },
    });
    await runPlan(plan, optionsOf(store, { pool: poolOf(failing) }));
    const started: Job[] = [];
    await runPlan(plan, optionsOf(store, { pool: poolOf(finish('tested'), started), fresh: true }));
    expect(started.find(({ check }) => check.method === 'property')?.replay).toEqual([failure]);
  });
});
