/** Proofs over the reals stand beside the verdicts of an audit: what does not stand is reported, and no verdict is changed. */
import { describe, expect, it } from 'vitest';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { prepareAskedProofs, standingProofs, withRealProofs } from '../../src/audit/real-proofs.ts';
import { storeTheorem, type TheoremStore } from '../../src/evidence/theorem-store.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import type { PreparedProof } from '../../src/real-proofs/prepare.ts';
import { ourTrust } from '../evidence/sample-receipt.ts';
import { contractOf, planOf } from '../plan/projects.ts';
import { auditedPlan } from './audited.ts';

const contract = `metadata: { version: "1.0.0", description: d }
equations:
  f: { formula: "f(x)_i = 2·x_i", domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 10" }
proof_obligations:
  - { id: A, type: invariant, property: p, formal: "|f(x)_i| ≥ |x_i|", methods: { proof: {} } }
  - { id: B, type: invariant, property: p, formal: "f(x)_i ≤ 20", methods: { proof: {} } }
  - { id: C, type: invariant, property: p, formal: "f(x)_i ≥ -20" }
falsification_tests:
  - { id: T, rule: A, prediction: "f(x)_0 = 6", given: "x ∈ {[3]}", if_fails: no }
`;
const elaborated = elaborateAll([contractOf('t-v1', contract)]);
const script = 'Theorem witness : some_input.\nProof. exact I. Qed.\nTheorem proof : claim.\nProof. exact I. Qed.\n';
const scriptOf = (claim: string): string => `contracts/proofs/t-v1/${claim}.v`;
const prepared = (files: Readonly<Record<string, string>>): Promise<readonly PreparedProof[]> =>
  prepareAskedProofs(createMemoryHost(files), elaborated, 'prelude');

/** A store with a record of each of these proofs. */
async function storeOf(
  proofs: readonly PreparedProof[],
  verdict: 'proved' | 'refused' = 'proved',
): Promise<TheoremStore> {
  const store = { host: createMemoryHost(), root: '.', trust: ourTrust };
  for (const { goal, inputs, statement } of proofs)
    if (inputs && statement)
      await storeTheorem(store, {
        schema: 'pv.theorem/1',
        goal,
        ...inputs,
        scope: statement.scope,
        verdict,
        reason: verdict === 'proved' ? null : 'it does not type',
        axioms: [],
        checker: { name: 'coqc', version: '8.16.1' },
      });
  return store;
}

const both = await prepared({ [scriptOf('A')]: script, [scriptOf('B')]: script });

/** Code and message of what is reported. */
const reported = async (store: TheoremStore, proofs = both): Promise<readonly string[]> =>
  (await standingProofs(store, proofs)).diagnostics.map(({ code, message, hint }) => `${code} ${message} (${hint})`);

describe('the proofs that a contract requires', () => {
  it('are those of the claims that name the method', () => {
    expect(both.map(({ goal }) => goal)).toEqual(['t-v1/A', 't-v1/B']);
  });

  it('cause no finding where they hold', async () => {
    expect(await reported(await storeOf(both))).toEqual([]);
  });

  it('are one finding if they were not checked here, however many there are', async () => {
    const hint = '(pv prove checks them, where Rocq is installed)';
    expect(await reported(await storeOf([]))).toEqual([`PV-6030 2 proofs over the reals are not checked here ${hint}`]);
    expect(await reported(await storeOf(both.slice(0, 1)))).toEqual([
      `PV-6030 1 proof over the reals is not checked here ${hint}`,
    ]);
  });

  it('are a finding each where Rocq refuses them or there is no script, with the command that tries again', async () => {
    expect(await reported(await storeOf(both.slice(0, 1), 'refused'), both.slice(0, 1))).toEqual([
      "PV-6030 the proof over the reals of 'A' does not hold: refused, it does not type (run pv prove contracts/t-v1.yaml --claim A)",
    ]);
    expect(await reported(await storeOf([]), await prepared({ [scriptOf('A')]: script }))).toEqual([
      `PV-6030 the proof over the reals of 'B' does not hold: no script, there is no ${scriptOf('B')} (run pv prove contracts/t-v1.yaml --claim B)`,
      'PV-6030 1 proof over the reals is not checked here (pv prove checks them, where Rocq is installed)',
    ]);
  });

  it('are stale after an edit of the script', async () => {
    const [edited] = await prepared({ [scriptOf('A')]: `${script}\n` });
    expect(await reported(await storeOf(both), edited ? [edited] : [])).toEqual([
      expect.stringContaining('stale, since it was checked, the script changed'),
    ]);
  });

  it('are reported once where the script itself is at fault', async () => {
    const [wrong] = await prepared({ [scriptOf('A')]: 'Admitted.' });
    const found = await standingProofs(await storeOf([]), wrong ? [wrong] : []);
    expect(found.diagnostics.map(({ code }) => code)).toEqual(['PV-6032']);
  });
});

describe('the report with them', () => {
  it('shows each beside its obligation and changes no verdict', async () => {
    const plan = await planOf({ 't-v1': contract }, []);
    const report = await auditedPlan(plan);
    const found = withRealProofs(report, await standingProofs(await storeOf(both.slice(0, 1)), both));
    const claims = found.contracts.flatMap((one) => one.claims);
    expect(claims.map(({ id, overReals }) => [id, overReals?.standing, overReals?.checker])).toEqual([
      ['A', 'proved', 'coqc 8.16.1'],
      ['B', 'not checked', null],
      ['C', undefined, undefined],
      ['T', undefined, undefined],
    ]);
    expect(claims[0]?.overReals).toMatchObject({ reason: null, scope: expect.stringContaining('n ≥ 1'), axioms: [] });
    expect(claims.map(({ verdict, level }) => [verdict, level])).toEqual(
      report.contracts.flatMap((one) => one.claims).map(({ verdict, level }) => [verdict, level]),
    );
    expect(withRealProofs(report, { byGoal: new Map() })).toEqual(report);
  });
});
