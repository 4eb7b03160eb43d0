/**
 * Equations that can be computed in another reading than the one that is written.
 *
 * Holds src/contract/elaborate/equations/collections.ts, src/contract/elaborate/equations/approximations.ts.
 */
import { describe, expect, it } from 'vitest';
import { elaborateEquationFromText } from '../../../../src/contract/elaborate/equations/from-text.ts';
import { printTerm } from '../../../../src/math/term/print-term.ts';
import { elaborated, evaluate, vector } from '../support.ts';

const read = (formula: string, domain: string) => elaborateEquationFromText({ formula, domain });

describe('a collection that the domain describes', () => {
  it('is a vector: |S| is its length, and |S_k| counts the labels that are k', () => {
    const { model } = read('G(S) = 1 - Σ_k p_k² where p_k = |S_k|/|S|', 'S = multiset of class labels, |S| ≥ 1');
    if (!model) throw new Error('not read');
    expect(evaluate(model, { S: vector(0, 2, 2, 2), n: 4, K: 3 })).toEqual([1 - (1 / 16 + 9 / 16)]);
    expect(model.unread).toContain('S = multiset of class labels');
  });

  it('has the elements whose mean is named', () => {
    const { model } = read('M(S) = (1/|S|) Σ(y_i - ȳ)² where ȳ = mean(S)', 'S = set of real-valued targets, |S| ≥ 1');
    if (!model) throw new Error('not read');
    expect(evaluate(model, { S: vector(1, 3), n: 2 })).toEqual([1]);
  });
});

describe('a sum over a set that nobody declares', () => {
  it('is as many summands as the set has elements', () => {
    const { model } = read('c(t) = sum_{l in A} 2 * t', 'Only some layers contribute, t ≥ 0');
    if (!model) throw new Error('not read');
    expect(evaluate(model, { t: 5, A: 3 })).toEqual([30]);
    expect(model.unread).toBe('A is read as its number of elements');
    expect(model.widens).not.toBe(true);
  });

  it('is not read where the summand uses its elements', () => {
    expect(read('c(t) = sum_{l in A} w_l * t', 'Only some layers contribute, t ≥ 0').model).toBeNull();
    expect(read('c(t) = sum_{l in A} l * t', 'Only some layers contribute, t ≥ 0').model).toBeNull();
  });
});

describe('a set without its zero', () => {
  it.each([
    ['x ∈ ℝ^d \\ {0}', '¬(∀_{i<d}: x_i = 0)'],
    ['x ∈ \\mathbb{R}^d \\setminus \\{0\\}', '¬(∀_{i<d}: x_i = 0)'],
  ])('has no zero vector: %s', (domain, expected) => {
    const { model } = read('f(x) = Σ_i x_i', domain);
    expect(model?.domain.preconditions.map((term) => printTerm(term).replaceAll(/~\d/gu, ''))).toEqual([expected]);
  });

  it('has no zero, nor any other number that is taken out', () => {
    const { model } = read('f(x) = 1 / (x·(x - 1))', 'x ∈ ℝ \\ {0, 1}');
    expect(model?.domain.variables[0]?.excluded.map((term) => printTerm(term))).toEqual(['0', '1']);
    expect(read('f(A) = A', 'A ∈ ℝ^{m×n} \\ {1}').model).toBeNull();
  });
});

describe('a name that another equation declares', () => {
  const contract = (other: string) =>
    elaborated({
      equations: `
lookup: { formula: "E(t) = W_e[t, :]", domain: "t ∈ [0, V), W_e ∈ ℝ^{V × d}" }
tied: { formula: "W_u = W_e", domain: "Shared matrix for input and output" }
${other}`,
      obligations: '- { id: C, type: invariant, property: p, formal: "shape(W_u) = [V, d]" }',
    });

  it('has the type that it has there, which is said', () => {
    const { equations, notGoals } = contract('');
    const tied = equations.find(({ name }) => name === 'tied');
    expect(tied?.result.kind).toBe('tensor');
    expect(tied?.unread).toContain('takes W_e ∈ ℝ^{V × d} from another equation');
    expect(notGoals[0]?.asRead).toBeDefined();
  });

  it('is a number where two equations differ', () => {
    const { equations } = contract('other: { formula: "g = Σ_i W_e_i", domain: "W_e ∈ ℝ^k" }');
    expect(equations.find(({ name }) => name === 'tied')?.result.kind).toBe('float');
  });
});

describe('an index that an equation is given', () => {
  it('runs over all that the equation allows', () => {
    const { goals } = elaborated({
      equations: 'mask: { formula: "m(i, j) = 1 if j ≤ i else 0", domain: "n ≥ 1, n ∈ ℕ, i, j ∈ [0, n)" }',
      obligations: '- { id: C, type: bound, property: p, formal: "∀i: sum_j(m(i, j)) <= n" }',
    });
    expect(goals.length).toBe(1);
    expect(goals[0]?.applications[0]?.each?.sizes.map((size) => printTerm(size))).toEqual(['n']);
  });
});
