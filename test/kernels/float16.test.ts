/**
 * Every float16 and every bfloat16, and the float32 numbers around each, against conversions by bits.
 *
 * Holds src/kernels/bfloat16.ts.
 */
import { describe, expect, it } from 'vitest';
import { bfloat16Bits, bfloat16Value } from '../../src/kernels/bfloat16.ts';
import { float16Bits, float16Value } from '../../src/kernels/float16.ts';
import type { KernelThread } from '../../src/runtime/kernel-types.ts';

type Kernel = (this: KernelThread, x: readonly number[], n: number) => number;

const thread: KernelThread = { thread: { x: 0, y: 0, z: 0 }, constants: {}, output: { x: 1, y: 1, z: 1 } };
const run = (kernel: Kernel, value: number): number => kernel.call(thread, [value], 1);

const view = new DataView(new ArrayBuffer(4));
const bitsOf = (x: number): number => (view.setFloat32(0, x), view.getUint32(0));
const floatOf = (bits: number): number => (view.setUint32(0, bits), view.getFloat32(0));

/** The float32 number of the bits above, `by` steps away from zero. */
const beside = (x: number, by: number): number => floatOf(bitsOf(x) + by);

interface Format {
  readonly bits: Kernel;
  readonly value: Kernel;
  readonly exponentBits: number;
  readonly fractionBits: number;
  readonly nan: number;
}

const formats: Readonly<Record<string, Format>> = {
  float16: { bits: float16Bits, value: float16Value, exponentBits: 5, fractionBits: 10, nan: 0x7e00 },
  bfloat16: { bits: bfloat16Bits, value: bfloat16Value, exponentBits: 8, fractionBits: 7, nan: 0x7fc0 },
};

describe.each(Object.entries(formats))('%s', (_, { bits, value, exponentBits, fractionBits, nan }) => {
  const infinity = ((1 << exponentBits) - 1) << fractionBits;
  const codes = Array.from({ length: 65_536 }, (_unused, code) => code);
  const isNumber = (code: number): boolean => (code & 0x7fff) <= infinity;

  it('gives back every number with all its bits', () => {
    expect(codes.filter((code) => isNumber(code) && run(bits, run(value, code)) !== code)).toEqual([]);
  });

  it('gives one quiet NaN for all of them', () => {
    const others = codes.filter((code) => !isNumber(code));
    expect(others.filter((code) => !Number.isNaN(run(value, code)) || run(bits, run(value, code)) !== nan)).toEqual([]);
  });

  it('rounds half-way to even, and what is beside it to the nearer one', () => {
    const wrong: number[] = [];
    for (let code = 0; code < infinity; code++) {
      const low = run(value, code);
      const high = code + 1 === infinity ? 2 * low - run(value, code - 1) : run(value, code + 1);
      const middle = (low + high) / 2;
      const even = code % 2 === 0 ? code : code + 1;
      // The middle of two bfloat16 subnormals is a float32 too.
      if (run(bits, middle) !== even) wrong.push(code);
      if (run(bits, beside(middle, -1)) !== code || run(bits, beside(middle, 1)) !== code + 1) wrong.push(code);
    }
    expect(wrong).toEqual([]);
  });
});
