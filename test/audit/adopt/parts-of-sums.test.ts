/**
 * Sums over parts and over a set after the formula: what is true of all of them is never called false.
 *
 * Holds src/contract/elaborate/equations/parts-of-whole.ts, src/contract/elaborate/equations/trailing-index.ts.
 */
import { describe, expect, it } from 'vitest';
import { findings } from './others-words.ts';

describe('the parts of a whole', () => {
  const equations = `
average: { formula: "gap = Σ_g (|P_g|/N) |accuracy(P_g) - confidence(P_g)|", domain: "scores ∈ [0,1]^N, num_groups ≥ 1" }
worst: { formula: "peak = max_g |accuracy(P_g) - confidence(P_g)|", domain: "scores ∈ [0,1]^N, num_groups ≥ 1" }
`;
  it('are any, with shares that sum to 1 and one value each', async () => {
    expect(
      await findings(equations, [
        'gap ∈ [0, 1]',
        'gap ≤ 1 for every grouping',
        'peak ≥ 0',
        'gap ≤ peak + 0.001 for any binning',
        'gap ≥ 0 and peak ≤ 1',
      ]),
    ).toEqual(['held', 'held in part', 'held', 'held', 'held']);
  });
  it('are not taken to have what they need not have', async () => {
    expect(await findings(equations, ['gap ≤ 0.5', 'peak < gap', 'gap = peak', 'peak = 0', 'gap > 0'])).toEqual(
      Array.from({ length: 5 }, () => 'broken in part'),
    );
  });
  it.each([
    ['a declared set', 'g = Σ_b (|B_b|/n) acc(B_b)', 'B ∈ ℝ^{m×k}, s ∈ ℝ^n'],
    ['a share of something else', 'g = Σ_b (|B_b|/c) acc(B_b)', 'x ∈ ℝ^n'],
    ['a size that is left', 'g = Σ_b |B_b| acc(B_b)', 'x ∈ ℝ^n'],
    ['a misspelt function', 'g = Σ_b (|B_b|/n) expp(A_b)', 'x ∈ ℝ^n'],
  ])('are not read with %s', async (_, formula, domain) => {
    expect(await findings(`f: { formula: "${formula}", domain: "${domain}" }`, ['g ≥ 0'])).toEqual([null]);
  });
  it('have any value of a function whose name says nothing', async () => {
    const cost = 'f: { formula: "g = Σ_b (|B_b|/n) cost(B_b)", domain: "x ∈ [0, 1]^n" }';
    expect(await findings(cost, ['g ≤ 1'])).toEqual(['broken in part']);
  });
});

describe('an index after the formula', () => {
  const entropy = `
entropy: { formula: "E(Z) = -sum(q_s * log2(q_s)) for s in states", domain: "q_s >= 0, sum(q_s) = 1, 0 * log2(0) := 0" }
`;
  it('is that of the sum, and the argument is what the numbers describe', async () => {
    expect(
      await findings(entropy, [
        'E(Z) >= 0',
        'E(Z) <= states',
        'E(Z) <= log2(states) + 0.01',
        'E(Z) >= 0 for all distributions',
        'E(Z) + 1 > 0',
      ]),
    ).toEqual(['held', 'held', 'held', 'held in part', 'held']);
    expect(await findings(entropy, ['E(Z) > 0', 'E(Z) <= 0', 'E(Z) = 1', 'E(Z) >= log2(states)'])).toEqual(
      Array.from({ length: 4 }, () => 'broken in part'),
    );
  });
  it('says nothing of a list that is not a distribution', async () => {
    expect(await findings(entropy, ['E([c, c, c]) = 0'])).toEqual([null]);
  });
  it.each([
    ['y_k = sum(a_k) for k in rows', 'a ≥ 0'],
    ['y = sum(a_k * b_k) for k in rows', 'a_k ≥ 0'],
    ['y = 2 * a_k for k in rows', 'a_k ≥ 0'],
  ])('is not read of %s', async (formula, domain) => {
    expect(await findings(`f: { formula: "${formula}", domain: "${domain}" }`, ['y ≥ 0'])).toEqual([null]);
  });
});

describe('words that add a claim', () => {
  const f = 'f: { formula: "f(x) = x²", domain: "x ∈ [-2, 2]" }';
  it('leave the claim before them, which must hold too', async () => {
    expect(
      await findings(f, [
        'f(x) ≥ 0 and grows away from the origin',
        'f(x) ≥ 1 and grows away from the origin',
        '6 / 3 = 2 and agrees with the config',
        '6 / 3 = 3 and agrees with the config',
        'f(x) ≤ 4 and never more than the bound',
      ]),
    ).toEqual(['held in part', 'broken in part', 'held in part', 'broken in part', null]);
  });
});
