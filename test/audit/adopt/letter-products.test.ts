/** Products of letters as papers write them: a true statement about them is never called false. */
import { describe, expect, it } from 'vitest';
import { adopted, contractOf, saidOf, wordsOf } from './adopted.ts';

/** The words for the claims, in their order. */
describe('what follows a product of letters', () => {
  it.each([
    ['S = QK^T', 'Q, K ∈ {0, 1}^{n×n}, n ≤ 3', 'S = Q·K^T', 'S = (Q·K)^T'],
    ['S = Q·K^T', 'Q, K ∈ {0, 1}^{n×n}, n ≤ 3', 'S = QKᵀ', 'S = (QK)^T'],
    ['S = Q·K^T', 'Q, K ∈ {0, 1}^{n×n}, n ≤ 3', 'S = QK^\\top', 'S = \\left(QK\\right)^\\top'],
    ['Y = W + BA^T', 'W, B, A ∈ {0, 1}^{n×n}, n ≤ 3', 'Y = W + B·A^T', 'Y = W + (B·A)^T'],
    ['R = λw²', 'λ, w ∈ {1, 2, 3}', 'R = λ·w²', 'R = (λ·w)²'],
    ['R = λw²', 'λ, w ∈ {1, 2, 3}', 'R ≤ 27', 'R = (λw)²'],
    ['R = λ·w', 'λ, w ∈ {1, 2, 3}', 'λw² ≤ 27', 'λw² = (λw)²'],
    ['R = Σ_i λw_i²', 'λ ∈ {1, 2, 3}, w ∈ {1, 2, 3}^n, n ≤ 3', 'R = Σ_i λw_{i}²', 'R = Σ_i (λ·w_i)²'],
    ['u = -ab²', 'a, b ∈ {1, 2, 3}', 'u = -(a·b²)', 'u = -(ab)²'],
    ['u = ab!', 'a, b ∈ {1, 2, 3}', 'u = a·b!', 'u = (ab)!'],
    ['u = 4·ab^{-1}', 'a, b ∈ {1, 2, 4}', 'u = 4·a·b^{-1}', 'u = 4·(ab)^{-1}'],
    ['C = A·B', 'A, B ∈ {0, 1}^{n×n}, n ≤ 3', 'C_{ij} = AB_{ij}', 'C_{ij} = A_{ij}·B_{ij}'],
    ['C = λ·A·B', 'λ ∈ {2, 3}, A, B ∈ {0, 1}^{n×n}, n ≤ 3', 'C_{ij} = λAB_{ij}', 'C_{ij} = λ·A_{ij}·B_{ij}'],
    ['C = λ·B', 'λ ∈ {2, 3}, B ∈ {0, 1}^{n×n}, n ≤ 3', 'C_{ij} = λB_{ij}', 'C_{ij} = B_{ij}'],
    ['R = m·c', 'm, c ∈ {1, 2, 3}', 'R·c = mc²', 'R·c = m²·c²'],
    ['R = m·(c + 1)^2', 'm, c ∈ {1, 2, 3}', 'R = m(c + 1)²', 'R = (m(c + 1))²'],
  ])('belongs to the last: %s of %s', async (formula, domain, right, wrong) => {
    expect(await wordsOf(formula, domain, [right, wrong])).toEqual(['held', 'false']);
  });

  it('belongs to the whole word where that is declared', async () => {
    expect(await wordsOf('y = mc·mc', 'm, c, mc ∈ {1, 2, 3}', ['y = mc²', 'y = m·c²'])).toEqual(['held', 'false']);
  });

  it('is the same of X·X^T', async () => {
    expect(await wordsOf('S = XX^T', 'X ∈ {0, 1}^{n×m}, n ≤ 3, m ≤ 2', ['S = X·X^T'])).toEqual(['held']);
  });
});

describe('a word that nothing declares', () => {
  it.each([
    ['a = c/n', 'c, n ∈ ℕ⁺, c ≤ n', 'acc ≤ 1'],
    ['m = e/s', 's, e ∈ {2, 3}', 'mse ≤ 1'],
    ['e = r/c', 'r, c ∈ {2, 3}', 'err ≤ 1'],
    ['e = r/c', 'r, c ∈ {2, 3}', 'rec ≤ 1'],
    ['R = e/c', 'e, c ∈ {2, 3}', 'Rec ≤ 1'],
  ])('is not the product of its letters: %s of %s: %s', async (formula, domain, claim) => {
    expect(await wordsOf(formula, domain, [claim])).toEqual(['not-run']);
  });
});

describe('a function among letters', () => {
  it('is applied to what follows it', async () => {
    const claims = ['af(x) = a·(x + 1)', 'af(x) = a·(x + 1)·x', 'xf(a) = x·(a + 1)', 'af(x)² = a·(x + 1)²'];
    expect(await wordsOf('f(x) = x + 1', 'x, a ∈ {1, 2, 3}', claims)).toEqual(['held', 'false', 'held', 'held']);
  });

  it('has no meaning with a power before its argument, which squares it or applies it twice', async () => {
    const claims = ['f²(x) = (x + 1)²', 'f^2(x) = x + 2', 'af²(x) = a·(x + 1)²', 'f²(x) ≤ 0', 'x f^{2}(x) ≤ 0'];
    const adoption = await adopted({ 'a-v1': contractOf('f(x) = x + 1', 'x, a ∈ {1, 2, 3}', claims) });
    for (const i of claims.keys())
      expect(saidOf(adoption, `C-${i + 1}`)).toMatchObject({
        word: 'not-run',
        reason: 'a power of f before its argument can be that of its value, or f applied several times',
      });
  });

  it('is squared where that is the convention', async () => {
    const claims = ['y·sin²(x) ≤ y', 'sin²(x) ≥ 1', '\\tanh^{2}(x) ≤ 1', 'log²(x) = 0'];
    expect(await wordsOf('f(x) = sin²(x)', 'x, y ∈ {1, 2}', claims)).toEqual(['held', 'false', 'held', 'false']);
  });
});

describe('a derivative with a declared d', () => {
  it.each(['dL/dx = 2x', 'd²L/dx² = 2', 'dL(x)/dx = 2·x', 'x·dL/dx = 2x²', 'd/dx L(x) = 2x'])(
    'is no quotient of products: %s',
    async (claim) => {
      const adoption = await adopted({ 'a-v1': contractOf('L(x) = x²', 'x ∈ {1, 2, 3}, d ∈ ℕ⁺', [claim]) });
      expect(saidOf(adoption, 'C-1')).toMatchObject({
        word: 'not-run',
        reason: 'pv does not run derivatives, and this reads as one',
      });
    },
  );

  it('is none where d is a factor of its own', async () => {
    const claims = ['d·L(x)/(d·x) = x', '(d - 1)/d < 1', 'dx/d ≥ x + 1'];
    expect(await wordsOf('L(x) = x²', 'x ∈ {1, 2, 3}, d ∈ ℕ⁺', claims)).toEqual(['held', 'held', 'false']);
  });
});
