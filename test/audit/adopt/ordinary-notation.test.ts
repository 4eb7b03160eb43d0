/**
 * Notation of papers that has no other test of its meaning: each formula with a claim that holds and one that does not.
 *
 * Holds src/contract/elaborate/claims/pair-sums.ts, src/math/notation/predicate-definition.ts.
 */
import { describe, expect, it } from 'vitest';
import { wordsOf } from './adopted.ts';

const bits = 'x, y ∈ {-1, 0, 1}^n, n ≤ 3';

describe('notation of papers', () => {
  it.each([
    // The positive part.
    ['h = [1 - x]_+', 'x ∈ {-2, …, 2}', 'h = max(0, 1 - x)', 'h = 1 - x'],
    ['h = (1 - x)_+ + 2', 'x ∈ {-2, …, 2}', 'h = 2 + max(0, 1 - x)', 'h ≤ 2'],
    ['h = 2·[x]^+', 'x ∈ {-2, …, 2}', 'h = 2·(x)₊', 'h = 2·x'],
    ['h = \\left[1 - x\\right]_{+}', 'x ∈ {-2, …, 2}', 'h = max{0, 1 - x}', 'h = min{0, 1 - x}'],
    ['h_i = [x_i]_+', bits, 'h_i ≥ x_i', 'h_i ≤ x_i'],
    // Counts.
    ['c = #{i : x_i > 0}', bits, 'c ≤ n', 'c = n'],
    ['c = |{i : x_i > 0}|', bits, 'c = #{i ∈ [0, n) : x_i > 0}', 'c = #{i : x_i ≥ 0}'],
    ['c = \\#\\{i : x_i > 0\\}', bits, 'c = |{i : x_i > 0}|', 'c = |{i : x_i < 0}|'],
    // Transposes without spaces.
    ['d = x^Ty', bits, 'd = Σ_i x_i·y_i', 'd ≥ 0'],
    ['d = x^TAx', 'x ∈ {0, 1}^n, A ∈ {0, 1}^{n×n}, n ≤ 3', 'd = Σ_i Σ_j x_i·A_ij·x_j', 'd = Σ_i Σ_j A_ij'],
    ['d = 2·x^Ty_k', 'x, y_k ∈ {0, 1}^n, n ≤ 3', 'd = 2·Σ_i x_i·y_k_i', 'd ≤ 2'],
    // A row of ones.
    ['s = \\mathbf{1}^\\top x', bits, 's = Σ_i x_i', 's ≥ 0'],
    ['s = 1^T x', bits, 's ≤ n', 's = n'],
    // Sums over pairs, and over the elements before one.
    ['s = Σ_i x_i', bits, 's² = Σ_i x_i² + 2·Σ_{i<j} x_i·x_j', 's² = Σ_i x_i² + Σ_{i<j} x_i·x_j'],
    ['s = Σ_i x_i', bits, 's² = Σ_i x_i² + Σ_{i≠j} x_i·x_j', 's² = Σ_i x_i² + 2·Σ_{i≠j} x_i·x_j'],
    ['s = Σ_i x_i', bits, 'Σ_{i<j} (x_i - x_j)² = n·Σ_i x_i² - s²', 'Σ_{i<j} (x_i - x_j)² = Σ_i x_i²'],
    ['s = Σ_i x_i', bits, 's = x_j + Σ_{i≠j} x_i for all j', 's = 2·x_j + Σ_{i≠j} x_i for all j'],
    // Predicates.
    ['causal(i, j) = j <= i', 'i, j ∈ {0, …, 5}', 'causal(i, j) = true ⟹ j ≤ i', 'causal(i, j) = true'],
    ['even(k) = k % 2 == 0', 'k ∈ {0, …, 5}', 'even(k) ⟺ k mod 2 = 0', 'even(k) ⟺ k mod 3 = 0'],
    ['fits(b) := b ≤ 3', 'b ∈ {0, …, 5}', 'not fits(4)', 'not fits(b)'],
    // A noun before what is bound.
    ['s = x / T for temperature T ≥ 1', 'x ∈ {1, 2}, T ∈ {1, 2, 4}', 's ≤ x', 's = x'],
    // An interval inside of another.
    ['g = k / n', 'k, n ∈ ℕ⁺, k < n, n ≤ 8', 'g ∈ (0, 1) ⊂ [0, 1]', 'g ∈ (0, 1) ⊂ (0, 1/2)'],
  ])('%s of %s', async (formula, domain, right, wrong) => {
    expect(await wordsOf(formula, domain, [right, wrong])).toEqual(['held', 'false']);
  });

  it.each(['g ∈ [0, 1) ⊂ (0, 1)', 'g ∈ [0, 1] ⊂ [0, 1)', 'g ∈ [0, 2) ⊂ [0, 1)'])(
    'keeps the ends of an interval apart: %s',
    async (claim) => {
      expect(await wordsOf('g = k / n', 'k, n ∈ ℕ⁺, k < n, n ≤ 8', [claim])).toEqual(['false']);
    },
  );

  it.each([
    ['y = x / T for even T > 0', 'x ∈ {1, 2}'],
    ['y = x^Tmax', 'x ∈ {1, 2}'],
    ['y = x + max{x_1, …, x_n}', 'x ∈ {1, 2}'],
    ['y = 1^T x', 'x ∈ {1, 2}'],
  ])('is left alone where that says something else: %s', async (formula, domain) => {
    expect(await wordsOf(formula, domain, ['y ≤ 2'])).not.toContain('held');
  });

  it('takes sides of ≈ that are equal over ℝ for within any tolerance, and decides nothing of others', async () => {
    const claims = ['y ≈ x/3 + x/3', 'y ≈ x', 'y ≈ 1 when x = 1', 'y ≈ y_ref'];
    expect(await wordsOf('y = 2·x/3', 'x ∈ {1, 2, 3}', claims)).toEqual(['held', 'not-run', 'not-run', 'not-run']);
  });

  it('takes a sign for a comment where no set follows it', async () => {
    expect(await wordsOf('y = x #{of x}', 'x ∈ {1, 2}', ['y = x', 'y = 2 # {no set}'])).toEqual(['held', 'false']);
  });
});
