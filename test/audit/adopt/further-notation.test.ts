/**
 * Notation of papers about indicators, built-in words and pairs of cases: each formula with a claim that holds and one that does not.
 *
 * Holds src/contract/elaborate/equations/default-case.ts, src/contract/elaborate/equations/parity-cases.ts.
 */
import { describe, expect, it } from 'vitest';
import { adopted, contractOf, saidOf, wordsOf } from './adopted.ts';

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

describe('the end of a sum', () => {
  it('is whole where the domain gives only its bounds', async () => {
    const words = await wordsOf('y = Σ_{i<k} x_i', 'x ∈ {0, 1}^n, n ≤ 4, 0 ≤ k ≤ n', ['y ≤ k', 'y ≤ 1']);
    expect(words).toEqual(['held', 'false']);
  });

  it('is not where the domain says that it is any number', async () => {
    expect(await wordsOf('y = Σ_{i<k} x_i', 'x ∈ {0, 1}^n, n ≤ 4, k ∈ ℝ, 0 ≤ k ≤ n', ['y ≤ k'])).toEqual(['not-run']);
  });
});

describe('a pair of formulas for even and odd places', () => {
  const pair = 'PE(pos, 2i) = sin(pos / 100^(2i/d)); PE(pos, 2i+1) = cos(pos / 100^(2i/d))';
  const places = 'pos ∈ {0, …, 9}, d ∈ {2, 4, 8}';

  it.each(['i ∈ {0, …, d/2 - 1}', '0 ≤ i < d/2', '0 ≤ i ≤ d/2 - 1'])('defines one function, with %s', async (range) => {
    const claims = [
      '|PE(pos, j)| ≤ 1',
      'PE(0, 2i) = 0',
      'PE(0, 2i+1) = 1',
      'PE(pos, 2i)^2 + PE(pos, 2i+1)^2 = 1',
      'PE(pos, 2i) = PE(pos, 2i+1)',
      'PE(pos, j) ≥ 0',
    ];
    const stated = [`invariants: ${JSON.stringify(claims)}`];
    const adoption = await adopted({ 'a-v1': contractOf(pair, `${places}, ${range}`, [], stated) });
    const words = claims.map((_, i) => saidOf(adoption, `f.invariant-${i + 1}`).word);
    expect(words).toEqual(['held', 'held', 'held', 'false-in-float32', 'false', 'false']);
  });

  it.each([
    [pair, places],
    ['PE(pos, 2i) = sin(pos); PE(pos, 2i) = cos(pos)', `${places}, 0 ≤ i < d/2`],
    ['PE(pos, 2i) = sin(pos); QE(pos, 2i+1) = cos(pos)', `${places}, 0 ≤ i < d/2`],
    ['PE(pos, 2i) = sin(pos); PE(pos, 2i+1) = cos(pos)', `${places}, i ∈ {1, …, d/2}`],
  ])('is left alone without both halves and their end: %s with %s', async (formula, domain) => {
    expect(await wordsOf(formula, domain, ['|PE(pos, 0)| ≤ 1'])).toEqual(['not-run']);
  });
});

describe('a value where the formula would have none', () => {
  it.each([
    'f = a / b, defined as 0 when b = 0',
    'f = a / b (0 if b = 0)',
    'f = a / b, or 0 if b = 0',
    'f = a / b; set to 0 for b = 0.',
  ])('is a case: %s', async (formula) => {
    const claims = ['f = 0 when b = 0', 'f ≤ 1', 'f ≥ 0.5'];
    expect(await wordsOf(formula, 'a, b ∈ {0, 1}', claims)).toEqual(['held', 'held', 'false']);
  });

  it.each(['f = a / b, 0 when the model is large', 'f = a / b, defined as small when b = 0'])(
    'is not a case where it is words: %s',
    async (formula) => {
      expect(await wordsOf(formula, 'a ∈ {0, 1}, b ∈ {1, 2}', ['f ≥ 0.5'])).not.toContain('false');
    },
  );
});

describe('a formula that a comma and words follow', () => {
  it('runs, and is understood where the words only say what a name is', async () => {
    const claims = ['r ≥ 0', 'r ≥ 2'];
    expect(await wordsOf('r = √(a·a), where a is the input', 'a ∈ {0, 1}', claims)).toEqual(['held', 'false']);
    expect(await wordsOf('r = √(a·a), where the empty one is defined as 0', 'a ∈ {0, 1}', claims)).toEqual([
      'not-run',
      'not-run',
    ]);
  });
});
