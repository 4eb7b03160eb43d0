import { expect, it } from 'vitest';
import { floatOutput, integerOutput } from '../../src/numeric/kernel-output.ts';

it.each([Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array])(
  'whole numbers in a typed array are numbers: %o',
  (Whole) => {
    const result = Whole.of(1, 2, 127);
    const read = floatOutput(result, 3);
    expect(read).toEqual({ ok: true, output: Float64Array.of(1, 2, 127) });
    expect(integerOutput(result)).toEqual(read);
  },
);

it('big integers, too few numbers and arrays that are none are told as what they are', () => {
  expect(floatOutput(BigInt64Array.of(1n), 1)).toEqual({ ok: false, actual: 'BigInt64Array of 1 elements' });
  expect(floatOutput(Int32Array.of(1), 2)).toEqual({ ok: false, actual: 'Int32Array of 1 elements' });
  expect(floatOutput([1], 1)).toEqual({ ok: false, actual: 'a plain array of length 1, not a typed array' });
});
