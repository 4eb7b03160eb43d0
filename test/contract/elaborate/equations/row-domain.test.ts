/**
 * Inputs that a domain declares by their elements or without the index of their step. Holds src/contract/elaborate/equations/state-domain.ts,
 * src/contract/elaborate/equations/other-readings.ts, src/contract/elaborate/domains/simplices.ts and
 * src/contract/elaborate/claims/row-calls.ts.
 */
import { describe, expect, it } from 'vitest';
import { elaborateEquationFromText } from '../../../../src/contract/elaborate/equations/from-text.ts';
import { elaborated, evaluate, model, tensor, vector } from '../support.ts';

const shapes = (formula: string, domain: string, codomain?: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    model(formula, domain, codomain).parameters.map(({ name, type }) => [
      name,
      type.kind === 'tensor' ? type.shape.length : 0,
    ]),
  );

describe('an element in a domain', () => {
  it.each([
    ['a sum runs over it', 'L = Σ_i (y_i - z_i)²', 'y_i ∈ ℝ, z_i ∈ [0, 1]', { y: 1, z: 1 }],
    ['its end is a size', 'g = (1/N) · Σ_{i=0}^{N-1} g_i', 'g_i ∈ ℝ^n, N ≥ 1', { g: 2 }],
    ['another input has its axis', 'f = Σ_i α_i y_i', 'α_i ∈ [0, 1], y ∈ {-1, 1}^n', { α: 1, y: 1 }],
    ['two indices', 'J = Σ_i Σ_k r_ik (x_i - μ_k)²', 'r_ik ∈ {0, 1}, x_i ∈ ℝ, μ_k ∈ ℝ', { r: 2, x: 1, μ: 1 }],
    ['the left side has it', 's_ij = q_i · k_j / √d', 'q_i, k_j ∈ ℝ^d', { q: 2, k: 2 }],
  ])('is one of many where %s', (_, formula, domain, expected) => {
    expect(shapes(formula, domain)).toEqual(expected);
    expect(elaborateEquationFromText({ formula, domain })).toMatchObject({ problem: null });
  });

  it('is not the same number in every term', () => {
    const sum = model('L = Σ_{i=1}^{n} y_i', 'y_i ∈ ℝ, n ∈ ℕ');
    expect(evaluate(sum, { n: 3, y: vector(1, 10, 100) })).toEqual([111]);
    expect(shapes('L = Σ_{i=1}^{n} L_i', 'L_i ∈ ℝ, n ∈ ℕ')).toEqual({ L: 1 });
  });

  it('is a name of its own where nothing runs over it', () => {
    expect(shapes('K(x_i, x_j) = exp(-‖x_i - x_j‖²)', 'x_i, x_j ∈ ℝ^d')).toEqual({ x_i: 1, x_j: 1 });
  });

  it('gives each element of a result that is a set of numbers', () => {
    expect(shapes('s_ij = q_i · k_j', 'q_i, k_j ∈ ℝ^d', 'ℝ')).toEqual({ q: 2, k: 2 });
  });
});

describe('a step whose states the domain names without their index', () => {
  it('takes the previous states', () => {
    const step = model('θ_t = θ_{t-1} - η·g_t', 'θ, g ∈ ℝ^d, η > 0');
    expect(step.parameters.map(({ name }) => name).toSorted()).toEqual(['g_t', 'η', 'θ_{t-1}'].toSorted());
    expect(step).not.toHaveProperty('unread');
  });

  it.each([
    ['an element is given', 's_t = γ·s_{t-1} + x_t', 's ∈ ℝ^n, x ∈ ℝ^n, s_0 = 0, γ ∈ (0, 1)'],
    ['the index is an input', 's_t = γ·s_{t-1}', 's ∈ ℝ^n, t ∈ ℕ, γ ∈ (0, 1)'],
  ])('is not read where %s', (_, formula, domain) => {
    const names = elaborateEquationFromText({ formula, domain }).model?.parameters.map(({ name }) => name) ?? [];
    expect(names).not.toContain('s_{t-1}');
  });

  it('takes any value for what another equation computes from inputs that it does not have', () => {
    const { equations, notGoals } = elaborated({
      equations: [
        'direction: { formula: "c_t = β·m_{t-1} + (1-β)·g_t", domain: "g_t, m_{t-1} ∈ ℝ^d, β ∈ (0, 1)" }',
        'step: { formula: "θ_t = θ_{t-1} - η·sign(c_t)", domain: "θ ∈ ℝ^d, η > 0" }',
      ].join('\n'),
      obligations: '- { id: A, type: bound, property: p, formal: "|θ_t - θ_{t-1}| ≤ η" }',
    });
    const step = equations.find(({ name }) => name === 'step');
    expect(step).toMatchObject({
      unread: expect.stringContaining('any value is taken for c_t') as string,
      widens: true,
    });
    expect(notGoals).toMatchObject([{ claim: 'A', widened: true }]);
  });
});

describe('a simplex', () => {
  it.each([
    ['H = -Σ_k p_k log p_k', 'p ∈ Δ^K (probability simplex)', 'K'],
    ['H = -Σ_k p_k log p_k', 'p ∈ Δ^{K-1}', 'K'],
  ])('%s with %s', (formula, domain, size) => {
    const { domain: read, sizes } = model(formula, domain);
    expect(sizes).toEqual([size]);
    expect(read.variables).toMatchObject([{ name: 'p', structure: 'simplex' }]);
  });

  it('is each row of a matrix', () => {
    expect(model('f(a)_i = Σ_j a_ij²', 'a ∈ Δ^{m × n}').domain.variables).toMatchObject([
      { name: 'a', structure: 'simplex' },
    ]);
  });
});

describe('a function of an element', () => {
  it('has one value per row', () => {
    const entropy = model('H(a_i) = -Σ_j a_ij · log(a_ij)', 'a_i ∈ Δ^n, a_ij > 0');
    const [first, second] = evaluate(entropy, { n: 2, n_i: 2, a: tensor([0.5, 0.5], [0.25, 0.75]) });
    expect(first).toBeCloseTo(Math.log(2));
    expect(second).toBeCloseTo(0.5623);
  });

  it('keeps that meaning in claims', () => {
    const { goals } = elaborated({
      equations: 'p: { formula: "P(x_i) = exp(x_i) / Σ_j exp(x_j)", domain: "x ∈ ℝ^n" }',
      obligations: [
        '- { id: A, type: invariant, property: p, formal: "Σ_i P(x_i) = 1" }',
        '- { id: B, type: invariant, property: p, formal: "Σ_i P(x)_i = 1" }',
      ].join('\n'),
    });
    const [a, b] = goals;
    expect(a?.predicate).toBeDefined();
    expect(a?.applications).toMatchObject(b?.applications ?? []);
    expect(JSON.stringify(a?.predicate, withoutPlaces)).toBe(JSON.stringify(b?.predicate, withoutPlaces));
  });
});

const withoutPlaces = (key: string, value: unknown): unknown => (key === 'origin' || key === 'range' ? null : value);

describe('rows and columns', () => {
  it.each([
    ['f = w^T x + b', 'w, x ∈ ℝ^d, b ∈ ℝ', { d: 2, w: vector(1, 2), x: vector(3, 4), b: 5 }, [16]],
    ['f = 2 x^T A x', 'x ∈ ℝ^d, A ∈ ℝ^{d×d}', { d: 2, x: vector(1, 2), A: tensor([1, 2], [3, 4]) }, [54]],
    ['f = x y^T', 'x ∈ ℝ^m, y ∈ ℝ^n', { m: 2, n: 2, x: vector(1, 2), y: vector(3, 4) }, [3, 4, 6, 8]],
    ['f = (A x)^T y', 'x, y ∈ ℝ^d, A ∈ ℝ^{d×d}', { d: 1, x: vector(2), y: vector(3), A: tensor([4]) }, [24]],
  ])('%s', (formula, domain, values, expected) => {
    expect(evaluate(model(formula, domain), values)).toEqual(expected);
  });
});
