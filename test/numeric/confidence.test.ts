import { describe, expect, test } from 'vitest';
import {
  logGamma,
  meanInterval,
  normalQuantile,
  proportionInterval,
  regularizedBeta,
  varianceInterval,
} from '../../src/numeric/confidence.ts';
import { streamFor, unitDouble } from '../../src/numeric/xoshiro.ts';

// Values of R 4.3: qnorm, pbeta, lgamma, binom.test.
describe('against published values', () => {
  test.each([
    [0.025, 1.959963984540054],
    [0.0005, 3.2905267314919255],
    [1e-6, 4.753424308822899],
  ])('the normal exceeds with probability %d', (tail, z) => expect(normalQuantile(tail)).toBeCloseTo(z, 8));

  test.each([
    [1, 0],
    [5, Math.log(24)],
    [101, 363.7393755555635],
  ])('log Γ(%d)', (x, value) => expect(logGamma(x)).toBeCloseTo(value, 10));

  test('the beta distribution', () => {
    expect(regularizedBeta(0.5, 2, 2)).toBeCloseTo(0.5, 12);
    expect(regularizedBeta(0.2, 1, 3)).toBeCloseTo(1 - 0.8 ** 3, 12);
    expect(regularizedBeta(0.9, 5, 1)).toBeCloseTo(0.9 ** 5, 12);
  });

  test('Clopper and Pearson', () => {
    const { low, high } = proportionInterval(7, 20, 0.05);
    expect([low, high]).toEqual([expect.closeTo(0.1539092, 6), expect.closeTo(0.5921885, 6)]);
    expect(proportionInterval(0, 20, 0.05)).toEqual({ low: 0, high: expect.closeTo(1 - 0.025 ** (1 / 20), 9) });
    expect(proportionInterval(20, 20, 0.05).high).toBe(1);
  });
});

/** The ends, from the binomial sum itself. */
test('Clopper and Pearson bound the tails of the binomial at large counts', () => {
  const [hits, count, alpha] = [1500, 5000, 0.001];
  const { low, high } = proportionInterval(hits, count, alpha);
  const tail = (p: number, from: number, to: number): number => {
    let sum = 0;
    for (let k = from; k <= to; k++)
      sum += Math.exp(
        logGamma(count + 1) -
          logGamma(k + 1) -
          logGamma(count - k + 1) +
          k * Math.log(p) +
          (count - k) * Math.log1p(-p),
      );
    return sum;
  };
  expect(tail(low, hits, count)).toBeCloseTo(alpha / 2, 8);
  expect(tail(high, 0, hits)).toBeCloseTo(alpha / 2, 8);
});

test('intervals miss about as often as they say', () => {
  const stream = streamFor(1, 'coverage');
  const [rounds, count, alpha] = [2000, 400, 0.1];
  let [means, variances] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const xs = Array.from({ length: count }, () => unitDouble(stream));
    const mean = xs.reduce((a, b) => a + b, 0) / count;
    const about = (k: number): number => xs.reduce((a, x) => a + (x - mean) ** k, 0);
    const moments = { count, mean, variance: about(2) / (count - 1), fourth: about(4) / count };
    const [m, v] = [meanInterval(moments, alpha), varianceInterval(moments, alpha)];
    if (m.low > 0.5 || m.high < 0.5) means++;
    if (v.low > 1 / 12 || v.high < 1 / 12) variances++;
  }
  for (const missed of [means, variances]) {
    expect(missed / rounds).toBeGreaterThan(0.07);
    expect(missed / rounds).toBeLessThan(0.13);
  }
});
