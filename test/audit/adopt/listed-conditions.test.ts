/** Lists of equations that set inputs: `for n = 8, k = 3, out = 6`. Holds src/contract/elaborate/claims/listed-conditions.ts. */
import { expect, it } from 'vitest';
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

it('are what is claimed where nothing follows them', async () => {
  const adoption = await adopted({ 'a-v1': contractOf(formula, domain, ['for n = 9, k = 7', 'n = 9, out = 3']) });
  expect([1, 2].map((i) => saidOf(adoption, `C-${i}`).word)).toEqual(['false', 'false']);
});
