/**
 * Recurrences: sequences computed in order, and one step with its state as an input.
 *
 * Holds src/contract/elaborate/domains/step-names.ts.
 */
import { describe, expect, it } from 'vitest';
import { elaborateEquationFromText } from '../../../../src/contract/elaborate/equations/from-text.ts';
import { evaluate, model, tensor, vector } from '../support.ts';

describe('a sequence is computed from its first elements', () => {
  const x = vector(8, 4, 2);
  it.each([
    ['s_t = γ·s_{t-1} + (1-γ)·x_t, s_0 = 0', [0, 2, 2]],
    ['s_0 = x_0; s_t = γ s_{t-1} + (1-γ) x_t for t ≥ 1', [8, 6, 4]],
    ['s_t = s_{t-1} + x_t, s_{-1} = 0', [8, 12, 14]],
    ['s[t] = s[t-1] + x[t], s[0] = x[0]', [8, 12, 14]],
    ['sₜ = sₜ₋₁ + xₜ, s₀ = 1', [1, 5, 7]],
    ['s_t = x_t if t = 0 else max(s_{t-1}, x_t)', [8, 8, 8]],
    ['s_t = s_{t-1}·r_t, s_0 = 1 where r_t = x_t / x_0', [1, 0.5, 0.125]],
    ['y_0 = x_0, y_t = x_t - x_{t-1}', [8, -4, -2]],
    ['d_t = d_{t-1} + m_t, d_0 = m_0 where m_t = min(m_{t-1}, x_t), m_0 = x_0', [8, 12, 14]],
  ])('%s', (formula, values) => {
    expect(evaluate(model(formula, 'x ∈ F32^T, γ ∈ (0, 1)'), { x, T: 3, γ: 0.5 })).toEqual(values);
  });

  it('with a first element in the domain', () => {
    expect(evaluate(model('s_t = s_{t-1} + x_t', 'x ∈ F32^T, s_0 = 5'), { x, T: 3 })).toEqual([5, 9, 11]);
  });
  it('written as the step to the next element', () => {
    const equation = model('s_{t+1} = s_t + x_t, s_0 = 0', 'x ∈ F32^T', 's ∈ F32^{T+1}');
    expect(evaluate(equation, { x, T: 3 })).toEqual([0, 8, 12, 14]);
  });
  it('from two elements before', () => {
    const equation = model('f_0 = 0, f_1 = 1, f_i = f_{i-1} + f_{i-2}', 'k ∈ ℕ, 2 ≤ k ≤ 30', 'f ∈ F32^k');
    expect(evaluate(equation, { k: 7 })).toEqual([0, 1, 1, 2, 3, 5, 8]);
  });
  it('with vectors for elements', () => {
    const g = tensor([1, 2], [3, 4]);
    const domain = 'g ∈ F32^{T×d}';
    expect(evaluate(model('m_t = m_{t-1}/2 + g_t, m_{-1} = 0', domain), { g, T: 2, d: 2 })).toEqual([1, 2, 3.5, 5]);
    const elementwise = 'm_{t,i} = m_{t-1,i}/2 + g_{t,i}, m_{-1,i} = 0';
    expect(evaluate(model(elementwise, domain), { g, T: 2, d: 2 })).toEqual([1, 2, 3.5, 5]);
  });
  it('with a matrix that carries the state', () => {
    const equation = model('h_t = A·h_{t-1}, h_0 = b', 'A ∈ F32^{d×d}, b ∈ F32^d, T ≤ 8', 'h ∈ F32^{T×d}');
    const values = { A: tensor([0, 1], [1, 1]), b: vector(0, 1), T: 4, d: 2 };
    expect(evaluate(equation, values)).toEqual([0, 1, 1, 1, 1, 2, 2, 3]);
  });
});

describe('one step', () => {
  it('takes the previous state as an input', () => {
    const equation = model('m_t = β·m_{t-1} + (1-β)·g_t', 'm_{t-1} ∈ F32^n, g_t ∈ F32^n, β ∈ (0, 1)', 'm_t ∈ F32^n');
    expect(equation.symbol).toBe('m_t');
    expect(equation.parameters.map(({ name }) => name)).toEqual(['m_{t-1}', 'g_t', 'β']);
    expect(evaluate(equation, { 'm_{t-1}': vector(4, 8), g_t: vector(0, 2), β: 0.5, n: 2 })).toEqual([2, 5]);
  });
  it('may be written for elements', () => {
    const equation = model('m_{t,i} = m_{t-1,i} + g_{t,i}', 'm_{t-1} ∈ F32^n, g_t ∈ F32^n');
    expect(evaluate(equation, { 'm_{t-1}': vector(4, 8), g_t: vector(1, 2), n: 2 })).toEqual([5, 10]);
  });
  it('computes with the number of the step where it is an input', () => {
    const equation = model(
      'θ_t = θ_{t-1} - m̂_t where m_t = m_{t-1}/2 + g_t/2, m̂_t = m_t/(1 - 0.5^t)',
      'θ_{t-1}, m_{t-1}, g_t ∈ F32, t ∈ ℕ, 1 ≤ t ≤ 100',
    );
    expect(evaluate(equation, { 'θ_{t-1}': 3, 'm_{t-1}': 2, g_t: 4, t: 1 })).toEqual([-3]);
  });
  it('of a schedule is a number', () => {
    const equation = model('lr_t = η·t/w if t < w else η', 't ∈ ℕ, w ∈ ℕ, 1 ≤ w ≤ 100, η ∈ (0, 1)');
    expect(evaluate(equation, { t: 2, w: 8, η: 0.5 })).toEqual([0.125]);
  });
});

describe('a recurrence beyond pv keeps its reason', () => {
  it.each([
    ['s_t = s_{t-1} + x_t', /recurrence, and nothing says where it starts/],
    ['s_t = s_{t+1} + x_t, s_0 = 0', /recurrence that pv does not unroll/],
    ['s_t = s_{2t} + x_t, s_0 = 0', /recurrence that pv does not unroll/],
    ['s_t = s_{t-2} + x_t, s_0 = 0', /nothing says where it starts/],
  ])('%s', (formula, reason) => {
    const { model: none, problem } = elaborateEquationFromText({ formula, domain: 'x ∈ F32^T, T ≤ 8' });
    expect(none).toBeNull();
    expect(problem?.kind).toBe('undetermined');
    expect(problem?.message).toMatch(reason);
  });
});
