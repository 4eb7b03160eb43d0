import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ulpsOf, worstOf } from '../../scripts/measure-error.ts';
import {
  exactBinomial,
  exactFactorial,
  exactSigmoid,
  exactSoftplus,
} from '../../src/math/functions/exact-elementary.ts';
import {
  approximately,
  binomial,
  factorial,
  floorDivide,
  modulo,
  power,
  roundHalfEven,
  sigmoid,
  softplus,
} from '../../src/numeric/special-functions.ts';

const D = Decimal.clone({ precision: 24 });

describe('measured errors', () => {
  const worst = (f: (x: number) => number, exact: (x: Decimal) => Decimal, low: number, high: number): number =>
    worstOf(f, exact, { name: `${low}…${high}`, low, high }, 500).ulps;

  test.each([
    [-745, -40],
    [-40, -1],
    [-1, 0],
    [0, 1],
    [1, 40],
  ])('sigmoid stays within 2 ulp and softplus within 1.5 on [%f, %f]', (low, high) => {
    expect(worst(sigmoid, (x) => exactSigmoid(D, x), low, high)).toBeLessThan(2);
    expect(worst(softplus, (x) => exactSoftplus(D, x), low, high)).toBeLessThan(1.5);
  });

  test('squares stay within 0.5 ulp, cubes within 1.5', () => {
    expect(
      worst(
        (x) => power(x, 2),
        (x) => x.times(x),
        -10,
        10,
      ),
    ).toBeLessThanOrEqual(0.5);
    expect(
      worst(
        (x) => power(x, 3),
        (x) => x.toPower(3),
        -10,
        10,
      ),
    ).toBeLessThanOrEqual(1.5);
  });

  test.each([-2.5, 0.5, 2.5, 7, -200])('powers of %f stay within 1.5 ulp on this engine', (y) => {
    expect(
      worst(
        (x) => power(x, y),
        (x) => x.toPower(y),
        0.1,
        10,
      ),
    ).toBeLessThan(1.5);
  });

  test('binomial coefficients are exact below 2⁵³, and close above', () => {
    for (let n = 0; n <= 60; n++)
      for (let k = 0; k <= n; k++) {
        const exact = exactBinomial(D, new D(n), new D(k));
        const ulps = exact.times(n).lessThan(2 ** 53) ? 0 : 16;
        expect(ulpsOf(binomial(n, k), exact), `${n} over ${k}`).toBeLessThanOrEqual(ulps);
      }
    expect(binomial(2000, 1000)).toBe(Infinity);
    expect([binomial(4, -1), binomial(4, 5), binomial(2 ** 31, 1)]).toEqual([0, 0, 2 ** 31]);
    expect([binomial(-1, 0), binomial(4.5, 1), binomial(4, 0.5), binomial(Infinity, 1)]).toEqual(
      Array(4).fill(Number.NaN),
    );
    expect(() => exactBinomial(D, new D(10_000), new D(5_000))).toThrow('stops after 2000 factors');
  });

  test('every factorial is rounded once', () => {
    const wide = Decimal.clone({ precision: 310 });
    for (let k = 0; k <= 170; k++)
      expect(ulpsOf(factorial(k), exactFactorial(wide, new wide(k))), `${k}!`).toBeLessThanOrEqual(0.5);
  });
});

test('sigmoid and softplus neither overflow nor lose the small side', () => {
  expect([sigmoid(1000), sigmoid(-1000), softplus(1000), softplus(-1000)]).toEqual([1, 0, 1000, 0]);
  expect(sigmoid(-700)).toBeGreaterThan(0);
  expect(softplus(-700)).toBeGreaterThan(0);
  expect([sigmoid(Infinity), sigmoid(-Infinity), softplus(Infinity), softplus(-Infinity)]).toEqual([1, 0, Infinity, 0]);
  expect(sigmoid(Number.NaN)).toBeNaN();
  expect(softplus(Number.NaN)).toBeNaN();
});

describe('modulo and floored division', () => {
  test('satisfy x = y·⌊x/y⌋ + x mod y with 0 ≤ x mod y < y for whole numbers', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 1e6 }), (x, y) => {
        expect(floorDivide(x, y) * y + modulo(x, y)).toBe(x);
        expect(modulo(x, y)).toBeGreaterThanOrEqual(0);
        expect(modulo(x, y)).toBeLessThan(y);
        expect(modulo(-x, -y) === -modulo(x, y)).toBe(true);
      }),
    );
  });

  test('are exact where the rounded quotient is not', () => {
    const x = 2 ** 53 - 1;
    expect(floorDivide(x, 3)).toBe(Number(BigInt(x) / 3n));
    expect(floorDivide(-1, 2 ** 53)).toBe(-1);
    expect([floorDivide(7, 0), floorDivide(-7, 0), floorDivide(5, Infinity)]).toEqual([Infinity, -Infinity, 0]);
    expect(modulo(1, 0)).toBeNaN();
  });
});

test('ties round to even', () => {
  expect([0.5, 1.5, 2.5, -1.5, -2.5, 0.49999999999999994, 3.7, -3.2, 1e300].map(roundHalfEven)).toEqual([
    0, 2, 2, -2, -2, 0, 4, -3, 1e300,
  ]);
  expect([-0, -0.5, -0.2].every((x) => Object.is(roundHalfEven(x), -0))).toBe(true);
  expect([Infinity, -Infinity].map(roundHalfEven)).toEqual([Infinity, -Infinity]);
  expect(roundHalfEven(Number.NaN)).toBeNaN();
});

test('powers and factorials', () => {
  expect([power(3, 2), power(-2, 3), power(0, 0), power(2, -1), power(4, 0.5)]).toEqual([9, -8, 1, 0.5, 2]);
  expect(power(-8, 1 / 3)).toBeNaN();
  expect([0, 1, 5, 20, 171].map(factorial)).toEqual([1, 1, 120, 2432902008176640000, Infinity]);
  expect([-1, 2.5, Number.NaN].map(factorial)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
});

test('approximately: infinite and missing numbers', () => {
  expect(approximately(Infinity, Infinity, 0)).toBe(true);
  expect(approximately(1, Infinity, Infinity)).toBe(false);
  expect(approximately(Infinity, -Infinity, Infinity)).toBe(false);
  expect(approximately(Number.NaN, Number.NaN, 1)).toBe(false);
  expect(approximately(1, 2, Number.NaN)).toBe(false);
  expect(approximately(1, 1.5, 0.5)).toBe(true);
  expect(approximately(0, -0, 0)).toBe(true);
});
