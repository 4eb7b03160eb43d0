import fc from 'fast-check';
import { expect, it } from 'vitest';
import { differenceOf, distance, sumOf } from '../../../src/federated/adapter/difference.ts';
import type { StateDict } from '../../../src/federated/adapter/layout.ts';
import { globalNorm } from '../../../src/federated/privacy/clip.ts';

const adapter = (...data: readonly (readonly number[])[]): StateDict =>
  new Map(data.map((numbers, i) => [`t${i}`, { shape: [numbers.length], data: Float32Array.from(numbers) }]));

const numbers = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, max: 2 ** 90, min: -(2 ** 90) }), {
  minLength: 3,
  maxLength: 3,
});

it('the distance is the norm of the difference, bit for bit', () => {
  fc.assert(
    fc.property(numbers, numbers, numbers, (x, y, z) => {
      const [a, b] = [adapter(x, y), adapter(z, x)];
      expect(distance(a, b)).toBe(globalNorm(differenceOf(a, b)));
      expect(distance(sumOf(adapter([0, 0, 0]), adapter(z)), adapter(z))).toBe(0);
    }),
  );
});
