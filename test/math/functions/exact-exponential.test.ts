import { Decimal } from 'decimal.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactTanh } from '../../../src/math/functions/exact-elementary.ts';
import { exactExp } from '../../../src/math/functions/exact-exponential.ts';
import type { DecimalContext } from '../../../src/math/functions/row.ts';

const contextOf = (precision: number, rounding: Decimal.Rounding = Decimal.ROUND_HALF_EVEN): DecimalContext =>
  Decimal.clone({ precision, rounding, defaults: true });

/** Of any size, with as many digits as a float has, or with more than the context has. */
const numbers = fc
  .tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: -35, max: 7 }), fc.boolean())
  .map(([head, power, long]) => head.toFixed(20) + (long ? '123456789'.repeat(12) : '') + `e${power}`);

describe.each([20, 40, 53, 80, 160, 640, 1000])('to %i digits', (precision) => {
  const context = contextOf(precision);

  it('the exponential is that of decimal.js, digit for digit', () => {
    fc.assert(
      fc.property(numbers, (text) => {
        const x = new context(text);
        expect(exactExp(context, x).toString()).toBe(x.exp().toString());
      }),
      { numRuns: 60 },
    );
  });

  it('the hyperbolic tangent too', () => {
    fc.assert(
      fc.property(fc.double({ min: -40, max: 40, noNaN: true }), (value) => {
        const x = new context(value).dividedBy(3);
        expect(exactTanh(context, x).toString()).toBe(x.tanh().toString());
      }),
      { numRuns: 30 },
    );
  });

  it.each(['0', '-0', 'Infinity', '-Infinity', 'NaN', '1e9', '-1e9', '1e-400', '999999', '-999999'])(
    'exp %s',
    (text) => {
      const x = new context(text);
      expect(exactExp(context, x).toString()).toBe(x.exp().toString());
    },
  );
});

it('if the digits do not decide the rounding, more are computed', () => {
  // exp x = 1 + x + x²/2 + …: the digit after the twenty is a 5, and what decides comes twenty zeros later.
  const context = contextOf(20);
  expect(exactExp(context, new context('5e-20')).toString()).toBe('1.0000000000000000001');
  expect(exactExp(context, new context('-5e-21')).toString()).toBe('1');
  expect(exactExp(context, new context('-5.0000000000000000001e-21')).toString()).toBe('0.99999999999999999999');
});

it('rounding that is not to the nearest is decimal.js’s', () => {
  for (const rounding of [Decimal.ROUND_UP, Decimal.ROUND_DOWN, Decimal.ROUND_CEIL, Decimal.ROUND_FLOOR]) {
    const context = contextOf(30, rounding);
    expect(exactExp(context, new context(2)).toString()).toBe(new context(2).exp().toString());
  }
});
