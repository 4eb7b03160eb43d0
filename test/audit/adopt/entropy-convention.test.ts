/** Where a product t·log t has no value at t = 0, it is 0; nothing else is given a value. */
import { describe, expect, it } from 'vitest';
import { adopted, contractOf, saidOf } from './adopted.ts';

const of = async (formula: string, domain: string, claim: string) =>
  saidOf(await adopted({ 'f-v1': contractOf(formula, domain, [claim]) }), 'C-1');

const simplex = 'p ∈ Δ^n, 2 ≤ n ≤ 8';

describe('0·log 0', () => {
  it.each([
    ['an entropy', 'f(p) = -Σ_i p_i · log(p_i)', simplex, 'f(p) ≥ 0'],
    ['an entropy in bits', 'f(p) = -Σ_i p_i · log2(p_i)', simplex, 'f(p) ≥ 0'],
    ['a logarithm in front', 'f(p) = Σ_i log(p_i) · p_i', simplex, 'f(p) ≤ 0'],
    ['a scaled one', 'f(t) = -2 · t · log(t) / 3', 't ∈ ℝ, 0 ≤ t ≤ 1', 'f(t) ≥ 0'],
    ['a divergence', 'f(p, q) = Σ_i p_i · log(p_i / q_i)', `${simplex}, q ∈ Δ^n, q_i > 0`, 'f(p, q) ≥ -1e-3'],
  ])('is 0 in %s, which the reason says', async (_, formula, domain, claim) => {
    const said = await of(formula, domain, claim);
    expect(said).toMatchObject({ word: 'held', counterexample: null });
    expect(said.reason).toMatch(
      /^held on \d+ inputs over ℝ and [\d,]+ inputs in float arithmetic; 0·log 0 = 0 is assumed$/u,
    );
  });

  it('makes a claim false that only its value breaks', async () => {
    const said = await of('f(p) = -Σ_i p_i · log(p_i)', 'p ∈ {0, 1}^n, n = 2', 'f(p) > 0');
    expect(said).toMatchObject({ word: 'false' });
    expect(said.counterexample?.explanation).toMatch(/^over the reals, 0 > 0 is false/u);
    expect(said.reason).toBe('a counterexample in exact arithmetic; 0·log 0 = 0 is assumed');
  });

  it('is not mentioned where the claim does not need it', async () => {
    const formula = 'f(p) = -Σ_i p_i · log(p_i)';
    const positive = await of(formula, 'p ∈ ℝ^n, 1 ≤ n ≤ 4, 0.1 ≤ p_i ≤ 1', 'f(p) ≥ 0');
    expect(positive.word).toBe('held');
    expect(positive.reason).not.toContain('assumed');
  });
});

describe('no value is given to', () => {
  it.each([
    ['a logarithm of something else', 'f(p, q) = -Σ_i p_i · log(q_i)', `${simplex}, q ∈ Δ^n`, 'f(p, q) ≥ 0'],
    ['a product that is divided by t', 'f(t) = t · log(t) / t', 't ∈ ℝ, 0 ≤ t ≤ 1', 'f(t) ≥ -1e9'],
    ['a product with another input', 'f(t, s) = s · t · log(t)', 't, s ∈ ℝ, 0 ≤ t ≤ 1, 0 ≤ s ≤ 1', 'f(t, s) ≤ 0'],
    [
      'a case of an equality that fails',
      'f(t) = { 0 if t = 0; t · log(t) otherwise }',
      't ∈ ℝ, -1 ≤ t ≤ 1',
      'f(t) ≥ -1',
    ],
    ['a negative t', 'f(t) = t · log(t)', 't ∈ ℝ, -1 ≤ t ≤ 1', 'f(t) ≥ -1'],
  ])('%s', async (_, formula, domain, claim) => {
    const said = await of(formula, domain, claim);
    expect(said).toMatchObject({ word: 'not-run', counterexample: null });
    expect(said.reason).toMatch(/^a formula has no value at /u);
  });
});
