/**
 * Equations as strangers write them: names that are declared in words, lists of sizes, letters that label what is computed.
 * Holds src/contract/elaborate/domains/shape-lists.ts, src/contract/elaborate/equations/label-domain.ts.
 */
import { describe, expect, it } from 'vitest';
import { saidOfEach } from '../../../audit/adopt/adopted.ts';

/** The word of each claim, or the one of its reading in part. */
async function wordsOf(...asked: Parameters<typeof saidOfEach>): Promise<readonly string[]> {
  return (await saidOfEach(...asked)).map(({ word, asRead }) => (asRead === undefined ? word : `${asRead} in part`));
}

describe('the domain of an equation', () => {
  it('may list the sizes of a tensor', async () => {
    const claims = ['y_{ij} - x_{ij} = g_j when x_{ij} = 0', 'y ≥ 0', 'shape(y) = [S, H]'];
    expect(await wordsOf('y_{ij} = x_{ij} + g_j', 'x: [S, H], g: [H], S ≤ 3, H ≤ 3', claims)).toEqual([
      'held',
      'false',
      'held',
    ]);
  });

  it('may be an interval, whose ends are numbers', async () => {
    expect(await wordsOf('y = 2·x', 'x: [0, 2]', ['y ≤ 4', 'y ≤ 2'])).toEqual(['held', 'false']);
  });

  it('may say in a word what a number is', async () => {
    const domain = 'V=vocab, d=hidden, L=layers, the usual ones';
    expect(await wordsOf('P = V*d + L', domain, ['P = L'])).toEqual(['broken in part']);
  });

  it('may call its inputs probability distributions', async () => {
    const domain = 'P, Q valid probability distributions over V classes';
    const claims = ['KL(P || P) = 0', 'KL(P || Q) = 0', 'sum(P) ≥ 2'];
    const found = await wordsOf('KL(P || Q) = sum_i P(i) * log(P(i) / Q(i))', domain, claims);
    expect(found.slice(0, 2)).toEqual(['held in part', 'broken in part']);
  });

  it('need not bound the name of an element that is an argument', async () => {
    const claims = ['score(w_ij) ≥ 0', 'score(w_ij) ≥ 1'];
    expect(await wordsOf('score(w_ij) = |w_ij|', 'w_ij: weight value', claims)).toEqual([
      'held in part',
      'broken in part',
    ]);
  });
});

describe('a letter below a name', () => {
  it('labels what is computed where it is a number that does not start at 0', async () => {
    const formula = 'm_hat_t = m_t / (1 - beta^t)';
    const claims = ['|m_hat_t| ≥ |m_t|', 'm_hat_t = m_t'];
    const found = await wordsOf(formula, 't >= 1, beta in (0, 1/2)', claims);
    expect(found).toEqual(['held in part', 'broken in part']);
    const scaled = ['logits_T = logits when T = 1', 'logits_T = logits'];
    expect(await wordsOf('logits_T = logits / T for temperature T > 0', 'Temperature scaling', scaled)).toEqual([
      'held in part',
      'broken in part',
    ]);
  });

  it('stays an index where the formula uses it as one', async () => {
    expect(await wordsOf('s_t = x[t] + t', 't >= 1, x ∈ ℝ^n', ['s_t ≥ 0'])).toEqual(['not-run']);
  });

  it('is the row of a matrix where the formula computes rows', async () => {
    const domain = 'A ∈ {0, 1}^{n×n}, V ∈ {0, 1}^{n×d}, n ≤ 3, d ≤ 3';
    const claims = ['o_{ik} = Σ_{j≤i} A_{ij}·V_{jk}', 'o_{ik} = Σ_j A_{ij}·V_{jk}', 'shape(o) = [n, d]'];
    expect(await wordsOf('o_i = Σ_{j≤i} A_{ij} V_j', domain, claims)).toEqual(['held', 'false', 'held']);
    expect(await wordsOf('o_i = Σ_{j≤i} A_{ij} V_j', domain, ['o_0 ≤ 3'], ['codomain: "F32^{n×d×d}"'])).toEqual([
      'not-run',
    ]);
  });

  it('indexes what nothing defines', async () => {
    const claims = ['grad_norm ≥ 0', 'grad_norm = 0'];
    expect(await wordsOf('grad_norm = sqrt(sum(grad[i]^2))', 'grad: GPU backward output', claims)).toEqual([
      'held in part',
      'broken in part',
    ]);
  });

  it('and a bound one index a matrix that nothing defines', async () => {
    const formula = 'avg_grad_b = (1/N) * sum_{w=0}^{N-1} grad_b_w';
    const claims = ['avg_grad_b = Σ_w grad_{b,w} when N = 1', 'avg_grad_b = 0'];
    expect(await wordsOf(formula, 'N: world_size (number of workers), the averages', claims)).toEqual([
      'held in part',
      'broken in part',
    ]);
  });
});

describe('functions that nothing defines', () => {
  it('may give values that a later line computes with', async () => {
    const formula = 'Forward pass:\nn_out = Norm3(x, g)\nb_out = SubLayer(n_out)\ny = x + b_out';
    expect(await wordsOf(formula, 'x: [S, H], g: [H]', ['y = x'])).toEqual(['broken in part']);
    expect(await wordsOf('y = SubLayer(x)', 'x ∈ ℝ^n', ['y ≥ 0'])).toEqual(['not-run']);
  });
});

describe('a unit', () => {
  it('counts one by one, and says nothing more of a number in brackets', async () => {
    expect(await wordsOf('B = 64·1024 for N ≥ 100M params', 'N ∈ ℕ⁺', ['B ≥ 1', 'B ≤ 1'])).toEqual(['held', 'false']);
    expect(await wordsOf('B = 64·1024 (65,536 tokens)', 'N ∈ ℕ⁺', ['B ≥ 1'])).toEqual(['not-run']);
  });
});

describe('a * b of tensors', () => {
  it('multiplies their elements where they have one shape', async () => {
    const bounded = 'v ∈ ℝ^n, g ∈ ℝ^n, 0 < b < 1, v_i ≥ 0, v_i ≤ 1, |g_i| ≤ 1';
    expect(await wordsOf('r(v, g) = b * v + (1 - b) * g * g', bounded, ['r(v, g)_i ≤ 1', 'r(v, g)_i ≤ b'])).toEqual([
      'held',
      'false',
    ]);
    const oblong = 'A ∈ ℝ^{m×n}, B ∈ ℝ^{m×n}, m ≤ 3, n ≤ 3, m ≠ n, |A_ij| ≤ 1, |B_ij| ≤ 1';
    expect(await wordsOf('C(A, B) = A * B', oblong, ['|C(A, B)_{ij}| ≤ 1'])).toEqual(['held']);
  });

  it('is the product of matrices that fit each other, and of a matrix and a vector', async () => {
    const domain = 'A ∈ ℝ^{m×k}, x ∈ ℝ^k, m ≤ 3, k ≤ 3';
    expect(await wordsOf('y(A, x) = A * x', domain, ['shape(y(A, x)) = [m]'])).toEqual(['held']);
  });

  it('is not read of square matrices, where it may be either', async () => {
    const domain = 'A ∈ ℝ^{n×n}, B ∈ ℝ^{n×n}, n ≤ 3, |A_ij| ≤ 1, |B_ij| ≤ 1';
    expect(await wordsOf('C(A, B) = A * B', domain, ['|C(A, B)_{ij}| ≤ 1'])).toEqual(['not-run']);
  });
});
