/** Holds src/trace/record/log-sum-exp.ts. */
import { describe, expect, it } from 'vitest';
import { streamFor, uniformInteger, unitFloat } from '../../../src/numeric/xoshiro.ts';
import { logSumExp } from '../../../src/trace/record/log-sum-exp.ts';
import { takeSketch } from '../../../src/trace/record/sketch.ts';
import { randomLogits } from '../../support/trace-cases.ts';

describe('a sketch', () => {
  it('holds the largest logits, by id among equal ones', () => {
    const stream = streamFor(1, 'sketches');
    for (let round = 0; round < 300; round++) {
      // Few different numbers, so that many are equal.
      const logits = Float32Array.from(
        { length: uniformInteger(stream, 1, 60) },
        () => uniformInteger(stream, -5, 5) / 4,
      );
      const k = uniformInteger(stream, 1, logits.length);
      const sorted = [...logits.entries()].toSorted(([i, x], [j, y]) => y - x || i - j).slice(0, k);
      const sketch = takeSketch(logits, k);
      expect(sketch?.ids).toEqual(sorted.map(([id]) => id));
      expect(sketch?.logits).toEqual(sorted.map(([, logit]) => logit + 0));
    }
  });

  it('is empty unless requested, and has no −0', () => {
    expect(takeSketch(Float32Array.of(1), 0)).toBe(null);
    expect(takeSketch(Float32Array.of(-0), 1)).toEqual({ ids: [0], logits: [0], logSumExp: 0 });
  });
});

describe('log-sum-exp', () => {
  it('is that of the mathematics, within one rounding to float32 and 10⁻⁹', () => {
    const stream = streamFor(2, 'sums of exponentials');
    for (let round = 0; round < 200; round++) {
      const scale = 10 ** uniformInteger(stream, -3, 2);
      const logits = randomLogits(stream, uniformInteger(stream, 1, 2000)).map((x) => x * scale);
      const largest = logits.reduce((a, b) => Math.max(a, b));
      const exact = largest + Math.log(logits.reduce((sum, x) => sum + Math.exp(x - largest), 0));
      const allowed = Math.abs(exact) * 2 ** -24 + 1e-9 * Math.max(1, Math.abs(exact));
      expect(Math.abs(logSumExp(logits) - exact)).toBeLessThanOrEqual(allowed);
    }
  });

  it('is the float32 next to that of the mathematics, nearly always the nearest', () => {
    const stream = streamFor(3, 'pairs of logits');
    let others = 0;
    for (let round = 0; round < 4000; round++) {
      // Two terms, where the result is small and shows what the larger ones round away.
      const below = Math.fround(12 * unitFloat(stream));
      const nearest = Math.fround(Math.log1p(Math.exp(-below)));
      const sum = logSumExp(Float32Array.of(-below, 0));
      if (sum !== nearest) others++;
      expect(Math.abs(sum - nearest)).toBeLessThanOrEqual(nearest * 2 ** -23);
    }
    expect(others).toBeLessThan(20);
  });

  it.each<readonly [string, readonly number[], number]>([
    ['one logit', [3.5], 3.5],
    ['two equal ones', [0, 0], Math.fround(Math.LN2)],
    ['the largest numbers', [3.4e38, -3.4e38], Math.fround(3.4e38)],
    ['the smallest numbers', [-3.4e38, -3.4e38], Math.fround(-3.4e38)],
    ['terms that vanish', [0, -708, -709, -1e6], 0],
    ['a thousand of them', Array.from({ length: 1000 }, () => 1), Math.fround(1 + Math.log(1000))],
  ])('of %s is right', (_, logits, expected) => {
    expect(logSumExp(Float32Array.from(logits))).toBe(expected);
  });

  it('has the same bits everywhere: these were computed once', () => {
    const bits = (seed: number, scale: number): number => {
      const logits = randomLogits(streamFor(seed, 'bits'), 4096).map((x) => x * scale);
      return new Uint32Array(Float32Array.of(logSumExp(logits)).buffer)[0] ?? 0;
    };
    expect([bits(1, 1), bits(2, 0.01), bits(3, 3)]).toEqual([0x417569e3, 0x4105212d, 0x4208e542]);
  });
});
