/** The numbers of a format in a range and around it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextDown32, nextDown64, nextUp32, nextUp64 } from '../../../src/numeric/float.ts';
import { compareRational, fraction, fromFloat, type Rational } from '../../../src/numeric/rational.ts';
import { around, within, type InputFormat } from '../../../src/training/robustness/input-range.ts';

const neighbours = { float64: [nextDown64, nextUp64], float32: [nextDown32, nextUp32] } as const;

const scaled = (n: bigint, exponent: number): Rational =>
  exponent < 0 ? fraction(n, 10n ** BigInt(-exponent)) : fraction(n * 10n ** BigInt(exponent));

it('are those next to its ends', () => {
  const value = fc.oneof(
    fc
      .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: -420, max: 10 }))
      .map(([n, e]) => scaled(n, e)),
    fc.float({ noNaN: true, noDefaultInfinity: true }).map(fromFloat),
  );
  fc.assert(
    fc.property(value, fc.boolean(), fc.constantFrom<InputFormat>('float64', 'float32'), (end, isOpen, format) => {
      const [down, up] = neighbours[format];
      const compared = (x: number): number => (Number.isFinite(x) ? compareRational(fromFloat(x), end) : x);
      const range = { lo: { value: end, isOpen }, hi: { value: end, isOpen } };
      const [least, most] = within(range, format);
      expect(compared(least)).toBeGreaterThanOrEqual(isOpen ? 1e-9 : 0);
      expect(compared(most)).toBeLessThanOrEqual(isOpen ? -1e-9 : 0);
      expect(compared(down(least))).toBeLessThanOrEqual(isOpen ? 0 : -1e-9);
      expect(compared(up(most))).toBeGreaterThanOrEqual(isOpen ? 0 : 1e-9);
      const [below, above] = around(range, format);
      expect(compared(below)).toBeLessThanOrEqual(0);
      expect(compared(above)).toBeGreaterThanOrEqual(0);
      expect(above === below || above === up(below)).toBe(true);
      if (format === 'float32') expect([least, most].map(Math.fround)).toEqual([least, most]);
    }),
    { numRuns: 1000 },
  );
});

it('end at the largest number of the format', () => {
  const range = { lo: { value: scaled(-1n, 39), isOpen: false }, hi: { value: scaled(1n, 39), isOpen: false } };
  expect(within(range, 'float32')).toEqual([-3.4028234663852886e38, 3.4028234663852886e38]);
  expect(around(range, 'float32')).toEqual([-Infinity, Infinity]);
});
