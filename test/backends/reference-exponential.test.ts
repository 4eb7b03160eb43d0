/**
 * Exponentials of ref32 against `Math.exp`, rounded once.
 *
 * Run once and too long for a test: all 2³² float32 on Node 20.20 (V8 11.3), all equal.
 *
 * Holds src/backends/reference-expression.ts, src/backends/reference-text.ts.
 */
import { expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import { ref32 } from '../../src/backends/ref32.ts';
import { float32FromBits } from '../../src/numeric/float.ts';
import { kernelFromText } from '../support/kernels.ts';

const kernel = async (value: string): Promise<(x: Float32Array) => Float32Array> => {
  const opened = await ref32.open(
    await kernelFromText(`import type { KernelThread } from 'provable-contracts/runtime';
export function kernel(this: KernelThread, x: readonly number[]): number { const v = x[this.thread.x]!; return ${value}; }`),
  );
  invariant(opened.ok && opened.kernel.runSync, 'the reference runs synchronously');
  const { runSync } = opened.kernel;
  return (x) => {
    const outcome = runSync({ arguments: [x], shapes: [[x.length]], outputShape: [x.length] });
    invariant(outcome.ok && outcome.output instanceof Float32Array, 'it gives float32 numbers');
    return outcome.output;
  };
};

/** Float32 numbers by their bits. */
const numbers = (start: number, step: number, count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => float32FromBits((start + i * step) >>> 0));

const same = (a: Float32Array, b: Float32Array): boolean => Buffer.from(a.buffer).equals(Buffer.from(b.buffer));

it.each([
  ['every 4,099th float32', 0, 4099, 1_047_808],
  ['where results begin to differ from 1', 0x32700000, 257, 131_072],
  ['the same below 0', 0xb2700000, 257, 131_072],
  ['up to overflow and beyond', 0x42af0000, 7, 65_536],
  ['down to 0 and beyond', 0xc2cd0000, 7, 65_536],
])('%s: the bits of Math.exp, rounded once', async (_, start, step, count) => {
  const exp = await kernel('Math.exp(v)');
  const x = numbers(start, step, count);
  expect(same(exp(x), Float32Array.from(x, Math.exp))).toBe(true);
});

it('exponentials may be nested and adjacent', async () => {
  const both = await kernel('Math.exp(Math.exp(v) - Math.exp(-v)) + (v > 0 ? Math.exp(v) : Math.exp(-1))');
  const x = numbers(0x3e000000, 65_537, 700);
  const { fround, exp } = Math;
  const expected = x.map((v) => {
    const inner = fround(exp(fround(fround(exp(v)) - fround(exp(-v)))));
    return fround(inner + fround(exp(v > 0 ? v : -1)));
  });
  expect(same(both(x), expected)).toBe(true);
});

it('borders between two float32 are Math.exp’s to decide', async () => {
  const exp = await kernel('Math.exp(v)');
  const own = Math.exp;
  let asked = 0;
  Math.exp = (x) => {
    asked++;
    return own(x);
  };
  try {
    exp(numbers(0xc0000000, 1, 10_000));
  } finally {
    Math.exp = own;
  }
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(200);
});
