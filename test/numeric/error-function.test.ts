import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Digits, withMoreDigits } from '../../scripts/chebyshev-interpolation.ts';
import {
  CENTRE_DEGREE,
  exactErfc,
  fitCentre,
  fitTail,
  measure,
  stretches,
  TAIL_DEGREE,
} from '../../scripts/fit-error-function.ts';
import { exactErf } from '../../src/math/functions/exact-elementary.ts';
import { CENTRE, erf, erfc, TAIL } from '../../src/numeric/error-function.ts';

test('the coefficients are those that the fit derives', () => {
  expect(fitCentre(CENTRE_DEGREE)).toEqual(CENTRE);
  expect(fitTail(TAIL_DEGREE)).toEqual(TAIL);
});

test.each(stretches.map((stretch) => [stretch.name, stretch.bound, stretch] as const))(
  '%s: within %f ulp',
  (_, bound, stretch) => {
    expect(measure(stretch, 300).ulps).toBeLessThanOrEqual(bound);
  },
);

describe('what they are measured against', () => {
  test('agrees with published values (Abramowitz & Stegun, table 7.1)', () => {
    expect(exactErf(Digits, new Digits('0.5')).toFixed(10)).toBe('0.5204998778');
    expect(exactErf(Digits, new Digits('1')).toFixed(10)).toBe('0.8427007929');
    expect(exactErf(Digits, new Digits('2')).toFixed(10)).toBe('0.9953222650');
  });

  test.each(['1', '2.49', '2.51', '4', '9'])('the continued fraction agrees with the series at %s', (text) => {
    const wide = withMoreDigits(40);
    const series = new wide(1).minus(exactErf(wide, new wide(text)));
    const relative = new Decimal(exactErfc(Digits, new Digits(text)).dividedBy(series)).minus(1).abs();
    expect(relative.toNumber()).toBeLessThan(1e-40);
  });
});

test('limits, signs and what is not a number', () => {
  expect([erf(Infinity), erf(-Infinity), erf(30), erf(1e300)]).toEqual([1, -1, 1, 1]);
  expect([erfc(Infinity), erfc(-Infinity), erfc(28), erfc(0), erfc(-30)]).toEqual([0, 2, 0, 1, 2]);
  expect(Object.is(erf(-0), -0)).toBe(true);
  expect([erf(Number.NaN), erfc(Number.NaN)]).toEqual([Number.NaN, Number.NaN]);
  expect(erf(5e-324)).toBeGreaterThan(0);
  expect(erfc(27.2)).toBeGreaterThan(0);
});

test('erf is odd and bounded, and erfc is its complement', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: -40, max: 40 }), (x) => {
      expect(erf(-x) === -erf(x)).toBe(true);
      expect(Math.abs(erf(x))).toBeLessThanOrEqual(1);
      expect(Math.abs(erf(x) + erfc(x) - 1)).toBeLessThanOrEqual(3 * 2 ** -53);
    }),
  );
});
