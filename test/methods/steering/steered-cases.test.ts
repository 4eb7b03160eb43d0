/** Holds src/methods/steering/{box,clauses,closest,invert,named-numbers,point,solve}.ts and src/plan/steered-inputs.ts. */
import { describe, expect, it } from 'vitest';
import { saidOfEach, wordsOf } from '../../audit/adopt/adopted.ts';

const whole = (names: string, most: number): string => `${names} ∈ ℤ, -${most} ≤ a ≤ ${most}, -${most} ≤ b ≤ ${most}`;

describe('the premise of a claim', () => {
  const division = ['hd = hidden / heads', 'hidden, heads ∈ ℕ, 1 ≤ hidden ≤ 16384, 1 ≤ heads ≤ 128'] as const;

  it('is met where hardly any drawn input meets it', async () => {
    const claims = [
      'hidden mod heads = 0 and heads = 32 ⟹ hidden mod 16 = 0',
      'hidden mod 64 = 0 and heads = 48 ⟹ hidden mod heads = 0',
      'hidden mod heads = 0 and hidden ≥ 1024 ⟹ hd ≥ 16',
      'hidden mod heads = 0 and hidden ≥ 2048 ⟹ hd ≥ 16',
    ];
    expect(await wordsOf(...division, claims)).toEqual(['held', 'false', 'false', 'held']);
  });

  it('is met with equality, with either sign', async () => {
    const quantized = ['q = s · clamp(round(x / s), -8, 7)', 'x ∈ ℝ, s ∈ ℝ, 0.01 ≤ s ≤ 100'] as const;
    const claims = ['|x| ≤ 8·s ⟹ |q - x| ≤ 1.001·s', '|x| ≤ 8·s ⟹ |q - x| < s', '|x| ≤ 7·s ⟹ |q - x| ≤ 0.501·s'];
    expect(await wordsOf(...quantized, claims)).toEqual(['held', 'false', 'held']);
    const negative = ['q = s · clamp(round(x / s), -7, 8)', 'x ∈ ℝ, s ∈ ℝ, 0.01 ≤ s ≤ 100'] as const;
    expect(await wordsOf(...negative, ['|x| ≤ 8·s ⟹ |q - x| < s'])).toEqual(['false']);
  });

  it('is met by small whole numbers', async () => {
    const claims = ['a² - b² = 45 ⟹ |a| ≤ 9', 'a² - b² = 45 ⟹ |a| ≤ 23'];
    expect(await wordsOf('f = a² - b²', whole('a, b', 1000), claims)).toEqual(['false', 'held']);
  });
});

describe('a number that is written', () => {
  it('is tried, and so is what makes both sides equal', async () => {
    const claims = ['(x - 2.5)² > 0', '(x - 0.37)² ≥ 1e-7', '(x + 17)² > 0', '3·x ≠ 51', '(x - 2.5)² ≥ 0'];
    expect(await wordsOf('f = x', 'x ∈ ℝ', claims)).toEqual(['false', 'false', 'false', 'false', 'held']);
  });

  it('in a domain of whole numbers is one of all that are tried', async () => {
    const claims = ['|k - 4097| > 0', 'k mod 10007 ≠ 6000', 'k mod 10007 ≠ 9000', '(k - 3)·(k - 71)·(k - 8190) ≠ 0'];
    expect(await wordsOf('f = k', 'k ∈ ℕ, k ≤ 8192', claims)).toEqual(['false', 'false', 'held', 'false']);
  });

  it('counts only within the domain', async () => {
    expect(await wordsOf('f = x', 'x ∈ ℝ, x ≥ 3', ['(x - 2.5)² > 0', '(x - 2.5)² > 1/4'])).toEqual(['held', 'false']);
  });
});

describe('the closest point of a claim about one real input', () => {
  it('is found where no number is written', async () => {
    const claims = ['f > -0.375', 'x² - 3·x + 9/4 > 0', 'f ≥ -0.375', 'x² - 3·x + 2.26 > 0'];
    const said = await saidOfEach('f = x · min(max(x + 3, 0), 6) / 6', 'x ∈ [-100, 100]', claims);
    expect(said.map(({ word }) => word)).toEqual(['false', 'false', 'held', 'held']);
    expect(said[0]?.counterexample?.input.values).toMatchObject({ x: { text: '-1.5' } });
  });
});
