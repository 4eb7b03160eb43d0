/**
 * The elementary functions against glibc 2.36 (x86-64), whose code without fused multiply-add has these bits.
 *
 * How the digests were made: a C program (gcc 12.2 -O2 -ffp-contract=off, GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2)
 * that calls expf, sinf, cosf and powf over the same bits.
 * Run once and too long for a test: exp on all 2³² float32, sin and cos on all from 0 to below 120 and on every 37th from there, all equal.
 *
 * Holds src/numeric/elementary32/exp.ts, src/numeric/elementary32/pow.ts, src/numeric/elementary32/reduce-large.ts,
 * src/numeric/elementary32/sine.ts.
 */
import { describe, expect, test } from 'vitest';
import { exp32, exp32Table } from '../../../src/numeric/elementary32/exp.ts';
import { pow32 } from '../../../src/numeric/elementary32/pow.ts';
import { cos32, sin32 } from '../../../src/numeric/elementary32/sine.ts';
import { float32FromBits, ulpDistance } from '../../../src/numeric/float.ts';
import { digestOf } from './bits.ts';

/** Every 4,099th float32 of all 2³², both signs, infinities and NaN included. */
const everywhere = [0, 4099, 1_047_808] as const;

describe('bits of glibc without fused multiply-add, on every 4,099th float32', () => {
  test.each([
    ['exp', exp32, '5e02425b00b049b4', Math.exp],
    ['sin', sin32, 'd2d2258d6f711764', Math.sin],
    ['cos', cos32, '504f29662123a351', Math.cos],
  ] as const)('%s, which a rounded float64 does not have', (_, compute, digest, rounded) => {
    expect(digestOf(compute, ...everywhere)).toBe(digest);
    expect(digestOf((x) => Math.fround(rounded(x)), ...everywhere)).not.toBe(digest);
  });

  test.each([
    ['π', 0x40490fdb, '5cae74fc89e01592'],
    ['-3', 0xc0400000, '28bf93bc9ec1d910'],
    ['-2.5', 0xc0200000, '76adb8326e227708'],
    ['½', 0x3f000000, 'c0d8bbcc5dae0c5b'],
    ['-∞', 0xff800000, '1e1947a14f800000'],
  ])('powers x to the %s', (_, bits, digest) => {
    const y = float32FromBits(bits);
    expect(digestOf((x) => pow32(x, y), ...everywhere)).toBe(digest);
  });

  test.each([
    ['10000', 0x461c4000, 'e1bdf94948cfee03'],
    ['just below 1', 0x3f7ffff0, 'cb871187af1a77e1'],
    ['a subnormal', 0x00001234, '38be3e59d70945ad'],
    ['-0', 0x80000000, 'b13d7fbae0800000'],
    ['-1', 0xbf800000, 'a1e9f01b90800000'],
    ['-2.5', 0xc0200000, '0fe59f38b0000000'],
  ])('powers of %s', (_, bits, digest) => {
    const x = float32FromBits(bits);
    expect(digestOf((y) => pow32(x, y), ...everywhere)).toBe(digest);
  });
});

describe('bits of glibc without fused multiply-add, on every float32 near a seam', () => {
  test.each([
    ['exp, from 87.5 to overflow and beyond', exp32, [0x42af0000, 1, 262_144], '81045d9c781f8a98'],
    ['exp, down to underflow and beyond', exp32, [0xc2cf0000, 1, 131_072], '1578356785be809f'],
    ['sin, where large angles begin', sin32, [0x42ef8000, 1, 65_536], '1b344f9c4da6ed43'],
    ['cos, where large angles begin', cos32, [0x42ef8000, 1, 65_536], '29dbfc05fc7680c0'],
    ['cos, of the largest angles', cos32, [0x7f000000, 129, 65_024], '6dc225f85a3b24f9'],
    ['sin, of the largest negative angles', sin32, [0xff000000, 129, 65_024], 'd6e8ded625a4678f'],
  ] as const)('%s', (_, compute, [start, step, count], digest) => {
    expect(digestOf(compute, start, step, count)).toBe(digest);
  });
});

describe('special values', () => {
  test('of exp', () => {
    expect([Number.NaN, Infinity, -Infinity, 0, -0, 88.73, -104, 2 ** -149].map(exp32)).toEqual([
      Number.NaN,
      Infinity,
      0,
      1,
      1,
      Infinity,
      0,
      1,
    ]);
    // The last finite result, and the first that is not 0.
    expect(exp32(float32FromBits(0x42b17217))).toBe(float32FromBits(0x7f7fff84));
    expect(exp32(float32FromBits(0xc2cff1b4))).toBe(2 ** -149);
  });

  test('of sin and cos', () => {
    expect([Number.NaN, Infinity, -Infinity].flatMap((x) => [sin32(x), cos32(x)])).toEqual(Array(6).fill(Number.NaN));
    expect([0, -0, 2 ** -149, -(2 ** -13)].map(sin32)).toEqual([0, -0, 2 ** -149, -(2 ** -13)]);
    expect([0, -0, 2 ** -149, -(2 ** -13)].map(cos32)).toEqual([1, 1, 1, 1]);
  });

  test('of powers, as C has them and JavaScript has not', () => {
    expect([pow32(1, Number.NaN), pow32(-1, Infinity), pow32(-1, -Infinity), pow32(Number.NaN, 0)]).toEqual([
      1, 1, 1, 1,
    ]);
    expect([pow32(-0, -3), pow32(-0, -2), pow32(-0, 3), pow32(-Infinity, -3), pow32(-Infinity, 3)]).toEqual([
      -Infinity,
      Infinity,
      -0,
      -0,
      -Infinity,
    ]);
    expect([
      pow32(-2, 0.5),
      pow32(Number.NaN, 1),
      pow32(2, Number.NaN),
      pow32(2, Infinity),
      pow32(2, -Infinity),
    ]).toEqual([Number.NaN, Number.NaN, Number.NaN, Infinity, 0]);
    expect([pow32(2, 128), pow32(-2, 127), pow32(-2, 129), pow32(2, -149), pow32(2, -150)]).toEqual([
      Infinity,
      -(2 ** 127),
      -Infinity,
      2 ** -149,
      0,
    ]);
  });
});

describe('errors, measured against float64', () => {
  const worst = (compute: (x: number) => number, exact: (x: number) => number, bits: readonly [number, number]) => {
    let most = 0;
    for (let b = bits[0]; b < bits[1]; b += 1009) {
      const x = float32FromBits(b);
      most = Math.max(most, ulpDistance(compute(x), exact(x)));
    }
    return most;
  };
  // From 2^-30 up to where the results stop being normal numbers, or to 2^20 radians.
  test.each([
    ['exp', exp32, Math.exp, [0x30800000, 0x42ae0000], 0.502],
    ['exp of negative numbers', exp32, Math.exp, [0xb0800000, 0xc2ae0000], 0.502],
    ['sin', sin32, Math.sin, [0x30800000, 0x49800000], 0.561],
    ['cos', cos32, Math.cos, [0x30800000, 0x49800000], 0.561],
    ['powers of 10000', (y: number) => pow32(10000, y), (y: number) => 10000 ** y, [0x30800000, 0x41100000], 0.52],
    [
      'powers to the π',
      (x: number) => pow32(x, 3.140625),
      (x: number) => x ** 3.140625,
      [0x30800000, 0x53000000],
      0.52,
    ],
  ] as const)('%s: at most the published units in the last place', (_, compute, exact, bits, most) => {
    const error = worst(compute, exact, bits);
    expect(error).toBeGreaterThan(0.499);
    expect(error).toBeLessThan(most);
  });
});

test('the table of exp holds the float64 nearest to 2^(i/32), exactly', () => {
  exp32Table.forEach((bits, i) => {
    const whole = bits + (BigInt(i) << 47n);
    const significand = (whole & 0xf_ffff_ffff_ffffn) | (1n << 52n);
    // significand·2^-52 within half a unit of 2^(i/32): compare 32nd powers, in integers.
    const target = 1n << BigInt(32 * 53 + i);
    expect((2n * significand - 1n) ** 32n < target && target < (2n * significand + 1n) ** 32n, `entry ${i}`).toBe(true);
    expect(whole >> 52n).toBe(0x3ffn);
  });
});
