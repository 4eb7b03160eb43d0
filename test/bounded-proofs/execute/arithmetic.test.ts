/**
 * The arithmetic and the expressions of kernels (`expressions.ts`, `value.ts`) on unknown numbers: what is computed, with each
 * rounding, and what must hold for it (`site.ts`).
 *
 * Holds src/bounded-proofs/execute/expressions.ts, src/bounded-proofs/execute/value.ts, src/subject/whole-arithmetic.ts.
 */
import { describe, expect, it } from 'vitest';
import { outcomeOf, type Outcome } from './run-kernel-text.ts';
import type { Shapes } from './run-kernel.ts';

type Options = NonNullable<Parameters<typeof outcomeOf>[2]>;
type Case = readonly [body: string, parameters: Shapes, options: Options, outcome: Outcome];

describe('operators', () => {
  it.each<Case>([
    [
      'return a + b;',
      { a: 'number', b: 'number' },
      {},
      { outputs: ['fl(a + b)'], safety: ['overflow 2:8 a + b does not overflow ⟸ |fl(a + b)| ≤ 3.4028235e38'] },
    ],
    [
      'return a - b;',
      { a: 'number', b: 'number' },
      {},
      { outputs: ['fl(a − b)'], safety: ['overflow 2:8 a - b does not overflow ⟸ |fl(a − b)| ≤ 3.4028235e38'] },
    ],
    [
      'return a * b;',
      { a: 'number', b: 'number' },
      {},
      { outputs: ['fl(a · b)'], safety: ['overflow 2:8 a * b does not overflow ⟸ |fl(a · b)| ≤ 3.4028235e38'] },
    ],
    [
      'return a / b;',
      { a: 'number', b: 'number' },
      {},
      {
        outputs: ['fl(a / b)'],
        safety: [
          'division 2:8 a / b does not divide by 0 ⟸ ¬(b = 0)',
          'overflow 2:8 a / b does not overflow ⟸ |fl(a / b)| ≤ 3.4028235e38',
        ],
      },
    ],
    [
      'return a % b;',
      { a: 'number', b: 'number' },
      {},
      {
        outputs: ['fl(a − fl(truncate(fl(a / b)) · b))'],
        safety: [
          'division 2:8 a % b does not divide by 0 ⟸ ¬(b = 0)',
          'overflow 2:8 a % b does not overflow ⟸ |t1| ≤ 3.4028235e38 ∧ |t2| ≤ 3.4028235e38 ∧ |fl(a − t2)| ≤ 3.4028235e38; t1 = fl(a / b); t2 = fl(truncate(t1) · b)',
        ],
      },
    ],
    [
      'return a ** b;',
      { a: 'number', b: 'number' },
      {},
      {
        outputs: ['pow₃₂(a, b)'],
        safety: [
          'invalid 2:8 a ** b has a value ⟸ 0 < a ∨ a = 0 ∧ 0 ≤ b ∨ a < 0 ∧ b = floor(b)',
          'overflow 2:8 a ** b does not overflow ⟸ |pow₃₂(a, b)| ≤ 3.4028235e38',
        ],
      },
    ],
    ['return -a;', { a: 'number' }, {}, { outputs: ['−a'] }],
    ['return a + 0;', { a: 'number' }, {}, { outputs: ['a'] }],
    ['return a * 1;', { a: 'number' }, {}, { outputs: ['a'] }],
    ['return a / 1;', { a: 'number' }, {}, { outputs: ['a'] }],
    ['return a * -1;', { a: 'number' }, {}, { outputs: ['−a'] }],
    ['return 0 - a;', { a: 'number' }, {}, { outputs: ['−a'] }],
    ['return a * 0;', { a: 'number' }, {}, { outputs: ['0'] }],
    [
      'return 0 / a;',
      { a: 'number' },
      {},
      { outputs: ['0'], safety: ['division 2:8 0 / a does not divide by 0 ⟸ ¬(a = 0)'] },
    ],
    [
      'return a / 0;',
      { a: 'number' },
      {},
      { outputs: ['0'], safety: ['division 2:8 a / 0 does not divide by 0 ⟸ false'] },
    ],
    ['return 1 / 0;', {}, {}, { outputs: ['0'], safety: ['division 2:8 1 / 0 does not divide by 0 ⟸ false'] }],
    ['return 0 / 0;', {}, {}, { outputs: ['0'], safety: ['division 2:8 0 / 0 does not divide by 0 ⟸ false'] }],
    [
      'return a % 2;',
      { a: 'number' },
      {},
      {
        outputs: ['fl(a − fl(truncate(fl(a / 2)) · 2))'],
        safety: [
          'overflow 2:8 a % 2 does not overflow ⟸ |t1| ≤ 3.4028235e38 ∧ |t2| ≤ 3.4028235e38 ∧ |fl(a − t2)| ≤ 3.4028235e38; t1 = fl(a / 2); t2 = fl(truncate(t1) · 2)',
        ],
      },
    ],
    ['return 7 % 3;', {}, {}, { outputs: ['1'] }],
    ['return -7 % 3;', {}, {}, { outputs: ['−1'] }],
    ['return 7 % 0;', {}, {}, { outputs: ['7'], safety: ['division 2:8 7 % 0 does not divide by 0 ⟸ false'] }],
    [
      'return a / 3;',
      { a: 'number' },
      {},
      { outputs: ['fl(a / 3)'], safety: ['overflow 2:8 a / 3 does not overflow ⟸ |fl(a / 3)| ≤ 3.4028235e38'] },
    ],
    ['return 1 / 3;', {}, {}, { outputs: ['0.33333334'] }],
    ['return 0.1 + 0.2;', {}, {}, { outputs: ['0.3'] }],
    [
      'return Infinity + a;',
      { a: 'number' },
      {},
      { refused: 'an infinity is computed with here, and proofs are about numbers' },
    ],
    [
      'return a - Infinity;',
      { a: 'number' },
      {},
      { refused: 'an infinity is computed with here, and proofs are about numbers' },
    ],
    [
      'return Infinity - a;',
      { a: 'number' },
      {},
      { refused: 'an infinity is computed with here, and proofs are about numbers' },
    ],
    ['return a * Infinity;', { a: 'number' }, {}, { refused: 'an infinity meets a number whose sign is not known' }],
    ['return Infinity * 0;', {}, {}, { outputs: ['0'], safety: ['invalid 2:8 Infinity * 0 is not NaN ⟸ false'] }],
    ['return a / Infinity;', { a: 'number' }, {}, { outputs: ['0'] }],
    ['return Infinity / a;', { a: 'number' }, {}, { refused: 'an infinity meets a number whose sign is not known' }],
    [
      'return Infinity - Infinity;',
      {},
      {},
      { outputs: ['0'], safety: ['invalid 2:8 Infinity - Infinity is not NaN ⟸ false'] },
    ],
    [
      'return n + 1;',
      { n: 'whole' },
      {},
      { outputs: ['fl(n + 1)'], safety: ['overflow 2:8 n + 1 does not overflow ⟸ |fl(n + 1)| ≤ 3.4028235e38'] },
    ],
    [
      'return n * n;',
      { n: 'whole' },
      {},
      { outputs: ['fl(n · n)'], safety: ['overflow 2:8 n * n does not overflow ⟸ |fl(n · n)| ≤ 3.4028235e38'] },
    ],
    ['return 16777216 + 1;', {}, {}, { outputs: ['16777216'] }],
    [
      'return n + 16777217;',
      { n: 'whole' },
      {},
      {
        outputs: ['fl(n + 16777216)'],
        safety: ['overflow 2:8 n + 16777217 does not overflow ⟸ |fl(n + 16777216)| ≤ 3.4028235e38'],
      },
    ],
    ['return 2 * 3;', {}, {}, { outputs: ['6'] }],
    ['return a < b ? a : b;', { a: 'number', b: 'number' }, {}, { outputs: ['(a < b ? a : b)'] }],
    ['return a <= b ? 1 : 0;', { a: 'number', b: 'number' }, {}, { outputs: ['(a ≤ b ? 1 : 0)'] }],
    ['return a > b ? 1 : 0;', { a: 'number', b: 'number' }, {}, { outputs: ['(b < a ? 1 : 0)'] }],
    ['return a >= b ? 1 : 0;', { a: 'number', b: 'number' }, {}, { outputs: ['(b ≤ a ? 1 : 0)'] }],
    ['return a === b ? 1 : 0;', { a: 'number', b: 'number' }, {}, { outputs: ['(a = b ? 1 : 0)'] }],
    ['return a !== b ? 1 : 0;', { a: 'number', b: 'number' }, {}, { outputs: ['(¬(a = b) ? 1 : 0)'] }],
    ['return a < Infinity ? a : b;', { a: 'number', b: 'number' }, {}, { outputs: ['a'] }],
    ['return a > Infinity ? a : b;', { a: 'number', b: 'number' }, {}, { outputs: ['b'] }],
    ['return a === Infinity ? a : b;', { a: 'number', b: 'number' }, {}, { outputs: ['b'] }],
    ['return a !== Infinity ? a : b;', { a: 'number', b: 'number' }, {}, { outputs: ['a'] }],
    ['return -Infinity <= a ? a : b;', { a: 'number', b: 'number' }, {}, { outputs: ['a'] }],
    ['return a === a ? a : b;', { a: 'number', b: 'number' }, {}, { outputs: ['a'] }],
    ['return 1 < 2 ? a : b;', { a: 'number', b: 'number' }, {}, { outputs: ['a'] }],
    [
      'return (a < b) === (b < 1) ? a : b;',
      { a: 'number', b: 'number' },
      {},
      { outputs: ['(t1 ∧ t2 ∨ ¬t1 ∧ ¬t2 ? a : b); t1 = a < b; t2 = b < 1'] },
    ],
    [
      'return (a < b) !== (b < 1) ? a : b;',
      { a: 'number', b: 'number' },
      {},
      { outputs: ['(¬(t1 ∧ t2 ∨ ¬t1 ∧ ¬t2) ? a : b); t1 = a < b; t2 = b < 1'] },
    ],
    ['return (a < b) === true ? a : b;', { a: 'number', b: 'number' }, {}, { outputs: ['(a < b ? a : b)'] }],
    ['return !(a < b) ? a : b;', { a: 'number', b: 'number' }, {}, { outputs: ['(¬(a < b) ? a : b)'] }],
    ['return !a ? 1 : 0;', { a: 'number' }, {}, { outputs: ['(a = 0 ? 1 : 0)'] }],
    ['return a ? 1 : 0;', { a: 'number' }, {}, { outputs: ['(¬(a = 0) ? 1 : 0)'] }],
    [
      'return (a < b) + 1;',
      { a: 'number', b: 'number' },
      {},
      {
        outputs: ['fl((a < b ? 1 : 0) + 1)'],
        safety: ['overflow 2:8 (a < b) + 1 does not overflow ⟸ |fl((a < b ? 1 : 0) + 1)| ≤ 3.4028235e38'],
      },
    ],
    ['return a && b;', { a: 'number', b: 'number' }, {}, { outputs: ['(¬(a = 0) ? b : a)'] }],
    ['return a || b;', { a: 'number', b: 'number' }, {}, { outputs: ['(a = 0 ? b : a)'] }],
    [
      'return (a < b && b < 1) ? a : b;',
      { a: 'number', b: 'number' },
      {},
      { outputs: ['(t1 ∧ b < 1 ∨ ¬t1 ∧ t1 ? a : b); t1 = a < b'] },
    ],
    [
      'return (a < b || b < 1) ? a : b;',
      { a: 'number', b: 'number' },
      {},
      { outputs: ['(¬t1 ∧ b < 1 ∨ t1 ? a : b); t1 = a < b'] },
    ],
    ['return true && a;', { a: 'number' }, {}, { outputs: ['a'] }],
    ['return false && a;', { a: 'number' }, {}, { outputs: ['0'] }],
    ['return 0 || a;', { a: 'number' }, {}, { outputs: ['a'] }],
    [
      'return a + (a < b ? 1 : 2);',
      { a: 'number', b: 'number' },
      {},
      {
        outputs: ['fl(a + (a < b ? 1 : 2))'],
        safety: ['overflow 2:8 a + ((a < b) ? 1 : 2) does not overflow ⟸ |fl(a + (a < b ? 1 : 2))| ≤ 3.4028235e38'],
      },
    ],
    [
      'return (a < b) === 1 ? a : b;',
      { a: 'number', b: 'number' },
      {},
      { refused: 'a number is compared with a truth value' },
    ],
    [
      'return a / (b - b);',
      { a: 'number', b: 'number' },
      {},
      { outputs: ['0'], safety: ['division 2:8 a / (b - b) does not divide by 0 ⟸ false'] },
    ],
  ])('%s', async (body, parameters, options, outcome) => {
    expect(await outcomeOf(body, parameters, options)).toEqual(outcome);
  });
});

describe('over the reals', () => {
  it.each<Case>([
    ['return 0.1 + 0.2;', {}, { reading: 'real' }, { outputs: ['3/10'] }],
    ['return a * 0.1;', { a: 'number' }, { reading: 'real' }, { outputs: ['a · (1/10)'] }],
    ['return 1 / 3;', {}, { reading: 'real' }, { outputs: ['1/3'] }],
    ['return a / 3;', { a: 'number' }, { reading: 'real' }, { outputs: ['a / 3'] }],
    [
      'return a % b;',
      { a: 'number', b: 'number' },
      { reading: 'real' },
      { outputs: ['a % b'], safety: ['division 2:8 a % b does not divide by 0 ⟸ ¬(b = 0)'] },
    ],
    ['return 7 % 3;', {}, { reading: 'real' }, { outputs: ['1'] }],
    ['return -7 % 3;', {}, { reading: 'real' }, { outputs: ['−1'] }],
    [
      'return a % 0;',
      { a: 'number' },
      { reading: 'real' },
      { outputs: ['0'], safety: ['division 2:8 a % 0 does not divide by 0 ⟸ false'] },
    ],
    ['return Math.PI;', {}, { reading: 'real' }, { outputs: ['4 · atan(1)'] }],
    ['return Math.E;', {}, { reading: 'real' }, { outputs: ['exp(1)'] }],
    ['return Math.LN2;', {}, { reading: 'real' }, { outputs: ['log(2)'] }],
    ['return Math.LN10;', {}, { reading: 'real' }, { outputs: ['log(10)'] }],
    ['return Math.LOG2E;', {}, { reading: 'real' }, { outputs: ['1 / log(2)'] }],
    ['return Math.LOG10E;', {}, { reading: 'real' }, { outputs: ['1 / log(10)'] }],
    ['return Math.SQRT2;', {}, { reading: 'real' }, { outputs: ['√(2)'] }],
    ['return Math.SQRT1_2;', {}, { reading: 'real' }, { outputs: ['1 / √(2)'] }],
    ['return Math.exp(a);', { a: 'number' }, { reading: 'real' }, { outputs: ['exp(a)'] }],
    [
      'return Math.sqrt(a);',
      { a: 'number' },
      { reading: 'real' },
      { outputs: ['√(a)'], safety: ['invalid 2:8 Math.sqrt(a) is of a number that is not negative ⟸ 0 ≤ a'] },
    ],
    ['return Math.sqrt(2);', {}, { reading: 'real' }, { outputs: ['√(2)'] }],
    ['return Math.sqrt(4);', {}, { reading: 'real' }, { outputs: ['2'] }],
    ['return Math.pow(a, 3);', { a: 'number' }, { reading: 'real' }, { outputs: ['a · a · a'] }],
    [
      'return Math.pow(a, -2);',
      { a: 'number' },
      { reading: 'real' },
      { outputs: ['1 / (a · a)'], safety: ['division 2:8 Math.pow(a, -2) does not divide by 0 ⟸ ¬(a = 0)'] },
    ],
    [
      'return Math.pow(a, 0.5);',
      { a: 'number' },
      { reading: 'real' },
      { outputs: ['√(a)'], safety: ['invalid 2:8 Math.pow(a, 0.5) has a value ⟸ 0 < a ∨ a = 0'] },
    ],
    ['return Math.round(a);', { a: 'number' }, { reading: 'real' }, { outputs: ['floor(a + 0.5)'] }],
    ['return Math.fround(a);', { a: 'number' }, { reading: 'real' }, { outputs: ['a'] }],
    ['return Math.sinh(a);', { a: 'number' }, { reading: 'real' }, { outputs: ['sinh(a)'] }],
    [
      'return Math.log(a);',
      { a: 'number' },
      { reading: 'real' },
      { outputs: ['log(a)'], safety: ['invalid 2:8 Math.log(a) is of a positive number ⟸ 0 < a'] },
    ],
    [
      'return Math.asin(a);',
      { a: 'number' },
      { reading: 'real' },
      { outputs: ['asin(a)'], safety: ['invalid 2:8 Math.asin(a) is of a number in [−1, 1] ⟸ |a| ≤ 1'] },
    ],
    ['return Math.atan2(1, 2);', {}, { reading: 'real' }, { refused: 'Math.atan2 has no model in proofs' }],
    ['return n + 16777217;', { n: 'whole' }, { reading: 'real' }, { outputs: ['n + 16777217'] }],
    ['return a * b + a;', { a: 'number', b: 'number' }, { reading: 'real' }, { outputs: ['a · b + a'] }],
    ['return 2 * 3;', {}, { reading: 'real' }, { outputs: ['6'] }],
    ['return 6 / 3;', {}, { reading: 'real' }, { outputs: ['2'] }],
    ['return Math.sign(a);', { a: 'number' }, { reading: 'real' }, { outputs: ['(0 < a ? 1 : (a < 0 ? −1 : 0))'] }],
  ])('%s', async (body, parameters, options, outcome) => {
    expect(await outcomeOf(body, parameters, options)).toEqual(outcome);
  });
});
