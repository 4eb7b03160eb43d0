/** Where an interval is halved: inside it, at ends of like size in the middle and else between their exponents. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { middle } from '../../../../src/bounded-proofs/engines/interval/middle.ts';

it.each([
  [-1, 3, 0],
  [1, 3, 2],
  [1, 4, 2.5],
  [1, 16, 4],
  [-16, -1, -4],
  [-3, -1, -2],
  [1, 2 ** 200, 2 ** 64],
  [2, 2, 2],
  [-2, -2, -2],
])('[%d, %d] at %d', (low, high, cut) => expect(middle({ low, high })).toBeCloseTo(cut, 9));

it('inside every interval of more than two neighbouring numbers', () => {
  const float = fc.float({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(float, float, (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      const cut = middle({ low, high });
      expect(low <= cut && cut <= high).toBe(true);
      if (high - low > Math.abs(high) * 2 ** -20) expect(low < cut && cut < high).toBe(true);
    }),
  );
});
