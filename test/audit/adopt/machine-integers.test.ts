/** Integers of programming languages, and what `/` of them means. Holds src/contract/elaborate/operators/machine-quotient.ts. */
import { describe, expect, it } from 'vitest';
import { wordsOf } from './adopted.ts';

const wordsIn = (
  formula: string,
  domain: string,
  codomain: string,
  claims: readonly string[],
): Promise<readonly string[]> => wordsOf(formula, domain, claims, [`codomain: "${codomain}"`]);

const domain = 'n: u16, m: u16, m > 0';

describe('a quotient of machine integers', () => {
  it('is rounded down where the result is one too', async () => {
    const claims = ['f(n, m) % m == 0', 'f(0, m) == 0', 'f(n, m) >= n', 'f(n, m) == n'];
    const words = await wordsIn('f(n, m) = ((n + m - 1) / m) * m', domain, 'u32', claims);
    expect(words).toEqual(['held', 'held', 'held', 'false']);
  });

  it('is a fraction where the formula rounds it', async () => {
    const claims = ['f(n, m) * m >= n', 'f(n, 2) == (n + 1) // 2', 'f(n, 2) == n // 2'];
    expect(await wordsIn('f(n, m) = ceil(n / m)', domain, 'u32', claims)).toEqual(['held', 'held', 'false']);
  });

  it.each([
    ['f(n, m) = n / m', domain, 'f32', 'f(n, m) * m == n'],
    ['f(n, m) = n / m', 'n: i32, m: i32, m > 0', 'i32', 'f(n, m) * m <= n'],
    ['f(n, m) = n * m', domain, 'u32', 'f(n, m) / m == n'],
  ])('is not decided in %s of %s ∈ %s', async (formula, inputs, codomain, claim) => {
    expect(await wordsIn(formula, inputs, codomain, [claim])).toEqual(['not-run']);
  });

  it('is not taken for a fraction because a name has the word ceil in it', async () => {
    const words = await wordsOf('ceil_div(n, m) = (n + m - 1) / m', domain, ['ceil_div(8, 2) == 4']);
    expect(words).toEqual(['not-run']);
  });

  it('is a fraction of whole numbers', async () => {
    expect(await wordsIn('f(n, m) = n / m', 'n, m ∈ ℤ⁺, n ≤ 9', 'ℝ', ['f(1, 2) = 1/2'])).toEqual(['held']);
  });
});

it.each([
  ['u8', 255],
  ['i8', 127],
  ['u16', 65_535],
  ['i16', 32_767],
])('%s ends at %i', async (type, end) => {
  const claims = [`f(n) <= ${end}`, `f(n) < ${end}`];
  expect(await wordsIn('f(n) = n', `n: ${type}`, 'ℤ', claims)).toEqual(['held', 'false']);
});

it.each(['u64', 'isize', 'i64'])('%s is a type', async (type) => {
  expect(await wordsIn('f(n) = n % 7', `n: ${type}`, 'ℤ', ['f(n) < 7', 'f(n) < 6'])).toEqual(['held', 'false']);
});
