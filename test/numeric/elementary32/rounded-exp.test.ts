/**
 * The exponential that calls `Math.exp` seldom, against `Math.exp`.
 *
 * Run once and too long for a test: all 2³² float32 on Node 20.20 (V8 11.3), all equal.
 */
import { expect, test } from 'vitest';
import { float32FromBits } from '../../../src/numeric/float.ts';
import { expOfEach } from '../../../src/numeric/elementary32/rounded-exp.ts';

/** Float32 numbers by their bits. */
const numbers = (start: number, step: number, count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => float32FromBits((start + i * step) >>> 0));

test.each([
  ['every 4,099th float32', 0, 4099, 1_047_808],
  ['around 0, where results surround 1', 0x33000000, 257, 131_072],
  ['below 0', 0xb3000000, 257, 131_072],
  ['up to overflow and beyond', 0x42af0000, 7, 65_536],
  ['down to 0 and beyond', 0xc2cd0000, 7, 65_536],
])('%s: the bits of Math.exp, rounded once', (_, start, step, count) => {
  const values = numbers(start, step, count);
  const expected = Float32Array.from(values, Math.exp);
  expOfEach(values);
  expect(Buffer.compare(Buffer.from(values.buffer), Buffer.from(expected.buffer))).toBe(0);
});

test('borders between two float32 are Math.exp’s to decide', () => {
  const own = Math.exp;
  let asked = 0;
  Math.exp = (x) => {
    asked++;
    return own(x);
  };
  try {
    expOfEach(numbers(0xc0000000, 1, 10_000));
  } finally {
    Math.exp = own;
  }
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(200);
});
