/**
 * Names, functions and powers as papers and courses write them.
 *
 * Holds src/contract/elaborate/equations/local-functions.ts.
 */
import { describe, expect, it } from 'vitest';
import { wordsOf } from './adopted.ts';

describe('what is read', () => {
  it.each([
    // A space of LaTeX after a comma.
    ['f(x) = \\beta x', 'x \\in \\{1, 2\\},\\ \\beta \\in \\{2, 3\\}', 'f(1) = \\beta', 'f(1) = 1'],
    // A prime before a lowered index.
    ['x′ᵢ = 2·xᵢ', 'x ∈ {0, 1}ⁿ, n ≤ 4', 'x′ᵢ ≤ 2', 'x′ᵢ ≤ 1'],
    // Lowered labels.
    ['κ = pₒ - pₑ', 'pₒ ∈ {1, 2}, pₑ ∈ {0, 1}', 'κ = p_o - p_e', 'κ = 0'],
    ['κ = ηₘₐₓ - ηₘᵢₙ', 'ηₘᵢₙ ∈ {0, 1}, ηₘₐₓ ∈ {1, 2}', 'κ + η_min = η_max', 'κ = 0'],
    // The length T as an exponent.
    ['G = γ^T', 'γ ∈ {1, 2}, r ∈ {0, 1}^T, T ≤ 3', 'G = γ^{T}', 'G = γ'],
    ['G = \\gamma^{T} r_0', '\\gamma \\in \\{1, 2\\}, r \\in \\{0, 1\\}^T, T \\le 3', 'G \\le 8', 'G \\le 4'],
    // A function that the formula defines last.
    ['y = φ(x) + 1, φ(u) = u·u', 'x ∈ {0, 1, 2}', 'y = x² + 1', 'y = x²'],
    ['v(r) = σ(r) + b, σ(u) = 2·u', 'r, b ∈ {0, 1, 2}', 'v(1) = 2 + b', 'v(1) = 2'],
  ])('%s over %s', async (formula, domain, right, wrong) => {
    expect(await wordsOf(formula, domain, [right, wrong])).toEqual(['held', 'false']);
  });

  it('leaves a transpose what it is, and a difference of sets', async () => {
    const domain = 'x ∈ {0, 1}^T, T ≤ 4';
    expect(await wordsOf('y = x^T x', domain, ['y = Σ_i x_i²', 'y = 0'])).toEqual(['held', 'false']);
    expect(await wordsOf('y = 1/x', 'x ∈ \\{1, 2\\} \\setminus \\{2\\}', ['y ≤ 1'])).not.toEqual(['false']);
  });

  it('takes the last formula for the equation where its arguments are inputs', async () => {
    expect(await wordsOf('g(x) = x + 1, f(x) = g(x)·2', 'x ∈ {0, 1}', ['f(0) = 2', 'f(0) = 1'])).toEqual([
      'held',
      'false',
    ]);
  });
});
