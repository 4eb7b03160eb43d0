/**
 * What contracts of others write as numbers, and what a verdict must not rest on: how a number is rounded, K = 1000, halves to even.
 *
 * Holds src/audit/adopt/halfway-conventions.ts, src/audit/adopt/under-convention.ts, src/audit/adopt/open-scale.ts,
 * src/math/notation/ambiguous-scale.ts.
 */
import { describe, expect, it } from 'vitest';
import { adopted, contractOf, saidOf, saidOfEach, wordsOf } from './adopted.ts';

const wrongWords = ['false', 'contradicts', 'vacuous'];

describe('a number as it is written', () => {
  it('is not the float32 nearest to it: what is true of it is not false', async () => {
    const right = ['x = 0.1 ⟹ y = 0.2', 'x = 2e12 ⟹ y = 4e12', 'x = 16777217 ⟹ y = 33554434', 'for x = 1/3, y = 2/3'];
    for (const said of await saidOfEach('y = 2·x', 'x ∈ ℝ', right)) {
      expect(said.word, said.property).toBe('not-run');
      expect(said.reason, said.property).toMatch(/^over ℝ it holds there.* but for one rounding/u);
    }
    const wrong = ['x = 0.1 ⟹ y = 0.3', 'x = 2e12 ⟹ y = 5e12', 'x = 16777217 ⟹ y = 33554433'];
    expect(await wordsOf('y = 2·x', 'x ∈ ℝ', wrong)).toEqual(['false', 'false', 'false']);
  });

  it('is the end of a range, which is in it or not', async () => {
    const invariants = 'invariants: ["y ≥ 0.1", "y > 0.1", "y < 0.3"]';
    const words = async (domain: string) => {
      const adoption = await adopted({ 'a-v1': contractOf('y = x', domain, [], [invariants]) });
      return [1, 2, 3].map((i) => saidOf(adoption, `f.invariant-${i}`).word);
    };
    expect(await words('x ∈ [0.1, 0.3]')).toEqual(['held', 'false', 'false']);
    expect(await words('x ∈ (0.1, 0.3]')).toEqual(['held', 'held', 'false']);
  });

  it('may be written with an exponent where it is whole', async () => {
    const claims = ['P = 7e9 ⟹ m = 1.12e11', 'P = 7e9 ⟹ m = 1.13e11', 'P = 2.5 ⟹ m = 40'];
    expect(await wordsOf('m = 16·P', 'P ∈ ℕ⁺', claims)).toEqual(['held', 'false', 'vacuous']);
  });

  it('is given as it is written, and whole numbers of more than 32 bits are not cut off', async () => {
    const test = (prediction: string, given: string): string =>
      `falsification_tests:\n  - { id: F-1, prediction: "${prediction}", given: "${given}", if_fails: w }\n`;
    const said = async (formula: string, domain: string, prediction: string, given: string) =>
      saidOf(await adopted({ 'a-v1': contractOf(formula, domain, []) + test(prediction, given) }), 'F-1');
    expect((await said('y = 2·x', 'x ∈ ℝ', 'y = 0.2', 'x ∈ {0.1}')).word).toBe('not-run');
    expect((await said('y = 2·x', 'x ∈ ℝ', 'y = 0.3', 'x ∈ {0.1}')).word).toBe('false');
    expect((await said('y = 2·x', 'x ∈ F32', 'y = 0.2', 'x ∈ {0.1}')).word).toBe('not-run');
    const large = await said('m = 16·P', 'P ∈ ℕ⁺', 'm = 112000000001', 'P ∈ {7000000000}');
    expect(large).toMatchObject({ word: 'false', counterexample: { input: { values: { P: { text: '7e9' } } } } });
    expect((await said('m = 16·P', 'P ∈ ℕ⁺', 'm = 112000000000', 'P ∈ {7000000000}')).word).not.toBe('false');
  });
});

describe('a claim about numbers alone', () => {
  it('is decided over the reals: floats round, and overflow', async () => {
    const right = [
      '1e400 < 1e401',
      'exp(1000) < exp(1001)',
      'exp(log(3)) = 3',
      '2^10 = 1024',
      '1.5K = 1500',
      '½ = 0.5',
    ];
    const wrong = ['exp(log(3)) = 3.1', '1e400 = 1e400 + 1', '2 · 3 = 7'];
    // Their last digits are not computed, and equal in floats because those end at 1.8e308.
    const open = ['2^10000 = 2^10000 + 1', '1e999999999999 = 1e999999999999 + 1'];
    expect(await wordsOf('y = 2·x', 'x ∈ ℝ', right)).toEqual(right.map(() => 'held'));
    expect(await wordsOf('y = 2·x', 'x ∈ ℝ', wrong)).toEqual(['false', 'false', 'false']);
    expect(await wordsOf('y = 2·x', 'x ∈ ℝ', open)).toEqual(['not-run', 'not-run']);
  });
});

it('a congruence is not an equality', async () => {
  const claims = ['17 ≡ 5 mod 12', 'y ≡ 4·x mod 2', 'y ≡ x mod 2', 'y ≡ (2·x mod 2)', 'y ≡ 2·x', '17 ≡ 5 (mod 12)'];
  expect(await wordsOf('y = 2·x', 'x ∈ ℤ', claims)).toEqual(['held', 'held', 'false', 'false', 'held', 'held']);
});

it('has its modulus in brackets, too', async () => {
  const right = [
    'y ≡ 0 (mod 2)',
    'y + 7 ≡ y (mod 7)',
    'y ≡ x + x (mod 5)',
    '3·y ≡ (x + x) (mod 4)',
    'x ≡ x + 6 ≡ x + 3 (mod 3)',
  ];
  const wrong = ['y ≡ 1 (mod 2)', 'y + 7 ≡ y (mod 5)', 'y ≡ x (mod 5)', '17 ≡ 6 (mod 12)', 'y ≡ x + x + 1 (mod 5)'];
  expect(await wordsOf('y = 2·x', 'x ∈ ℤ', right)).toEqual(right.map(() => 'held'));
  expect(await wordsOf('y = 2·x', 'x ∈ ℤ', wrong)).toEqual(wrong.map(() => 'false'));
});

describe('a convention that the author may not share', () => {
  it('K and M, which are powers of ten or of two', async () => {
    const claims = ['n = 64000', 'n = 65536', 'n = 65000'];
    const [ten, two, neither] = await saidOfEach('n = 64K', 'k ∈ ℕ', claims);
    expect(ten?.word).toBe('held');
    expect(two).toMatchObject({ word: 'not-run', asRead: 'broken' });
    expect(two?.reason).toBe('64K may be meant with K = 1024; in powers of ten it is false');
    expect(neither?.word).toBe('not-run');
    // A letter that is declared is a factor, and B is a billion.
    expect(await wordsOf('n = 2K', 'K ∈ ℕ⁺', ['n = 2·K', 'n = 3·K'])).toEqual(['held', 'false']);
    expect(await wordsOf('n = 7B', 'k ∈ ℕ', ['n = 6B'])).toEqual(['false']);
  });

  it('K and M in statements that are only read, and in constants of two contracts', async () => {
    const { judged } = await adopted({
      'a-v1': contractOf('ctx = 32K', 'n ∈ ℕ', ['32K = 32768']),
      'b-v1': contractOf('ctx = 32768', 'n ∈ ℕ', ['ctx = 32K', 'ctx = 32768']),
    });
    expect(judged.filter(({ word }) => wrongWords.includes(word))).toEqual([]);
  });

  it('halves, which round to even, away from zero or up', async () => {
    const open = ['y(x) = 3 when x = 2.5', 'y(x) = floor(x + 0.5)'];
    expect(await wordsOf('y(x) = round(x)', 'x ∈ ℝ, |x| ≤ 100', open)).toEqual(['not-run', 'not-run']);
    expect(await wordsOf('y(x) = round(x)', 'x ∈ ℝ, |x| ≤ 100', ['|y(x) - x| ≤ 0.5'])).toEqual(['held']);
    const wrong = ['y(x) = 3 when x = 2.4', '|y(x) - x| < 0.5', 'y(x) = x'];
    expect(await wordsOf('y(x) = round(x)', 'x ∈ ℝ, |x| ≤ 100', wrong)).toEqual(['false', 'false', 'false']);
  });
});

describe('a claim about numbers alone', () => {
  it('that only float64 keeps is neither held nor false', async () => {
    const claims = ['1 + x = 1 for x ∈ [1e-20, 1e-19]', 'exp(-1000) = 0', '2^1024 = 2^1025'];
    for (const said of await saidOfEach('y = x', 'x ∈ ℝ', claims)) {
      expect(said.word, said.property).toBe('not-run');
      expect(said.reason).toMatch(/^it holds in float64, and not over ℝ/u);
    }
  });

  it('that has no value says so, and n!! is not (n!)!', async () => {
    const [none, double, twice] = await saidOfEach('y = x', 'x ∈ ℝ', ['0/0 = 0', '3!! = 720', '(3!)! = 720']);
    expect(none?.reason).toBe('a formula has no value at these numbers, so it is not understood as meant');
    expect(double?.word).not.toBe('held');
    expect(twice?.word).toBe('held');
  });
});

describe('a statement that denies itself', () => {
  it('is false: nothing differs from itself', async () => {
    const claims = ['f(x) ≠ f(x)', 'f(x) < f(x)', 'f(x) = f(x)'];
    expect(await wordsOf('f(x) = 2·x', 'x ∈ ℝ', claims)).toEqual(['false', 'false', 'not-run']);
  });

  it.each([
    'Bug: f(1) = 3',
    'Known issue: f(1) = 3',
    'Old behaviour: f(1) = 3',
    'Anti-pattern: f(1) = 3',
    'Failure mode: f(1) = 3',
    'TODO: f(1) = 3',
    'Assumption: f(1) = 3',
    'f(1) = 3 (false)',
  ])('is prose: %s', async (claim) => {
    expect(await wordsOf('f(x) = 2·x', 'x ∈ ℝ', [claim])).toEqual(['prose']);
  });

  it.each([
    'Linear regression: f(1) = 2',
    'Anti-symmetry: f(-x) = -f(x)',
    'Failure rate: f(1) = 2',
    'Old state: f(1) = 2',
  ])('has another title than %s', async (claim) => {
    expect(await wordsOf('f(x) = 2·x', 'x ∈ ℝ, |x| ≤ 1e3', [claim])).toEqual(['held']);
  });
});

describe('inputs that preconditions relate', () => {
  it('count where enough of those that are drawn meet them', async () => {
    const domain = 'heads ∈ ℕ⁺, groups ∈ ℕ⁺, heads % groups == 0';
    const [right, wrong] = await saidOfEach('r = heads / groups', domain, ['r ≥ 1', 'r > 1']);
    expect(right?.word).toBe('held');
    expect(right?.reason).toMatch(/^held on \d+ inputs over ℝ and \d+ inputs in float arithmetic, which are those of/u);
    expect(wrong?.word).toBe('false');
  });

  it('do not count where few meet them', async () => {
    expect(await wordsOf('y = k', 'k ∈ ℕ, k % 97 == 3', ['y ≥ 3'])).not.toContain('held');
  });
});

describe('an equation whose key is the name of an input', () => {
  it('is known by its symbol', async () => {
    const text = contractOf('scaled = f·n', 'f ∈ ℝ, n ∈ ℕ, n ≤ 8, |f| ≤ 1e3', ['f = 0 ⟹ scaled = 0', 'scaled = f']);
    const adoption = await adopted({ 'a-v1': text });
    expect(['C-1', 'C-2'].map((claim) => saidOf(adoption, claim).word)).toEqual(['held', 'false']);
  });
});
