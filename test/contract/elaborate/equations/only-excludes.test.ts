/** Holds src/contract/elaborate/equations/only-excludes.ts. */
import { describe, expect, it } from 'vitest';
import { adopted, contractOf, saidOf } from '../../../audit/adopt/adopted.ts';

const word = async (formula: string, domain: string, claim: string): Promise<string> =>
  saidOf(await adopted({ 'c-v1': contractOf(formula, domain, [claim]) }), 'C-1').word;

describe('words of a domain', () => {
  it.each([
    ['say what a function is', 'f(w) = σ(w)', 'w ∈ [-9, 9], σ is the nonlinearity (tanh by default)', 'f(w) ≥ 0'],
    ['say what a unit is', 'f(p) = -Σ_i p_i·log(p_i)', 'p ∈ Δ^2, in bits (log base 2)', 'f(p) ≤ 0.7'],
  ])('that %s leave a claim open', async (_, formula, domain, claim) => {
    expect(await word(formula, domain, claim)).not.toBe('held');
  });

  it.each([
    ['f(w) = σ(w)', 'w ∈ [-9, 9], fitted weights', 'f(w) ≥ 0'],
    ['f(p) = -Σ_i p_i·log(p_i)', 'p ∈ Δ^2, of a fitted model', 'f(p) ≤ 0.7'],
  ])('that exclude inputs do not: %s over %s', async (formula, domain, claim) => {
    expect(await word(formula, domain, claim)).toBe('held');
  });
});
