/**
 * What every backend must do with a gpu.js kernel, and what it must refuse.
 *
 * Holds src/backends/gpujs.ts, src/backends/quiet-console.ts, src/backends/ref64.ts.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import type { KernelOutcome, OpenKernel } from '../../src/backends/backend.ts';
import { loadBackend } from '../../src/backends/registry.ts';
import type { KernelCall, KernelProgram } from '../../src/subject/kernel.ts';
import { kernelFromText, randomSource } from '../support/kernels.ts';

const ids = ['ref64', 'ref32', 'gpujs-cpu', 'gpujs-webasm'] as const;
const header = "import type { KernelThread } from 'provable-contracts/runtime';\n";

/** A kernel of one or more vectors. */
const elementwise = (
  expression: string,
  parameters = 'x: readonly number[], y: readonly number[], z: readonly number[]',
): string =>
  `${header}export function kernel(this: KernelThread, ${parameters}): number { const i = this.thread.x; return ${expression}; }`;

const f = Math.fround;
const random = randomSource(7);
const vector = (n: number, scale: number): Float32Array =>
  Float32Array.from({ length: n }, () => (random() * 2 - 1) * scale);
const n = 512;
const inputs = [vector(n, 100), vector(n, 3), vector(n, 100)] as const;

/** Operation, its meaning in float64, and in float32 (one rounding per operation). */
const exactOperations: readonly (readonly [
  string,
  (x: number, y: number, z: number) => number,
  (x: number, y: number, z: number) => number,
])[] = [
  ['x[i]! + y[i]!', (x, y) => x + y, (x, y) => f(x + y)],
  ['x[i]! - y[i]!', (x, y) => x - y, (x, y) => f(x - y)],
  ['x[i]! * y[i]!', (x, y) => x * y, (x, y) => f(x * y)],
  ['x[i]! / y[i]!', (x, y) => x / y, (x, y) => f(x / y)],
  ['x[i]! * y[i]! + z[i]!', (x, y, z) => x * y + z, (x, y, z) => f(f(x * y) + z)],
  ['Math.sqrt(Math.abs(x[i]!))', (x) => Math.sqrt(Math.abs(x)), (x) => f(Math.sqrt(Math.abs(x)))],
  ['1 / Math.sqrt(Math.abs(x[i]!))', (x) => 1 / Math.sqrt(Math.abs(x)), (x) => f(1 / f(Math.sqrt(Math.abs(x))))],
  ['Math.max(x[i]!, y[i]!)', (x, y) => Math.max(x, y), (x, y) => Math.max(x, y)],
  ['Math.min(x[i]!, y[i]!, z[i]!)', Math.min, Math.min],
  [
    'Math.floor(x[i]!) + Math.ceil(y[i]!)',
    (x, y) => Math.floor(x) + Math.ceil(y),
    (x, y) => Math.floor(x) + Math.ceil(y),
  ],
  ['-x[i]!', (x) => -x, (x) => -x],
  [
    'x[i]! < y[i]! && z[i]! > 0 ? x[i]! : 0.1',
    (x, y, z) => (x < y && z > 0 ? x : 0.1),
    (x, y, z) => (x < y && z > 0 ? x : f(0.1)),
  ],
];

/** Elementary functions: within an envelope of one unit in the last place where the result is not tiny. */
const elementary: readonly (readonly [string, (y: number) => number])[] = [
  ['Math.exp(y[i]!)', Math.exp],
  ['Math.log(Math.abs(y[i]!) + 2)', (y) => Math.log(Math.abs(y) + 2)],
  ['Math.tanh(y[i]!)', Math.tanh],
  ['Math.sin(y[i]!)', Math.sin],
  ['Math.pow(Math.abs(y[i]!), 1.5)', (y) => Math.abs(y) ** 1.5],
];

describe.each(ids)('%s', async (id) => {
  const backend = await loadBackend(id);
  const opened: OpenKernel[] = [];
  afterAll(() => Promise.all(opened.map((kernel) => kernel.close())));

  const open = async (program: KernelProgram): Promise<OpenKernel> => {
    const result = await backend.open(program);
    invariant(result.ok, `opens: ${JSON.stringify(result)}`);
    opened.push(result.kernel);
    return result.kernel;
  };
  const runText = async (text: string, call: KernelCall): Promise<KernelOutcome> => {
    const kernel = await open(await kernelFromText(text));
    const [outcome] = await kernel.run([call]);
    invariant(outcome, 'one outcome per call');
    return outcome;
  };
  const output = (outcome: KernelOutcome): readonly number[] => {
    invariant(outcome.ok, `an output: ${JSON.stringify(outcome)}`);
    return Array.from(outcome.output);
  };
  const failure = (outcome: KernelOutcome): string => {
    invariant(!outcome.ok, 'a failure');
    return `${outcome.failure.kind}: ${'message' in outcome.failure ? outcome.failure.message : ''}`;
  };
  const threeVectors = { arguments: inputs, shapes: [[n], [n], [n]], outputShape: [n] };

  it('names itself and its arithmetic in what ran', async () => {
    const kernel = await open(await kernelFromText(elementwise('x[i]!')));
    expect(kernel.ran).toEqual({ backend: id, device: 'node', arithmetic: backend.arithmetic });
  });

  it.each(exactOperations)('computes %s exactly in its arithmetic', async (expression, in64, in32) => {
    const actual = output(await runText(elementwise(expression), threeVectors));
    const meaning = backend.arithmetic === 'f32' ? in32 : in64;
    const store = id === 'ref64' ? (value: number): number => value : f;
    expect(actual).toEqual(
      Array.from({ length: n }, (_, i) => store(meaning(inputs[0][i] ?? 0, inputs[1][i] ?? 0, inputs[2][i] ?? 0))),
    );
  });

  it.each(elementary)('computes %s within its envelope', async (expression, meaning) => {
    const actual = output(await runText(elementwise(expression), threeVectors));
    for (const [i, value] of actual.entries()) {
      const exact = meaning(inputs[1][i] ?? 0);
      // One rounding of the argument and one of the result, conditioned by at most |y·f'/f| ≤ 4 here.
      expect(Math.abs(value - exact), `${expression} at ${inputs[1][i]}`).toBeLessThanOrEqual(
        5 * 2 ** -24 * Math.max(Math.abs(exact), 2 ** -126) + 1e-7 * 2 ** -24,
      );
    }
  });

  it('runs loops far beyond 1000 iterations to their end', async () => {
    const text = `${header}export function kernel(this: KernelThread, n: number): number { let count = 0; for (let i = 0; i < n; i++) { count += 1; } return count; }`;
    const program = await kernelFromText(text);
    const kernel = await open({ ...program, parameters: [{ name: 'n', rank: 0, integer: true }] });
    const [outcome] = await kernel.run([{ arguments: [50_000], shapes: [[]], outputShape: [1] }]);
    invariant(outcome, 'one outcome');
    expect(output(outcome)).toEqual([50_000]);
  });

  it('maps x, y and z to the last, middle and first axis', async () => {
    const text = `${header}export function kernel(this: KernelThread, A: readonly (readonly (readonly number[])[])[]): number { return A[this.thread.z]![this.thread.y]![this.thread.x]! + 100 * this.output.x + 1000 * this.output.y + 10000 * this.output.z; }`;
    const values = Float32Array.from({ length: 24 }, (_, i) => i);
    const actual = output(await runText(text, { arguments: [values], shapes: [[2, 3, 4]], outputShape: [2, 3, 4] }));
    expect(actual).toEqual(Array.from(values, (value) => value + 400 + 3000 + 20_000));
  });

  it('gives a scalar output as one element, takes scalars and integer arrays', async () => {
    const text = `${header}export function kernel(this: KernelThread, scale: number, y: readonly number[]): number { return scale * y[1]!; }`;
    expect(
      output(await runText(text, { arguments: [0.5, Int32Array.of(1, 2, 3)], shapes: [[], [3]], outputShape: [] })),
    ).toEqual([1]);
  });

  it('keeps NaN, infinities and signed zero', async () => {
    const values = Float32Array.of(Number.NaN, Infinity, -Infinity, -0);
    expect(
      output(
        await runText(elementwise('x[i]! * 1', 'x: readonly number[]'), {
          arguments: [values],
          shapes: [[4]],
          outputShape: [4],
        }),
      ),
    ).toEqual([Number.NaN, Infinity, -Infinity, -0]);
    expect(
      output(
        await runText(elementwise('Math.max(x[i]!, 1)', 'x: readonly number[]'), {
          arguments: [values.slice(0, 1)],
          shapes: [[1]],
          outputShape: [1],
        }),
      ),
    ).toEqual([Number.NaN]);
  });

  it('answers an empty output with nothing', async () => {
    expect(
      output(
        await runText(elementwise('1', 'x: readonly number[]'), {
          arguments: [new Float32Array(0)],
          shapes: [[0]],
          outputShape: [0],
        }),
      ),
    ).toEqual([]);
  });

  it('runs calls of changing shapes and leaves its inputs alone', async () => {
    const kernel = await open(await kernelFromText(elementwise('x[i]! * 2', 'x: readonly number[]')));
    const calls = [3, 1, 5, 3].map((size) => ({
      arguments: [vector(size, 10)],
      shapes: [[size]],
      outputShape: [size],
    }));
    const before = calls.map((call) => Array.from(call.arguments[0] ?? []));
    const outcomes = await kernel.run(calls);
    expect(outcomes.map(output)).toEqual(before.map((values) => values.map((value) => value * 2)));
    expect(calls.map((call) => Array.from(call.arguments[0] ?? []))).toEqual(before);
    for (const [i, call] of calls.entries()) expect(kernel.runSync?.(call)).toEqual(outcomes[i]);
  });

  it('keeps earlier outputs when it runs again', async () => {
    const kernel = await open(await kernelFromText(elementwise('x[i]!', 'x: readonly number[]')));
    const call = (value: number): KernelCall => ({
      arguments: [Float32Array.of(value)],
      shapes: [[1]],
      outputShape: [1],
    });
    const [first] = await kernel.run([call(1)]);
    await kernel.run([call(2)]);
    invariant(first, 'one outcome');
    expect(output(first)).toEqual([1]);
  });

  it('goes on after a call that fails', async () => {
    const kernel = await open(await kernelFromText(elementwise('x[i]!', 'x: readonly number[]')));
    const good = { arguments: [Float32Array.of(4)], shapes: [[1]], outputShape: [1] };
    const outcomes = await kernel.run([{ ...good, arguments: [4] }, good]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, true]);
  });

  it.each([
    ['too few values', { arguments: [], shapes: [], outputShape: [1] }, 'has 1 parameter but was called with 0 values'],
    ['a number for an array', { arguments: [1], shapes: [[]], outputShape: [1] }, 'is an array but was given a number'],
    [
      'a wrong rank',
      { arguments: [new Float32Array(4)], shapes: [[2, 2]], outputShape: [4] },
      'has rank 1 but was given the shape [2, 2]',
    ],
    ['a wrong length', { arguments: [new Float32Array(4)], shapes: [[5]], outputShape: [4] }, 'has 4 elements'],
    [
      'four axes',
      { arguments: [new Float32Array(1)], shapes: [[1]], outputShape: [1, 1, 1, 1] },
      'more than three axes',
    ],
    ['a negative size', { arguments: [new Float32Array(1)], shapes: [[1]], outputShape: [-1] }, 'is not a shape'],
    [
      'a huge output',
      { arguments: [new Float32Array(1)], shapes: [[1]], outputShape: [2 ** 20, 2 ** 10] },
      'is more than',
    ],
  ] satisfies readonly (readonly [string, KernelCall, string])[])('refuses %s', async (_, call, message) => {
    expect(failure(await runText(elementwise('x[i]!', 'x: readonly number[]'), call))).toContain(message);
  });

  it('refuses a plain function', async () => {
    const program = await kernelFromText('export function kernel(x: Float32Array): Float32Array { return x; }');
    const result = await backend.open(program);
    expect(result.ok).toBe(false);
  });
});

describe('ref32', async () => {
  const { ref32 } = await import('../../src/backends/ref32.ts');
  const run = async (text: string, call: KernelCall): Promise<KernelOutcome | undefined> => {
    const result = await ref32.open(await kernelFromText(text));
    invariant(result.ok, 'opens');
    return result.kernel.runSync?.(call);
  };

  it('ends a loop that runs away', async () => {
    const text = `${header}export function kernel(this: KernelThread, n: number): number { let i = 0; while (i < n) { i = i * 1; } return i; }`;
    expect(await run(text, { arguments: [1], shapes: [[]], outputShape: [1] })).toEqual({
      ok: false,
      failure: { kind: 'threw', message: 'loop exceeded 16777216 iterations' },
    });
  });

  it('ends a call that reads outside an array, which devices answer with anything', async () => {
    for (const index of ['i + 1', 'i - 1', '0.5']) {
      expect(
        await run(elementwise(`x[${index}]!`, 'x: readonly number[]'), {
          arguments: [Float32Array.of(1)],
          shapes: [[1]],
          outputShape: [1],
        }),
      ).toEqual({ ok: false, failure: { kind: 'threw', message: 'reads outside x' } });
    }
    const matrix = `${header}export function kernel(this: KernelThread, A: readonly (readonly number[])[]): number { return A[2]![0]!; }`;
    expect(await run(matrix, { arguments: [new Float32Array(4)], shapes: [[2, 2]], outputShape: [1] })).toMatchObject({
      ok: false,
    });
  });

  it('does not read what a return guards', async () => {
    const text = `${header}export function kernel(this: KernelThread, x: readonly number[], n: number): number { if (n < 2) { return 0; } const second = x[1]!; return second + this.thread.x; }`;
    expect(await run(text, { arguments: [Float32Array.of(5), 1], shapes: [[1], []], outputShape: [2] })).toEqual({
      ok: true,
      output: Float32Array.of(0, 0),
    });
  });

  it('hoists what does not depend on the thread without changing it', async () => {
    const text = `${header}export function kernel(this: KernelThread, A: readonly (readonly number[])[], n: number): number {
      let total = 0;
      for (let i = 0; i < n; i++) { total += A[this.thread.y]![i]!; }
      let counted = 0;
      for (let i = 0; i < n; i++) { counted += 1; }
      total = total * counted;
      total += this.thread.x;
      return total;
    }`;
    expect(
      await run(text, { arguments: [Float32Array.of(1, 2, 3, 4), 2], shapes: [[2, 2], []], outputShape: [2, 3] }),
    ).toEqual({ ok: true, output: Float32Array.of(6, 7, 8, 14, 15, 16) });
  });
});

describe('gpu.js', async () => {
  const { gpujsWebasm } = await import('../../src/backends/gpujs.ts');
  const program = async (source: string): Promise<KernelProgram> => ({
    ...(await kernelFromText(elementwise('x[i]!', 'x: readonly number[]'))),
    // These texts are outside the subset that has a syntax; with one, it would run in stages of that.
    syntax: null,
    source,
  });
  const call = { arguments: [Float32Array.of(1, 2)], shapes: [[2]], outputShape: [2] };

  it('reports a silent fallback to the CPU as a failure and prints nothing', async () => {
    const printed: unknown[] = [];
    const { warn } = console;
    console.warn = (...values: unknown[]) => void printed.push(values);
    const result = await gpujsWebasm.open(await program('function kernel(x) { return x[this.thread.x] > 1; }'));
    invariant(result.ok, 'opens');
    const outcome = result.kernel.runSync?.(call);
    console.warn = warn;
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'fallback', requested: 'webasm', ran: 'CPUKernel' } });
    expect(printed).toEqual([]);
  });

  it('reports what gpu.js cannot compile as a failure', async () => {
    const result = await gpujsWebasm.open(
      await program('function kernel(x) { return Math.hypot(x[this.thread.x], 1); }'),
    );
    const outcome = result.ok ? result.kernel.runSync?.(call) : result;
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'threw' } });
  });

  it('reports rows of more than one number as a wrong shape', async () => {
    const result = await gpujsWebasm.open(await program('function kernel(x) { return [x[this.thread.x], 1]; }'));
    invariant(result.ok, 'opens');
    expect(result.kernel.runSync?.(call)).toMatchObject({
      ok: false,
      failure: { kind: 'wrong-shape', expected: [2], actual: '2×2' },
    });
  });

  it('refuses sizes at which it would cut loops', async () => {
    const text = `${header}export function kernel(this: KernelThread, x: readonly number[], n: number): number { let s = 0; for (let i = 0; i < n; i++) { s += x[i]!; } return s; }`;
    const whole = await kernelFromText(text);
    const result = await gpujsWebasm.open({ ...whole, loopMaxIterations: 100 });
    invariant(result.ok, 'opens');
    expect(
      result.kernel.runSync?.({ arguments: [new Float32Array(101), 101], shapes: [[101], []], outputShape: [1] }),
    ).toMatchObject({ ok: false, failure: { kind: 'unsupported' } });
    expect(
      result.kernel.runSync?.({
        arguments: [new Float32Array(100).fill(1), 100],
        shapes: [[100], []],
        outputShape: [1],
      }),
    ).toEqual({ ok: true, output: Float32Array.of(100) });
  });
});
