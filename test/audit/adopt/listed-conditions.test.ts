/** Lists of conditions: `for n = 8, k = 3, out = 6`, `for a > 0, b > 0`. Holds src/contract/elaborate/claims/listed-conditions.ts, src/math/notation/shared-ends.ts. */
import { describe, expect, it } from 'vitest';
import { adopted, contractOf, saidOf } from './adopted.ts';

const formula = 'out = ⌊(n - k) / s⌋ + 1';
const domain = 'n, k, s ∈ ℕ⁺, k ≤ n ≤ 300, s ≤ 8';

it.each([
  ['for n = 224, k = 7, s = 2, out = 109', 'for n = 224, k = 7, s = 2, out = 110'],
  ['when n = 224, k = 7, s = 2, out = 109', 'when n = 224, k = 7, s = 2, out = 110'],
  ['if k = n, s = 1, out = 1, 2·out = 2', 'if k = n, s = 1, out = 1, 2·out = 3'],
])('are conditions of what follows them: %s', async (right, wrong) => {
  const adoption = await adopted({ 'a-v1': contractOf(formula, domain, [right, wrong]) });
  expect([1, 2].map((i) => saidOf(adoption, `C-${i}`).word)).toEqual(['held', 'false']);
});

it('are what is claimed where nothing follows them, and left open where something does without a word', async () => {
  const adoption = await adopted({ 'a-v1': contractOf(formula, domain, ['for n = 9, k = 7', 'n = 9, out = 3']) });
  // `n = 9` may say where `out = 3` holds.
  expect([1, 2].map((i) => saidOf(adoption, `C-${i}`).word)).toEqual(['false', 'not-run']);
});

describe('bounds of inputs next to a clause', () => {
  const words = async (claims: readonly string[], formulaOf = 'f(a, b) = a + 2b', inputs = 'a ∈ ℝ, b ∈ ℝ') => {
    const adoption = await adopted({ 'a-v1': contractOf(formulaOf, inputs, claims) });
    return claims.map((_, i) => saidOf(adoption, `C-${i + 1}`).word);
  };

  it.each([
    ['f(a, b) ≥ LEAST for a ≥ 1, b ≥ 1'],
    ['f(a, b) ≥ LEAST for all a ≥ 1, b ≥ 1'],
    ['f(a, b) ≥ LEAST ∀ a ≥ 1, b ≥ 1'],
    ['f(a, b) ≥ LEAST for a, b ≥ 1'],
    ['∀ a, b ≥ 1, f(a, b) ≥ LEAST'],
    ['∀ a ≥ 1, b ≥ 1, f(a, b) ≥ LEAST, f(a, b) > 1'],
    ['for all a ≥ 1, b ≥ 1, f(a, b) ≥ LEAST'],
    ['f(a, b) ≥ LEAST for 1 ≤ a, b ≤ 2'],
    ['f(a, b) ≥ LEAST when 1 ≤ a, b ≤ 2'],
    ['f(a, b) ≥ LEAST for all a, b with 1 ≤ a, b ≤ 2'],
    ['if 1 ≤ a, b ≤ 2, f(a, b) ≥ LEAST'],
    ['f(a, b) = LEAST for a = 1, b = 1'],
    ['f(a, b) = LEAST for a = 1 and b = 1'],
  ])('are its conditions: %s', async (claim) => {
    expect(await words([claim.replace('LEAST', '3'), claim.replace('LEAST', '3.5')])).toEqual(['held', 'false']);
  });

  it('are claims of their own where they are about the result, or about no input', async () => {
    const claims = ['y ≥ 0 for a ≥ 0, y ≥ 2a', 'y ≥ 0 for a ≥ 0, y ≥ 3a'];
    expect(await words(claims, 'y = 2a', 'a ∈ ℝ, |a| ≤ 9')).toEqual(['held', 'false']);
    expect(await words(['a ≥ 0 for a ≥ 0, a ≥ 1'], 'y = 2a', 'a ∈ ℝ, |a| ≤ 9')).toEqual(['false']);
  });

  it('have both ends in a domain too, and each its own where the first is a name', async () => {
    const claims = ['0 ≤ f(a, b) ≤ 3', 'f(a, b) ≤ 2.9'];
    expect(await words(claims, undefined, '0 ≤ a, b ≤ 1')).toEqual(['held', 'false']);
    expect(await words(['f(a, b) ≤ 9 when a ≤ b, b ≤ 3'])).toEqual(['held']);
  });
});
