/**
 * Laws of kernels in general, on random ones.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import type { KernelOutcome } from '../../src/backends/backend.ts';
import { gpujsWebasm } from '../../src/backends/gpujs.ts';
import { ref32 } from '../../src/backends/ref32.ts';
import { kernelProgram } from '../../src/subject/kernel-program.ts';
import type { KernelProgram } from '../../src/subject/kernel.ts';
import { randomKernel } from '../support/kernel-arbitrary.ts';
import { kernelFromText } from '../support/kernels.ts';

const x = Float32Array.of(0.3, -1.5, 2e5, 0, -0, 1e-40, 7);
const y = Float32Array.of(-2, 0.1, 1 / 3, 1e10, 5, -1e-3, 0);
const call = { arguments: [x, y, Math.fround(0.7), 7], shapes: [[7], [7], [], []], outputShape: [7] };

async function answer(program: KernelProgram, backend: typeof ref32): Promise<readonly number[] | string> {
  const opened = await backend.open(program);
  invariant(opened.ok, `opens: ${JSON.stringify(opened)}`);
  const outcome: KernelOutcome | undefined = opened.kernel.runSync?.(call);
  await opened.kernel.close();
  if (!outcome?.ok || !(outcome.output instanceof Float32Array)) return JSON.stringify(outcome);
  // toEqual tells −0 from 0; one NaN is as good as another, since engines choose its bits.
  return Array.from(outcome.output);
}

describe('a random kernel', () => {
  it('gives the same bits on ref32 and on gpu.js in WebAssembly', async () => {
    await fc.assert(
      fc.asyncProperty(randomKernel, async (syntax) => {
        const program = kernelProgram(syntax);
        expect(await answer(program, gpujsWebasm), program.source).toEqual(await answer(program, ref32));
      }),
      { numRuns: Number(process.env['PV_RUNS'] ?? 150) },
    );
  });

  it('is read back from its own text as the same text', async () => {
    await fc.assert(
      fc.asyncProperty(randomKernel, async (syntax) => {
        const { source } = kernelProgram(syntax);
        const typed = source.replace(
          '(x, y, scale, n)',
          '(this: { thread: { x: number } }, x: readonly number[], y: readonly number[], scale: number, n: number)',
        );
        expect((await kernelFromText(`export ${typed}`)).source).toBe(source);
      }),
      { numRuns: 100 },
    );
  });
});
