/**
 * How to fix a claim that its own equation breaks: what is false over the reals is wrong, and what only float32 breaks needs a tolerance,
 * with which it holds once that is typed. Holds src/report/own-advice.ts, src/plan/over-reals-at.ts.
 */
import { describe, expect, it } from 'vitest';
import type { ClaimReport } from '../../src/report/report.ts';
import { contractProblems } from '../../src/report/contract-problems.ts';
import { claimStory } from '../../src/report/claim-story.ts';
import { ownAdvice } from '../../src/report/own-advice.ts';
import { audited } from '../audit/audited.ts';

const judged = async (formal: string, more = '', domain = '-10 ≤ x_i ≤ 10'): Promise<ClaimReport> => {
  const yaml = `metadata: { version: "1.0.0", description: d }
equations:
  f:
    formula: "f(x) = Σ_i x_i"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, ${domain}"
proof_obligations:
  - { id: C, type: invariant, property: p, applies_to: f, formal: "${formal}"${more} }
`;
  const contract = await audited('c-v1', yaml, [], 1000);
  const [claim] = contract.claims;
  if (!claim) throw new Error('the contract has a claim');
  const general = contractProblems(contract).find(({ kind }) => kind === 'unsound')?.advice;
  expect(general === null).toBe(ownAdvice(claim) !== null);
  return claim;
};

const adviceOf = (claim: ClaimReport): string => {
  const advice = ownAdvice(claim);
  if (advice !== null) expect(claimStory(claim)).toContain(advice);
  return advice ?? '';
};

describe('a claim that is false over the reals, too', () => {
  it.each(['f(x) > 3', 'f(x) ≤ 9', 'f(2·x) = 3·f(x)'])('%s is to be corrected', async (formal) => {
    const claim = await judged(formal);
    expect(claim).toMatchObject({ verdict: 'unsound', counterexample: { overReals: { verdict: 'false' } } });
    expect(adviceOf(claim)).toMatch(/^it is false over ℝ, too: .*\d is false.*; to fix it, correct the claim/u);
    expect(adviceOf(claim)).not.toMatch(/tolerance/u);
  });
});

describe('a claim that overflows where rounding breaks it', () => {
  const softmax = async (formal: string): Promise<string> => {
    const yaml = `metadata: { version: "1.0.0", description: d }
equations:
  softmax:
    formula: "σ(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))"
    domain: "x ∈ ℝ^n, n ≥ 1"
proof_obligations:
  - { id: C, type: bound, property: p, applies_to: softmax, formal: "${formal}" }
`;
    const [claim] = (await audited('c-v1', yaml, [], 1000)).claims;
    expect(claim).toMatchObject({
      verdict: 'unsound',
      counterexample: { explanation: expect.stringContaining('NaN') },
    });
    return claim ? adviceOf(claim) : '';
  };

  it('is false over ℝ if it is false at other inputs', async () => {
    expect(await softmax('max(σ(2·x)) ≤ max(σ(x))')).toMatch(
      /^it is false over ℝ, too: at n = 2, x = \[.*\], over the reals, 0\.\d+ ≤ 0\.\d+ is false/u,
    );
  });

  it('holds there if no other input breaks it', async () => {
    expect(await softmax('max(σ(2·x)) ≥ max(σ(x))')).toMatch(/^over ℝ it holds there; to fix it, narrow the domain/u);
  });
});

describe('a claim that only rounding breaks', () => {
  it.each([
    ['f(x) ≈ f_ref(x)', ', tolerance: { abs: 1.0e-9 }', /tolerance to abs ([\d.e-]+),/u, ', tolerance: { abs: $1 }'],
    [
      'f(3·x) ≈ 3·f(x)',
      ', tolerance: { rel: 1.0e-9, abs: 1.0e-10 }',
      /tolerance to abs ([\d.e-]+) \+ rel ([\d.e-]+),/u,
      ', tolerance: { abs: $1, rel: $2 }',
    ],
    ['f(x) ≈ f_ref(x)', ', tolerance: { ulp: 0.5 }', /tolerance to ulp ([\d.e-]+),/u, ', tolerance: { ulp: $1 }'],
  ])('%s with %s holds with the tolerance that is printed', async (formal, more, printed, typed) => {
    const claim = await judged(formal, more);
    expect(claim).toMatchObject({ verdict: 'unsound', counterexample: { overReals: { verdict: 'true', why: null } } });
    const [, first = '', second = ''] = printed.exec(adviceOf(claim)) ?? [];
    expect(Number(first)).toBeGreaterThan(0);
    const again = await judged(formal, typed.replace('$1', first).replace('$2', second));
    expect(again.verdict).toBe('unbound');
  });

  it('holds with ≈ and the number that is printed in place of =, or with it added in place of ≤', async () => {
    const [equal, less] = [await judged('f(3·x) = 3·f(x)'), await judged('f(x) ≤ Σ_i x_i')];
    const [, abs = ''] =
      /^over ℝ it holds there.* ≈ for =, with tolerance: \{ abs: ([\d.e-]+) \}/u.exec(adviceOf(equal)) ?? [];
    expect((await judged('f(3·x) ≈ 3·f(x)', `, tolerance: { abs: ${abs} }`)).verdict).toBe('unbound');
    const [, added = ''] = /^over ℝ it holds there.*allow ([\d.e-]+) by adding/u.exec(adviceOf(less)) ?? [];
    expect((await judged(`f(x) ≤ Σ_i x_i + ${added}`)).verdict).toBe('unbound');
  });

  it('has no such number where its formula overflows', async () => {
    const claim = await judged('f(x) ≈ f_ref(x)', ', tolerance: { rel: 1.0e-3 }', 'x_i ≥ 3.0e38');
    expect(claim).toMatchObject({
      verdict: 'unsound',
      counterexample: { overReals: { verdict: 'true', largest: null } },
    });
    expect(adviceOf(claim)).toMatch(/^over ℝ it holds there; to fix it, narrow the domain/u);
  });
});

describe('a strict claim whose sides are equal in float32', () => {
  it('is to be written with ≤ or ≥, as pv adopt says', async () => {
    const claim = await judged('f(x) < f(x) + 1 / (2 + |f(x)|)', '', '10^9 ≤ x_i ≤ 10^10');
    expect(claim).toMatchObject({ verdict: 'unsound', counterexample: { overReals: { verdict: 'true' } } });
    expect(adviceOf(claim)).toBe(
      'over ℝ it holds there; to fix it, write ≤ or ≥, since both sides are equal there, or narrow the domain so that the difference is not rounded away',
    );
  });
});
