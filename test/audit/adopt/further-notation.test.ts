/** Notation of papers about indicators, built-in words and pairs of cases: each formula with a claim that holds and one that does not. */
import { describe, expect, it } from 'vitest';
import { adopted, saidOf, wordsOf } from './adopted.ts';

const bits = 'x, y ∈ {-1, 0, 1}^n, n ≤ 3';

describe('an indicator', () => {
  it.each([
    ['c = Σ_i [x_i > 0]', bits, 'c = #{i : x_i > 0}', 'c = n'],
    ['c = (1/n) Σ_i 𝟙[x_i = y_i]', bits, '0 ≤ c ≤ 1', 'c = 1'],
    ['h(x) = [x > 0]·x', 'x ∈ {-2, …, 2}', 'h(x) = max(0, x)', 'h(x) = x'],
    ['h(x)_i = 𝟏[x_i > 0]', bits, 'h(x)_i ∈ {0, 1}', 'h(x)_i = 1'],
  ])('%s is 1 where its condition holds', async (formula, domain, right, wrong) => {
    expect(await wordsOf(formula, domain, [right, wrong])).toEqual(['held', 'false']);
  });

  it('after a factor is refused, since it may be a remark', async () => {
    expect(await wordsOf('h(x) = √(x) [x ≥ 0]', 'x ∈ {0, 1, 4}', ['h(x) ≥ 0'])).toEqual(['not-run']);
  });
});

describe('an equation with the key of a built-in function that its formula uses', () => {
  it('computes with the function, under its symbol', async () => {
    const text = [
      'metadata: { version: "1.0.0", description: Tried }',
      'equations:',
      '  clip: { formula: "L(r) = min(r, clip(r, 0, 1))", domain: "r ∈ {-2, …, 2}" }',
      'proof_obligations:',
      '  - { id: C-1, type: invariant, property: p, formal: "L(r) = min(r, 1)" }',
      '  - { id: C-2, type: invariant, property: p, formal: "L(r) ≥ 0" }',
      '  - { id: C-3, type: invariant, property: p, formal: "L(r) ≤ clip(r, 0, 1)" }',
      '',
    ].join('\n');
    const adoption = await adopted({ 'clip-v1': text });
    expect(['C-1', 'C-2', 'C-3'].map((id) => saidOf(adoption, id).word)).toEqual(['held', 'false', 'held']);
  });
});
