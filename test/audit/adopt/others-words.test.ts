/**
 * Forms of claims that people write and pv had to be taught, in contracts of their own: what is true is never called false.
 *
 * Holds src/contract/elaborate/claims/claim-reading.ts, src/contract/elaborate/claims/idle-arguments.ts,
 * src/contract/elaborate/claims/named-configuration.ts, src/contract/elaborate/claims/sentences.ts,
 * src/contract/elaborate/claims/whole-function.ts,
 * src/contract/elaborate/equations/pieces.ts, src/contract/elaborate/operators/vector-functions.ts, src/contract/elaborate/operators/identity-matrix.ts,
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
sign: { formula: "label(z) = tanh(z) thresholded at 0.5 for classification", domain: "z ∈ [-2, 2]" }
cost: { formula: "price = 2.5 if the order is late; otherwise 1.5", domain: "an order" }
`;
  it('takes either', async () => {
    expect(
      await findings(equations, ['found@k in {0, 1} for all k', 'found@k * found@k = found@k', 'price >= 1.5']),
    ).toEqual(['held in part', 'held in part', 'held in part']);
    expect(await findings(equations, ['label(z) in {0, 1}', 'label(z) = 1', 'label(z) = 0'])).toEqual([
      'held in part',
      'broken in part',
      'broken in part',
    ]);
    expect(await findings(equations, ['found@k = 0', 'found@k = 1', 'price = 1.5', 'price > 2'])).toEqual([
      'broken in part',
      'broken in part',
      'broken in part',
      'broken in part',
    ]);
  });
});

describe('a function of which each equation gives a piece', () => {
  const equations = `
warm: { formula: "lr(t) = peak * (t / w)", domain: "0 <= t < w, peak ∈ [1, 2], w ∈ {4, 8}" }
hold: { formula: "lr(t) = peak", domain: "w <= t < s, peak ∈ [1, 2], w ∈ {4, 8}, s ∈ {16, 20}" }
fall: { formula: "lr(t) = peak * (e - t) / (e - s)", domain: "s <= t <= e, peak ∈ [1, 2], s ∈ {16, 20}, e ∈ {32}" }
`;
  it('is one function, also by its present value', async () => {
    expect(
      await findings(equations, [
        'lr(0) = 0',
        'lr(w) = peak',
        'lr(s) = peak',
        'lr(e) = 0',
        'current_lr(0) = 0',
        'lr(w / 2) = peak / 2',
      ]),
    ).toEqual([...Array.from({ length: 5 }, () => 'held in part'), 'held']);
  });
  it('is not what another piece would give', async () => {
    expect(
      await findings(equations, ['lr(0) = peak', 'lr(w) = 0', 'lr(s) = 0', 'lr(e) = peak', 'current_lr(w) = 0']),
    ).toEqual(Array.from({ length: 5 }, () => 'broken in part'));
  });
  it('is not read of pieces that overlap or leave a gap, and not under any other name', async () => {
    const gap = equations.replace('w <= t < s', 'w < t < s');
    expect(await findings(gap, ['lr(w) = peak', 'lr(e) = 0'])).not.toContain('held in part');
    const overlap = equations.replace('0 <= t < w', '0 <= t <= w');
    expect(await findings(overlap, ['current_lr(0) = 0'])).toEqual([null]);
    expect(await findings(equations, ['final_lr(0) = 0', 'current_rate(0) = 0'])).toEqual([null, null]);
  });
});

describe('an argument that the formula does not use', () => {
  const equations = `
share: { formula: "covered(team) = tested / total", domain: "tested ∈ [1, 2], total ∈ [2, 4], counted every week" }
cost: { formula: "price(n) = 3·n", domain: "n ∈ [0, 9]" }
`;
  it('may be anything', async () => {
    expect(
      await findings(equations, ['covered(our_team) <= 1', 'covered(our_team) > 0', 'covered(our_team) = 1']),
    ).toEqual(['held in part', 'held in part', 'broken in part']);
  });
  it('is not one that it uses, and not part of another', async () => {
    expect(
      await findings(equations, [
        'price(our_team) <= 27',
        'covered(our_team) = our_team',
        'price(covered(our_team)) >= 0',
      ]),
    ).toEqual([null, 'broken in part', 'held in part']);
  });
});

describe('the size of a model that the argument names', () => {
  const equations = `
size: { formula: "P = V·d + L·(4·d·d + 3·d·f)", domain: "V = 1000, d = 64, L = 4, f = 128" }
part: { formula: "Q(d) = 2·d", domain: "d ∈ [1, 9]" }
`;
  it('is computed from the numbers of the domain', async () => {
    expect(
      await findings(equations, [
        'P(Toy2.5-1M) in [227K, 228K]',
        'P(Toy2.5-1M) = 227840',
        'P(Toy-2-1b) > 200K',
        'P(Toy2.5-1M) in [2K, 3K]',
        'P(Toy2.5-1M) = 1',
        'P(Toy-2-1b) > 300K',
      ]),
    ).toEqual(Array.from({ length: 6 }, (_, i) => (i < 3 ? 'held in part' : 'broken in part')));
  });
  it('is not read of a function, of a difference or of a plain word', async () => {
    expect(await findings(equations, ['Q(Toy-2-1b) = 2', 'P(V - d) = 1', 'P(Toy) = 1'])).not.toContain('held in part');
  });
});

describe('words after the unit of a comparison', () => {
  it('say where it holds', async () => {
    const equations = 'sizes: { formula: "small(n) = 4·n", domain: "n ∈ [1, 9]" }';
    expect(
      await findings(equations, [
        'small(n) <= 36 bytes for the same data',
        'small(n) < 3 tokens at every step',
        'small(n) <= 36 apples for the same data',
        'small(n) bytes for the same data',
      ]),
    ).toEqual(['held', 'broken in part', null, null]);
  });
});

describe('a sentence of a fixed form', () => {
  const equations = `
soft: { formula: "σ(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))", domain: "x ∈ ℝ^n, |x_i| ≤ 50" }
cube: { formula: "q(u) = u*u*u", domain: "u ∈ [-4, 4]" }
flat: { formula: "r(u) = 3", domain: "u ∈ [-4, 4]" }
`;
  it('is its mathematics', async () => {
    expect(
      await findings(equations, [
        'σ(x) is finite for all finite x',
        'σ(x) sums to 1',
        'σ(x) is bounded by [0, 1]',
        'σ(x) and r(u) are strictly positive',
        'q(u) is strictly increasing in u',
        'r(u) is non-decreasing in u',
        'r(u) is non-increasing in u',
        'q(u) is never NaN or Inf',
        'q(u) is between -64 and 64',
      ]),
    ).toEqual(Array.from({ length: 9 }, () => 'held'));
  });
  it('is not shown by what does not hold', async () => {
    expect(
      await findings(equations, [
        'q(u) sums to 1',
        'q(u) is bounded by [0, 1]',
        'q(u) and r(u) are strictly positive',
        'q(u) is strictly decreasing in u',
        'r(u) is strictly increasing in u',
        'q(u) is non-increasing in u',
        'q(u) is between -1 and 64',
      ]),
    ).toEqual([null, ...Array.from({ length: 6 }, () => 'broken in part')]);
  });
  it('ends where the form does, and has a subject in notation', async () => {
    expect(
      await findings(equations, [
        'the output is strictly positive',
        'σ(x) sums to 1 unless n = 1',
        'σ(x) is finite for small x',
        'q(u) is increasing in u',
        'q(u) is strictly increasing in v',
        'q(u) is not bounded by [0, 1]',
        'σ(x) sums to 2',
        'q(u) is monotonic',
      ]),
    ).toEqual(Array.from({ length: 8 }, () => null));
  });
});
