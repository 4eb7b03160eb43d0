/** Parts of claims that could be read in two ways: factors that look like arguments or units, and indices of sums. */
import { describe, expect, it } from 'vitest';
import { adopted, contractOf, saidOf } from './adopted.ts';

const logistic = ['p = 1/(1 + exp(-z))', 'z ∈ [-3, 3]'] as const;

describe.each<[string, readonly [string, string], readonly [string, string][]]>([
  [
    'what mentions the symbol is a factor',
    logistic,
    [
      ['p(1 - p) ≤ 1/4', 'held'],
      ['p(1 - p) ≥ 1/2', 'false'],
      ['0 ≤ 2p(1 - p)', 'held'],
    ],
  ],
  [
    'also of an equation that names its argument, which may be its own value',
    ['p(z) = 1/(1 + exp(-z))', 'z ∈ [-3, 3]'],
    [
      ['p(1 - p) ≤ 1/4', 'held'],
      ['p(1 - p) ≥ 1/2', 'false'],
      ['p(p(z)) ≥ 1/2', 'held'],
      ['p(1 - p(z)) ≥ 1/2', 'held'],
    ],
  ],
  [
    'so is a sum',
    ['a = x + 1', 'x ∈ [1, 3]'],
    [
      ['a(x + 2) ≥ 6', 'held'],
      ['a(x + 2) ≤ 5', 'false'],
    ],
  ],
  [
    'a symbol that is applied elsewhere is applied',
    logistic,
    [
      ['p(z + 1) ≥ p(z)', 'held'],
      ['p(z + 1) ≤ p(z)', 'false'],
      ['p(-z) ≤ p(z) if z ≥ 0', 'held'],
    ],
  ],
  [
    'a declared letter after a number is one',
    ['tok = 2K', 'K ∈ {1, …, 8}'],
    [
      ['tok ≤ 16', 'held'],
      ['tok > 16', 'false'],
    ],
  ],
  [
    'an index after the body of its sum leaves the claim open',
    ['D(p, q) = Σ_i |p_i - q_i|', 'p, q ∈ Δ^n, q_i > 0'],
    [
      ['D(p, q) ≥ Σ_i p_i - q_i', 'not-run'],
      ['1 + D(p, q) > 0 and max_i p_i / q_i ≥ 1', 'not-run'],
      ['D(p, q) ≥ Σ_i (p_i - q_i)', 'held'],
    ],
  ],
  ['a word is applied', ['loss = x + 1', 'x ∈ [1, 3]'], [['loss(x + 2) ≤ 6', 'held']]],
])('%s', (_, [formula, domain], claims) => {
  it.each(claims)('%s: %s', async (claim, word) => {
    expect(saidOf(await adopted({ 'factors-v1': contractOf(formula, domain, [claim]) }), 'C-1').word).toBe(word);
  });
});

it('in a formula too', async () => {
  const text = [
    'metadata: { version: "1.0.0", description: Tried }',
    'equations:',
    '  a: { formula: "a = x + 1", domain: "x ∈ [1, 3]" }',
    '  u: { formula: "u = a(x + 2)", domain: "x ∈ [1, 3]" }',
    'proof_obligations:',
    '  - { id: C-1, type: invariant, property: p, formal: "u = x² + 3x + 2" }',
    '  - { id: C-2, type: invariant, property: p, formal: "u ≤ 6" }',
    '',
  ].join('\n');
  const report = await adopted({ 'factors-v1': text });
  expect(saidOf(report, 'C-1').word).not.toBe('false');
  expect(saidOf(report, 'C-2').word).toBe('false');
});
