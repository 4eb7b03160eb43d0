import { describe, expect, it } from 'vitest';
import { evaluate, model, tensor, vector } from '../support.ts';

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

describe('functions that papers use without a definition', () => {
  it('softmax of a vector, and of each row of a matrix', () => {
    const [a, b] = evaluate(model('y = softmax(x)', 'x ∈ F32^n'), { x: vector(0, Math.log(3)), n: 2 });
    expect([a, b]).toEqual([expect.closeTo(0.25, 12), expect.closeTo(0.75, 12)]);
    const rows = evaluate(model('Y = softmax(X)', 'X ∈ F32^{m×n}'), {
      X: tensor([0, 0], [0, Math.log(3)]),
      m: 2,
      n: 2,
    });
    [0.5, 0.5, 0.25, 0.75].forEach((share, i) => expect(rows[i]).toBeCloseTo(share, 12));
  });

  it.each(['SiLU', 'silu', 'swish'])('%s is x·σ(x), of numbers and of each element', (name) => {
    expect(evaluate(model(`y = ${name}(x)`, 'x ∈ F32'), { x: 2 })[0]).toBeCloseTo(2 * logistic(2), 12);
    expect(evaluate(model(`y = ${name}(x)`, 'x ∈ F32^n'), { x: vector(-1, 2), n: 2 })[0]).toBeCloseTo(
      -logistic(-1),
      12,
    );
  });

  it('a definition of the author wins', () => {
    expect(evaluate(model('y = silu(x) where silu(z) = z + 1', 'x ∈ F32'), { x: 2 })).toEqual([3]);
  });

  it.each(['C', 'binom', 'binomial', 'comb'])('%s(n, k) is the binomial coefficient of whole numbers', (name) => {
    const chosen = model(`c = ${name}(n, k)`, 'n, k ∈ ℕ, n ≤ 40');
    expect(evaluate(chosen, { n: 10, k: 3 })).toEqual([120]);
    expect(evaluate(chosen, { n: 3, k: 10 })).toEqual([0]);
    expect(() => model(`c = ${name}(x, k)`, 'x ∈ ℝ, k ∈ ℕ')).toThrow('PV-4003: n choose k is of whole numbers');
  });

  it('C is what an author defines', () => {
    expect(evaluate(model('c = C(n, k) where C(a, b) = a + b', 'n, k ∈ ℕ'), { n: 10, k: 3 })).toEqual([13]);
  });

  it('a softmax of something computed on the left side names an equation by its key', () => {
    const scaled = model('softmax(z/T)_i = exp(z_i/T) / Σ_j exp(z_j/T)', 'z ∈ F32^n, T > 0');
    evaluate(scaled, { z: vector(0, 2 * Math.log(3)), T: 2, n: 2 }).forEach((share, i) => {
      expect(share).toBeCloseTo(i === 0 ? 0.25 : 0.75, 12);
    });
  });

  it('methods of Rust mean the functions of the same name', () => {
    expect(evaluate(model('y = x.sqrt()', 'x ∈ F32, x > 0'), { x: 4 })).toEqual([2]);
    expect(model('y_i = x_i', 'x ∈ F32^n, x.len() > 3').domain.sizes).toMatchObject([{ minimum: 4 }]);
  });
});
