/**
 * The gradients of a matrix product against the matrix product of transposes, on sizes that are all different.
 */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import { ref32 } from '../../src/backends/ref32.ts';
import type { KernelCall } from '../../src/subject/kernel.ts';
import { randomSource, shippedKernel } from '../support/kernels.ts';

async function run(family: string, name: string, call: KernelCall): Promise<readonly number[]> {
  const opened = await ref32.open(await shippedKernel(family, name));
  invariant(opened.ok, 'opens');
  const outcome = opened.kernel.runSync?.(call);
  invariant(outcome?.ok, `runs: ${JSON.stringify(outcome)}`);
  return Array.from(outcome.output);
}

function transposed(values: Float32Array, height: number, width: number): Float32Array {
  return values.map((_, at) => values[(at % height) * width + Math.floor(at / height)] ?? Number.NaN);
}

const product = (A: Float32Array, B: Float32Array, [m, k, n]: readonly [number, number, number]) =>
  run('matmul', 'matmul', {
    arguments: [A, B, m, k, n],
    shapes: [[m, k], [k, n], [], [], []],
    outputShape: [m, n],
  });

describe.each([
  [2, 3, 5],
  [7, 4, 1],
  [1, 6, 3],
])('with m = %i, n = %i, k = %i', (m, n, k) => {
  const random = randomSource(m * 100 + n * 10 + k);
  const matrix = (length: number): Float32Array => Float32Array.from({ length }, () => random() * 2 - 1);
  const [A, B, dC] = [matrix(m * k), matrix(k * n), matrix(m * n)];

  it('dA is dC·Bᵀ', async () => {
    const dA = await run('gemm-backward', 'gemmBackwardA', {
      arguments: [dC, B, m, n, k],
      shapes: [[m * n], [k * n], [], [], []],
      outputShape: [m * k],
    });
    expect(dA).toEqual(await product(dC, transposed(B, k, n), [m, n, k]));
  });

  it('dB is Aᵀ·dC', async () => {
    const dB = await run('gemm-backward', 'gemmBackwardB', {
      arguments: [A, dC, m, n, k],
      shapes: [[m * k], [m * n], [], [], []],
      outputShape: [k * n],
    });
    expect(dB).toEqual(await product(transposed(A, m, k), dC, [k, m, n]));
  });
});
