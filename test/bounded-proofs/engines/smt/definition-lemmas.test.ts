/** What the solver gets (`collect-lemmas.ts`, `lemma.ts`) about what a number is, and of how far a rounding is from what it rounds. */
import { describe, expect, it } from 'vitest';
import { lemmasAbout, type LemmaCase } from './lemmas-about.ts';

describe('what a number is', () => {
  it.each<LemmaCase>([
    ['max(a, b) ≤ c', {}, ['a ≤ max(a, b)', 'b ≤ max(a, b)', 'a = t1 ∨ b = t1; t1 = max(a, b)']],
    ['min(a, b) ≤ c', {}, ['min(a, b) ≤ a', 'min(a, b) ≤ b', 'a = t1 ∨ b = t1; t1 = min(a, b)']],
    ['|a| ≤ c', {}, ['a ≤ |a|', '−a ≤ |a|', 'a = t1 ∨ t1 = −a; t1 = |a|']],
    ['(a < b ? a : b) ≤ c', {}, ['¬t1 ∨ a = (t1 ? a : b); t1 = a < b', 't1 ∨ b = (t1 ? a : b); t1 = a < b']],
    [
      'a · a ≤ c',
      { a: [null, null] },
      ['0 ≤ a · a', '2 · a + −1 ≤ a · a', '−(2 · a) + −1 ≤ a · a', '¬(0 < a) ∨ 0 < a · a', '¬(a < 0) ∨ 0 < a · a'],
    ],
    [
      'a · b ≤ c',
      { a: [null, null], b: [null, null] },
      [
        '¬(0 ≤ a) ∨ ¬(0 ≤ b) ∨ 0 ≤ a · b',
        '¬(a ≤ 0) ∨ ¬(b ≤ 0) ∨ 0 ≤ a · b',
        '¬(0 ≤ a) ∨ ¬(b ≤ 0) ∨ a · b ≤ 0',
        '¬(a ≤ 0) ∨ ¬(0 ≤ b) ∨ a · b ≤ 0',
        '¬(0 < a) ∨ ¬(0 < b) ∨ 0 < a · b',
      ],
    ],
    [
      'a · b ≤ c',
      { a: [0, null], b: [null, 2] },
      [
        '¬(0 ≤ b) ∨ 0 ≤ a · b',
        '¬(a ≤ 0) ∨ ¬(b ≤ 0) ∨ 0 ≤ a · b',
        '¬(b ≤ 0) ∨ a · b ≤ 0',
        '¬(a ≤ 0) ∨ ¬(0 ≤ b) ∨ a · b ≤ 0',
        '¬(0 < a) ∨ ¬(0 < b) ∨ 0 < a · b',
        'a · b ≤ 2 · a',
      ],
    ],
    [
      'a · b ≤ c',
      { a: [-1, 2], b: [3, 5] },
      [
        '¬(0 ≤ a) ∨ 0 ≤ a · b',
        '¬(a ≤ 0) ∨ ¬(b ≤ 0) ∨ 0 ≤ a · b',
        '¬(0 ≤ a) ∨ ¬(b ≤ 0) ∨ a · b ≤ 0',
        '¬(a ≤ 0) ∨ a · b ≤ 0',
        '¬(0 < a) ∨ 0 < a · b',
        '−b + 3 · a + 3 ≤ a · b',
        '2 · b + 5 · a + −10 ≤ a · b',
        'a · b ≤ 2 · b + 3 · a + −6',
        'a · b ≤ −b + 5 · a + 5',
      ],
    ],
    ['floor(a) ≤ c', {}, ['floor(a) ≤ a', 'a < floor(a) + 1']],
    ['ceiling(a) ≤ c', {}, ['a ≤ ceiling(a)', 'ceiling(a) < a + 1']],
    [
      'truncate(a) ≤ c',
      {},
      [
        '¬(0 ≤ a) ∨ 0 ≤ t1 ∧ t1 ≤ a; t1 = truncate(a)',
        '¬(0 ≤ a) ∨ a < truncate(a) + 1',
        '¬(a ≤ 0) ∨ t1 ≤ 0 ∧ a ≤ t1; t1 = truncate(a)',
        '¬(a ≤ 0) ∨ truncate(a) + −1 < a',
      ],
    ],
    [
      'truncate(a) ≤ c',
      { a: [0, 1] },
      [
        '0 ≤ t1 ∧ t1 ≤ a; t1 = truncate(a)',
        'a < truncate(a) + 1',
        '¬(a ≤ 0) ∨ t1 ≤ 0 ∧ a ≤ t1; t1 = truncate(a)',
        '¬(a ≤ 0) ∨ truncate(a) + −1 < a',
      ],
    ],
    ['round-half-even(a) ≤ c', {}, ['round-half-even(a) ≤ a + 0.5', 'a + −0.5 ≤ round-half-even(a)']],
    ['round-half-up(a) ≤ c', {}, ['round-half-up(a) ≤ a + 0.5', 'a + −0.5 ≤ round-half-up(a)']],
    ['floor(n / 4) ≤ c', { n: [0, 100, 'integer'] }, ['4 · floor(n / 4) ≤ n', 'n ≤ 4 · floor(n / 4) + 3']],
    ['ceiling(n / 4) ≤ c', { n: [0, 100, 'integer'] }, ['4 · ceiling(n / 4) + −3 ≤ n', 'n ≤ 4 · ceiling(n / 4)']],
    [
      'floor(n / −4) ≤ c',
      { n: [0, 100, 'integer'] },
      ['floor(t1) ≤ t1; t1 = −(n / 4)', 't1 < floor(t1) + 1; t1 = −(n / 4)'],
    ],
    [
      'a mod 3 ≤ c',
      {},
      [
        '0 ≤ a mod 3',
        'a mod 3 < 3',
        '¬(0 ≤ a) ∨ a mod 3 ≤ a',
        'a mod 3 = a − 3 · floor(a / 3)',
        'floor(t1) ≤ t1; t1 = a / 3',
        't1 < floor(t1) + 1; t1 = a / 3',
      ],
    ],
    [
      'a mod b ≤ c',
      { a: [0, 1], b: [null, null] },
      ['¬(0 < b) ∨ 0 ≤ a mod b', '¬(0 < b) ∨ a mod b < b', '¬(0 < b) ∨ a mod b ≤ a'],
    ],
    ['a mod −3 ≤ c', {}, []],
    [
      'pow(a, 3) ≤ c',
      { a: [null, null] },
      [
        'pow(a, 3) = a · a · a',
        '0 ≤ a · a',
        '2 · a + −1 ≤ a · a',
        '−(2 · a) + −1 ≤ a · a',
        '¬(0 < a) ∨ 0 < a · a',
        '¬(a < 0) ∨ 0 < a · a',
        '¬(0 ≤ a) ∨ 0 ≤ a · a · a',
        '¬(t1 ≤ 0) ∨ ¬(a ≤ 0) ∨ 0 ≤ t1 · a; t1 = a · a',
        '¬(a ≤ 0) ∨ a · a · a ≤ 0',
        '¬(t1 ≤ 0) ∨ ¬(0 ≤ a) ∨ t1 · a ≤ 0; t1 = a · a',
        '¬(0 < t1) ∨ ¬(0 < a) ∨ 0 < t1 · a; t1 = a · a',
      ],
    ],
    ['pow(a, 9) ≤ c', { a: [null, null] }, []],
    ['pow(a, 1/2) ≤ c', { a: [null, null] }, []],
    ['pow(a, 0) ≤ c', { a: [null, null] }, []],
    [
      'fl(a + b) ≤ c',
      { a: [null, null] },
      [
        '¬(t1 ≤ c) ∨ fl(t1) ≤ c; t1 = a + b by rounding-monotone, rounding-exact',
        '¬(c ≤ t1) ∨ c ≤ fl(t1); t1 = a + b by rounding-monotone, rounding-exact',
        '¬(t1 ≤ −1e-45) ∨ fl(t1) ≤ −1e-45; t1 = a + b by rounding-monotone, rounding-exact',
        '¬(−1e-45 ≤ t1) ∨ −1e-45 ≤ fl(t1); t1 = a + b by rounding-monotone, rounding-exact',
        '¬(t1 ≤ 0) ∨ fl(t1) ≤ 0; t1 = a + b by rounding-monotone, rounding-exact',
        '¬(0 ≤ t1) ∨ 0 ≤ fl(t1); t1 = a + b by rounding-monotone, rounding-exact',
        '¬(t1 ≤ 1e-45) ∨ fl(t1) ≤ 1e-45; t1 = a + b by rounding-monotone, rounding-exact',
        '¬(1e-45 ≤ t1) ∨ 1e-45 ≤ fl(t1); t1 = a + b by rounding-monotone, rounding-exact',
        '¬(0 ≤ b) ∨ a ≤ fl(a + b) by rounding-monotone, rounding-exact',
        '¬(b ≤ 0) ∨ fl(a + b) ≤ a by rounding-monotone, rounding-exact',
        '¬(0 ≤ a) ∨ b ≤ fl(a + b) by rounding-monotone, rounding-exact',
        '¬(a ≤ 0) ∨ fl(a + b) ≤ b by rounding-monotone, rounding-exact',
        '¬(t1 ≤ 0.99999994) ∨ fl(t1) ≤ 0.99999994; t1 = a + b by rounding-monotone, rounding-exact',
        '¬(0.99999994 ≤ t1) ∨ 0.99999994 ≤ fl(t1); t1 = a + b by rounding-monotone, rounding-exact',
        '¬(t1 ≤ 1) ∨ fl(t1) ≤ 1; t1 = a + b by rounding-monotone, rounding-exact',
        '¬(1 ≤ t1) ∨ 1 ≤ fl(t1); t1 = a + b by rounding-monotone, rounding-exact',
        '¬(t1 ≤ 1.0000001) ∨ fl(t1) ≤ 1.0000001; t1 = a + b by rounding-monotone, rounding-exact',
        '¬(1.0000001 ≤ t1) ∨ 1.0000001 ≤ fl(t1); t1 = a + b by rounding-monotone, rounding-exact',
      ],
    ],
    [
      'fl(a + b) ≤ c',
      { a: [null, null, 'f64'] },
      [
        '¬(t1 ≤ c) ∨ fl(t1) ≤ c; t1 = a + b by rounding-monotone, rounding-exact',
        '¬(c ≤ t1) ∨ c ≤ fl(t1); t1 = a + b by rounding-monotone, rounding-exact',
        '¬(t1 ≤ −1e-45) ∨ fl(t1) ≤ −1e-45; t1 = a + b by rounding-monotone, rounding-exact',
        '¬(−1e-45 ≤ t1) ∨ −1e-45 ≤ fl(t1); t1 = a + b by rounding-monotone, rounding-exact',
        '¬(t1 ≤ 0) ∨ fl(t1) ≤ 0; t1 = a + b by rounding-monotone, rounding-exact',
        '¬(0 ≤ t1) ∨ 0 ≤ fl(t1); t1 = a + b by rounding-monotone, rounding-exact',
        '¬(t1 ≤ 1e-45) ∨ fl(t1) ≤ 1e-45; t1 = a + b by rounding-monotone, rounding-exact',
        '¬(1e-45 ≤ t1) ∨ 1e-45 ≤ fl(t1); t1 = a + b by rounding-monotone, rounding-exact',
        '¬(0 ≤ a) ∨ b ≤ fl(a + b) by rounding-monotone, rounding-exact',
        '¬(a ≤ 0) ∨ fl(a + b) ≤ b by rounding-monotone, rounding-exact',
        '¬(t1 ≤ 0.99999994) ∨ fl(t1) ≤ 0.99999994; t1 = a + b by rounding-monotone, rounding-exact',
        '¬(0.99999994 ≤ t1) ∨ 0.99999994 ≤ fl(t1); t1 = a + b by rounding-monotone, rounding-exact',
        '¬(t1 ≤ 1) ∨ fl(t1) ≤ 1; t1 = a + b by rounding-monotone, rounding-exact',
        '¬(1 ≤ t1) ∨ 1 ≤ fl(t1); t1 = a + b by rounding-monotone, rounding-exact',
        '¬(t1 ≤ 1.0000001) ∨ fl(t1) ≤ 1.0000001; t1 = a + b by rounding-monotone, rounding-exact',
        '¬(1.0000001 ≤ t1) ∨ 1.0000001 ≤ fl(t1); t1 = a + b by rounding-monotone, rounding-exact',
      ],
    ],
    [
      'fl(a) ≤ c',
      {},
      [
        '¬(a ≤ c) ∨ fl(a) ≤ c by rounding-monotone, rounding-exact',
        '¬(c ≤ a) ∨ c ≤ fl(a) by rounding-monotone, rounding-exact',
        '¬(a ≤ −1e-45) ∨ fl(a) ≤ −1e-45 by rounding-monotone, rounding-exact',
        '¬(−1e-45 ≤ a) ∨ −1e-45 ≤ fl(a) by rounding-monotone, rounding-exact',
        '¬(a ≤ 0) ∨ fl(a) ≤ 0 by rounding-monotone, rounding-exact',
        '¬(0 ≤ a) ∨ 0 ≤ fl(a) by rounding-monotone, rounding-exact',
        '¬(a ≤ 1e-45) ∨ fl(a) ≤ 1e-45 by rounding-monotone, rounding-exact',
        '¬(1e-45 ≤ a) ∨ 1e-45 ≤ fl(a) by rounding-monotone, rounding-exact',
        'a = fl(a) by rounding-exact',
        '¬(a ≤ 0.99999994) ∨ fl(a) ≤ 0.99999994 by rounding-monotone, rounding-exact',
        '¬(0.99999994 ≤ a) ∨ 0.99999994 ≤ fl(a) by rounding-monotone, rounding-exact',
        '¬(a ≤ 1) ∨ fl(a) ≤ 1 by rounding-monotone, rounding-exact',
        '¬(1 ≤ a) ∨ 1 ≤ fl(a) by rounding-monotone, rounding-exact',
        '¬(a ≤ 1.0000001) ∨ fl(a) ≤ 1.0000001 by rounding-monotone, rounding-exact',
        '¬(1.0000001 ≤ a) ∨ 1.0000001 ≤ fl(a) by rounding-monotone, rounding-exact',
      ],
    ],
    [
      '√(a) ≤ c',
      {},
      [
        '¬(0 ≤ a) ∨ ¬(a ≤ 0) ∨ √(a) ≤ 0',
        '¬(0 ≤ a) ∨ 0 ≤ √(a)',
        '¬(0 < a) ∨ 0 < √(a)',
        '¬(0 ≤ a) ∨ ¬(a ≤ 1) ∨ √(a) ≤ 1',
        '¬(1 ≤ a) ∨ 1 ≤ √(a)',
        '¬(1 < a) ∨ 1 < √(a)',
      ],
    ],
  ])('%s over %o', (claim, over, lemmas) => {
    expect(lemmasAbout(claim, 'cone', over)).toEqual(lemmas);
  });
});

describe('how far a rounding is from what it rounds', () => {
  it.each<LemmaCase>([
    [
      'fl(a + b) ≤ c',
      { b: [0, 1] },
      [
        '¬(0 ≤ t1) ∨ fl(t1) ≤ t1 + 5.9604645e-8 · t1; t1 = a + b by rounding-addition',
        '¬(0 ≤ t1) ∨ t1 − 5.9604645e-8 · t1 ≤ fl(t1); t1 = a + b by rounding-addition',
        '¬(t1 ≤ 0) ∨ fl(t1) ≤ t1 − 5.9604645e-8 · t1; t1 = a + b by rounding-addition',
        '¬(t1 ≤ 0) ∨ t1 + 5.9604645e-8 · t1 ≤ fl(t1); t1 = a + b by rounding-addition',
      ],
    ],
    [
      'fl(a · b) ≤ c',
      { a: [0, 1], b: [0, 1] },
      [
        'fl(t1) ≤ t1 + (5.9604645e-8 · t1 + 7.006492321624085e-46); t1 = a · b by rounding-relative',
        't1 − (5.9604645e-8 · t1 + 7.006492321624085e-46) ≤ fl(t1); t1 = a · b by rounding-relative',
      ],
    ],
    [
      'fl(a · b) ≤ c',
      { a: [0, 1], b: [-1, 0] },
      [
        'fl(t1) ≤ t1 + (−(5.9604645e-8 · t1) + 7.006492321624085e-46); t1 = a · b by rounding-relative',
        't1 − (−(5.9604645e-8 · t1) + 7.006492321624085e-46) ≤ fl(t1); t1 = a · b by rounding-relative',
      ],
    ],
    [
      'fl(a · 2) ≤ c',
      { a: [null, null] },
      [
        '¬(t1 ≤ 3.4028235e38) ∨ ¬(−3.4028235e38 ≤ t1) ∨ ¬(0 ≤ t1) ∨ fl(t1) ≤ t1 + (5.9604645e-8 · t1 + 7.006492321624085e-46); t1 = a · 2 by rounding-relative',
        '¬(t1 ≤ 3.4028235e38) ∨ ¬(−3.4028235e38 ≤ t1) ∨ ¬(0 ≤ t1) ∨ t1 − (5.9604645e-8 · t1 + 7.006492321624085e-46) ≤ fl(t1); t1 = a · 2 by rounding-relative',
        '¬(t1 ≤ 3.4028235e38) ∨ ¬(−3.4028235e38 ≤ t1) ∨ ¬(t1 ≤ 0) ∨ fl(t1) ≤ t1 + (−(5.9604645e-8 · t1) + 7.006492321624085e-46); t1 = a · 2 by rounding-relative',
        '¬(t1 ≤ 3.4028235e38) ∨ ¬(−3.4028235e38 ≤ t1) ∨ ¬(t1 ≤ 0) ∨ t1 − (−(5.9604645e-8 · t1) + 7.006492321624085e-46) ≤ fl(t1); t1 = a · 2 by rounding-relative',
      ],
    ],
    [
      'fl(a) ≤ c',
      { a: [-1e39, 1e39, 'f64'] },
      [
        '¬(a ≤ 3.4028235e38) ∨ ¬(−3.4028235e38 ≤ a) ∨ ¬(0 ≤ a) ∨ fl(a) ≤ a + (5.9604645e-8 · a + 7.006492321624085e-46) by rounding-relative',
        '¬(a ≤ 3.4028235e38) ∨ ¬(−3.4028235e38 ≤ a) ∨ ¬(0 ≤ a) ∨ a − (5.9604645e-8 · a + 7.006492321624085e-46) ≤ fl(a) by rounding-relative',
        '¬(a ≤ 3.4028235e38) ∨ ¬(−3.4028235e38 ≤ a) ∨ ¬(a ≤ 0) ∨ fl(a) ≤ a + (−(5.9604645e-8 · a) + 7.006492321624085e-46) by rounding-relative',
        '¬(a ≤ 3.4028235e38) ∨ ¬(−3.4028235e38 ≤ a) ∨ ¬(a ≤ 0) ∨ a − (−(5.9604645e-8 · a) + 7.006492321624085e-46) ≤ fl(a) by rounding-relative',
      ],
    ],
    ['fl(a) ≤ c', { a: [0, 1] }, []],
    [
      'fl(a · 0.5) ≤ c',
      { a: [-3.4028234663852886e38, 3.4028234663852886e38, 'f64'] },
      [
        '¬(0 ≤ t1) ∨ fl(t1) ≤ t1 + (5.9604645e-8 · t1 + 7.006492321624085e-46); t1 = a · 0.5 by rounding-relative',
        '¬(0 ≤ t1) ∨ t1 − (5.9604645e-8 · t1 + 7.006492321624085e-46) ≤ fl(t1); t1 = a · 0.5 by rounding-relative',
        '¬(t1 ≤ 0) ∨ fl(t1) ≤ t1 + (−(5.9604645e-8 · t1) + 7.006492321624085e-46); t1 = a · 0.5 by rounding-relative',
        '¬(t1 ≤ 0) ∨ t1 − (−(5.9604645e-8 · t1) + 7.006492321624085e-46) ≤ fl(t1); t1 = a · 0.5 by rounding-relative',
      ],
    ],
  ])('%s over %o', (claim, over, lemmas) => {
    const others = new Set(lemmasAbout(claim, 'cone', over));
    expect(lemmasAbout(claim, 'errors', over).filter((lemma) => !others.has(lemma))).toEqual(lemmas);
  });
});
