/**
 * The same kernels on every graphics device that this machine has, and what each computes differently.
 *
 * Where a browser or a driver is missing, the suite says so by name; in CI that is a failure.
 *
 * Holds src/backends/chromium-link.ts, src/backends/chromium.ts, src/backends/dawn-link.ts.
 */
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import type { Backend, KernelCall, KernelFailure, KernelOutcome, OpenKernel } from '../../src/backends/backend.ts';
import { connectDawnAt } from '../../src/backends/dawn-link.ts';
import { gpuBackend } from '../../src/backends/gpu-kernel.ts';
import { loadBackend } from '../../src/backends/registry.ts';
import { implementationOf, type DeviceChoice } from '../../src/subject/gpu-device.ts';
import type { GpuBackendId, KernelProgram } from '../../src/subject/kernel.ts';
import { kernelFromText, randomSource } from '../support/kernels.ts';

const dawnEntry = pathToFileURL('dist/cli/dawn.worker.js');

const devices: readonly (readonly [GpuBackendId, DeviceChoice])[] = [
  ['webgl2', 'swiftshader'],
  ['webgl2', 'llvmpipe'],
  ['webgpu-browser', 'swiftshader'],
  ['webgpu', 'swiftshader'],
  ['webgpu', 'llvmpipe'],
];

/** Dawn takes Mesa's Vulkan driver from Mesa 25 on, and Debian 12 has 22.3 (docs/gpu.md). */
const isOptional = (id: GpuBackendId, choice: DeviceChoice): boolean => id === 'webgpu' && choice === 'llvmpipe';

const backendOf = (id: GpuBackendId): Promise<Backend> | Backend =>
  id === 'webgpu' ? gpuBackend(id, (...asked) => connectDawnAt(dawnEntry, ...asked)) : loadBackend(id);

const header = "import type { KernelThread } from 'provable-contracts/runtime';\n";
const elementwise = (expression: string): Promise<KernelProgram> =>
  kernelFromText(
    `${header}export function kernel(this: KernelThread, x: readonly number[], y: readonly number[]): number { const i = this.thread.x; return ${expression}; }`,
  );
const call = (x: readonly number[], y: readonly number[] = x): KernelCall => ({
  arguments: [Float32Array.from(x), Float32Array.from(y)],
  shapes: [[x.length], [y.length]],
  outputShape: [x.length],
});

const f = Math.fround;
const random = randomSource(11);
const vector = (n: number, scale: number): number[] => Array.from({ length: n }, () => f((random() * 2 - 1) * scale));

/**
 * What a function gives where the standards leave it open, by implementation (of Mesa's, under Vulkan it is a newer one): why a
 * claim about such inputs needs a device.
 */
const differing: readonly (readonly [string, readonly number[], Readonly<Record<string, readonly number[]>>])[] = [
  // 2⁻¹²⁶ / 2 is subnormal.
  [
    'x[i]! * 0.5',
    [2 ** -126, 2 ** -125],
    { SwiftShader: [0, 2 ** -126], llvmpipe: [0, 2 ** -126], 'webgpu llvmpipe': [2 ** -127, 2 ** -126] },
  ],
  ['Math.exp(x[i]!)', [-100, 89], { SwiftShader: [0, Infinity], llvmpipe: [0, Infinity] }],
  ['Math.log(x[i]!)', [0, -1], { SwiftShader: [f(-88.02969360351562), 0], llvmpipe: [-Infinity, Number.NaN] }],
  ['Math.pow(x[i]!, 3)', [-2], { SwiftShader: [8], llvmpipe: [Number.NaN], 'webgpu llvmpipe': [-8] }],
  ['Math.max(x[i]!, 1)', [Number.NaN], { SwiftShader: [1], llvmpipe: [1] }],
  ['Math.tanh(x[i]!)', [100], { SwiftShader: [Number.NaN], llvmpipe: [1] }],
];

describe.each(devices)('%s on %s', async (id, choice) => {
  const backend = await backendOf(id);
  const probe = await backend.open(await elementwise('x[i]!'), choice);
  // Registered one way or the other, so that no check is counted as skipped.
  const checks = probe.ok
    ? (): void => onDevice(backend, choice, probe.kernel)
    : (): void => withoutDevice(probe.failure, isOptional(id, choice));
  checks();
});

function withoutDevice(failure: KernelFailure, optional: boolean): void {
  it('is not here: nothing was checked on it', () => {
    expect(failure.kind, JSON.stringify(failure)).toBe('device');
    if (!optional)
      expect(process.env['CI'], `in CI this device must be there: ${JSON.stringify(failure)}`).toBeUndefined();
  });
}

function onDevice(backend: Backend, choice: DeviceChoice, first: OpenKernel): void {
  const name = implementationOf(first.ran.device);
  const opened: OpenKernel[] = [first];
  afterAll(() => Promise.all(opened.map((kernel) => kernel.close())));

  const open = async (program: KernelProgram): Promise<OpenKernel> => {
    const result = await backend.open(program, choice);
    invariant(result.ok, `opens: ${JSON.stringify(result)}`);
    opened.push(result.kernel);
    return result.kernel;
  };
  const numbers = (outcome: KernelOutcome | undefined): readonly number[] => {
    invariant(outcome?.ok, `an output: ${JSON.stringify(outcome)}`);
    return Array.from(outcome.output);
  };
  const compute = async (expression: string, one: KernelCall): Promise<readonly number[]> =>
    numbers((await (await open(await elementwise(expression))).run([one]))[0]);

  it('says what it is', () => {
    expect(first.ran).toMatchObject({ backend: backend.id, arithmetic: 'f32' });
    expect(name).toBe(choice === 'swiftshader' ? 'SwiftShader' : 'llvmpipe');
  });

  it.each<readonly [string, (x: number, y: number) => number]>([
    ['x[i]! + y[i]!', (x, y) => f(x + y)],
    ['x[i]! - y[i]!', (x, y) => f(x - y)],
    ['x[i]! * y[i]!', (x, y) => f(x * y)],
    ['x[i]! / y[i]!', (x, y) => f(x / y)],
    ['x[i]! * y[i]! + x[i]!', (x, y) => f(f(x * y) + x)],
    ['Math.sqrt(Math.abs(x[i]!))', (x) => f(Math.sqrt(Math.abs(x)))],
    ['Math.max(x[i]!, y[i]!) - Math.floor(x[i]!)', (x, y) => f(Math.max(x, y) - Math.floor(x))],
    ['x[i]! < y[i]! ? x[i]! : 0.1', (x, y) => (x < y ? x : f(0.1))],
  ])('computes %s with one rounding per operation', async (expression, meaning) => {
    const [x, y] = [vector(256, 100), vector(256, 3)];
    expect(await compute(expression, call(x, y))).toEqual(x.map((value, i) => meaning(value, y[i] ?? 0)));
  });

  it.each<readonly [string, (y: number) => number, number]>([
    // WGSL, section 15.7.4: 3 + 2·|x| ulp; absolute 2⁻¹¹ on [-π, π]; absolute 2⁻²¹ or 3 ulp for log.
    ['Math.exp(x[i]!)', Math.exp, 9 * 2 ** -23 * Math.exp(3)],
    ['Math.sin(x[i]!)', Math.sin, 2 ** -11],
    ['Math.cos(x[i]!)', Math.cos, 2 ** -11],
    ['Math.log(Math.abs(x[i]!) + 2)', (y) => Math.log(Math.abs(y) + 2), 2 ** -20],
    ['Math.tanh(x[i]!)', Math.tanh, 1e-5],
  ])('computes %s within the envelope of the standard', async (expression, meaning, allowed) => {
    const x = vector(256, 3);
    const actual = await compute(expression, call(x));
    for (const [i, value] of actual.entries())
      expect(Math.abs(value - meaning(x[i] ?? 0)), `${expression} at ${x[i]}`).toBeLessThanOrEqual(allowed);
  });

  it.each(differing)('computes %s of %j as it does', async (expression, x, expected) => {
    expect(await compute(expression, call(x))).toEqual(expected[`${backend.id} ${name}`] ?? expected[name]);
  });

  it('overflows where float32 does: a softmax without its shift is NaN', async () => {
    expect(await compute('Math.exp(x[i]!) / Math.exp(y[i]!)', call([100, 1], [100, 1]))).toEqual([Number.NaN, 1]);
  });

  it('runs loops beyond 1000 iterations to their end, and refuses what gpu.js would cut', async () => {
    const text = `${header}export function kernel(this: KernelThread, n: number): number { let count = 0; for (let i = 0; i < n; i++) { count += 1; } return count; }`;
    const program = await kernelFromText(text);
    const kernel = await open({ ...program, parameters: [{ name: 'n', rank: 0, integer: true }] });
    const of = (n: number): KernelCall => ({ arguments: [n], shapes: [[]], outputShape: [1] });
    const [whole, beyond] = await kernel.run([of(50_000), of(100_000)]);
    expect(numbers(whole)).toEqual([50_000]);
    expect(beyond).toMatchObject({ ok: false, failure: { kind: 'unsupported' } });
  });

  it('maps x, y and z to the last, middle and first axis', async () => {
    const text = `${header}export function kernel(this: KernelThread, A: readonly (readonly (readonly number[])[])[]): number { return A[this.thread.z]![this.thread.y]![this.thread.x]! + 100 * this.output.x + 1000 * this.output.y + 10000 * this.output.z; }`;
    const values = Float32Array.from({ length: 24 }, (_, i) => i);
    const kernel = await open(await kernelFromText(text));
    const [outcome] = await kernel.run([{ arguments: [values], shapes: [[2, 3, 4]], outputShape: [2, 3, 4] }]);
    expect(numbers(outcome)).toEqual(Array.from(values, (value) => value + 400 + 3000 + 20_000));
  });

  it('runs calls of changing shapes in one batch, and goes on after one that it refuses', async () => {
    const kernel = await open(await elementwise('x[i]! * 2'));
    const calls = [[1, 2, 3], [4], [5, 6], [7, 8, 9]].map((x) => call(x));
    const bad = { ...call([1]), arguments: [1, Float32Array.of(1)] };
    const outcomes = await kernel.run([...calls.slice(0, 2), bad, ...calls.slice(2)]);
    expect(outcomes.map((outcome) => (outcome.ok ? Array.from(outcome.output) : outcome.failure.kind))).toEqual([
      [2, 4, 6],
      [8],
      'unsupported',
      [10, 12],
      [14, 16, 18],
    ]);
  });

  it('keeps infinities, and the bits of earlier outputs', async () => {
    const kernel = await open(await elementwise('x[i]!'));
    const [earlier] = await kernel.run([call([Infinity, -Infinity, 1])]);
    await kernel.run([call([2, 3, 4])]);
    expect(numbers(earlier)).toEqual([Infinity, -Infinity, 1]);
  });
}
