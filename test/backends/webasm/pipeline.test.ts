/**
 * The stages on WebAssembly against the kernel in one piece, as gpu.js runs it: the same bits, and where stages fail, the same outcome.
 *
 * Holds src/backends/webasm/any-sizes.ts, src/backends/webasm/lanes.ts, src/backends/webasm/stage-memory.ts,
 * src/backends/webasm/translated-kernel.ts, src/backends/webasm/webasm-pipeline.ts,
 * src/backends/webasm/whole-counters.ts.
 */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import { gpujsWebasm, loadGpujs } from '../../../src/backends/gpujs.ts';
import { webAssembly } from '../../../src/host/web-assembly.ts';
import { ref32 } from '../../../src/backends/ref32.ts';
import type { KernelCall, KernelProgram } from '../../../src/subject/kernel.ts';
import { CAPACITY } from '../../../src/backends/webasm/any-sizes.ts';
import { webasmPipeline, type WebasmPipeline } from '../../../src/backends/webasm/webasm-pipeline.ts';
import { kernelCases, kernelFromText, randomSource, shippedKernel } from '../../support/kernels.ts';

const module = await loadGpujs();
invariant(module, 'gpu.js is installed here');
const gpu = new module.GPU({ mode: 'webasm' });
afterAll(() => gpu.destroy());
const settings = {
  precision: 'single',
  dynamicOutput: true,
  dynamicArguments: true,
  immutable: true,
  loopMaxIterations: 65_536,
} as const;

function pipelineOf({ syntax }: KernelProgram, outputRank: number, shapes = 8): WebasmPipeline {
  invariant(syntax && module, 'a kernel has syntax');
  return webasmPipeline(syntax, outputRank, { module, gpu, settings, shapes });
}

const bits = (values: Float32Array): readonly number[] =>
  Array.from(new Uint32Array(values.buffer, values.byteOffset, values.length));

/** The kernel in one piece: a program without syntax has no stages. */
async function inOnePiece(program: KernelProgram, call: KernelCall): Promise<Float32Array> {
  const opened = await gpujsWebasm.open({ ...program, syntax: null });
  invariant(opened.ok && opened.kernel.runSync, 'gpu.js runs it');
  const outcome = opened.kernel.runSync(call);
  await opened.kernel.close();
  invariant(outcome.ok && outcome.output instanceof Float32Array, JSON.stringify(outcome));
  return outcome.output;
}

const vector = (length: number, scale = 1): Float32Array =>
  Float32Array.from({ length }, (_, i) => Math.sin(i * 7 + 1) * scale);

describe('a kernel in stages', () => {
  it.each(kernelCases)('gives the bits of the one piece: $name', async ({ family, name, call }) => {
    const program = await shippedKernel(family, name);
    const random = randomSource(3);
    for (let i = 0; i < 3; i++) {
      const one = call(random);
      const pipeline = pipelineOf(program, one.outputShape.length);
      const output = pipeline.run(one);
      invariant(output, `${name} runs in its stages and not beside them`);
      expect(bits(output)).toEqual(bits(await inOnePiece(program, one)));
      pipeline.close();
    }
  });

  it('computes again for other values of the same shape, and for other shapes and back', async () => {
    const pipeline = pipelineOf(await shippedKernel('softmax', 'softmax'), 1, 1);
    const softmax = (values: Float32Array): number => {
      const output = pipeline.run({
        arguments: [values, values.length],
        shapes: [[values.length], []],
        outputShape: [values.length],
      });
      return output?.reduce((sum, value) => sum + value, 0) ?? Number.NaN;
    };
    for (const n of [3, 3, 5, 3, 8]) expect(softmax(vector(n, n))).toBeCloseTo(1, 5);
  });

  it.each(kernelCases)('makes one module of every stage for all small calls: $name', async ({ family, name, call }) => {
    const program = await shippedKernel(family, name);
    const random = randomSource(11);
    const calls = Array.from({ length: 12 }, () => call(random));
    const pipeline = pipelineOf(program, calls[0]?.outputShape.length ?? 0, 1);
    const made = vi.spyOn(webAssembly, 'Module');
    try {
      for (const one of calls) expect(pipeline.run(one)).not.toBeNull();
      expect(made.mock.calls.length).toBeLessThanOrEqual(pipeline.stages);
    } finally {
      made.mockRestore();
    }
  });

  it('gives the same bits for a shape that is requested often, and for arrays that are large', async () => {
    const program = await shippedKernel('gelu', 'gelu');
    const pipeline = pipelineOf(program, 1);
    const callOf = (n: number): KernelCall => ({ arguments: [vector(n, 9), n], shapes: [[n], []], outputShape: [n] });
    for (const n of [CAPACITY, CAPACITY + 1]) {
      const expected = bits(await inOnePiece(program, callOf(n)));
      expect(bits(pipeline.run(callOf(n)) ?? new Float32Array(0))).toEqual(expected);
    }
    const often = callOf(CAPACITY);
    const first = bits(pipeline.run(often) ?? new Float32Array(0));
    const made = vi.spyOn(webAssembly, 'Module');
    try {
      for (let i = 0; i < 32; i++) expect(bits(pipeline.run(often) ?? new Float32Array(0))).toEqual(first);
      expect(made).toHaveBeenCalled();
    } finally {
      made.mockRestore();
    }
  });

  it('gives the bits of the one piece for an output of more axes than the kernel asks about', async () => {
    const program = await kernelFromText(
      'export function kernel(this: KernelThread, x: readonly number[]): number { return x[this.thread.x]! * 2; }',
    );
    const call = { arguments: [vector(6)], shapes: [[6]], outputShape: [3, 6] };
    const output = pipelineOf(program, 1).run(call);
    expect(bits(output ?? new Float32Array(0))).toEqual(bits(await inOnePiece(program, call)));
  });

  it('finds nothing behind an array that a call before has left there', async () => {
    const program = await kernelFromText(
      'export function kernel(this: KernelThread, x: readonly number[], n: number): number { return x[n + 2]! * this.thread.x + x[n]!; }',
    );
    const pipeline = pipelineOf(program, 1);
    const run = (n: number): readonly number[] =>
      Array.from(pipeline.run({ arguments: [vector(n), n], shapes: [[n], []], outputShape: [4] }) ?? []);
    run(64);
    expect(run(5)).toEqual([0, 0, 0, 0]);
  });

  it('gives results that later calls leave alone', async () => {
    const pipeline = pipelineOf(await shippedKernel('softmax', 'softmax'), 1);
    const run = (values: Float32Array): Float32Array | null =>
      pipeline.run({ arguments: [values, 4], shapes: [[4], []], outputShape: [4] });
    const first = run(vector(4));
    const kept = first?.slice();
    run(vector(4, 9));
    expect(first).toEqual(kept);
  });

  it('has as many values as the largest of its readers needs', async () => {
    // The sum runs over n, the output is longer: both read the same exponentials.
    const pipeline = pipelineOf(await shippedKernel('softmax', 'softmax'), 1);
    const output = pipeline.run({ arguments: [vector(6), 3], shapes: [[6], []], outputShape: [6] });
    expect(output?.slice(0, 3).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5);
    expect(output).toHaveLength(6);
    expect(output?.every((value) => value > 0)).toBe(true);
  });

  it('runs in one piece where a size is not a whole number or the stages would be too large', async () => {
    const text =
      'export function kernel(this: KernelThread, x: readonly number[], n: number): number { let s = 0; for (let j = 0; j < n; j++) { s += Math.exp(x[j]!); } return s * x[this.thread.x]!; }';
    const program = await kernelFromText(text);
    const pipeline = pipelineOf(program, 1);
    expect(pipeline.stages).toBe(3);
    const call = { arguments: [vector(4), 2.5], shapes: [[4], []], outputShape: [4] };
    expect(bits(pipeline.run(call) ?? new Float32Array(0))).toEqual(bits(await inOnePiece(program, call)));
    const shipped = await shippedKernel('attention', 'attention');
    const [n, s] = [3, 2_000_000];
    const big = {
      arguments: [vector(n), vector(s), vector(s), n, 1, s, 1],
      shapes: [[n, 1], [s, 1], [s, 1], [], [], [], []],
      outputShape: [n, 1],
    };
    expect(pipelineOf(shipped, 2).run(big)).toHaveLength(n);
  });

  it('keeps the sign of a zero and the fraction of what is counted', async () => {
    const bodies = [
      'let t = 0; for (let i = 0; i < n; i++) { t = -i * x[0]!; } return 1 / (t - t * 0 + x[this.thread.x]! * 0);',
      'let t = 0; for (let i = 0; i < n; i++) { t = -(i < x[this.thread.x]! ? i : 0); } return 1 / t;',
      'let t = 0; t++; t += 0.5; for (let i = 0; i < n; i++) { t += x[i]!; } return t;',
    ];
    for (const body of bodies) {
      const program = await kernelFromText(
        `export function kernel(this: KernelThread, x: readonly number[], n: number): number { ${body} }`,
      );
      const call = { arguments: [vector(5), 5], shapes: [[5], []], outputShape: [5] };
      const reference = await ref32.open(program);
      invariant(reference.ok && reference.kernel.runSync, 'ref32 opens it');
      const expected = reference.kernel.runSync(call);
      invariant(expected.ok && expected.output instanceof Float32Array, JSON.stringify(expected));
      expect(Array.from(pipelineOf(program, 1).run(call) ?? []), body).toEqual(Array.from(expected.output));
    }
  });

  it('is seen to be wrong where a stage is: the bits of a kernel with another constant differ', async () => {
    const text = (scale: string): string =>
      `export function kernel(this: KernelThread, x: readonly number[], n: number): number { let s = 0; for (let j = 0; j < n; j++) { s += x[j]! * ${scale}; } return s * x[this.thread.x]!; }`;
    const [right, wrong] = await Promise.all([kernelFromText(text('1')), kernelFromText(text('1.0000001'))]);
    const call = { arguments: [vector(9), 9], shapes: [[9], []], outputShape: [9] };
    expect(bits(pipelineOf(wrong, 1).run(call) ?? new Float32Array(0))).not.toEqual(
      bits(await inOnePiece(right, call)),
    );
  });
});
