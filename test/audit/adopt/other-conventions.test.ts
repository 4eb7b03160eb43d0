/** False statements that another convention makes true. Holds src/audit/adopt/other-conventions.ts. */
import { describe, expect, it } from 'vitest';
import { adopted, contractOf, saidOf, saidOfEach } from './adopted.ts';

describe('a statement that another convention makes true stays false, and the reason says which', () => {
  it.each([
    ['var([1, 3]) = 2', 'with the variance of a sample, which divides by n − 1'],
    ['std([2, 4]) = sqrt(2)', 'with the variance of a sample, which divides by n − 1'],
    ['log(100) = 2', 'with logarithms to base 10'],
    ['log(8) = 3', 'with logarithms to base 2'],
    ['-7 % 3 = -1', 'where division rounds toward zero, and remainders follow it, as in C, Java and Rust'],
    ['-7 // 2 = -3', 'where division rounds toward zero, and remainders follow it, as in C, Java and Rust'],
    ['f(-7, 3) = -1', 'where division rounds toward zero, and remainders follow it, as in C, Java and Rust'],
  ])('%s holds %s', async (claim, convention) => {
    const text = contractOf('f(a, b) = a mod b', 'a ∈ ℤ, b ∈ ℤ, 1 ≤ b ≤ 9', [claim]);
    const said = saidOf(await adopted({ 'f-v1': text }), 'C-1');
    expect(said.word).toBe('false');
    expect(said.reason).toMatch(new RegExp(`; it holds ${convention}$`, 'u'));
  });

  it.each(['var([1, 3]) = 3', 'log(100) = 3', '-7 % 3 = 1', 'f ≤ 0', '2 + 2 = 5'])(
    '%s is false by every convention',
    async (claim) => {
      const [said] = await saidOfEach('f(a, b) = a mod b', 'a ∈ ℤ, b ∈ ℤ, 1 ≤ b ≤ 9', [claim]);
      expect(said?.word).toBe('false');
      expect(said?.reason).not.toContain('it holds');
    },
  );
});
