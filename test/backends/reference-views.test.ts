/** Holds src/backends/ref32.ts, src/backends/reference.ts. */
import { expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import { loadBackend } from '../../src/backends/registry.ts';
import { kernelFromText } from '../support/kernels.ts';

const text = `import type { KernelThread } from 'provable-contracts/runtime';
export function kernel(this: KernelThread, x: readonly (readonly number[])[]): number { return x[this.thread.y]![this.thread.x]!; }`;

it('one array is seen in whatever shape a call gives it, with what it holds then', async () => {
  const opened = await (await loadBackend('ref32')).open(await kernelFromText(text));
  invariant(opened.ok && opened.kernel.runSync, 'the reference runs synchronously');
  const { runSync } = opened.kernel;
  const x = Float32Array.of(1, 2, 3, 4, 5, 6);
  const at = (shape: readonly number[]) => {
    const outcome = runSync({ arguments: [x], shapes: [shape], outputShape: shape });
    return outcome.ok ? [...outcome.output] : outcome;
  };
  expect(at([2, 3])).toEqual([1, 2, 3, 4, 5, 6]);
  expect(at([3, 2])).toEqual([1, 2, 3, 4, 5, 6]);
  x.set([7, 8, 9]);
  expect(at([3, 2])).toEqual([7, 8, 9, 4, 5, 6]);
  expect(at([2, 3])).toEqual([7, 8, 9, 4, 5, 6]);
  expect(at([2, 2])).toMatchObject({ ok: false });
});
