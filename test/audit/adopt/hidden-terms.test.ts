/** Terms that the computed digits do not show decide no claim: neither its sides nor whether an input is in the domain. */
import { expect, it } from 'vitest';
import { adopted, contractOf, saidOf } from './adopted.ts';

it.each([
  ['p = 1/(1 + exp(a·x + b))', 'a < 0, b, x ∈ ℝ', 'p = 1/2 iff a·x + b = 0', 'p = 1/2 iff a·x + b = 1'],
  [
    'out = ⌊(n + 2·p - k) / s⌋ + 1',
    'n, k, s ∈ ℕ⁺, p ∈ ℕ, k ≤ n + 2·p',
    'out = 1 when k = n + 2·p',
    'out = 2 when k = n',
  ],
])('%s', async (formula, domain, right, wrong) => {
  const adoption = await adopted({ 'a-v1': contractOf(formula, domain, [right, wrong]) });
  expect(saidOf(adoption, 'C-1').word).not.toBe('false');
  expect(saidOf(adoption, 'C-2').word).toBe('false');
});

it('are not left out of a bound that has more digits than a double', async () => {
  const domain = 'i, j, rows, cols: usize, i < rows, j < cols';
  const adoption = await adopted({ 'a-v1': contractOf('f(i, j) = i·cols + j', domain, ['f(i, j) < rows·cols']) });
  expect(saidOf(adoption, 'C-1').word).not.toBe('false');
});
