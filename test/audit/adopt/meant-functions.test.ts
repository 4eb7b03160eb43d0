/**
 * Claims about functions that nothing defines, rows, parts of a collection and words for equal elements: what is true is never called false.
 *
 * Holds src/contract/elaborate/claims/depends-on.ts, src/contract/elaborate/claims/row-broadcast.ts,
 * src/contract/elaborate/claims/all-alike.ts, src/contract/elaborate/claims/own-arguments.ts,
 * src/contract/elaborate/equations/split-collection.ts,
 * src/contract/elaborate/equations/other-reading.ts.
 */
import { describe, expect, it } from 'vitest';
import { findings } from './others-words.ts';

const all = (word: string | null, count: number): readonly (string | null)[] =>
  Array.from({ length: count }, () => word);

describe('a function that nothing defines, of a difference', () => {
  const equations = `
turn: { formula: "T(v, a)_{2k} = v_{2k}·cos(a) - v_{2k+1}·sin(a), T(v, a)_{2k+1} = v_{2k}·sin(a) + v_{2k+1}·cos(a)", domain: "v ∈ [-2, 2]^n, a ∈ {0, …, 9}", codomain: "ℝ^n" }
lag: { formula: "lag(p, q) = (p - q)²", domain: "p, q ∈ ℝ, |p| ≤ 99, |q| ≤ 99" }
late: { formula: "late(p, q) = p - 2·q", domain: "p, q ∈ ℝ, |p| ≤ 99, |q| ≤ 99" }
`;
  it('says that the value does not change when both grow alike', async () => {
    expect(
      await findings(equations, [
        'lag(p, q) = g(p - q)',
        'g(q - p) = lag(p, q)',
        '⟨T(u, a), T(w, b)⟩ = h(u, w, a - b)',
      ]),
    ).toEqual(all('held', 3));
    expect(
      await findings(equations, [
        'late(p, q) = g(p - q)',
        'T(u, a) = h(u, a - b)',
        'lag(p, 2·q) = g(p - q)',
        '2·late(p, q) = g(p - q)',
      ]),
    ).toEqual(all('broken in part', 4));
  });
  it('says nothing without a difference, or beside other names', async () => {
    expect(
      await findings(equations, [
        'lag(p, q) = g(p, q)',
        'lag(p, q) = g(p - q) + 1',
        'lag(p, q) = g(p - 2·q)',
        'lag(p, q) = g(p - p)',
        'late(p, q) = g(p - r)',
      ]),
    ).toEqual(all(null, 5));
  });
});

describe('a share of something', () => {
  it('is how far two numbers are apart', async () => {
    const near = 'near: { formula: "N(x) = 1.005 · x", domain: "x ∈ [1, 9]" }';
    expect(
      await findings(near, [
        'N(x) within 1% of x',
        'N(x) is within 2% of x',
        'N(x) within 1% of x for normalized inputs',
        'N(x) within 0.1% of x',
        'N(x) is within 0.4% of x for positive inputs',
        'N(x) within reach of x',
      ]),
    ).toEqual(['held', 'held', 'held', 'broken in part', 'broken in part', null]);
  });
});

describe('rows', () => {
  const equations = `
shifted: { formula: "Y = X @ M + c", domain: "X ∈ {-2, …, 2}^{rows×p}, M ∈ {-2, …, 2}^{p×q}, c ∈ {-2, …, 2}^q, rows ≤ 2, p ≤ 2, q ≤ 2", codomain: "Y ∈ ℝ^{rows×q}" }
plain: { formula: "Z = X @ M", domain: "X ∈ {-2, …, 2}^{rows×p}, M ∈ {-2, …, 2}^{p×q}, rows ≤ 2, p ≤ 2, q ≤ 2", codomain: "Z ∈ ℝ^{rows×q}" }
`;
  it('are each compared with a vector where the claim says so', async () => {
    expect(
      await findings(equations, [
        'shifted(0, M, c) = c (broadcast)',
        'shifted(0, M, c) = c (broadcast to rows)',
        'c = shifted(0, M, c) for every row',
        'shifted(X, M, c) - plain(X, M) = c (broadcast)',
        'shifted(X, M, c) = c (broadcast)',
        'plain(X, M) = c for each row',
        'shifted(0, M, c) = c',
        'shifted(0, M, c) = M (broadcast)',
      ]),
    ).toEqual([...all('held in part', 4), ...all('broken in part', 2), null, null]);
  });
});

describe('words for equal elements', () => {
  const equations = `
spread: { formula: "V(R) = (1/|R|) Σ(r_i - r̄)² where r̄ = mean(R)", domain: "R = set of real-valued readings, |R| ≥ 1, values" }
purity: { formula: "P(L) = Σ_k p_k² where p_k = |L_k|/|L|", domain: "L = list of labels, |L| ≥ 1" }
`;
  it('are about the collection that has them', async () => {
    expect(
      await findings(equations, [
        'all readings are equal ⟹ V = 0',
        'V(R) = 0 iff all readings identical',
        'P(L) = 1 iff all labels are the same',
        'P(L) = 1 iff all elements have the same label',
        'all labels identical ⟹ P(L) ≥ 1',
      ]),
    ).toEqual(all('held', 5));
    expect(
      await findings(equations, [
        'all readings are equal ⟹ V = 1',
        'V(R) = 0 iff all values are equal ∧ R_0 = 1',
        'P(L) < 1 iff all labels are the same',
        'all labels identical ⟹ P(L) = 0',
        'all elements are equal ⟹ V(R) > 0',
      ]),
    ).toEqual(all('broken in part', 5));
  });
  it('are not read of something that no domain describes', async () => {
    expect(await findings(equations, ['all weights identical ⟹ V = 0', 'all of them equal ⟹ V = 0'])).toEqual(
      all(null, 2),
    );
  });
});

describe('the parts of a collection', () => {
  const equations = `
disorder: { formula: "D(L) = 1 - Σ_k p_k² where p_k = |L_k|/|L|", domain: "L = multiset of labels, |L| ≥ 1" }
cut: { formula: "D_cut = (|L_A|/|L|)D(L_A) + (|L_B|/|L|)D(L_B)", domain: "L partitioned into L_A, L_B with |L_A|, |L_B| ≥ 1" }
`;
  it('are its first elements and the others', async () => {
    expect(
      await findings(equations, [
        'D_cut ≥ 0',
        'D_cut ≤ D(L) + 0.001',
        'D_cut(L_A, L_B) ≤ D(L) + 0.001 for any partition',
        'D_cut(L_A, L_B) < 1',
        'D_cut(L_A, L_B) ∈ [0, 1)',
      ]),
    ).toEqual(all('held', 5));
    expect(
      await findings(equations, [
        'D_cut ≥ D(L)',
        'D_cut(L_A, L_B) > 0 for any partition',
        'D_cut(L_A, L_B) = D(L)',
        'D_cut(L_A, L_B) ≥ D(L)',
        'D_cut = 0',
      ]),
    ).toEqual(all('broken in part', 5));
  });
  it('are not read as elements of it', async () => {
    expect(await findings(equations, ['D_cut(L_A, L_B) ≤ D_cut(L_B, L_A)'])).not.toEqual(['false']);
  });
});

describe('a state whose start the domain gives', () => {
  const scan =
    'scan: { formula: "s_t = a*s_{t-1} + b*x_t, o_t = c*s_t", domain: "x ∈ {-2, …, 2}^L, s_0 = 0, a, b, c ∈ {-2, …, 2}, L ≥ 3, L ≤ 6", codomain: "o ∈ ℝ^L" }';
  it('is computed from there on', async () => {
    expect(
      await findings(scan, [
        'o_0 = 0',
        'o_1 = c*b*x_1',
        'o_2 = c*(a*b*x_1 + b*x_2)',
        'o_1 = c*a*x_1',
        'o_2 = c*b*x_2',
        'o_1 = x_1',
      ]),
    ).toEqual(['held', 'held', 'held', 'false', 'false', 'false']);
  });
});
