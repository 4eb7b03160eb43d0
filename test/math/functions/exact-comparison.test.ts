import { Decimal } from 'decimal.js';
import { expect, test } from 'vitest';
import { exactOf } from '../../../src/math/functions/exact-comparison.ts';

const D = Decimal.clone({ precision: 30 });

test('a float64 has its own value, not that of its shortest decimal text', () => {
  expect(exactOf(D, 1e23).toFixed()).toBe('99999999999999991611392');
  expect(exactOf(D, -(2 ** 80 + 2 ** 30)).toFixed()).toBe(String(-(2n ** 80n + 2n ** 30n)));
  expect(exactOf(D, 0.1).toFixed()).toBe('0.1000000000000000055511151231257827021181583404541015625');
  expect(
    exactOf(D, 5e-324)
      .times(new (D.clone({ precision: 800 }))(2).toPower(1074))
      .toNumber(),
  ).toBe(1);
});

test('signs of zero, the infinities and NaN stay', () => {
  expect([0, -0, Infinity, -Infinity].map((x) => exactOf(D, x).toNumber())).toEqual([0, -0, Infinity, -Infinity]);
  expect(exactOf(D, Number.NaN).isNaN()).toBe(true);
});
