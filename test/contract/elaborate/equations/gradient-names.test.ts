/** Gradients as backward passes name them: `dL/dx_i = …`. Holds src/contract/elaborate/equations/state-domain.ts. */
import { describe, expect, it } from 'vitest';
import { elaborated, evaluate, tensor, vector } from '../support.ts';
import type { EquationModel } from '../../../../src/contract/goal.ts';

/** The equation, and what of it is not understood; null if it cannot be run. */
function modelOf(formula: string, domain: string): EquationModel | null {
  const equations = `f: { formula: ${JSON.stringify(formula)}, domain: ${JSON.stringify(domain)} }`;
  return elaborated({ equations }).equations[0] ?? null;
}

function computed(formula: string, domain: string, values: Parameters<typeof evaluate>[1]): readonly number[] | null {
  const model = modelOf(formula, domain);
  return model && evaluate(model, values);
}

describe('a gradient', () => {
  it('is what the formula computes, by an input or by its elements', () => {
    const inputs = { y: vector(1, 2), pred: vector(3, 5), n: 2 };
    expect(computed('dL/dpred_i = (2/n)·(pred_i - y_i)', 'y, pred ∈ ℝ^n', inputs)).toEqual([2, 3]);
    expect(computed('dx/dt = -k·x', 'x ∈ ℝ, k > 0', { k: 2, x: 3 })).toEqual([-6]);
  });

  it('on the right side is an input like what it is taken by', () => {
    const values = { y: vector(0.25, 0.75), x: vector(0, 0), dLdy: vector(1, 3), n: 2 };
    const softmax = 'dL/dx_i = y_i * (dL/dy_i - sum_k(y_k * dL/dy_k))';
    expect(computed(softmax, 'x, y ∈ ℝ^n', values)).toEqual([-0.375, 0.375]);
    expect(computed(softmax, 'x ∈ ℝ^n, y ∈ ℝ^n', values)).toEqual([-0.375, 0.375]);
    const product = { A: tensor([1, 2]), B: tensor([3], [4]), C: tensor([0]), dLdC: tensor([10]), m: 1, k: 2, n: 1 };
    const domain = 'A ∈ ℝ^{m×k}, B ∈ ℝ^{k×n}';
    expect(computed('dL/dB = A^T @ dL/dC', `${domain}, C ∈ ℝ^{m×n}`, product)).toEqual([10, 20]);
    expect(computed('dL/dA = dL/dC @ B^T', `${domain}, dL/dC ∈ ℝ^{m×n}`, product)).toEqual([30, 40]);
  });

  it('is not a number where nothing says what it is like', () => {
    expect(modelOf('dL/dB = A^T @ dL/dC', 'A ∈ ℝ^{m×k}, B ∈ ℝ^{k×n}, C = A @ B')).toBeNull();
  });

  it('is a quotient where both parts are declared, or are words', () => {
    expect(computed('r = dL/dx', 'dL ∈ ℝ, dx > 0', { dL: 6, dx: 2 })).toEqual([3]);
    expect(computed('r = dist/dt', 'dist ∈ ℝ, dt > 0', { dist: 6, dt: 2 })).toEqual([3]);
    expect(modelOf('depth/dim = 2·x', 'x ∈ ℝ')?.symbol ?? null).not.toBe('depthdim');
  });
});

describe('a step of which a state is declared alone', () => {
  const formula = 'θ_t = (1 - η)·θ_{t-1} - η·m_hat_t';

  it('is about any value of the others', () => {
    const model = modelOf(formula, 'θ ∈ ℝ^d, η > 0');
    expect(model?.unread).toContain('nothing declares m_hat_t');
    expect(model?.widens).toBeUndefined();
    expect(model?.parameters.map(({ name }) => name)).toContain('m_hat_t');
  });

  it('is not where nothing declares the state itself', () => {
    expect(modelOf(formula, 'η > 0')?.parameters.map(({ name }) => name) ?? []).not.toContain('m_hat_t');
  });
});
