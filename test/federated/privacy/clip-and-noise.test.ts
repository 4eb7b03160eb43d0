/** Holds src/federated/privacy/clip.ts, src/federated/privacy/noise.ts. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { StateDict } from '../../../src/federated/adapter/layout.ts';
import { clipGradient, globalNorm } from '../../../src/federated/privacy/clip.ts';
import { addDpNoise, type RandomBytes } from '../../../src/federated/privacy/noise.ts';
import { nextUint32, streamFor } from '../../../src/numeric/xoshiro.ts';

const dictOf = (...arrays: readonly (readonly number[])[]): StateDict =>
  new Map(arrays.map((data, i) => [`t${i}`, { shape: [data.length], data: Float32Array.from(data) }]));

const bytesOf = (delta: StateDict): readonly (readonly number[])[] =>
  [...delta.values()].map(({ data }) => [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)]);

const float32 = fc.float({ noNaN: true, noDefaultInfinity: true });
const delta = fc.array(fc.array(float32, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 });
const bound = fc.double({ min: 1e-3, max: 1e3, noNaN: true });

function seeded(seed: number): RandomBytes {
  const stream = streamFor(seed, 'noise');
  return (into) => {
    for (let i = 0; i < into.length; i++) into[i] = nextUint32(stream) & 255;
  };
}

describe('clipping', () => {
  it('test_clip_gradient_norm: the norm after clipping is at most the bound', () => {
    fc.assert(
      fc.property(delta, bound, (arrays, max) => {
        expect(globalNorm(clipGradient(dictOf(...arrays), max))).toBeLessThanOrEqual(max);
      }),
    );
  });

  it('keeps what is within the bound, bit for bit', () => {
    fc.assert(
      fc.property(delta, (arrays) => {
        const before = dictOf(...arrays);
        expect(bytesOf(clipGradient(before, Math.max(1e-30, globalNorm(before))))).toEqual(bytesOf(before));
      }),
    );
  });

  it('keeps the direction over all tensors together', () => {
    const clipped = clipGradient(dictOf([300, -400], [1200]), 13);
    const [first, second] = [...clipped.values()].map(({ data }) => [...data]);
    for (const [found, expected] of [
      [first?.[0], 3],
      [first?.[1], -4],
      [second?.[0], 12],
    ] as const)
      expect(Math.abs((found ?? NaN) / expected - 1)).toBeLessThan(1e-6);
  });

  it('holds for millions of numbers', () => {
    const data = Array.from({ length: 2 ** 21 }, (_, i) => Math.sin(i));
    const norm = globalNorm(clipGradient(dictOf(data), 1));
    expect(norm).toBeLessThanOrEqual(1);
    expect(norm).toBeGreaterThan(1 - 1e-6);
  });

  it('refuses a delta that is not finite', () => {
    expect(() => clipGradient(dictOf([NaN]), 1)).toThrow('finite');
  });
});

describe('noise', () => {
  it('test_dp_noise_zero_is_identity: scale 0 changes no bit', () => {
    fc.assert(
      fc.property(delta, (arrays) => {
        const before = dictOf(...arrays);
        expect(bytesOf(addDpNoise(before, 0))).toEqual(bytesOf(before));
      }),
    );
  });

  it('has the standard deviation that it is given, mean 0, and normal tails', () => {
    const n = 200_000;
    const zeros = dictOf(Array.from({ length: n }, () => 0));
    const noise = addDpNoise(zeros, 0.37, seeded(1)).get('t0')?.data ?? new Float32Array();
    const mean = noise.reduce((sum, x) => sum + x, 0) / n;
    const deviation = Math.sqrt(noise.reduce((sum, x) => sum + (x - mean) ** 2, 0) / n);
    expect(Math.abs(mean)).toBeLessThan(0.004);
    expect(Math.abs(deviation / 0.37 - 1)).toBeLessThan(0.006);
    const beyond = (k: number) => noise.filter((x) => Math.abs(x) > k * 0.37).length / n;
    expect(Math.abs(beyond(1) - 0.3173)).toBeLessThan(0.004);
    expect(Math.abs(beyond(3) - 0.0027)).toBeLessThan(0.0004);
  });

  it('is on the same lattice whatever its input is, so that its lowest bits say nothing', () => {
    const scale = 0.37;
    const lattice = 2 ** (-2 - 20);
    for (const x of [0, 1, Math.fround(0.1), 1e-9, -0.3333]) {
      const noisy = addDpNoise(dictOf(Array.from({ length: 1000 }, () => x)), scale, seeded(2)).get('t0')?.data;
      for (const y of noisy ?? []) expect(Number.isInteger(y / lattice)).toBe(true);
    }
  });

  it('comes from the cryptographic source, so that two calls differ', () => {
    const zeros = dictOf(Array.from({ length: 64 }, () => 0));
    expect(bytesOf(addDpNoise(zeros, 1))).not.toEqual(bytesOf(addDpNoise(zeros, 1)));
    expect(bytesOf(addDpNoise(zeros, 1, seeded(3)))).toEqual(bytesOf(addDpNoise(zeros, 1, seeded(3))));
  });

  it('keeps the shapes', () => {
    const noisy = addDpNoise(new Map([['m', { shape: [2, 3], data: new Float32Array(6) }]]), 1);
    expect(noisy.get('m')?.shape).toEqual([2, 3]);
  });
});

test('noise is finite for extreme random bytes', () => {
  for (const byte of [0, 255]) {
    const noisy = addDpNoise(dictOf([0, 1]), 1, (into) => into.fill(byte));
    for (const x of noisy.get('t0')?.data ?? []) expect(Math.abs(x)).toBeLessThan(10);
  }
});
