import { describe, expect, test } from 'vitest';
import { firstNonFinite, float32Numbers, littleEndianBytes } from '../../src/tensors/float32-bytes.ts';

const numbers = Float32Array.of(1, -0, 2 ** -149, 3.140625, -Infinity);
const bytes = Uint8Array.of(0, 0, 0x80, 0x3f, 0, 0, 0, 0x80, 1, 0, 0, 0, 0, 0, 0x49, 0x40, 0, 0, 0x80, 0xff);

describe('float32 numbers', () => {
  test.each([true, false])(
    'are little-endian bytes, on a machine that is (%s) and on one that is not',
    (isLittleEndian) => {
      expect(littleEndianBytes(numbers, isLittleEndian)).toEqual(bytes);
      expect(float32Numbers(bytes, isLittleEndian)).toEqual(numbers);
    },
  );

  test('are viewed where they are aligned, and copied where they are not', () => {
    expect(float32Numbers(bytes).buffer).toBe(bytes.buffer);
    const shifted = new Uint8Array(21);
    shifted.set(bytes, 1);
    expect(float32Numbers(shifted.subarray(1))).toEqual(numbers);
    expect(littleEndianBytes(numbers.subarray(1, 2))).toEqual(bytes.subarray(4, 8));
  });
});

test('the first number that is not finite is found at any place, and large ones are finite', () => {
  const largest = 3.4028234663852886e38;
  for (let length = 0; length < 12; length++) {
    expect(firstNonFinite(new Float32Array(length).fill(largest))).toBe(-1);
    for (let at = 0; at < length; at++) {
      for (const bad of [Number.NaN, Infinity, -Infinity]) {
        const values = new Float32Array(length).fill(1);
        values[at] = bad;
        expect(firstNonFinite(values)).toBe(at);
      }
      // Two infinities of both signs sum to NaN, which is not finite either.
      const both = new Float32Array(length).fill(Infinity, at);
      both[length - 1] = -Infinity;
      expect(firstNonFinite(both)).toBe(at);
    }
  }
});
