/** Holds src/numeric/splitmix.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextSplitmix } from '../../src/numeric/splitmix.ts';
import {
  nextUint32,
  seekStream,
  streamAt,
  streamFor,
  streamKey,
  uniformInteger,
  unitDouble,
  unitFloat,
} from '../../src/numeric/xoshiro.ts';

const draws = (count: number, draw: () => number): number[] => Array.from({ length: count }, draw);

describe('splitmix64', () => {
  it('gives the published outputs of seed 1234567', () => {
    const state = { high: 0, low: 1234567 };
    const out = { high: 0, low: 0 };
    const outputs = draws(5, () => 0).map(() => {
      nextSplitmix(state, out);
      return ((BigInt(out.high >>> 0) << 32n) | BigInt(out.low >>> 0)).toString();
    });
    expect(outputs).toEqual([
      '6457827717110365317',
      '3203168211198807973',
      '9817491932198370423',
      '4593380528125082431',
      '16408922859458223821',
    ]);
  });

  it('agrees with 64-bit arithmetic on any state', () => {
    const mask = (1n << 64n) - 1n;
    const reference = (start: bigint): bigint => {
      let z = (start + 0x9e3779b97f4a7c15n) & mask;
      z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
      z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
      return z ^ (z >> 31n);
    };
    fc.assert(
      fc.property(fc.bigInt(0n, mask), (seed) => {
        const state = { high: Number(seed >> 32n) | 0, low: Number(seed & 0xffffffffn) | 0 };
        const out = { high: 0, low: 0 };
        nextSplitmix(state, out);
        expect((BigInt(out.high >>> 0) << 32n) | BigInt(out.low >>> 0)).toBe(reference(seed));
      }),
    );
  });
});

describe('xoshiro128**', () => {
  it('gives the outputs of the reference implementation from state 1, 2, 3, 4', () => {
    const s = { a: 1, b: 2, c: 3, d: 4 };
    expect(draws(10, () => nextUint32(s))).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  it('gives the outputs and the state of the reference implementation from a full state', () => {
    const s = { a: 0x964d4a0c | 0, b: 0xd40ab895 | 0, c: 0xad7fdecb | 0, d: 0x3006f0f0 };
    expect(draws(4, () => nextUint32(s))).toEqual([0xf1391922, 0x6fe53806, 0xa5be2840, 0xf510ee70]);
  });
});

describe('streams', () => {
  it('repeat for the same seed and name', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.string(), (seed, name) => {
        const a = streamFor(seed, name);
        const b = streamFor(seed, name);
        expect(draws(8, () => nextUint32(a))).toEqual(draws(8, () => nextUint32(b)));
      }),
    );
  });

  it('differ between names, seeds and indices', () => {
    const firsts = new Set<string>();
    const add = (s: ReturnType<typeof streamFor>): void => void firsts.add(`${nextUint32(s)},${nextUint32(s)}`);
    for (let seed = -500; seed < 500; seed++)
      for (const name of ['', 'a', 'b', 'ab', 'ba', 'a\u0000']) add(streamFor(seed, name));
    for (const seed of [2 ** 32, 2 ** 40, -(2 ** 40), Number.MAX_SAFE_INTEGER]) add(streamFor(seed, ''));
    for (let index = 1; index < 1000; index++) add(streamAt(streamKey(7, 'x'), index));
    expect(firsts.size).toBe(6000 + 4 + 999);
  });

  it('are pinned, since receipts name seeds', () => {
    const s = streamFor(7, 'softmax-kernel-v1/SM-INV-001');
    expect(draws(3, () => nextUint32(s))).toEqual([3320509875, 472580424, 110403346]);
  });

  it('are found again by index without allocation', () => {
    const key = streamKey(3, 'k');
    const s = { a: 1, b: 2, c: 3, d: 4 };
    seekStream(key, 12345, s);
    expect(s).toEqual(streamAt(key, 12345));
  });
});

describe('numbers from a stream', () => {
  it('are integers inside any range', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), fc.integer(), (a, b, seed) => {
        const [low, high] = [Math.min(a, b) / 4, Math.max(a, b) / 4].map(Math.trunc) as [number, number];
        const drawn = uniformInteger(streamFor(seed, 'int'), low, high);
        expect(Number.isSafeInteger(drawn) && drawn >= low && drawn <= high).toBe(true);
      }),
    );
  });

  it('are uniform over a range that does not divide 2^32', () => {
    const s = streamFor(1, 'uniform');
    const counts = [0, 0, 0, 0, 0, 0, 0];
    const total = 70_000;
    for (let i = 0; i < total; i++) {
      const drawn = uniformInteger(s, 0, 6);
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
    const chiSquare = counts.reduce((sum, count) => sum + (count - total / 7) ** 2 / (total / 7), 0);
    expect(chiSquare).toBeLessThan(22.46); // 0.1 % point with 6 degrees of freedom
  });

  it('reach both ends of a range wider than 32 bits', () => {
    const s = streamFor(1, 'wide');
    const drawn = draws(2000, () => uniformInteger(s, 0, 2 ** 53 - 1));
    expect(Math.max(...drawn)).toBeGreaterThan(2 ** 53 * 0.99);
    expect(Math.min(...drawn)).toBeLessThan(2 ** 53 * 0.01);
    expect(drawn.some((x) => x % 2 === 1)).toBe(true);
  });

  it('lie in [0, 1) with mean one half', () => {
    for (const draw of [unitFloat, unitDouble]) {
      const s = streamFor(5, 'unit');
      const drawn = draws(20_000, () => draw(s));
      expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...drawn)).toBeLessThan(1);
      expect(drawn.reduce((a, b) => a + b, 0) / drawn.length).toBeCloseTo(0.5, 2);
    }
  });
});
