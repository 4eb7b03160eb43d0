import { describe, expect, it } from 'vitest';
import { evaluate, model } from '../support.ts';

describe('K, M or B right after a number', () => {
  it.each([
    ['y = 2K', 8],
    ['y = 1/2K', 0.125],
    ['y = 2K²', 32],
    ['y = (2K)²', 64],
    ['y = 2K!', 48],
    ['y = 1.5K + K', 10],
    ['y = .5K', 2],
    ['y = 2M + K', 2_000_004],
  ])('is a factor if it is declared: %s', (formula, expected) => {
    expect(evaluate(model(formula, 'K ∈ {1, …, 8}'), { K: 4 })).toEqual([expected]);
  });

  it('is a size too, and a helper', () => {
    const values = { K: 3, x: { shape: [3], data: [1, 2, 3] } };
    expect(evaluate(model('y = 2K + Σ_i x_i', 'x ∈ ℝ^K'), values)).toEqual([12]);
    expect(evaluate(model('y = 2B where B = x + 1', 'x ∈ ℝ'), { x: 3 })).toEqual([8]);
  });

  it('scales the number if nothing declares it', () => {
    expect(evaluate(model('y = 2K + x', 'x ∈ ℝ'), { x: 1 })).toEqual([2001]);
  });
});
