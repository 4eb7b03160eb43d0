/**
 * One symbol that several equations of a contract define: the arguments and the statement's own equation say which is meant, and what
 * they leave open is judged only if it holds of each. Holds src/contract/elaborate/claims/shared-symbols.ts, src/contract/elaborate/expressions/rivals.ts.
 */
import { describe, expect, it } from 'vitest';
import { adopted, saidOf } from './adopted.ts';

interface Written {
  readonly formula: string;
  readonly domain: string;
  readonly invariants?: readonly string[];
}

async function wordsOf(
  equations: Readonly<Record<string, Written>>,
  claims: readonly string[],
  ids = claims.map((_, i) => `C-${i + 1}`),
): Promise<readonly string[]> {
  const text = JSON.stringify({
    metadata: { version: '1.0.0', description: 'Tried' },
    equations,
    proof_obligations: claims.map((formal, i) => ({ id: `C-${i + 1}`, type: 'invariant', property: 'p', formal })),
  });
  const adoption = await adopted({ 'a-v1': text });
  return ids.map((id) => saidOf(adoption, id).word);
}

const divergences = {
  KL: { formula: 'KL(p, q) = Σ_i p_i·log(p_i / q_i)', domain: 'p, q ∈ Δ^n, q_i > 0, n ≤ 4' },
  gauss: {
    formula: 'KL(μ, σ) = (μ² + σ² - 1 - log(σ²)) / 2',
    domain: 'μ ∈ [-2, 2], σ ∈ [1/2, 2]',
    invariants: ['KL(μ, σ) ≥ -1', 'KL(μ, σ) ≥ 1', 'KL(0, 1) = 0'],
  },
};

describe('a function that two equations define', () => {
  it('is the one whose inputs fit the arguments', async () => {
    const claims = ['KL(p ‖ q) ≥ -1', 'KL(p ‖ q) ≥ 1', 'KL(μ, σ) ≥ -1', 'KL(μ, σ) ≥ 1', 'KL(p, p) = 0'];
    expect(await wordsOf(divergences, claims)).toEqual(['held', 'false', 'held', 'false', 'held']);
  });

  it('is that of the equation whose statement it is', async () => {
    const ids = ['gauss.invariant-1', 'gauss.invariant-2', 'gauss.invariant-3'];
    expect(await wordsOf(divergences, [], ids)).toEqual(['held', 'false', 'held']);
  });

  it('is not judged where nothing says which of them is meant', async () => {
    const adoption = await wordsOf(divergences, ['KL ≥ 1', 'KL(p, q) + KL(μ, σ) ≥ -2', 'KL(p, q, p) ≥ 0']);
    expect(adoption).toEqual(['not-run', 'held', 'not-run']);
  });

  it('means the one with values for its inputs in a formula', async () => {
    const losses = {
      a: { formula: 'L = -log(p)', domain: 'p ∈ [0.01, 1]' },
      b: { formula: 'L = Σ_i x_i²', domain: 'x ∈ {0, 1}^n, n ≤ 4' },
      c: { formula: 'M = L + 1', domain: 'p ∈ [0.01, 1]' },
      d: { formula: 'N = L + 1', domain: 'z ∈ {0, 1}' },
    };
    expect(await wordsOf(losses, ['M ≥ 1', 'M ≤ 1', 'N ≥ 1'])).toEqual(['held', 'false', 'not-run']);
  });
});

describe('a symbol without arguments', () => {
  const outputs = {
    a: { formula: 'y = x + 1', domain: 'x ∈ {0, 1, 2}', invariants: ['y ≤ 3', 'y = 2·x'] },
    b: { formula: 'y = 2·x', domain: 'x ∈ {0, 1, 2}', invariants: ['y ≤ 3', 'y = 2·x'] },
  };

  it('is that of the equation whose statement it is', async () => {
    const ids = ['a.invariant-1', 'a.invariant-2', 'b.invariant-1', 'b.invariant-2'];
    expect(await wordsOf(outputs, [], ids)).toEqual(['held', 'false', 'false', 'held']);
  });

  it('is judged elsewhere where it holds of each; the name of an equation is judged in any case', async () => {
    const claims = ['y ≥ x', 'y ≤ 3', 'y.shape = (1)', 'y ≥ x when y ≥ 1', 'a ≤ 3', 'b ≤ 3'];
    expect(await wordsOf(outputs, claims)).toEqual(['held', 'not-run', 'not-run', 'not-run', 'held', 'false']);
  });

  it('is judged of each equation under a common quantifier', async () => {
    const masks = {
      around: { formula: 'mask(i, j) = 1 if |i - j| ≤ 2 else 0', domain: 'i, j ∈ {0, …, 7}' },
      before: { formula: 'mask(i, j) = 1 if j ≤ i and i - j < 4 else 0', domain: 'i, j ∈ {0, …, 7}' },
    };
    expect(await wordsOf(masks, ['∀ i: mask(i, i) = 1', '∀ i, j: j > i ⟹ mask(i, j) = 0'])).toEqual([
      'held',
      'not-run',
    ]);
  });
});

it('e of y = e^x is not the e that another equation declares', async () => {
  const equations = {
    grow: { formula: 'grow = e * r', domain: 'r ∈ [1, 2], e ∈ {0, 1, 2}' },
    y: { formula: 'y = e^x', domain: 'x ∈ [0, 1]' },
  };
  expect(await wordsOf(equations, ['y ≤ e', 'grow ≤ 4', 'grow ≥ 2.5'])).toEqual(['held', 'held', 'false']);
});
