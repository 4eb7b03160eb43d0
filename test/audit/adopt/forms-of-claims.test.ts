/** Holds src/math/notation/stated-tolerance.ts: claims over several lines, in lists, in words and with tolerances in their text. */
import { describe, expect, it } from 'vitest';
import { adopted, contractOf, saidOf, wordsOf } from './adopted.ts';

const larger = ['m(a, b) = max(a, b)', 'a, b ∈ ℝ'] as const;
const logistic = ['s(x) = 1/(1 + exp(-x))', 'x ∈ ℝ'] as const;

describe('a claim of several lines', () => {
  it('may be a list with bullets, whose signs are no operators', async () => {
    const claims = ['- m(a, b) ≥ a\n- m(a, b) ≥ b', '- m(a, b) ≥ a\n- m(a, b) ≤ b', '* m(a, b) ≥ a\n* m(a, b) ≥ b'];
    expect(await wordsOf(...larger, claims)).toEqual(['held', 'false', 'held']);
    expect(await wordsOf(...larger, ['-m(a, b) ≤ -a\n-m(a, b) ≤ -b', '-m(a, b) ≥ -a\n-m(a, b) ≤ -b'])).toEqual([
      'held',
      'false',
    ]);
  });

  it('may have its quantifier or its condition on a line of its own', async () => {
    const claims = [
      '∀ x ∈ ℝ:\n  s(x) ≤ 1',
      'For all x in R:\n  s(x) <= 1/2',
      'if x >= 0\nthen s(x) >= 1/2',
      'if x >= 0:\n  s(x) <= 1/2',
    ];
    expect(await wordsOf(...logistic, claims)).toEqual(['held', 'false', 'held', 'false']);
  });
});

describe('a condition in words', () => {
  it.each([
    ['if a ≥ 0 and b ≥ 0, then m(a, b) ≥ 0', 'held'],
    ['if a ≥ 0, then m(a, b) ≤ a', 'false'],
    ['m(a, b) ≥ 0 as long as a ≥ 0', 'held'],
    ['m(a, b) ≥ 0 as long as a ≥ -1', 'false'],
  ])('%s: %s', async (claim, word) => {
    expect(await wordsOf(...larger, [claim])).toEqual([word]);
  });
});

describe('a tolerance in the text of a claim', () => {
  it.each([
    ['s(x) + s(-x) = 1 within 1e-6', 'held'],
    ['s(x) + s(-x) == 1 to within 1e-6', 'held'],
    ['s(x) + s(-x) = 1 (tolerance: 1e-6)', 'held'],
    ['s(x) + s(-x) = 1 ± 1e-6', 'held'],
    ['s(x) + s(-x) ≈ 2 within 1e-6', 'false'],
    ['s(x) + s(-x) = 2 ± 1e-6', 'false'],
    ['s(x) + s(-x) = 1.1 within 0.2', 'held'],
    ['1/3 = 0.3333 within 1e-3', 'held'],
    ['π ≈ 3.14159 within 1e-5', 'held'],
    ['π ≈ 3.1 within 1e-5', 'false'],
  ])('%s: %s', async (claim, word) => {
    expect(await wordsOf(...logistic, [claim])).toEqual([word]);
  });

  it('agrees with the tolerance of the claim, if it has one', async () => {
    const word = async (tolerance: string) => {
      const text = contractOf(...logistic, ['s(x) + s(-x) = 1 within 1e-6']).replace(/ \}\n$/u, `, ${tolerance} }\n`);
      return saidOf(await adopted({ 'f-v1': text }), 'C-1').word;
    };
    expect([await word('tolerance: 1e-6'), await word('tolerance: 1e-9')]).toEqual(['held', 'prose']);
  });

  it('claims nothing about ε: two of them do not contradict each other', async () => {
    const claims = ['|s(x) - s(-x)| < ε, ε = 1e-5', '|s(x) - 1| < ε, ε = 2'];
    const { judged } = await adopted({ 'f-v1': contractOf(...logistic, claims) });
    expect(judged.map(({ word }) => word)).not.toContain('contradicts');
  });
});

it('a range of Rust contains the numbers between its ends', async () => {
  expect(await wordsOf('c = clamp(x, 0, 1)', 'x ∈ ℝ', ['c in 0.0..=1.0', 'c in 0..=1', 'c in 0.0..=0.5'])).toEqual([
    'held',
    'held',
    'false',
  ]);
});
