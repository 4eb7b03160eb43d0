import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { float32FromOrdinal } from '../../src/numeric/float.ts';
import { addRational, divideRational, fraction, fromFloat, toFloat } from '../../src/numeric/rational.ts';
import { roundHalfEvenRational, roundRational32 } from '../../src/numeric/round-rational.ts';
import { roundHalfEven } from '../../src/numeric/special-functions.ts';

const float32 = fc.integer({ min: -2139095039, max: 2139095039 }).map(float32FromOrdinal);
const rounded = (x: number): number => toFloat(roundRational32(fromFloat(x)));

describe('rounding a rational number to float32', () => {
  it('agrees with Math.fround on every float64 that does not overflow', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -3.4e38, max: 3.4e38 }), (x) => {
        expect(rounded(x)).toBe(Math.fround(x) + 0);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps float32, and takes what lies halfway to the even one', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2139095039, max: 2139095038 }), (ordinal) => {
        const [low, high] = [float32FromOrdinal(ordinal), float32FromOrdinal(ordinal + 1)];
        expect(rounded(low)).toBe(low);
        const middle = divideRational(addRational(fromFloat(low), fromFloat(high)), fraction(2n));
        expect(toFloat(roundRational32(middle))).toBe(Math.fround(toFloat(middle)) + 0);
      }),
      { numRuns: 2000 },
    );
  });

  it('rounds once where float64 on the way would round twice', () => {
    // 1 + 2⁻²⁴ is halfway; a little more must go up, however little.
    const little = addRational(fromFloat(1 + 2 ** -24), fraction(1n, 1n << 200n));
    expect(toFloat(roundRational32(little))).toBe(1 + 2 ** -23);
    expect(toFloat(roundRational32(fraction(1n, 3n)))).toBe(Math.fround(1 / 3));
  });

  it('gives what has 24 bits beyond the largest float32, and 0 below half of the smallest', () => {
    expect(rounded(2 ** 128)).toBe(2 ** 128);
    expect(rounded(2 ** 128 - 2 ** 102)).toBe(2 ** 128);
    expect(rounded(2 ** -150)).toBe(0);
    expect(rounded(2 ** -150 * 1.0001)).toBe(2 ** -149);
  });
});

describe('rounding a rational number to a whole one', () => {
  it('agrees with roundHalfEven', () => {
    fc.assert(
      fc.property(float32, fc.integer({ min: -50, max: 50 }), (x, n) => {
        for (const y of [x, n / 2, n / 4])
          expect(Number(roundHalfEvenRational(fromFloat(y)))).toBe(roundHalfEven(y) + 0);
      }),
    );
  });
});
