import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponentOf, floatFormats } from '../../src/numeric/float-format.ts';
import { nextDown32, nextUp32 } from '../../src/numeric/float.ts';

const narrow = ['f16', 'bf16', 'f32'] as const;
const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true });

/** Every non-negative finite number of a 16-bit format, from its bits. */
function decodeAll(exponentBits: number, fractionBits: number): number[] {
  const bias = 2 ** (exponentBits - 1) - 1;
  const numbers: number[] = [];
  for (let exponent = 0; exponent < 2 ** exponentBits - 1; exponent++) {
    for (let fraction = 0; fraction < 2 ** fractionBits; fraction++) {
      numbers.push(
        exponent === 0
          ? fraction * 2 ** (1 - bias - fractionBits)
          : (1 + fraction / 2 ** fractionBits) * 2 ** (exponent - bias),
      );
    }
  }
  return numbers;
}

describe.each([
  ['f16', 5, 10],
  ['bf16', 8, 7],
] as const)('%s', (format, exponentBits, fractionBits) => {
  const all = decodeAll(exponentBits, fractionBits);
  const traits = floatFormats[format];

  it('steps through all of its numbers in order, up and down', () => {
    for (let i = 0; i + 1 < all.length; i++) {
      const [a, b] = [all[i] ?? 0, all[i + 1] ?? 0];
      if (traits.nextUp(a) !== b || traits.nextDown(b) !== a || traits.nextUp(-b) !== -a || traits.nextDown(-a) !== -b)
        expect.fail(`between ${a} and ${b}`);
    }
    expect(traits.maximum).toBe(all.at(-1));
    expect(traits.nextUp(traits.maximum)).toBe(Infinity);
    expect(traits.smallestSubnormal).toBe(all[1]);
  });

  it('rounds its own numbers to themselves and midpoints to even', () => {
    for (let i = 0; i + 1 < all.length; i++) {
      const [a, b] = [all[i] ?? 0, all[i + 1] ?? 0];
      const even = i % 2 === 0 ? a : b;
      if (traits.round(a) !== a || traits.round((a + b) / 2) !== even || traits.round(-(a + b) / 2) !== -even)
        expect.fail(`between ${a} and ${b}`);
    }
  });

  it('overflows at half a step above the maximum', () => {
    const step = traits.maximum - traits.nextDown(traits.maximum);
    expect(traits.round(traits.maximum + step / 2)).toBe(Infinity);
    expect(traits.round(-(traits.maximum + step * 0.49))).toBe(-traits.maximum);
  });
});

describe('f32', () => {
  it('steps as the bits do', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true }), (x) => {
        expect(floatFormats.f32.nextUp(x)).toBe(nextUp32(x));
        expect(floatFormats.f32.nextDown(x)).toBe(nextDown32(x));
      }),
      { examples: [[-(2 ** -149)], [2 ** -149]] },
    );
  });
});

describe('every format', () => {
  it.each(narrow)('%s rounds monotonically to a neighbour', (format) => {
    const { round, nextDown, nextUp } = floatFormats[format];
    fc.assert(
      fc.property(anyDouble, (x) => {
        const y = round(x);
        if (!Number.isFinite(y)) return;
        expect(nextDown(y)).toBeLessThanOrEqual(x);
        expect(nextUp(y)).toBeGreaterThanOrEqual(x);
      }),
    );
  });

  it.each(narrow)('%s keeps NaN, infinities and the sign of zero', (format) => {
    const { round } = floatFormats[format];
    expect([NaN, Infinity, -Infinity, 0, -0, -1e-300].map(round)).toEqual([NaN, Infinity, -Infinity, 0, -0, -0]);
  });

  it('knows exponents down to the subnormals', () => {
    fc.assert(
      fc.property(anyDouble, (x) => {
        fc.pre(x !== 0);
        const e = exponentOf(x);
        const scaled = Math.abs(x) / 2 ** Math.max(e, -1022);
        expect(e < -1022 ? scaled < 1 : scaled >= 1 && scaled < 2).toBe(true);
      }),
    );
  });
});
