import { afterAll, describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import type { KernelOutcome, OpenKernel } from '../../src/backends/backend.ts';
import { gpujsWebasm } from '../../src/backends/gpujs.ts';
import { ref32 } from '../../src/backends/ref32.ts';
import { kernelCases, randomSource, shippedKernel } from '../support/kernels.ts';

/** The bits of an outcome's output, so that −0 is not 0 and NaN is itself. */
function bits(outcome: KernelOutcome): readonly number[] {
  invariant(outcome.ok && outcome.output instanceof Float32Array, `a float32 output, not ${JSON.stringify(outcome)}`);
  return Array.from(new Uint32Array(outcome.output.buffer, outcome.output.byteOffset, outcome.output.length));
}

const seed = Number(process.env['PV_TEST_SEED'] ?? 20_261_120);

describe(`ref32 computes what gpu.js computes in WebAssembly, bit for bit (seed ${seed})`, () => {
  const opened: OpenKernel[] = [];
  afterAll(() => Promise.all(opened.map((kernel) => kernel.close())));

  it.each(kernelCases)('$name', async ({ family, name, call }) => {
    const program = await shippedKernel(family, name);
    const [reference, webasm] = await Promise.all([ref32.open(program), gpujsWebasm.open(program)]);
    invariant(reference.ok && webasm.ok, 'shipped kernels open');
    opened.push(reference.kernel, webasm.kernel);
    const random = randomSource(seed);
    const calls = Array.from({ length: 60 }, () => call(random));
    const expected = await reference.kernel.run(calls);
    const actual = await webasm.kernel.run(calls);
    expect(expected.map(bits)).toEqual(actual.map(bits));
  });
});
