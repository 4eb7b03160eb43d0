/** What no decimal exponent holds is neither 0 nor infinite, and refutes nothing over the reals. */
import { expect, it } from 'vitest';
import { adopted, contractOf, saidOf } from './adopted.ts';

it.each<[string, string, string]>([
  ['c(x) = sign(exp(x))', '-1e17 ≤ x ≤ 0', 'c(x) = 1'],
  ['c(x) = ⌈exp(-x²)⌉', '-1e9 ≤ x ≤ 1e9', 'c(x) = 1'],
  ['q_i = exp(z_i)/Σ_j exp(z_j)', 'z ∈ ℝ^n', 'argmin(q) = argmin(z)'],
  ['q_i = exp(z_i)/Σ_j exp(z_j)', 'z ∈ ℝ^n', 'argmax(q) = argmax(z)'],
])('%s with %s: %s', async (formula, domain, claim) => {
  const said = saidOf(await adopted({ 'extreme-v1': contractOf(formula, domain, [claim]) }), 'C-1');
  expect(said.word).not.toBe('false');
  expect(said.reason).toContain('over ℝ it holds');
});
