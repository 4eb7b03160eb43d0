/** Holds src/backends/check-call.ts. */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import type { KernelOutcome, OpenKernel } from '../../src/backends/backend.ts';
import { functionBackend } from '../../src/backends/function-kernel.ts';
import type { KernelCall } from '../../src/subject/kernel.ts';
import { kernelFromText } from '../support/kernels.ts';

async function open(body: string, parameters = 'x: Float32Array', modifiers = ''): Promise<OpenKernel> {
  const result = await functionBackend.open(
    await kernelFromText(
      `let kept: Float32Array | null = null;\nexport ${modifiers} function kernel(${parameters}): Float32Array { ${body} }`,
    ),
  );
  invariant(result.ok, 'opens');
  return result.kernel;
}

const call: KernelCall = { arguments: [Float32Array.of(1, 2, 3)], shapes: [[3]], outputShape: [3] };

async function run(kernel: OpenKernel, kernelCall: KernelCall = call): Promise<KernelOutcome> {
  const [outcome] = await kernel.run([kernelCall]);
  invariant(outcome, 'one outcome per call');
  return outcome;
}

describe('a plain function', () => {
  it('runs as it is, with numbers and arrays', async () => {
    const kernel = await open('return x.map((v) => v * n);', 'x: Float32Array, n: number');
    expect(kernel.ran).toEqual({ backend: 'function', device: 'node', arithmetic: 'f64' });
    expect(await run(kernel, { arguments: [Float32Array.of(1, 2), 3], shapes: [[2], []], outputShape: [2] })).toEqual({
      ok: true,
      output: Float32Array.of(3, 6),
    });
  });

  it.each([
    ['null', 'null'],
    ['{ toString() { throw 1; } }', 'something that has no text'],
    ['Object.create(null)', 'something that has no text'],
    ['Object.assign(new Error(), { message: { toString() { throw 1; } } })', 'something that has no text'],
  ])('fails, and does not take pv with it, when it throws %s', async (thrown, message) => {
    expect(await run(await open(`throw ${thrown};`))).toEqual({ ok: false, failure: { kind: 'threw', message } });
  });

  it('may return a number for a scalar output', async () => {
    expect(await run(await open('return x[0] as never;'), { ...call, outputShape: [] })).toEqual({
      ok: true,
      output: Float64Array.of(1),
    });
  });

  it.each([
    ['is asynchronous', 'return x;', 'async'],
    ['returns a promise', 'return Promise.resolve(x) as never;', ''],
    ['returns a promise only at times', 'return (kept ? x : (kept = x, Promise.resolve(x))) as never;', ''],
    [
      'returns something else with a then',
      'return { then: (give: (y: Float32Array) => void) => give(x) } as never;',
      '',
    ],
  ])('that %s is awaited', async (_, body, modifiers) => {
    const kernel = await open(body, undefined, modifiers);
    expect(kernel.runSync).toBeNull();
    expect(await kernel.run([call, call])).toEqual([
      { ok: true, output: Float32Array.of(1, 2, 3) },
      { ok: true, output: Float32Array.of(1, 2, 3) },
    ]);
  });

  it.each([
    ['throws', 'throw new Error("no");', { kind: 'threw', message: 'no' }],
    ['throws something that is no error', 'throw "no";', { kind: 'threw', message: 'no' }],
    [
      'returns too few elements',
      'return x.slice(1);',
      { kind: 'wrong-shape', expected: [3], actual: 'Float32Array of 2 elements' },
    ],
    [
      'returns a plain array',
      'return [...x] as never;',
      { kind: 'wrong-shape', expected: [3], actual: 'a plain array of length 3, not a typed array' },
    ],
    ['returns nothing', 'return undefined as never;', { kind: 'wrong-shape', expected: [3], actual: 'nothing' }],
    ['returns null', 'return null as never;', { kind: 'wrong-shape', expected: [3], actual: 'nothing' }],
    ['returns a text', 'return "1,2,3" as never;', { kind: 'wrong-shape', expected: [3], actual: 'a string' }],
    [
      'returns too few integers',
      'return new Int32Array(2) as never;',
      { kind: 'wrong-shape', expected: [3], actual: 'Int32Array of 2 elements' },
    ],
    [
      'returns integers of another kind',
      'return new BigInt64Array(3) as never;',
      { kind: 'wrong-shape', expected: [3], actual: 'BigInt64Array of 3 elements' },
    ],
    [
      'returns something like a typed array',
      'return { length: 3, 0: 1, 1: 2, 2: 3, __proto__: Float32Array.prototype } as never;',
      { kind: 'wrong-shape', expected: [3], actual: 'an object that only looks like a typed array' },
    ],
    [
      'returns a proxy of its result',
      'return new Proxy(x, {});',
      { kind: 'wrong-shape', expected: [3], actual: 'an object that only looks like a typed array' },
    ],
    [
      'returns a proxy that refuses everything',
      'return new Proxy(x, { get: (_, key) => { if (key !== "then") throw new Error("no"); } });',
      { kind: 'wrong-shape', expected: [3], actual: 'an object that only looks like a typed array' },
    ],
    [
      'returns an array whose length cannot be read',
      'return new Proxy([...x], { get: (_, key) => { if (key !== "then") throw new Error("no"); } }) as never;',
      { kind: 'wrong-shape', expected: [3], actual: 'an object whose properties cannot be read' },
    ],
    [
      'returns a typed array that lies about its length',
      'return Object.defineProperty(x.slice(1), "length", { value: 3 });',
      { kind: 'wrong-shape', expected: [3], actual: 'Float32Array of 2 elements' },
    ],
    [
      'returns an object whose then throws',
      'return { get then() { throw new Error("no then"); } } as never;',
      { kind: 'threw', message: 'no then' },
    ],
    ['rejects', 'return Promise.reject(new Error("no")) as never;', { kind: 'threw', message: 'no' }],
    [
      'gives the buffer of its input away',
      'const y = x.slice(); structuredClone(x, { transfer: [x.buffer as ArrayBuffer] }); return y;',
      { kind: 'mutated-input', parameter: 'x' },
    ],
    ['recurses without end', 'const f = (): never => f(); return f();', { kind: 'threw', message: expect.any(String) }],
    ['writes to its input', 'x[1] = 9; return x;', { kind: 'mutated-input', parameter: 'x' }],
    [
      'turns a zero of its input negative',
      'const y = x.slice(); x[0] = x[0]! * 1; x.set([-0], 2); return y;',
      { kind: 'mutated-input', parameter: 'x' },
    ],
  ])('that %s fails the check', async (_, body, failure) => {
    const given = { ...call, arguments: [Float32Array.of(1, 2, 0)] };
    expect(await run(await open(body), given)).toEqual({ ok: false, failure });
    expect(given.arguments[0]).toEqual(Float32Array.of(1, 2, 0));
  });

  it('that keeps its input sees no later one', async () => {
    const kernel = await open('kept ??= x; return kept;');
    await kernel.run([call]);
    expect(await kernel.run([{ ...call, arguments: [Float32Array.of(7, 8, 9)] }])).toEqual([
      { ok: true, output: Float32Array.of(1, 2, 3) },
    ]);
  });

  it('that reuses its output array does not change earlier answers', async () => {
    const kernel = await open('kept ??= new Float32Array(3); kept.set(x); return kept;');
    const other = { ...call, arguments: [Float32Array.of(7, 8, 9)] };
    expect((await kernel.run([call, other])).map((outcome) => outcome.ok && Array.from(outcome.output))).toEqual([
      [1, 2, 3],
      [7, 8, 9],
    ]);
  });

  it('leaves NaN in its input alone', async () => {
    expect(
      await run(await open('return x.map(() => 0);'), { ...call, arguments: [Float32Array.of(Number.NaN, 1, 2)] }),
    ).toMatchObject({ ok: true });
  });

  it('that fails when it is loaded is not opened', async () => {
    const program = await kernelFromText(
      'if (globalThis) throw new Error("at load");\nexport function kernel(x: Float32Array): Float32Array { return x; }',
    );
    expect(await functionBackend.open(program)).toEqual({ ok: false, failure: { kind: 'threw', message: 'at load' } });
  });

  it('is not a gpu.js kernel', async () => {
    const program = await kernelFromText(
      'export function kernel(this: { thread: { x: number } }, x: readonly number[]): number { return x[this.thread.x]!; }',
    );
    expect(await functionBackend.open(program)).toMatchObject({ ok: false, failure: { kind: 'unsupported' } });
  });
});
