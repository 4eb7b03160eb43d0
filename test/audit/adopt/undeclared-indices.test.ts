/**
 * Inputs that are bounded as indices are, and of which nothing says the type. Holds src/audit/adopt/index-inputs.ts,
 * src/audit/adopt/undeclared-indices.ts.
 */
import { describe, expect, it } from 'vitest';
import { saidOfEach } from './adopted.ts';

describe('what is false of real numbers alone is left open where an index has no type', () => {
  it.each([
    ['f(i, j) = i·n + j', 'm ∈ ℕ, n ∈ ℕ, 0 ≤ i < m, 0 ≤ j < n', 'f ≤ m·n - 1', 'i, j'],
    ['f(i) = i / n', 'n ∈ ℕ⁺, 0 ≤ i < n', 'f ≤ (n - 1)/n', 'i'],
    ['f(k) = k mod w', '0 ≤ k < 8, w ≥ 1', 'f ≤ w - 1', 'k, w'],
    ['f(k) = 2·k', '1 ≤ k ≤ 4', 'f ≠ 3', 'k'],
    ['f = L - pos', 'L ∈ ℕ, L ≥ 1, 0 ≤ pos < L', 'f ≥ 1', 'pos'],
  ])('%s where %s: %s', async (formula, domain, claim, names) => {
    const [said] = await saidOfEach(formula, domain, [claim]);
    expect(said).toMatchObject({ word: 'not-run', counterexample: null });
    expect(said?.reason).toContain(`it is false with real numbers for ${names}, as it is read here`);
  });

  it.each([
    ['f(i) = i / n', 'n ∈ ℕ⁺, 0 ≤ i < n', 'f ≤ (n - 2)/n'],
    ['f(i) = i / n', 'n ∈ ℕ⁺, i ∈ ℝ, 0 ≤ i < n', 'f ≤ (n - 1)/n'],
    ['f(k) = 2·k', 'k ∈ [0, 1)', 'f ≠ 1'],
    ['f(k) = 2·k', '0 ≤ k ≤ 1', 'f ≠ 1'],
    ['f(x) = 2·x', '0 ≤ x < 4', 'f ≠ 1'],
    ['f = L - pos', 'L ∈ ℕ, L ≥ 1, 0 ≤ pos < L', 'f ≥ 2'],
    ['f = L - pos', 'L ∈ ℝ, L ≥ 1, 0 ≤ pos < L', 'f ≥ 1'],
  ])('not so in %s where %s: %s', async (formula, domain, claim) => {
    const [said] = await saidOfEach(formula, domain, [claim]);
    expect(said?.word, said?.reason).toBe('false');
  });
});
