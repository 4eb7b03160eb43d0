/** What equations state beside their formulas is evaluated, or counted as not evaluated: it is never just believed. */
import { describe, expect, it } from 'vitest';
import type { ContractReport } from '../../src/report/report.ts';
import { tallies } from '../../src/report/tallies.ts';
import { planOf } from '../plan/projects.ts';
import { audited, auditedPlan, doublingContract, doublingKernel } from './audited.ts';

/** The contract of y = 2·x, right in every claim, whose equation states `keys`. */
async function stating(...keys: readonly string[]): Promise<ContractReport> {
  const contract = doublingContract([['D(x)_i = x_i + x_i']]);
  const lines = keys.map((key) => `    ${key}\n`).join('');
  return audited(
    'double-v1',
    contract.replace('proof_obligations:', `${lines}proof_obligations:`),
    [doublingKernel],
    500,
  );
}

const plain = await stating();

describe('a false statement fails the contract', () => {
  it.each([
    ['invariants: ["D(x)_i = 4·x_i"]', 'double.invariant-1'],
    ['invariants: ["D(x)_i = 2·x_i", "D(x)_i ≥ x_i"]', 'double.invariant-2'],
    ['postconditions: ["D(x)_i ≥ 0"]', 'double.postcondition-1'],
    ['codomain: "D(x) ∈ [0, 1]^n"', 'double.codomain'],
    ['codomain: "[-1, 1]^n"', 'double.codomain'],
    ['codomain: "D(x) ∈ ℤ^n"', 'double.codomain'],
    ['codomain: "D(x) ∈ ℝ_≥0^n"', 'double.codomain'],
    ['codomain: "D(x)_i ∈ {-1, 1}"', 'double.codomain'],
    ['codomain: "D(x) ∈ {0, …, n}^n"', 'double.codomain'],
  ])('%s', async (key, id) => {
    const report = await stating(key);
    expect([report.verdict, report.level]).toEqual(['falsified', 'L0']);
    const failed = report.claims.filter(({ verdict }) => verdict === 'falsified');
    expect(failed.map((claim) => [claim.id, claim.source])).toEqual([[id, 'statement']]);
    expect(failed[0]?.counterexample?.explanation).toContain('over the reals');
    expect(report.statements?.failed).toBe(1);
  });
});

describe('a true statement changes nothing of the contract', () => {
  it.each([
    // Over the reals nothing is rounded, so that equality needs no tolerance.
    ['invariants: ["D(x)_i = 2·x_i", "D(x) = -D(-x)", "Σ_i D(x)_i = 2·Σ_i x_i"]', 3],
    ['postconditions: ["|D(x)_i| ≥ |x_i|"]', 1],
    ['codomain: "D(x) ∈ [-200, 200]^n"', 1],
    ['codomain: "[-200, 200]^n"', 1],
    // Shape and format are what typing compares with the formula.
    ['codomain: "D(x) ∈ F32^n"', 0],
    ['codomain: "F32^n"', 0],
    ['codomain: "ℝ^n"', 0],
  ])('%s', async (key, evaluated) => {
    const report = await stating(key);
    expect([report.verdict, report.level]).toEqual([plain.verdict, plain.level]);
    expect([report.declared, report.evaluated, report.failed]).toEqual([1, 1, 0]);
    expect(report.statements ?? null).toEqual(
      evaluated === 0 ? null : { declared: evaluated, evaluated, failed: 0, unevaluated: [] },
    );
  });
});

describe('a statement that nothing decides is counted, and fails nothing', () => {
  it.each([
    ['invariants: ["The sign is kept"]', 'double.invariant-1', /prose/],
    ['invariants: ["D(x) ≈ 2·x"]', 'double.invariant-1', /tolerance/],
    ['invariants: ["D(x)_i = weight_k · x_i"]', 'double.invariant-1', /weight_k/],
    ['invariants: ["n ≥ 2"]', 'double.invariant-1', /does not mention double/],
    ['preconditions: ["the caller owns the buffer"]', 'double.precondition-1', /prose/],
    ['codomain: "a vector of doubled entries"', 'double.codomain', /./],
  ])('%s', async (key, id, reason) => {
    const report = await stating(key);
    expect([report.verdict, report.level]).toEqual([plain.verdict, plain.level]);
    expect(report.statements).toMatchObject({ declared: 1, evaluated: 0, failed: 0 });
    expect(report.statements?.unevaluated).toEqual([
      expect.objectContaining({ id, reason: expect.stringMatching(reason) }),
    ]);
  });

  it('also where no digits decide, as with the open ends of a logistic function', async () => {
    const contract = `metadata: { version: "1.0.0", description: Logistic, references: [a] }
equations:
  logistic:
    formula: "S(x)_i = 1 / (1 + exp(-x_i))"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 2, |x_i| ≤ 1e4"
    codomain: "S(x) ∈ (0, 1)^n"
    invariants: ["S(x) ∈ [0, 1]^n"]
`;
    const { statements } = await audited('logistic-v1', contract, [], 100);
    expect(statements).toMatchObject({ declared: 2, evaluated: 1, failed: 0 });
    expect(statements?.unevaluated).toEqual([expect.objectContaining({ id: 'logistic.codomain' })]);
  });
});

it('a statement is not evidence for a kernel: a wrong one still falls', async () => {
  const wrong = { ...doublingKernel, text: doublingKernel.text.replace('2 *', '3 *') };
  const contract = doublingContract([['D(x)_i = x_i + x_i']]).replace(
    'proof_obligations:',
    '    invariants: ["D(x)_i = 2·x_i"]\nproof_obligations:',
  );
  const report = await audited('double-v1', contract, [wrong], 200);
  expect(report.verdict).toBe('falsified');
  expect(report.claims.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['C0', 'falsified'],
    ['double.invariant-1', 'tested'],
  ]);
});

it('a contract that only states is not green', async () => {
  const contract = doublingContract([]).replace(/proof_obligations:\n/u, '    invariants: ["D(x)_i = 2·x_i"]\n');
  const report = await audited('double-v1', contract, [doublingKernel], 200);
  expect([report.verdict, report.declared]).toEqual(['undetermined', 0]);
});

it.each(['invariants: ["D(x)_i = 2·x_i"]', 'invariants: ["D(x)_i = 4·x_i"]'])(
  'the claims of each verdict add up to the claims that are declared, beside %s',
  async (key) => {
    const contract = doublingContract([['D(x)_i = x_i + x_i']]).replace(
      'proof_obligations:',
      `    ${key}\nproof_obligations:`,
    );
    const report = await auditedPlan(await planOf({ 'double-v1': contract }, [doublingKernel], { cases: 1000 }));
    const counted = tallies(report).reduce((sum, { claims }) => sum + claims, 0);
    const byVerdict = Object.values(report.totals.byVerdict).reduce((sum, claims) => sum + claims, 0);
    expect([counted, byVerdict]).toEqual([report.totals.declared, report.totals.declared]);
  },
);
