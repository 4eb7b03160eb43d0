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
