import { describe, expect, it } from 'vitest';
import { adequacyReport } from '../../src/audit/adequacy-report.ts';
import { invariant } from '../../src/base/invariant.ts';
import type { MutantOutcome, Receipt } from '../../src/evidence/receipt.ts';
import type { PlannedContract } from '../../src/plan/make-plan.ts';
import type { AdequacyReport } from '../../src/report/report.ts';
import { sampleReceipt } from '../evidence/sample-receipt.ts';
import { planOf } from '../plan/projects.ts';
import { doublingContract, doublingKernel, type ClaimText } from './audited.ts';

async function contractOf(claims: readonly ClaimText[], kernels = [doublingKernel]): Promise<PlannedContract> {
  const [planned] = (await planOf({ 'double-v1': doublingContract(claims) }, kernels)).contracts;
  invariant(planned, 'the contract is planned');
  return planned;
}

function mutant(name: string, killedBy: readonly string[], equivalent: string | null = null): MutantOutcome {
  const separating = { separatingInput: null, separatingOutputs: null };
  return { mutant: name, killedBy, killedByOrdinary: killedBy, equivalent, ...separating };
}

const caught = mutant('zero', ['double-v1/C0']);
const survivor = mutant('reversed', []);
const declared = mutant('same', [], 'it is the same');

/** What a receipt of the contract's adequacy check with these wrong kernels says. */
function reportOf(planned: PlannedContract, mutants: readonly MutantOutcome[] | null): AdequacyReport | null {
  const receipts = planned.goals
    .flatMap(({ checks }) => checks)
    .filter(({ method }) => method === 'adequacy')
    .map(({ id }): [string, Receipt] => [id, sampleReceipt({ check: id, method: 'adequacy', mutants })]);
  return adequacyReport(planned, { receiptsByCheck: new Map(receipts) });
}

describe('the wrong kernels that were tried on a contract', () => {
  it('are counted once, however many claims were tried on them', async () => {
    const planned = await contractOf([['D(x) ≈ D_ref(x)', 'tolerance: { ulp: 1 }'], ['D(x)_i = 2·x_i']]);
    expect(reportOf(planned, [caught, survivor, declared])).toEqual({
      killed: 1,
      total: 2,
      equivalent: [declared],
      survivors: [survivor],
      uncompared: [],
    });
    expect(reportOf(planned, [declared])).toMatchObject({ killed: 0, total: 0, survivors: [] });
    // A check that could not be run has no list.
    expect(reportOf(planned, null)).toMatchObject({ killed: 0, total: 0, equivalent: [], survivors: [] });
  });

  it('are not caught by a claim that the equation itself breaks', async () => {
    const planned = await contractOf([['D(x)_i > 1000'], ['D(x)_i = 2·x_i']]);
    const checks = planned.goals.flatMap(({ goal, checks: all }) => all.map((check) => ({ ...check, goal: goal.id })));
    const mutants = [caught, mutant('negated', ['double-v1/C0', 'double-v1/C1'])];
    const receipts = checks.map(({ id, method, goal }): [string, Receipt] => [
      id,
      method === 'adequacy'
        ? sampleReceipt({ check: id, method, mutants })
        : sampleReceipt({ check: id, method, ...(goal === 'double-v1/C0' && { verdict: 'unsound' }) }),
    ]);
    expect(adequacyReport(planned, { receiptsByCheck: new Map(receipts) })).toMatchObject({
      killed: 1,
      survivors: [{ mutant: 'zero', killedBy: [] }],
    });
  });

  it('are absent before any was tried', async () => {
    const planned = await contractOf([['D(x)_i = 2·x_i']]);
    expect(adequacyReport(planned, { receiptsByCheck: new Map() })).toBeNull();
    // What other checks found is not about wrong kernels.
    const others = planned.goals
      .flatMap(({ checks }) => checks)
      .filter(({ method }) => method !== 'adequacy')
      .map(({ id, method }): [string, Receipt] => [id, sampleReceipt({ check: id, method, mutants: [survivor] })]);
    expect(others.length).toBeGreaterThan(0);
    expect(adequacyReport(planned, { receiptsByCheck: new Map(others) })).toBeNull();
    expect(reportOf(await contractOf([['D(x)_i = 2·x_i']], []), [caught])).toBeNull();
  });

  it('are absent for a claim over the reals, which runs no kernel', async () => {
    const real: ClaimText = ['D(x)_i = 2·x_i', 'semantics: real'];
    const planned = await contractOf([real, ['D(x)_i = 2·x_i']]);
    const { goals } = planned;
    const [adequacy] = goals.flatMap(({ checks }) => checks.filter(({ method }) => method === 'adequacy'));
    invariant(adequacy, 'wrong kernels are tried on the claim about the kernel');
    const only = goals
      .filter(({ goal }) => goal.overReals !== null)
      .map((one) => ({ ...one, checks: [...one.checks, adequacy] }));
    expect(only).toHaveLength(1);
    expect(reportOf({ ...planned, goals: only }, [survivor])).toBeNull();
  });
});

describe('an equation that no claim compares its kernel with', () => {
  it.each<[string, readonly string[]]>([
    ['D(x) ≈ D_ref(x)', []],
    ['D(x) ≈ double_ref(x)', []],
    ['D(x)_i ≈ 2·x_i', ['double']],
  ])('in %s: %j', async (formal, uncompared) => {
    const planned = await contractOf([[formal, 'tolerance: { ulp: 1 }']]);
    expect(reportOf(planned, [caught])?.uncompared).toEqual(uncompared);
  });

  it('is not one without a kernel, or without a formula to compare with', async () => {
    const two = (formula: string): string => `metadata: { version: "1.0.0", description: Two }
equations:
  double: { formula: "D(x)_i = 2·x_i", domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100" }
  other: { formula: "${formula}", domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100" }
proof_obligations:
  - { id: C0, type: invariant, property: p, formal: "D(x) ≈ D_ref(x)", tolerance: { ulp: 1 } }
  - { id: C1, type: invariant, property: p, formal: "|O(x)_i| ≤ 100" }
`;
    const uncompared = async (
      formula: string,
      equations: readonly string[],
    ): Promise<readonly string[] | undefined> => {
      const kernels = equations.map((equation) => ({ ...doublingKernel, equation }));
      const [planned] = (await planOf({ 'double-v1': two(formula) }, kernels)).contracts;
      return planned && reportOf(planned, [caught])?.uncompared;
    };
    expect(await uncompared('O(x)_i = x_i', ['double', 'other'])).toEqual(['other']);
    expect(await uncompared('O(x)_i = x_i', ['double'])).toEqual([]);
    expect(await uncompared('O: F32^n → F32^n', ['double', 'other'])).toEqual([]);
  });
});
