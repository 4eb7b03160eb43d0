import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  largestEntry,
  overflowFault,
  ringHalf,
  toFixedPoint,
  weightedMean,
  type FixedPoint,
} from '../../../src/federated/secure/fixed-point.ts';
import { value } from './parties.ts';

const formats = fc.record({
  bound: fc.double({ min: 1e-3, max: 1e4, noNaN: true }),
  maxWeight: fc.integer({ min: 1, max: 1_000_000 }),
  fractionBits: fc.integer({ min: 0, max: 30 }),
});

describe('fixed point', () => {
  it('errs by at most 2^-(s+1), and is odd', () => {
    fc.assert(
      fc.property(formats, fc.double({ min: -1, max: 1, noNaN: true }), (format, share) => {
        fc.pre(overflowFault(3, format) === null);
        const x = Math.fround(format.bound * share * 0.9999999);
        const q = value(toFixedPoint(Float32Array.of(x), format.maxWeight, format))[0] ?? NaN;
        const exact = x * format.maxWeight; // of at most 44 bits
        expect(Math.abs(q / 2 ** format.fractionBits - exact)).toBeLessThanOrEqual(2 ** -(format.fractionBits + 1));
        expect(value(toFixedPoint(Float32Array.of(-x), format.maxWeight, format))[0]).toBe(q === 0 ? 0 : -q);
        expect(Math.abs(q)).toBeLessThanOrEqual(largestEntry(format, format.maxWeight));
      }),
    );
  });

  it('rounds halves to even', () => {
    const format: FixedPoint = { bound: 10, maxWeight: 1, fractionBits: 0 };
    expect([...value(toFixedPoint(Float32Array.of(0.5, 1.5, 2.5, -0.5, -1.5), 1, format))]).toEqual([0, 2, 2, 0, -2]);
  });

  it('refuses exactly the formats whose sums could reach 2³¹', () => {
    fc.assert(
      fc.property(formats, fc.integer({ min: 3, max: 255 }), (format, participants) => {
        const could = participants * largestEntry(format, format.maxWeight) >= ringHalf;
        expect(overflowFault(participants, format) !== null).toBe(could);
      }),
    );
    const format = { bound: 1, maxWeight: 1, fractionBits: 29 };
    expect(overflowFault(3, format)).toBeNull();
    expect(overflowFault(4, format)).toContain('2147483648, which must be below 2^31');
  });

  it('refuses what is not a format', () => {
    for (const wrong of [
      { bound: 0 },
      { bound: NaN },
      { bound: Infinity },
      { bound: -1 },
      { maxWeight: 0 },
      { maxWeight: 1.5 },
      { maxWeight: 2 ** 30 },
      { fractionBits: -1 },
      { fractionBits: 31 },
      { fractionBits: 0.5 },
    ])
      expect(overflowFault(3, { bound: 1, maxWeight: 1, fractionBits: 1, ...wrong })).not.toBeNull();
  });

  it('refuses deltas beyond the bound, numbers that are not finite, and weights that are not those of the round', () => {
    const format: FixedPoint = { bound: 1, maxWeight: 3, fractionBits: 4 };
    for (const entry of [1.0000001, -2, NaN, Infinity, -Infinity])
      expect(toFixedPoint(Float32Array.of(0, entry), 1, format).ok).toBe(false);
    for (const weight of [0, 4, 1.5, NaN, -1, Infinity])
      expect(toFixedPoint(Float32Array.of(0), weight, format).ok).toBe(false);
    expect(toFixedPoint(Float32Array.of(1, -1), 3, format).ok).toBe(true);
  });

  it('divides a sum once', () => {
    expect([...weightedMean(Int32Array.of(3, -6, 0), 3, 1)]).toEqual([0.5, -1, 0]);
  });
});
