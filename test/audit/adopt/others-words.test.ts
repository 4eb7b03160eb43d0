/**
 * Forms of claims that people write and pv had to be taught, in contracts of their own: what is true is never called false.
 *
 * Holds src/contract/elaborate/operators/vector-functions.ts, src/contract/elaborate/operators/identity-matrix.ts,
 * src/contract/elaborate/equations/stated-shapes.ts, src/contract/elaborate/equations/worded-condition.ts.
 */
import { describe, expect, it } from 'vitest';
import { findings } from './others-words.ts';

describe('functions of vectors', () => {
  const equations = `
copy: { formula: "f(x)_i = x_i", domain: "x ∈ ℝ^n, 2 ≤ n ≤ 6, c ∈ ℝ, s ∈ ℝ" }
impurity: { formula: "M(S) = 1 - Σ_k p_k² where p_k = |S_k|/|S|", domain: "S = multiset of labels, |S| ≥ 1" }
`;
  it('turn round a vector, swap a pair and count what differs', async () => {
    expect(
      await findings(equations, [
        'reverse(reverse(x)) = x',
        'max(reverse(x)) = max(x)',
        'swap([c, s]) = [s, c]',
        'M(S) = 0 iff |unique(S)| = 1',
        'len(unique(x)) <= n',
      ]),
    ).toEqual(['held', 'held', 'held', 'held', 'held']);
  });
  it('do not hold of what is something else', async () => {
    expect(
      await findings(equations, [
        'reverse(x) = x',
        'swap([c, s]) = [c, s]',
        'swap(x) = x',
        'M(S) = 0 iff |unique(S)| = 2',
        '|unique(x)| = 1',
        'len(set(x)) >= 2',
      ]),
    ).toEqual(['false', 'false', null, 'broken in part', 'false', 'false']);
  });
  it('are the author’s where one is defined', async () => {
    const own = 'swap: { formula: "swap(a, b) = a - b", domain: "a, b ∈ ℝ, |a| ≤ 9, |b| ≤ 9" }';
    expect(await findings(own, ['swap(a, b) = a - b + 0', 'swap(a, b) = b'])).toEqual([null, 'false']);
  });
});

describe('shapes that a formula states', () => {
  const equations = `
layout: { formula: "shape(w_out) == transpose(shape(w_in)) = [width, heads * depth]", domain: "usual layout" }
`;
  it('are those of its tensors', async () => {
    expect(
      await findings(equations, [
        'shape(w_out) = reverse(shape(w_in))',
        'w_in.shape = [heads * depth, width]',
        'shape(w_out) = transpose(w_in.shape)',
        'shape(w_out) = shape(w_in)',
        'shape(w_in) = [width, heads * depth]',
        'shape(w_out) = [width, heads]',
      ]),
    ).toEqual(Array.from({ length: 6 }, (_, i) => (i < 3 ? 'held in part' : 'broken in part')));
  });
});

describe('the identity matrix', () => {
  const equations = `
turn: { formula: "R(t) = [[cos(t), -sin(t)], [sin(t), cos(t)]]", domain: "t ∈ [-3, 3]", codomain: "ℝ^{2×2}" }
grow: { formula: "A(c) = [[c, 0], [0, c]]", domain: "c ∈ [1, 2]", codomain: "ℝ^{2×2}" }
`;
  it('is as large as the other side', async () => {
    expect(
      await findings(equations, [
        ['R(t)^T R(t) = I (tolerance 1e-5)', 1e-5],
        ['R(t) R(t)^T = I within 1e-5', 1e-5],
        'R(0) = I',
        'A(1) - I = [[0, 0], [0, 0]]',
        'A(1) = I',
      ]),
    ).toEqual(['held', 'held', 'held', 'held', 'held']);
  });
  it('is not every matrix, and not a vector', async () => {
    expect(
      await findings(equations, [
        'R(t) = I',
        'A(c) = I',
        ['R(t) R(t) = I (tolerance 1e-5)', 1e-5],
        '[c, c] = I',
        ['R(t)^T R(t) = I (tolerance 1e-6)', 1e-5],
      ]),
    ).toEqual(['false', 'false', 'false', null, null]);
  });
  it('is not what the contract calls I', async () => {
    const own = 'scale: { formula: "s(I) = 2·I", domain: "I ∈ ℝ^{2×2}, |I_ij| ≤ 9" }';
    expect(await findings(own, ['s(I) - I = I', 's(I) = I'])).toEqual(['held', 'false']);
  });
});

describe('an index of an equation that is read in part', () => {
  const equations = `
waves: { formula: "w_q = b^(-2q/d) for q in [0, d/2)", domain: "b = base of the waves, d = width of a head" }
spin: { formula: "G(p, q) = [[cos(p*w_q), -sin(p*w_q)], [sin(p*w_q), cos(p*w_q)]]", domain: "a turn for each pair" }
`;
  it('ends where the axis does', async () => {
    expect(await findings(equations, ['G(0, q) = I for all q', 'G(p, q) = I', 'shape(G(p, q)) = [2, 2]'])).toEqual([
      'held in part',
      'broken in part',
      'held in part',
    ]);
  });
});

describe('a choice between two values that words decide', () => {
  const equations = `
hit: { formula: "found@k = 1 if the wanted page is among the first k, 0 otherwise", domain: "ranked pages, k >= 1" }
cost: { formula: "price = 2.5 if the order is late; otherwise 1.5", domain: "an order" }
`;
  it('takes either', async () => {
    expect(
      await findings(equations, ['found@k in {0, 1} for all k', 'found@k * found@k = found@k', 'price >= 1.5']),
    ).toEqual(['held', 'held', 'held']);
    expect(await findings(equations, ['found@k = 0', 'found@k = 1', 'price = 1.5', 'price > 2'])).toEqual([
      'broken in part',
      'broken in part',
      'broken in part',
      'broken in part',
    ]);
  });
});
