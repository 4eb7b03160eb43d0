/** Premises that inputs meet. Holds src/audit/adopt/met-premises.ts. */
import { describe, expect, it } from 'vitest';
import { adopted, contractOf, saidOf, saidOfEach } from './adopted.ts';

const difference = [
  'f = 0 when a = b = 3',
  'f = 0 when b = 3 = a',
  'f(s, t) = 0 when s = t = 1',
  'f ≥ 0 when a ≥ b ≥ 1',
  'f > 0 when 0 < b < a',
  'f > 0 when a > b > 0',
];

describe('every link of a chained condition counts', () => {
  it.each(['a, b ∈ {1, 2, 3, 4}', 'a, b ∈ ℝ', 'a, b ∈ [0, 4]', 'a, b ∈ ℕ⁺', 'a ∈ [0, 4], b ∈ {1, 2, 3, 4}'])(
    'where %s',
    async (domain) => {
      for (const said of await saidOfEach('f = a - b', domain, difference))
        expect(said, said.reason).toMatchObject({ word: 'held' });
    },
  );

  it('in a domain, in preconditions of an equation, and as what a claim requires', async () => {
    const [below] = await saidOfEach('f = a - b', 'a, b ∈ {1, 2, 3, 4}, 4 ≥ a ≥ b', ['f ≥ 0']);
    expect(below?.word).toBe('held');
    const more = ['preconditions: ["a ≥ b ≥ 2"]'];
    const [least, most, narrow] = await saidOfEach(
      'f = a - b',
      'a, b ∈ {1, 2, 3, 4}',
      ['f ≥ 0', 'f ≤ 2', 'f ≤ 1'],
      more,
    );
    expect([least?.word, most?.word, narrow?.word]).toEqual(['held', 'held', 'false']);
    const plain = contractOf('f = a - b', 'a, b ∈ {1, 2, 3, 4}', ['f ≥ 0']);
    const requires = plain.replace('formal: "f ≥ 0"', 'formal: "f ≥ 0", requires: ["a ≥ b ≥ 1"]');
    expect(saidOf(await adopted({ 'f-v1': requires }), 'C-1').word).toBe('held');
  });

  it('of equal inputs in any order, and what is false of them is false', async () => {
    const formula = 'MCC = (TP·TN - FP·FN) / sqrt((TP + FP)·(TP + FN)·(TN + FP)·(TN + FN))';
    const claims = [
      'MCC = 0 when TP = FP = TN = FN',
      'MCC = 0 when FN = TP = TN = FP',
      'MCC = 1 when TP = FP = TN = FN',
    ];
    const said = await saidOfEach(formula, 'TP, FP, TN, FN ∈ ℕ⁺', claims);
    expect(said.map(({ word }) => word)).toEqual(['held', 'held', 'false']);
  });
});

describe('equal inputs keep the bounds of each', () => {
  it('of the domain', async () => {
    const said = await saidOfEach('r = x/y', 'x ≥ 0, y > 0', [
      'r = 1 when x = y',
      'r = 1 when y = x',
      'r = 2 when x = 2y',
    ]);
    expect(said.map(({ word }) => word)).toEqual(['held', 'held', 'held']);
  });

  it.each([
    ['H = a + δ', 'a ∈ ℝ, δ > 0', 'H > 0 when a = δ'],
    ['q = x/s', 'x ∈ ℝ, s ∈ [1, 2]', 'q = 1 when x = s'],
    ['f = x - n', 'x ∈ [0, 9], n ∈ ℕ⁺', 'f = 0 when x = n'],
    ['f = x + y', 'x ∈ [-4, 4], y ∈ {1, 2, 8}', 'f ≤ 4 when x = y'],
    ['f = |x| + |y|', 'x ≠ 0, y ∈ [-1, 1]', 'f > 0 when x = y'],
  ])('%s where %s: %s', async (formula, domain, claim) => {
    const [said] = await saidOfEach(formula, domain, [claim]);
    expect(said?.word, said?.reason).toBe('held');
  });

  it('and an input that exact arithmetic finds outside of them is no counterexample', async () => {
    const [said] = await saidOfEach('f = 3·x - y', 'x, y ∈ [-9, 9]', ['f = 0 when x = y/3']);
    expect(said).toMatchObject({ word: 'not-run', counterexample: null });
  });
});

it.each(['a = b = c = d → g = 0', 'a = b ∧ c = d → g = 0', 'g = 0 when a = b = c = d'])(
  'a premise of equal inputs is met by construction: %s',
  async (claim) => {
    for (const domain of ['a, b, c, d ∈ [-9, 9]', 'a, b, c, d ∈ ℝ', 'a, b, c, d ∈ ℤ']) {
      const [said] = await saidOfEach('g = (a - b) + (c - d)', domain, [claim]);
      expect(said?.word, said?.reason).toBe('held');
    }
    const [said] = await saidOfEach('g = a - b + c + d', 'a, b, c, d ∈ [-9, 9]', [claim]);
    expect(said?.word).toBe('false');
  },
);

describe('an input that equals a number', () => {
  it('is met by construction, after a claim and before it', async () => {
    const claims = [
      't = 0.75 ⟹ f ≤ 10.01',
      'f ≤ 10.01 when t = 0.75',
      't = 0.75 ∧ a = 2 ⟹ f ≤ 8.01',
      't = 0.75 ⟹ f ≤ 9',
    ];
    const said = await saidOfEach('f = (1 - t)·a + t·b', 'a, b ∈ [-10, 10], t ∈ [0, 1]', claims);
    expect(said.map(({ word }) => word)).toEqual(['held', 'held', 'held', 'false']);
  });

  it('is vacuous where no input of the domain equals it', async () => {
    const claims = ['t = 5 ⟹ f ≤ 1', 'n = 2.5 ⟹ f ≤ 1', 'f ≤ 1 when n = 2.5'];
    const said = await saidOfEach('f = t·n', 't ∈ [0, 1], n ∈ ℕ, n ≤ 5', claims);
    expect(said.map(({ word }) => word)).toEqual(['vacuous', 'vacuous', 'vacuous']);
  });
});

describe('of several implications, each premise must be met', () => {
  const said = (claims: readonly string[]): ReturnType<typeof saidOfEach> =>
    saidOfEach('f = a + b', 'a, b ∈ {3, 4, 5, 6, 7, 8, 9}', claims);

  it('by one input each, in whichever order they are written', async () => {
    const held = await said([
      'f = 7 for a = 3, b = 4, f = 8 for a = 5, b = 3',
      '(a < 5 ⟹ f < 14) ∧ (a ≥ 5 ⟹ f ≥ 8)',
      'a > 5 ⟹ (b > 5 ⟹ f > 11)',
    ]);
    expect(held.map(({ word }) => word)).toEqual(['held', 'held', 'held']);
  });

  it.each([
    ['f = 7 for a = 3, b = 4, f = 8 for a = 1, b = 2', 'b = 2 ∧ a = 1'],
    ['f = 8 for a = 1, b = 2, f = 7 for a = 3, b = 4', 'b = 2 ∧ a = 1'],
    ['(a < 50 ⟹ f < 60) ∧ (a > 50 ⟹ f = 0)', 'a > 50'],
    ['(a > 50 ⟹ f = 0) ∧ (a < 50 ⟹ f < 60)', 'a > 50'],
    ['f ≥ 6 ∧ (a > 3 ⟹ f > 6) ∧ (f > 50 ⟹ f = 0)', 'f > 50'],
    ['a > 5 ⟹ (b > 50 ⟹ f = 0)', 'a > 5 ∧ b > 50'],
  ])('%s is not run, since no input meets %s', async (claim, premise) => {
    const [one] = await said([claim]);
    expect(one?.word).toBe('not-run');
    expect(one?.reason).toContain(`met its premise ${premise};`);
  });

  it('what is false of the one that is met is false', async () => {
    const [one] = await said(['f = 9 for a = 3, b = 4, f = 8 for a = 1, b = 2']);
    expect(one?.word).toBe('false');
  });
});
