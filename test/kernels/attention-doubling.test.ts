/** Why AT-LIN-001 allows roundings: an input on which doubled values do not double the output. */
import { expect, test } from 'vitest';
import { ref32 } from '../../src/backends/ref32.ts';
import { invariant } from '../../src/base/invariant.ts';
import { shippedKernel } from '../support/kernels.ts';

test('six keys carry a difference among subnormal products to the last bit of the output', async () => {
  const opened = await ref32.open(await shippedKernel('attention', 'attention'));
  invariant(opened.ok, 'opens');
  const [query, keys] = [Float32Array.of(0.3000009953975677), Float32Array.of(-1, 0, 0, 0, 0, 0)];
  const values = [9.917213439781022e-40, 2 ** -106, 2 ** -82, 2 ** -58, 2 ** -34, 2 ** -10];
  const attend = (scale: number): number => {
    const outcome = opened.kernel.runSync?.({
      arguments: [query, keys, Float32Array.from(values, (value) => scale * value), 1, 1, 6, 1],
      shapes: [[1, 1], [6, 1], [6, 1], [], [], [], []],
      outputShape: [1, 1],
    });
    invariant(outcome?.ok, 'runs');
    return outcome.output[0] ?? NaN;
  };
  expect(attend(1)).toBeGreaterThan(1e-4);
  expect(attend(2) - 2 * attend(1)).toBe(2 ** -35);
});
