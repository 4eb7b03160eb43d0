import { describe, expect, it } from 'vitest';
import { evaluate, model } from '../support.ts';

describe('a power of brackets', () => {
  it.each([
    ['y = x(1 - x)²', 12],
    ['y = x(1 - x)^2', 12],
    ['y = (x(1 - x))²', 36],
    ['y = 2x(1 - x)²', 24],
    ['y = x²(1 - x)²', 36],
    ['y = x(1 + x)(1 - x)²', 48],
    ['y = max(x, 2)²', 9],
    ['y = f(x)² where f(t) = t + 1', 16],
    ['y = f(x)(1 - x)² where f(t) = t + 1', 16],
    ['y = c(1 - x)² where c = x + 1', 16],
  ])('is that of the factor, not of the product, and of a whole call: %s', (formula, expected) => {
    expect(evaluate(model(formula, 'x ∈ [-3, 3]'), { x: 3 })).toEqual([expected]);
  });

  it('after an element, and after π', () => {
    expect(evaluate(model('y_i = x_i(1 - x_i)²', 'x ∈ ℝ^n'), { x: { shape: [2], data: [3, 2] }, n: 2 })).toEqual([
      12, 2,
    ]);
    expect(evaluate(model('y = π(1 - x)²', 'x ∈ ℝ'), { x: 3 })).toEqual([4 * Math.PI]);
  });
});
