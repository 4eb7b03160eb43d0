/** Domains that give a name its type and a bound in one breath, as configurations and docstrings do. */
import { describe, expect, it } from 'vitest';
import { saidOfEach, wordsOf } from './adopted.ts';

describe('a type is followed by a bound, or preceded by a sign', () => {
  it.each([
    'n: int >= 1, b: int >= 1',
    'n: int > 0, b: int > 0',
    'n, b: int >= 1',
    'n: int in [1, 4096], b: int in [1, 64]',
    'n: positive integer, b: positive integer',
    'n, b: positive int',
    'n: integer, b: integer, n, b >= 1',
  ])('%s', async (domain) => {
    const claims = ['steps >= 1', 'steps * b >= n', 'steps <= n', 'steps < n', 'steps = n / b'];
    const words = await wordsOf('steps = ceil(n / b)', domain, claims);
    expect(words).toEqual(['held', 'held', 'held', 'false', 'false']);
  });

  it('of real numbers, too', async () => {
    const claims = ['q ≤ 1', 'q ≥ 0', 'q < 1'];
    expect(await wordsOf('q = a / b', 'a: float in [0, 1], b: f32 >= 1', claims)).toEqual(['held', 'held', 'false']);
    const signed = await wordsOf('p = a * b', 'a: positive float, b: non-negative integer', ['p ≥ 0', 'p > 0']);
    expect(signed[1]).toBe('false');
    expect(signed[0]).not.toBe('false');
  });

  it('no name keeps a bound that is another one’s', async () => {
    expect(await wordsOf('d = a - b', 'a: int, b: int >= 1', ['a ≥ 1 ⟹ d ≤ a - 1', 'd ≥ 0', 'a ≥ 1 ∧ d ≤ a'])).toEqual([
      'held',
      'false',
      'false',
    ]);
  });
});

describe('words about whole numbers that are not read', () => {
  it.each(['all positive integers', 'all parameters are positive integers', 'a ≥ 1, b ≥ 1 (integers)'])(
    'no fraction breaks a claim: %s',
    async (domain) => {
      const [said] = await saidOfEach('w = 2*a*b', domain, ['w mod 2 = 0']);
      expect(said).toMatchObject({ word: 'not-run', counterexample: null });
      expect(said?.reason).not.toContain('it is false');
    },
  );

  it('and whole numbers still do', async () => {
    const [said] = await saidOfEach('w = 2*a*b', 'all integers', ['w mod 4 = 0']);
    expect(said).toMatchObject({ word: 'not-run', asRead: 'broken' });
  });
});

describe('a range whose end is declared after it', () => {
  it.each(['n ∈ {0, …, N-1}, N ∈ ℕ⁺', 'n ∈ {0, 1, …, N-1}; N ∈ ℕ, N ≥ 1', 'N ∈ ℕ⁺, n ∈ {0, …, N-1}'])(
    '%s',
    async (domain) => {
      const words = await wordsOf('w(n) = N - n', domain, ['w(n) ≥ 1', 'w(n) ≥ 2', 'w(0) = N']);
      expect(words).toEqual(['held', 'false', 'held']);
    },
  );
});
