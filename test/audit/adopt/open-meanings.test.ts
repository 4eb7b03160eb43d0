/** Holds src/audit/adopt/open-meanings.ts. */
import { describe, expect, it } from 'vitest';
import { adopted, contractOf, saidOf, saidOfEach, wordsOf } from './adopted.ts';

const product = ['f(a, b) = a·b', 'a, b ∈ ℝ'] as const;

describe('what breaks a claim decides nothing where a part of it may mean something else', () => {
  it.each([
    'a > 0 ∧ b > 0 ⟹ f(a, b) > 0, f(b, a) > 0',
    'a = 2 → f(a, b) = 2·b, f(b, a) = 2·b',
    'a > 1, b > 1 ⟹ f(a, b) > a, f(a, b) > b',
  ])('the parts after the comma of an implication: %s', async (claim) => {
    const [said] = await saidOfEach(...product, [claim]);
    expect(said).toMatchObject({ word: 'not-run', asRead: 'broken' });
    expect(said?.reason).toMatch(
      /^what follows the comma may be meant under the premise before it; as it is read it is false/u,
    );
  });

  it('but not those that have their own premise, a semicolon before them, or other names', async () => {
    const claims = [
      'a = 0 ⟹ f(a, b) = 0, b = 1 ⟹ f(a, b) = 0',
      'a > 0, b > 0 ⟹ f(a, b) > 0; f(b, a) > 0',
      'a = 0 ⟹ f(a, b) = 0, f(1, 1) = 2',
    ];
    expect(await wordsOf(...product, claims)).toEqual(['false', 'false', 'false']);
  });

  it('relations of inputs that are listed after a claim', async () => {
    const [said] = await saidOfEach(...product, ['f(a, b) = 6, a = 2, b = 3']);
    expect(said).toMatchObject({ word: 'not-run', asRead: 'broken' });
    expect(await wordsOf(...product, ['f(a, b) = 6, f(b, a) = 6'])).toEqual(['false']);
  });

  it('or before it', async () => {
    const [said] = await saidOfEach(...product, ['a = 2, b = 3, f(a, b) = 6']);
    expect(said).toMatchObject({ word: 'not-run', asRead: 'broken' });
    expect(said?.reason).toMatch(/^its first parts are about inputs alone/u);
  });
});

describe('what looks like a product and may be something else', () => {
  it.each(['f x = 2 x', 'f (x + 1) = 2 x + 2', '2 f x = 4 x'])(
    'a function before its argument without brackets: %s',
    async (claim) => {
      const [said] = await saidOfEach('f(x) = 2·x', 'x ∈ ℝ', [claim]);
      expect(said).toMatchObject({ word: 'not-run' });
      expect(said?.reason).toMatch(/^f without brackets may be applied to what follows/u);
    },
  );

  it('but neither a value nor a function with its brackets', async () => {
    expect(await wordsOf('f(x) = 2·x', 'x ∈ ℝ', ['2 f(x) = 5x', 'x f(x) = 3 x²'])).toEqual(['false', 'false']);
    expect(await wordsOf('y = 2·x', 'x ∈ ℝ', ['x y = 3 x²'])).toEqual(['false']);
  });

  it('a number before a name in brackets', async () => {
    const [said] = await saidOfEach('nb = ⌈s / B⌉', 's, B ∈ ℕ⁺', ['waste(s) < B where waste = nb·B - s']);
    expect(said).toMatchObject({ word: 'not-run', reason: 'waste is not a function here' });
    expect(await wordsOf('f(x) = 2·x', 'x ∈ ℝ, a ∈ ℝ', ['f(a(x + 1)) = a(2x + 3)'])).toEqual(['false']);
  });

  it('a list of Python, which is no interval', async () => {
    const [said] = await saidOfEach('f(x) = x²', 'x ∈ ℝ', ['f(x) == 1 for x in [-1, 1]']);
    expect(said).toMatchObject({ word: 'not-run', asRead: 'broken' });
    expect(await wordsOf('f(x) = x²', 'x ∈ ℝ', ['f(x) = 1 for x ∈ [-1, 1]'])).toEqual(['false']);
  });

  it('1 after a dot, which may be the vector of ones', async () => {
    const shares = ['s(x)_i = x_i / Σ_j x_j', 'x ∈ ℝ^n, x_i > 0'] as const;
    const [said] = await saidOfEach(...shares, ['s(x) · 1 = 1']);
    expect(said).toMatchObject({ word: 'not-run', asRead: 'broken' });
    expect(await wordsOf(...shares, ['s(x) · 1.5 = 1'])).toEqual(['false']);
  });
});

describe('a tolerance that pv does not read or use', () => {
  const said = async (tolerance: string, formal = 'f(x) ≈ x + 1e-7') => {
    const text = contractOf('f(x) = x', 'x ∈ ℝ', [formal]).replace(/ \}\n$/u, `, ${tolerance} }\n`);
    return saidOf(await adopted({ 'f-v1': text }), 'C-1');
  };

  it.each([
    'tolerance: { atol: 1e-5 }',
    'tolerance: { absolute: 1e-5, relative: 1e-5 }',
    'tolerance: { abs: "1e-5" }',
    'tolerance: "1e-5"',
    'atol: 1e-5',
    'epsilon: 1e-5',
  ])('makes no claim false: %s', async (tolerance) => {
    for (const formal of ['f(x) ≈ x + 1e-7', 'f(x) = x + 1e-7'])
      expect(await said(tolerance, formal)).toMatchObject({ word: 'not-run' });
  });

  it.each(['tolerance: { atol: 1e-5 }', 'atol: 1e-5', 'tolerance: "1e-5"', 'tolerance: exact', 'tol: none'])(
    'excuses nothing that is off by more: %s',
    async (tolerance) => {
      expect((await said(tolerance, 'f(x) = x + 1')).word).toBe('false');
    },
  );

  it('may be of any size where it has a unit', async () => {
    expect((await said('tolerance: "1%"', 'f(x) = x + 1')).word).toBe('not-run');
    expect((await said('tolerance: { atol: default }', 'f(x) = x + 1')).word).toBe('not-run');
  });

  it('nor does an equality that is off by less than it', async () => {
    expect(await said('tolerance: 1e-5', 'f(x) = x + 1e-7')).toMatchObject({ word: 'not-run', asRead: 'broken' });
    expect((await said('tolerance: 1e-5', 'f(x) = x + 1')).word).toBe('false');
    expect((await said('tolerance: { abs: 1e-5 }', 'f(x) ≈ x + 1')).word).toBe('false');
    expect((await said('tolerance: { abs: 1e-5 }')).word).not.toBe('false');
  });
});

it('there is one zero over the reals', async () => {
  expect(await wordsOf('s = 1/√v', 'v ≥ 0', ['s > 0', 's > 1'])).toEqual(['false-in-float32', 'false']);
});
