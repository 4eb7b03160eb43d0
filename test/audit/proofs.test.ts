/** What `pv kani` shows: a row for every proof that was tried, and one for every proof that is asked for and cannot be. */
import { describe, expect, it } from 'vitest';
import { proofReports } from '../../src/audit/proofs.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { harnessesOf, type Harness } from '../../src/contract/harnesses.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import type { Plan } from '../../src/plan/make-plan.ts';
import type { ProofReport } from '../../src/report/proofs/proof-report.ts';
import { sampleInput, sampleProof } from '../evidence/sample-receipt.ts';
import { planOf } from '../plan/projects.ts';
import { auditedPlan } from './audited.ts';

const contract = `metadata: { version: "1.0.0", description: Halves }
equations:
  half:
    formula: "h(x)_i = x_i / 2"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 100"
  other:
    formula: "o(x)_i = x_i / 4"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 100"
proof_obligations:
  - { id: H-1, type: bound, property: It halves, formal: "|h(x)_i| ≤ 50", semantics: ieee }
  - { id: H-2, type: bound, property: It is fast, formal: "as fast as it can be" }
  - { id: H-3, type: bound, property: On average, formal: "mean(h(x)_i) ≈ 0", semantics: statistical, tolerance: { abs: 1 }, methods: { statistical: { random: [x], draws: 64, settings: 1 } } }
  - { id: H-4, type: bound, property: Another kernel, formal: "|o(x)_i| ≤ 25", semantics: ieee }
kani_harnesses:
  - { id: K-1, obligation: H-1, strategy: exhaustive, bound: 3 }
  - { id: K-2, obligation: H-2, strategy: exhaustive, bound: 3 }
  - { id: K-3, obligation: H-3, strategy: exhaustive, bound: 3 }
  - { id: K-4, obligation: H-4, strategy: exhaustive, bound: 3 }
falsification_tests:
  - { id: F-4, rule: H-4, prediction: "o(x)_0 = 1", given: "x ∈ {[4]}", if_fails: no }
`;
const text = 'export function kernel(this: any, x: number[]): number { return x[this.thread.x] / 2; }';
const plan = await planOf({ 'half-v1': contract }, [{ contract: 'half-v1', equation: 'half', text }]);
const withoutRuns: Plan = { ...plan, checks: [] };
const report = await auditedPlan(withoutRuns);
const check = plan.checks.find(({ method }) => method === 'bounded')?.id ?? '';

function rows(
  receipts: readonly Receipt[] = [],
  harnesses: Parameters<typeof proofReports>[0]['harnesses'] = harnessesOf,
): readonly ProofReport[] {
  return proofReports({
    plan,
    receipts,
    report,
    harnesses,
    reproduce: ({ claim }, path) => `pv kani ${path} ${claim}`,
  });
}

describe('the proofs of a contract', () => {
  it('are all shown, those that cannot be tried with the reason', () => {
    expect(rows().map(({ harness, claim, verdict, reason }) => [harness, claim, verdict, reason])).toEqual([
      ['K-1', 'H-1', 'incomplete', 'it has not run'],
      ['K-2', 'H-2', 'prose', expect.stringMatching(/prose|words|mathematics/u)],
      ['K-3', 'H-3', 'undetermined', 'it is not a claim about the code of a kernel'],
      ['K-4', 'H-4', 'unbound', 'no kernel is bound to other'],
    ]);
  });

  it('say where the claim is, what was requested, and how to run it again', () => {
    const [tried, words] = rows();
    expect(tried).toMatchObject({
      contract: 'half-v1',
      property: 'It halves',
      formal: '|h(x)_i| ≤ 50',
      file: 'contracts/half-v1.yaml',
      line: 10,
      strategy: 'exhaustive',
      bound: 3,
      check,
      reproduce: 'pv kani contracts/half-v1.yaml H-1',
    });
    expect(words).toMatchObject({
      contract: 'half-v1',
      property: 'It is fast',
      formal: 'as fast as it can be',
      file: 'contracts/half-v1.yaml',
      line: 11,
      strategy: 'exhaustive',
      bound: 3,
      proof: null,
      check: null,
      reproduce: null,
    });
  });

  it('show the record and the counterexample of the receipt, graded as it deserves', () => {
    const proved = { ...sampleProof(), check };
    expect(rows([proved])[0]).toMatchObject({
      verdict: 'proved',
      reason: null,
      proof: proved.proof,
      counterexample: null,
    });
    const open = { ...sampleProof({ proved: 2 }), check };
    expect(rows([open])[0]).toMatchObject({ verdict: 'undetermined', proof: open.proof });
    const counterexample = { input: sampleInput, explanation: '51 > 50', shrinks: 0, outputs: ['[51]'] };
    const refuted: Receipt = { ...sampleProof({}, { verdict: 'falsified', counterexample }), check };
    expect(rows([refuted])[0]).toMatchObject({ verdict: 'falsified', reason: '51 > 50', counterexample });
  });

  it('fall with a proof that they rest on', () => {
    const below = { ...sampleProof(), check: 'sha256:below' };
    const assumed = [{ goal: 'd-v1/D-1', harness: 'K', check: below.check, scope: 'every n' }];
    const above = { ...sampleProof({ assumed }), check };
    expect(rows([above, below])[0]?.verdict).toBe('proved');
    expect(rows([above])[0]?.verdict).toBe('stale');
  });
});

describe('a proof that only the command line requests', () => {
  it.each([
    ['H-2', 'prose'],
    ['H-4', 'unbound'],
    // The contract asks for no such proof of it, and it is no claim that such a proof is about.
    ['H-3', null],
    ['H-9', null],
    // A test is no claim that a proof is about, even where its kernel is not bound.
    ['F-4', null],
  ])('of %s is shown where the claim itself cannot be tried: %s', (obligation, verdict) => {
    const asked = (of: Contract): readonly Harness[] =>
      harnessesOf(of)
        .slice(0, 1)
        .map((one) => ({ ...one, id: 'asked', obligation }));
    const found = rows([], asked).map(({ harness, claim, verdict: its }) => [harness, claim, its]);
    expect(found).toEqual([
      ['K-1', 'H-1', 'incomplete'],
      ...(verdict === null ? [] : [['asked', obligation, verdict]]),
    ]);
  });
});
