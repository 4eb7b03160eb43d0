import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  float32Bits,
  float32FromBits,
  float32FromOrdinal,
  float32Ordinal,
  float32Steps,
  isFloat32,
  MAX_FLOAT32,
  MIN_FLOAT32,
  MIN_NORMAL_FLOAT32,
  nextDown32,
  nextDown64,
  nextUp32,
  nextUp64,
  ulp32,
  ulp64,
  ulpDistance,
} from '../../src/numeric/float.ts';

const anyFloat32 = fc.nat({ max: 0xffffffff }).map(float32FromBits);

test('known bit patterns', () => {
  expect([1, -2, 0, -0, Infinity, MAX_FLOAT32, MIN_FLOAT32, MIN_NORMAL_FLOAT32, Number.NaN].map(float32Bits)).toEqual([
    0x3f800000, 0xc0000000, 0, 0x80000000, 0x7f800000, 0x7f7fffff, 1, 0x00800000, 0x7fc00000,
  ]);
});

test('bits and ordinals invert', () => {
  fc.assert(
    fc.property(anyFloat32, (value) => {
      expect(float32FromBits(float32Bits(value))).toEqual(value);
      if (!Number.isNaN(value)) expect(float32FromOrdinal(float32Ordinal(value)) === value).toBe(true);
    }),
  );
});

test('the ordinal keeps the order', () => {
  fc.assert(
    fc.property(anyFloat32, anyFloat32, (a, b) => {
      fc.pre(!Number.isNaN(a) && !Number.isNaN(b));
      expect(Math.sign(float32Ordinal(a) - float32Ordinal(b))).toBe(Math.sign(a === b ? 0 : a - b));
    }),
  );
});

describe('neighbours', () => {
  test('nothing lies between a float32 and the next', () => {
    fc.assert(
      fc.property(anyFloat32, (value) => {
        fc.pre(Number.isFinite(value));
        const up = nextUp32(value);
        expect(up).toBeGreaterThan(value);
        expect(float32Steps(value, up)).toBe(1);
        expect(nextDown32(up) === value || up === MIN_FLOAT32).toBe(true);
      }),
    );
  });

  test('ends and zeros', () => {
    expect(nextUp32(0)).toBe(MIN_FLOAT32);
    expect(nextUp32(-0)).toBe(MIN_FLOAT32);
    expect(nextDown32(0)).toBe(-MIN_FLOAT32);
    expect(nextUp32(MAX_FLOAT32)).toBe(Infinity);
    expect(nextUp32(Infinity)).toBe(Infinity);
    expect(nextUp32(-Infinity)).toBe(-MAX_FLOAT32);
    expect(nextUp32(Number.NaN)).toBeNaN();
    expect(Object.is(nextUp32(-MIN_FLOAT32), -0) || nextUp32(-MIN_FLOAT32) === 0).toBe(true);
  });

  test('float64', () => {
    expect(nextUp64(1)).toBe(1 + Number.EPSILON);
    expect(nextUp64(-1)).toBe(-1 + Number.EPSILON / 2);
    expect(nextUp64(0)).toBe(Number.MIN_VALUE);
    expect(nextDown64(0)).toBe(-Number.MIN_VALUE);
    expect(nextUp64(Number.MAX_VALUE)).toBe(Infinity);
    expect([ulp64(1), ulp64(0), ulp64(Number.MAX_VALUE), ulp64(-4)]).toEqual([
      2 ** -52,
      Number.MIN_VALUE,
      2 ** 971,
      2 ** -50,
    ]);
  });
});

describe('units in the last place', () => {
  test('are the step away from zero', () => {
    fc.assert(
      fc.property(anyFloat32, (value) => {
        fc.pre(Number.isFinite(value) && Math.abs(value) < MAX_FLOAT32);
        expect(ulp32(value)).toBe(nextUp32(Math.abs(value)) - Math.abs(value));
      }),
    );
  });

  test('at powers of two, zero, the largest and beyond', () => {
    expect([
      ulp32(1),
      ulp32(-1),
      ulp32(2),
      ulp32(0.999999),
      ulp32(0),
      ulp32(MAX_FLOAT32),
      ulp32(1e39),
      ulp32(Infinity),
    ]).toEqual([2 ** -23, 2 ** -23, 2 ** -22, 2 ** -24, 2 ** -149, 2 ** 104, 2 ** 104, Infinity]);
    expect(ulp32(Number.NaN)).toBeNaN();
  });

  test('measure distances', () => {
    expect(ulpDistance(1 + 2 ** -23, 1)).toBe(1);
    expect(ulpDistance(1, 1 + 2 ** -24)).toBe(0.5);
    expect([
      ulpDistance(Infinity, Infinity),
      ulpDistance(1, Infinity),
      ulpDistance(Infinity, 1),
      ulpDistance(0, -0),
    ]).toEqual([0, Infinity, Infinity, 0]);
    expect(ulpDistance(Number.NaN, Infinity)).toBeNaN();
    expect(ulpDistance(1, Number.NaN)).toBeNaN();
  });
});

test('isFloat32', () => {
  expect([0.5, 0.1, Math.fround(0.1), Number.NaN, Infinity, 1e39].map(isFloat32)).toEqual([
    true,
    false,
    true,
    true,
    true,
    false,
  ]);
});
