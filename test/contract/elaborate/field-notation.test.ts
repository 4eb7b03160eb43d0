/** Notation that papers use, and what it computes. */
import { describe, expect, it } from 'vitest';
import { elaborateEquationFromText } from '../../../src/contract/elaborate/equations/from-text.ts';
import { elaborated, evaluate, model, tensor, vector } from './support.ts';

const problem = (formula: string, domain: string): string | undefined =>
  elaborateEquationFromText({ formula, domain }).problem?.message;

describe('squares that are defined as a whole', () => {
  it('are used as they are defined, and their root is the name alone', () => {
    const x = vector(1, 3);
    expect(evaluate(model('f(x)_i = x_i / σ² where σ² = 4 · mean(x)', 'x ∈ F32^n'), { x, n: 2 })).toEqual([
      0.125, 0.375,
    ]);
    expect(evaluate(model('f(x)_i = x_i / σ where σ^2 = 2 · mean(x)', 'x ∈ F32^n'), { x, n: 2 })).toEqual([0.5, 1.5]);
    expect(model('σ² = var(x)', 'x ∈ F32^n').symbol).toBe('σ²');
  });

  it('are conditions where the name is an input', () => {
    expect(problem('f(x) = 2x where x² = 4', 'x ∈ ℝ')).toBeUndefined();
    expect(model('f(x) = 2x where x² = 4', 'x ∈ ℝ').domain.preconditions).toHaveLength(1);
  });
});

describe('a bar over a name', () => {
  it('is the mean of that vector', () => {
    expect(evaluate(model('v = Σ_i (y_i - ȳ)²', 'y ∈ F32^n'), { y: vector(1, 2, 6), n: 3 })).toEqual([14]);
  });

  it('means nothing over a number, and less than a definition', () => {
    expect(problem('v = ȳ', 'y ∈ ℝ')).toBe('nothing declares ȳ');
    expect(evaluate(model('v = ȳ where ȳ = 7', 'y ∈ F32^n'), { y: vector(1), n: 1 })).toEqual([7]);
  });
});

describe('capitals right after a number', () => {
  const counts = { TP: 3, FP: 1, FN: 2 };
  it.each([
    ['F = 2TP/(2TP + FP + FN)', 6 / 9],
    ['F = 2PR/(P + R) where P = TP/(TP + FP), R = TP/(TP + FN)', 6 / 9],
  ])('are a factor: %s', (formula, value) => {
    expect(evaluate(model(formula, 'TP, FP, FN ∈ ℕ, TP > 0'), counts)[0]).toBeCloseTo(value, 12);
  });

  it.each(['f(x) = 2GPU x', 'f(x) = 3x faster', 'f(x) = 2ND order'])('are not in words: %s', (formula) => {
    expect(problem(formula, 'x ∈ ℝ')).toBeDefined();
  });
});

describe('logarithms to other bases', () => {
  it.each([
    ['log_2(x + 4)', 3],
    ['log₂(x + 4)', 3],
    ['log2(x + 4)', 3],
    [String.raw`\log_{2}(x + 4)`, 3],
    ['log_10(x + 96)', 2],
  ])('%s', (formula, value) => {
    expect(evaluate(model(`f(x) = ${formula}`, 'x ∈ F32, x ≥ 0'), { x: 4 })).toEqual([value]);
  });
});

describe('sums without indices below their signs', () => {
  it('divide one another', () => {
    const values = { y: vector(1, 3), z: vector(2, 6), n: 2 };
    expect(evaluate(model('r = Σ(y_i)² / Σ(z_i)²', 'y, z ∈ F32^n'), values)).toEqual([0.25]);
    // With indices each term is divided.
    expect(evaluate(model('r = Σ_i y_i / Σ_j z_j', 'y, z ∈ F32^n'), values)).toEqual([0.5]);
  });
});

describe('the number of elements of a set', () => {
  it('counts the indices that satisfy its conditions', () => {
    const values = { y: vector(1, 2, 2), z: vector(1, 0, 2), n: 3 };
    expect(evaluate(model('a = |{i : y_i = z_i}| / n', 'y, z ∈ ℤ^n'), values)).toEqual([2 / 3]);
    expect(evaluate(model('a = |{i : y_i = z_i ∧ y_i = 2}|', 'y, z ∈ ℤ^n'), values)).toEqual([1]);
  });
});

describe('a matrix plus a vector', () => {
  const values = { X: tensor([1, 2, 3], [4, 5, 6]), b: vector(10, 20, 30), m: 2, n: 3 };

  it('adds it to each row', () => {
    expect(evaluate(model('Y = X + b', 'X ∈ F32^{m×n}, b ∈ F32^n'), values)).toEqual([11, 22, 33, 14, 25, 36]);
  });

  it.each([
    ['is as long as the columns', 'Y = X + b', 'X ∈ F32^{m×n}, b ∈ F32^m'],
    ['could be added to rows or columns', 'Y = X + b', 'X ∈ F32^{n×n}, b ∈ F32^n'],
    ['comes first', 'Y = b + X', 'X ∈ F32^{m×n}, b ∈ F32^n'],
    ['is divided by', 'Y = X / b', 'X ∈ F32^{m×n}, b ∈ F32^n'],
  ])('is refused if the vector %s', (_, formula, domain) => {
    expect(problem(formula, domain)).toMatch('do not combine');
  });
});

describe('the inverse of a function', () => {
  it('is not its reciprocal', () => {
    expect(problem('y = g^{-1}(x) where g(t) = ln(t)', 'x ∈ ℝ')).toMatch('no formula for the inverse of g');
    expect(problem('y = tanh^{-1}(x)', 'x ∈ ℝ')).toMatch('no formula for the inverse of tanh');
    expect(evaluate(model('y = c^{-1}(x)', 'c, x ∈ ℝ'), { c: 4, x: 2 })).toEqual([0.5]);
  });
});

describe('an index that is an input', () => {
  it.each([
    ['its elements go up to the end', 'f_i = x_{y_i}', 'x ∈ F32^C, y ∈ {0..C-1}^n'],
    ['it goes up to the end', 'f_i = W_{t,i}', 't ∈ [0, V), W ∈ F32^{V×n}'],
    ['a condition keeps it inside', 'f_i = (x_{y_i} if y_i < C else 0)', 'x ∈ F32^C, y ∈ {0..C}^n'],
    ['the domain keeps it inside', 'f_i = x_{y_i}', 'x ∈ F32^C, y ∈ {0..n}^n, y_i < C'],
  ])('may be used where %s', (_, formula, domain) => {
    expect(problem(formula, domain)).toBeUndefined();
  });

  it.each([
    ['goes past the end', 'f_i = x_{y_i}', 'x ∈ F32^C, y ∈ {0..C}^n'],
    ['belongs to another axis', 'L = -(1/n) Σ_i log(p_{y_i}) where p = softmax(z)', 'z ∈ ℝ^{m×C}, y ∈ {0..C-1}^n'],
    ['goes past the end of the row, too', 'L = Σ_i p_{y_i}', 'p ∈ ℝ^{n×C}, y ∈ {0..C}^n'],
  ])('is refused where it %s', (_, formula, domain) => {
    expect(problem(formula, domain)).toMatch('may be outside');
  });

  it('is one of the row of its own index, where the rows are samples and y_i is a class', () => {
    const nll = model('L = -(1/n) Σ_i log(p_{y_i}) where p = softmax(z)', 'z ∈ ℝ^{n×C}, y ∈ {0..C-1}^n');
    const [loss] = evaluate(nll, { z: tensor([0, Math.log(3)], [0, 0]), y: vector(1, 0), n: 2, C: 2 });
    expect(loss).toBeCloseTo(-(Math.log(0.75) + Math.log(0.5)) / 2, 12);
  });
});

describe('a rate', () => {
  it('is a name of what is computed, if its parts name nothing else', () => {
    expect(model('tok/s = min(a, b)', 'a, b ∈ ℝ').symbol).toBe('tok/s');
    expect(problem('tok/s = min(a, tok)', 'a, tok ∈ ℝ')).toMatch('does not define');
    expect(problem('p/q = a', 'a ∈ ℝ')).toMatch('does not define');
    const ramp = elaborated({ equations: 'ramp: { formula: "s(r) = 2·r", domain: "r ∈ ℝ" }', path: 'other-v1' });
    const speed = 'speed: { formula: "tok/s = min(a, b)", domain: "a, b ∈ ℝ" }';
    const other = new Map([['other-v1', ramp]]);
    expect(elaborated({ equations: speed, dependsOn: ['other-v1'] }, other).equations).toMatchObject([
      { symbol: 'tok/s' },
    ]);
  });
});
