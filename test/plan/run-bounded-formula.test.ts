/**
 * Bounded proofs of claims over the reals: about the formula, whatever kernels there are.
 *
 * Holds src/plan/wrong-programs.ts.
 */
import { functionBackend } from '../../src/backends/function-kernel.ts';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import { gradeReceipt } from '../../src/evidence/grade.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import { runJob } from '../../src/plan/run-job.ts';
import { planOf, planOptions } from './projects.ts';

/** The receipt of the one proof of a claim about `M = T·s + s`. */
async function prove(formal: string, requires = 'e ∈ ℤ, 1 ≤ e ≤ 1000'): Promise<Receipt> {
  const contract = `metadata: { version: "1.0.0", kind: pattern, description: A product }
equations:
  product:
    formula: "M = T·s + s"
    domain: "T ∈ ℤ, s ∈ ℤ, 1 ≤ T ≤ 100000, 1 ≤ s ≤ 10000"
proof_obligations:
  - id: E-1
    type: bound
    property: It holds
    formal: "${formal}"
    requires: ["${requires}"]
    semantics: real
kani_harnesses:
  - { id: KANI-1, obligation: E-1, strategy: bounded_int, bound: 1 }
`;
  const plan = await planOf({ 'product-v1': contract }, []);
  const check = plan.checks.find(({ method }) => method === 'bounded');
  invariant(check, 'the contract asks for a proof');
  const { receipt } = await runJob(
    { check, replay: [], timeoutMs: 1e9, tool: planOptions.tool },
    () => 0,
    functionBackend,
  );
  return receipt;
}

describe('a bounded proof over the reals', () => {
  it('is about the formula, has a witness, and refuses a wrong equation', async () => {
    const receipt = await prove('M = s·(T + 1)');
    expect(gradeReceipt(receipt)).toEqual({ verdict: 'proved', reason: null });
    expect(receipt.proof).toMatchObject({ about: 'formula', statements: 1, proved: 1, open: [] });
    expect(receipt.proof?.witness).not.toBeNull();
    expect(receipt.proof?.refuted?.mutant).toMatch(/^equation:/u);
  });

  it('of a false claim is a counterexample', async () => {
    const receipt = await prove('M + e > s·(T + 1) + 1');
    expect(receipt.verdict).toBe('falsified');
    expect(receipt.counterexample?.input.values).toHaveProperty('T');
  });

  it('says nothing of an equation that does not matter to the claim', async () => {
    const receipt = await prove('e ≥ 1 ∨ M < 0');
    expect(receipt.verdict).toBe('vacuous');
    expect(receipt.reason).toMatch(/wrong equations? breaks? the claim within the bound/u);
  });

  it('about no input is vacuous', async () => {
    expect((await prove('e ≥ M', 'e ∈ ℤ, 1 ≤ e ≤ 10, e > 3, e < 4')).verdict).toBe('vacuous');
  });
});
