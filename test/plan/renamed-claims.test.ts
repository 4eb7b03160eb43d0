/**
 * Evidence that names claims is of those names: after a claim has got another, checks that name it run again.
 *
 * Holds src/plan/plan-data.ts.
 */
import { functionBackend } from '../../src/backends/function-kernel.ts';
import { describe, expect, it } from 'vitest';
import { buildReport } from '../../src/audit/build-report.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import { createStore, type EvidenceStore } from '../../src/evidence/store.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import type { Plan } from '../../src/plan/make-plan.ts';
import { runJob } from '../../src/plan/run-job.ts';
import { runPlan, type RunOptions } from '../../src/plan/run-plan.ts';
import type { ClaimReport } from '../../src/report/report.ts';
import { doublingContract, doublingKernel } from '../audit/audited.ts';
import { plannedData } from '../../src/plan/plan-data.ts';
import { dataContract } from '../data/judge/data-sets.ts';
import { planOf, planOptions } from './projects.ts';
import { ourTrust } from '../evidence/sample-receipt.ts';

const { tool } = planOptions;

/** Runs jobs here, one after another. */
const pool: RunOptions['pool'] = {
  run: async (begin) => {
    const start = begin();
    return start && { kind: 'done', result: await runJob(start.job, () => 0, functionBackend) };
  },
};

const planWith = (yaml: string): Promise<Plan> => planOf({ 'double-v1': yaml }, [doublingKernel], { cases: 200 });

async function run(
  plan: Plan,
  store: EvidenceStore,
): Promise<{ readonly ran: number; readonly claims: readonly ClaimReport[]; readonly receipts: readonly Receipt[] }> {
  const { ran, receipts } = await runPlan(plan, {
    store,
    pool,
    tool,
    checkTimeoutMs: 60_000,
    fresh: false,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    remainingMs: () => Infinity,
  });
  const { contracts } = buildReport({
    plan,
    currentChecks: new Set(plan.checks.map(({ id }) => id)),
    receipts,
    subjects: [],
    faults: new Map(),
    diagnostics: [],
    tool,
    minimumLevel: 'L0',
    reproduce: () => 'pv audit',
  });
  return { ran, receipts, claims: contracts.flatMap(({ claims }) => claims) };
}

const yaml = doublingContract([['D(x)_i = 2·x_i'], ['D(x)_i · 0.5 = x_i']]);
const renamed = yaml.replace('id: C1', 'id: HALF');
const verdicts = (claims: readonly ClaimReport[]): readonly string[] =>
  claims.map(({ id, verdict }) => `${id} ${verdict}`);

describe('a claim under another name', () => {
  it('is judged by a run in which wrong kernels died by it, and not called vacuous by one that does not know it', async () => {
    const store = createStore(createMemoryHost(), '/', ourTrust);
    expect(verdicts((await run(await planWith(yaml), store)).claims)).toEqual(['C0 tested', 'C1 tested']);
    const plan = await planWith(renamed);
    const { claims, receipts } = await run(plan, store);
    expect(verdicts(claims)).toEqual(['C0 tested', 'HALF tested']);
    const adequacy = plan.checks.find(({ method }) => method === 'adequacy');
    const killers = receipts.find(({ check }) => check === adequacy?.id)?.mutants?.flatMap(({ killedBy }) => killedBy);
    expect([...new Set(killers)].toSorted()).toEqual(['double-v1/C0', 'double-v1/HALF']);
  });

  it('leaves untouched claims where they are', async () => {
    const store = createStore(createMemoryHost(), '/', ourTrust);
    expect((await run(await planWith(yaml), store)).ran).toBeGreaterThan(0);
    expect((await run(await planWith(yaml), store)).ran).toBe(0);
    const before = await planWith(yaml);
    const after = await planWith(renamed);
    const idsOf = ({ checks }: Plan): readonly string[] =>
      checks.filter(({ goal }) => goal.endsWith('/C0')).map(({ id }) => id);
    expect(idsOf(after)).toEqual(idsOf(before));
  });

  it('is not the claim that had its name before', async () => {
    const adequacyOf = async (text: string): Promise<string | undefined> =>
      (await planWith(text)).checks.find(({ method }) => method === 'adequacy')?.id;
    const exchanged = yaml.replace('id: C0', 'id: X').replace('id: C1', 'id: C0').replace('id: X', 'id: C1');
    expect(await adequacyOf(exchanged)).not.toBe(await adequacyOf(yaml));
  });
});

describe('a claim about data under another name', () => {
  const sections = `data:
  kind: config
  domain: "a ∈ ℤ, b ∈ ℤ, 1 ≤ a ≤ 9, 1 ≤ b ≤ 9"
  inputs: { a: { from: batch_size }, b: { from: max_steps } }
equations:
  product: { formula: "p = a·b" }
proof_obligations:
  - { id: SMALL, type: bound, property: p, formal: "p ≤ 10" }
  - { id: ORDER, type: bound, property: p, formal: "a ≤ p" }
falsification_tests:
  - { id: F-1, data: { a: 3, b: 4 }, violates: [SMALL] }
  - { id: F-2, data: { a: 2, b: 5 }, violates: [] }
`;
  const adequacyOf = (text: string, claim: string): string | undefined =>
    plannedData(dataContract(text), { seed: 1, tool })
      .find(({ goal }) => goal.claim === claim)
      ?.checks.find(({ method }) => method === 'adequacy')?.id;

  it('is named by what the other claims catch, whose edits therefore run again', () => {
    const other = sections.replace('ORDER', 'OTHER');
    expect(adequacyOf(sections, 'SMALL')).toBe(adequacyOf(sections, 'SMALL'));
    expect(adequacyOf(other, 'SMALL')).not.toBe(adequacyOf(sections, 'SMALL'));
  });
});
