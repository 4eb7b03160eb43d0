/**
 * Domains and formulas as programs write them: vectors and their lengths, modules, iterators.
 *
 * Holds src/math/notation/parse-vector-type.ts and src/contract/elaborate/equations/vector-lengths.ts.
 */
import { describe, expect, it } from 'vitest';
import { wordsOf } from './adopted.ts';

describe('a vector of a program', () => {
  it.each([
    'x: Vec<i8>, x.len() > 0',
    'x: &[i8], !x.is_empty()',
    'x: &mut [i8]',
    'x: [i8; n], n >= 1',
    'x: list[int], len(x) >= 1',
    'x: List[int], x.len() >= 1, -9 <= x[i] <= 9',
  ])('is one of so many elements: %s', async (domain) => {
    expect(await wordsOf('f(x) = max(x)', domain, ['f(x) >= x[0]', 'f(x) <= x[0]'])).toEqual(['held', 'false']);
  });

  it('has a length of its own, which the domain may set equal to another', async () => {
    const formula = 'f(a, b)[i] = a[i] + b[i]';
    const claims = ['f(a, b)[0] == a[0] + b[0]', 'f(a, b)[0] == a[0]'];
    expect(await wordsOf(formula, 'a: Vec<i8>, b: Vec<i8>, a.len() == b.len()', claims)).toEqual(['held', 'false']);
    expect(await wordsOf(formula, 'a, b: Vec<i8>', claims)).toEqual(['not-run', 'not-run']);
  });

  it('has at least the elements that the domain says', async () => {
    const words = await wordsOf('f(x) = len(x)', 'x: Vec<i8>, x.len() >= 3', ['f(x) >= 3', 'f(x) >= 4']);
    expect(words).toEqual(['held', 'false']);
  });
});

describe('functions of modules and iterators', () => {
  it.each([
    ['f(x) = np.exp(x) + math.sqrt(4)', 'x: float, x <= 9', 'f(0) == 3', 'f(0) == 2'],
    ['f(x) = x.iter().sum() + x.max()', 'x: [i8; 2]', 'f(x) == x[0] + x[1] + max(x)', 'f(x) == x[0]'],
    ['f(x) = sum(x[i] for i in range(len(x)))', 'x: Vec<i8>', 'f(x) == sum(x)', 'f(x) == x[0]'],
    ['f(x) = sum(x[i] for i in range(1, 3))', 'x: [i8; 3]', 'f(x) == x[1] + x[2]', 'f(x) == x[0] + x[1]'],
  ])('%s', async (formula, domain, right, wrong) => {
    expect(await wordsOf(formula, domain, [right, wrong])).toEqual(['held', 'false']);
  });

  it.each(['f(x) = torch.var(x)', 'f(x) = foo.exp(x[0])'])(
    'that differ or are not known do not run: %s',
    async (formula) => {
      expect(await wordsOf(formula, 'x ∈ {0, 1}^n, n ≤ 4', ['f(x) ≥ 0'])).toEqual(['not-run']);
    },
  );
});
