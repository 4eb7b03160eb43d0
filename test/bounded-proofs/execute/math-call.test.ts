/**
 * What the functions of `Math` and powers (`power.ts`) give in kernels, and where they have a value.
 *
 * Holds src/bounded-proofs/execute/execution.ts, src/bounded-proofs/execute/power.ts,
 * src/bounded-proofs/execute/site.ts.
 */
import { describe, expect, it } from 'vitest';
import { outcomeOf, type Outcome } from './run-kernel-text.ts';
import type { Shapes } from './run-kernel.ts';

type Options = NonNullable<Parameters<typeof outcomeOf>[2]>;
type Case = readonly [body: string, parameters: Shapes, options: Options, outcome: Outcome];

describe('functions', () => {
  it.each<Case>([
    ['return Math.min(a, b);', { a: 'number', b: 'number' }, {}, { outputs: ['min(a, b)'] }],
    ['return Math.max(a, b, 1);', { a: 'number', b: 'number' }, {}, { outputs: ['max(max(a, b), 1)'] }],
    ['return Math.max(1, 2);', {}, {}, { outputs: ['2'] }],
    ['return Math.max(a, -Infinity);', { a: 'number' }, {}, { outputs: ['a'] }],
    ['return Math.min(Infinity, a);', { a: 'number' }, {}, { outputs: ['a'] }],
    [
      'return Math.max(a, Infinity);',
      { a: 'number' },
      {},
      { refused: 'an infinity is computed with here, and proofs are about numbers' },
    ],
    [
      'return Math.min(a, -Infinity);',
      { a: 'number' },
      {},
      { refused: 'an infinity is computed with here, and proofs are about numbers' },
    ],
    [
      'return Math.pow(a, 2);',
      { a: 'number' },
      {},
      {
        outputs: ['pow₃₂(a, 2)'],
        safety: ['overflow 2:8 Math.pow(a, 2) does not overflow ⟸ |pow₃₂(a, 2)| ≤ 3.4028235e38'],
      },
    ],
    ['return Math.pow(a, 0);', { a: 'number' }, {}, { outputs: ['1'] }],
    [
      'return Math.pow(a, -1);',
      { a: 'number' },
      {},
      {
        outputs: ['pow₃₂(a, −1)'],
        safety: [
          'division 2:8 Math.pow(a, -1) does not divide by 0 ⟸ ¬(a = 0)',
          'overflow 2:8 Math.pow(a, -1) does not overflow ⟸ |pow₃₂(a, −1)| ≤ 3.4028235e38',
        ],
      },
    ],
    [
      'return Math.pow(a, 0.5);',
      { a: 'number' },
      {},
      {
        outputs: ['pow₃₂(a, 0.5)'],
        safety: [
          'invalid 2:8 Math.pow(a, 0.5) has a base that is not negative ⟸ 0 ≤ a',
          'overflow 2:8 Math.pow(a, 0.5) does not overflow ⟸ |pow₃₂(a, 0.5)| ≤ 3.4028235e38',
        ],
      },
    ],
    [
      'return Math.pow(a, b);',
      { a: 'number', b: 'number' },
      {},
      {
        outputs: ['pow₃₂(a, b)'],
        safety: [
          'invalid 2:8 Math.pow(a, b) has a value ⟸ 0 < a ∨ a = 0 ∧ 0 ≤ b ∨ a < 0 ∧ b = floor(b)',
          'overflow 2:8 Math.pow(a, b) does not overflow ⟸ |pow₃₂(a, b)| ≤ 3.4028235e38',
        ],
      },
    ],
    ['return Math.pow(0, 2);', {}, {}, { outputs: ['0'] }],
    [
      'return Math.pow(0, -1);',
      {},
      {},
      { outputs: ['0'], safety: ['division 2:8 Math.pow(0, -1) does not divide by 0 ⟸ false'] },
    ],
    [
      'return Math.pow(0, b);',
      { b: 'number' },
      {},
      { outputs: ['(b = 0 ? 1 : 0)'], safety: ['invalid 2:8 Math.pow(0, b) has a value ⟸ 0 ≤ b'] },
    ],
    [
      'return Math.pow(a, Infinity);',
      { a: 'number' },
      {},
      { refused: 'a power with an infinity in it is computed here' },
    ],
    [
      'return Math.pow(2, Infinity);',
      {},
      {},
      { refused: 'an infinity is computed with here, and proofs are about numbers' },
    ],
    [
      'return Math.pow(2, 3);',
      {},
      {},
      {
        outputs: ['pow₃₂(2, 3)'],
        safety: ['overflow 2:8 Math.pow(2, 3) does not overflow ⟸ |pow₃₂(2, 3)| ≤ 3.4028235e38'],
      },
    ],
    ['return Math.atan2(a, b);', { a: 'number', b: 'number' }, {}, { refused: 'Math.atan2 has no model in proofs' }],
    ['return Math.atan2(1, 2);', {}, {}, { outputs: ['0.4636476'] }],
    [
      'return Math.atan2(0, b);',
      { b: 'number' },
      {},
      { refused: 'Math.atan2 of 0 depends on the signs of zeros, which proofs do not track' },
    ],
    ['return Math.atan2(1, 0);', {}, {}, { outputs: ['1.5707964'] }],
    ['return Math.fround(a);', { a: 'number' }, {}, { outputs: ['a'] }],
    [
      'return Math.fround(a + b);',
      { a: 'number', b: 'number' },
      {},
      { outputs: ['fl(a + b)'], safety: ['overflow 2:20 a + b does not overflow ⟸ |fl(a + b)| ≤ 3.4028235e38'] },
    ],
    [
      'return Math.round(a);',
      { a: 'number' },
      {},
      {
        outputs: ['floor(fl(a + 0.5))'],
        safety: ['overflow 2:8 Math.round(a) does not overflow ⟸ |fl(a + 0.5)| ≤ 3.4028235e38'],
      },
    ],
    ['return Math.round(2.5);', {}, {}, { outputs: ['3'] }],
    ['return Math.round(Infinity) > 1 ? a : b;', { a: 'number', b: 'number' }, {}, { outputs: ['a'] }],
    ['return Math.abs(a);', { a: 'number' }, {}, { outputs: ['|a|'] }],
    ['return Math.abs(-2);', {}, {}, { outputs: ['2'] }],
    ['return Math.floor(a);', { a: 'number' }, {}, { outputs: ['floor(a)'] }],
    ['return Math.ceil(a);', { a: 'number' }, {}, { outputs: ['ceiling(a)'] }],
    ['return Math.trunc(a);', { a: 'number' }, {}, { outputs: ['truncate(a)'] }],
    ['return Math.sign(a);', { a: 'number' }, {}, { outputs: ['(0 < a ? 1 : (a < 0 ? −1 : 0))'] }],
    ['return Math.sign(-3);', {}, {}, { outputs: ['−1'] }],
    ['return Math.floor(1.5);', {}, {}, { outputs: ['1'] }],
    [
      'return Math.sqrt(a);',
      { a: 'number' },
      {},
      { outputs: ['fl(√(a))'], safety: ['invalid 2:8 Math.sqrt(a) is of a number that is not negative ⟸ 0 ≤ a'] },
    ],
    ['return Math.sqrt(4);', {}, {}, { outputs: ['2'] }],
    ['return Math.sqrt(2);', {}, {}, { outputs: ['fl(√(2))'] }],
    ['return Math.sqrt(-1);', {}, {}, { outputs: ['0'], safety: ['invalid 2:8 Math.sqrt(-1) is not NaN ⟸ false'] }],
    ['return Math.sqrt(0);', {}, {}, { outputs: ['0'] }],
    [
      'return Math.sqrt(a * a);',
      { a: 'number' },
      {},
      {
        outputs: ['fl(√(fl(a · a)))'],
        safety: [
          'overflow 2:18 a * a does not overflow ⟸ |fl(a · a)| ≤ 3.4028235e38',
          'invalid 2:8 Math.sqrt(a * a) is of a number that is not negative ⟸ 0 ≤ fl(a · a)',
        ],
      },
    ],
    [
      'return Math.exp(a);',
      { a: 'number' },
      {},
      { outputs: ['exp₃₂(a)'], safety: ['overflow 2:8 Math.exp(a) does not overflow ⟸ a ≤ 88.72283'] },
    ],
    ['return Math.exp(0);', {}, {}, { outputs: ['1'] }],
    ['return Math.exp(1);', {}, {}, { outputs: ['exp₃₂(1)'] }],
    ['return Math.exp(-Infinity);', {}, {}, { outputs: ['0'] }],
    [
      'return Math.log(a);',
      { a: 'number' },
      {},
      { outputs: ['log₃₂(a)'], safety: ['invalid 2:8 Math.log(a) is of a positive number ⟸ 0 < a'] },
    ],
    ['return Math.log(1);', {}, {}, { outputs: ['0'] }],
    [
      'return Math.log2(a);',
      { a: 'number' },
      {},
      { outputs: ['log2₃₂(a)'], safety: ['invalid 2:8 Math.log2(a) is of a positive number ⟸ 0 < a'] },
    ],
    [
      'return Math.log(0);',
      {},
      {},
      { outputs: ['log₃₂(0)'], safety: ['invalid 2:8 Math.log(0) is of a positive number ⟸ false'] },
    ],
    ['return Math.sin(a);', { a: 'number' }, {}, { outputs: ['sin₃₂(a)'] }],
    ['return Math.sin(0);', {}, {}, { outputs: ['0'] }],
    ['return Math.cos(0);', {}, {}, { outputs: ['1'] }],
    ['return Math.cos(a);', { a: 'number' }, {}, { outputs: ['cos₃₂(a)'] }],
    ['return Math.tan(a);', { a: 'number' }, {}, { outputs: ['tan₃₂(a)'] }],
    ['return Math.tanh(a);', { a: 'number' }, {}, { outputs: ['tanh₃₂(a)'] }],
    [
      'return Math.sinh(a);',
      { a: 'number' },
      {},
      { outputs: ['sinh₃₂(a)'], safety: ['overflow 2:8 Math.sinh(a) does not overflow ⟸ |a| ≤ 89.415985'] },
    ],
    [
      'return Math.cosh(a);',
      { a: 'number' },
      {},
      { outputs: ['cosh₃₂(a)'], safety: ['overflow 2:8 Math.cosh(a) does not overflow ⟸ |a| ≤ 89.415985'] },
    ],
    ['return Math.atan(a);', { a: 'number' }, {}, { outputs: ['atan₃₂(a)'] }],
    [
      'return Math.asin(a);',
      { a: 'number' },
      {},
      { outputs: ['asin₃₂(a)'], safety: ['invalid 2:8 Math.asin(a) is of a number in [−1, 1] ⟸ |a| ≤ 1'] },
    ],
    [
      'return Math.acos(a);',
      { a: 'number' },
      {},
      { outputs: ['acos₃₂(a)'], safety: ['invalid 2:8 Math.acos(a) is of a number in [−1, 1] ⟸ |a| ≤ 1'] },
    ],
    ['return Math.acos(1);', {}, {}, { outputs: ['0'] }],
    [
      'return Math.sin(Infinity);',
      {},
      {},
      { outputs: ['0'], safety: ['invalid 2:8 Math.sin(Infinity) is not NaN ⟸ false'] },
    ],
    ['return Math.PI;', {}, {}, { outputs: ['3.1415927'] }],
    [
      'return Math.E + a;',
      { a: 'number' },
      {},
      {
        outputs: ['fl(2.7182817 + a)'],
        safety: ['overflow 2:8 Math.E + a does not overflow ⟸ |fl(2.7182817 + a)| ≤ 3.4028235e38'],
      },
    ],
    ['return Math.SQRT2;', {}, {}, { outputs: ['1.4142135'] }],
    [
      'return Math.exp(n + 16777216);',
      { n: 'whole' },
      {},
      {
        outputs: ['exp₃₂(fl(n + 16777216))'],
        safety: [
          'overflow 2:17 n + 16777216 does not overflow ⟸ |fl(n + 16777216)| ≤ 3.4028235e38',
          'overflow 2:8 Math.exp(n + 16777216) does not overflow ⟸ fl(n + 16777216) ≤ 88.72283',
        ],
      },
    ],
    ['return Math.sqrt(16777217);', {}, {}, { outputs: ['4096'] }],
  ])('%s', async (body, parameters, options, outcome) => {
    expect(await outcomeOf(body, parameters, options)).toEqual(outcome);
  });
});
