import { describe, expect, it } from 'vitest';
import { elaborateEquationFromText } from '../../../../src/contract/elaborate/equations/from-text.ts';
import { evaluate, model, tensor } from '../support.ts';

describe('a product of letters', () => {
  it.each([
    ['y = ab²', 18],
    ['y = (ab)²', 36],
    ['y = 12·ab^{-1}', 8],
    ['y = ab!', 12],
    ['y = 72/ab²', 4],
    ['y = ab²·ab', 108],
    ['y = a(b + 1)²', 32],
    ['y = ab(a + 1)²', 54],
    ['y = (a(b + 1))²', 64],
    ['y = a²(b + 1)', 16],
  ])('%s is %d at a = 2, b = 3', (formula, value) => {
    expect(evaluate(model(formula, 'a, b ∈ ℝ'), { a: 2, b: 3 })).toEqual([value]);
  });

  it('ends with a matrix that is transposed or indexed', () => {
    const values = { A: tensor([1, 2], [3, 4]), B: tensor([0, 1], [0, 0]) };
    const domain = 'A, B ∈ ℝ^{2×2}';
    expect(evaluate(model('Y = AB^T', domain), values)).toEqual([2, 0, 4, 0]);
    expect(evaluate(model('Y = (AB)^T', domain), values)).toEqual([0, 0, 1, 3]);
    expect(evaluate(model('Y_ij = AB^T_{ij}', domain), values)).toEqual([2, 0, 4, 0]);
  });

  it.each(['y = acc', 'y = ace', 'y = aa', 'Y = Ace'])('is no word: %s', (formula) => {
    const { problem } = elaborateEquationFromText({ formula, domain: 'a, c, e, A ∈ ℝ' });
    expect(problem).toMatchObject({ code: 'PV-4001', message: `nothing declares ${formula.slice(4)}` });
  });
});
