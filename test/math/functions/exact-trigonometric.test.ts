/** Sines of any number of digits: as exact as their precision says, or refused for want of digits of π. */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trigonometric } from '../../../src/math/functions/exact-elementary.ts';

const sine = trigonometric((x) => x.sin());
const inDigits = (precision: number) => Decimal.clone({ precision, rounding: Decimal.ROUND_HALF_EVEN, defaults: true });
const wide = inDigits(480);

/** The sine in so many digits beside the one in 480; null where it is refused. */
function errorOf(text: string, digits: number): Decimal | null {
  const context = inDigits(digits);
  try {
    const exact = new wide(text).sin();
    return new wide(sine(context, new context(text))).minus(exact).dividedBy(exact).abs();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(RangeError);
    return null;
  }
}

describe('a sine', () => {
  it.each([
    ['0.5', 40],
    ['1e300', 40],
    ['-1.7976931348623157e308', 160],
    ['6.28318530717958647692528676655900576839433879875021164194988918461563281257241799725606965', 40],
    ['3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706', 80],
    ['31415926535897932384626433832795028841971.6939937510582097494459230781640628620899862803482', 160],
  ])('of %s is exact in %d digits', (text, digits) => {
    expect(errorOf(text, digits)?.lt(`1e-${digits - 1}`)).toBe(true);
  });

  it('of every angle is exact, or refused as one that takes more of π than there is', () => {
    const angle = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 60n }), fc.integer({ min: -60, max: 300 }));
    fc.assert(
      fc.property(angle, fc.constantFrom(40, 80, 160), ([whole, exponent], digits) => {
        const error = errorOf(`${whole}e${exponent}`, digits);
        expect(error === null || error.lt(`1e-${digits - 1}`)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['1e1000', 40],
    [`1.${'3'.repeat(600)}`, 640],
  ])('of %s is refused in %d digits', (text, digits) => {
    const context = inDigits(digits);
    expect(() => sine(context, new context(text))).toThrow(/takes more than 1025 digits of π in \d+ digits/);
  });

  it('of the largest double is correct to 640 digits', () => {
    const context = inDigits(640);
    expect(sine(context, new context(String(BigInt(Number.MAX_VALUE)))).toFixed(15)).toBe('0.004961954789184');
  });
});
