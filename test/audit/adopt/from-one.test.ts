/** Results whose indices are written from 1 on, in claims. Holds src/contract/elaborate/operators/from-one.ts. */
import { describe, expect, it } from 'vitest';
import { adopted, contractOf, saidOf, wordsOf } from './adopted.ts';

const formula = 'm_h = h / n';
const domain = 'h ∈ {1, …, n}, n ∈ ℤ⁺, n ≤ 9';

describe('an element of m_h = h/n for h from 1 to n', () => {
  it.each([
    ['m_1 = 1/4 when n = 4', 'm_1 = 1/2 when n = 4'],
    ['m_n = 1', 'm_n ≤ 1/2'],
    ['m_h = 1/4 when n = 4 and h = 1', 'm_h = 1/2 when n = 4 and h = 1'],
    ['n·m_h = h', 'n·m_h = h + 1'],
    ['n·m_h = h for all h in {1, …, n}', 'n·m_h = h - 1 for all h in {1, …, n}'],
    ['m_h ≤ m_n', 'm_h < m_n'],
    ['Σ_{h=1}^{n} n·m_h·h ≥ n', 'Σ_{h=1}^{n} n·m_h·h ≤ n'],
  ])('%s', async (right, wrong) => {
    const [said, contrary] = await wordsOf(formula, domain, [right, wrong]);
    expect(['held', 'false-in-float32']).toContain(said);
    expect(contrary).toBe('false');
  });

  it('is none at 0', async () => {
    expect(await wordsOf(formula, domain, ['m_0 ≤ 1', 'n·m_h = h for all h in {0, …, n-1}'])).toEqual([
      'not-run',
      'not-run',
    ]);
  });
});

describe('a formula that counts its inputs from 1', () => {
  it.each([
    ['W = Σ_{k=1}^{n} Σ_{i=1}^{k} x_i', 'W = 2·x_1 + x_2 when n = 2', 'W = x_1 + 2·x_2 when n = 2'],
    ['W = Σ_{k=1}^{n} Σ_{i=1}^{k} x_i', 'W = Σ_{i=1}^{n} (n + 1 - i)·x_i', 'W = Σ_{i=1}^{n} (n - i)·x_i'],
    ['W = Σ_{i=1}^{n} i·x_i', 'W = x_1 when n = 1', 'W = x_1 when n = 2'],
    ['W = Σ_{i=1}^{n} (x_i - x_1)', 'W + n·x_1 = Σ_i x_i', 'W = 0'],
  ])('%s: %s', async (written, right, wrong) => {
    const inputs = 'x ∈ {0, 1, 2}^n, n ≥ 1, n ≤ 6';
    expect(await wordsOf(written, inputs, [right, wrong])).toEqual(['held', 'false']);
  });

  it('has no element 0', async () => {
    const adoption = await adopted({
      'a-v1': contractOf('W = Σ_{i=1}^{n} x_i', 'x ∈ {0, 1}^n, n ≤ 6', ['W ≥ x_0', 'W = Σ_{i=1}^{n-1} x_i + x_n']),
    });
    expect([1, 2].map((i) => saidOf(adoption, `C-${i}`).word)).toEqual(['not-run', 'not-run']);
  });
});
