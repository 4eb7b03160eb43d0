/**
 * Everything that can be wrong with a device has a name, and none of it is a verdict about a kernel.
 *
 * Holds src/backends/gpu-kernel.ts, src/backends/gpu-link.ts, src/backends/gpu-self-test.ts,
 * src/backends/gpu-session.ts, src/backends/gpu-sessions.ts, src/backends/gpu-trouble.ts, src/host/chromium-places.ts,
 * src/subject/gpu-device.ts.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import type { Backend, KernelCall, KernelFailure, KernelOutcome } from '../../src/backends/backend.ts';
import { linkChromium, chromiumFlags } from '../../src/backends/chromium-link.ts';
import { driverVariables } from '../../src/backends/dawn-link.ts';
import { gpuBackend } from '../../src/backends/gpu-kernel.ts';
import type { Connect } from '../../src/backends/gpu-link.ts';
import { loadText } from '../../src/backends/load-text.ts';
import { createGpuSession, sessionText } from '../../src/backends/gpu-session.ts';
import { failureMessage } from '../../src/methods/runs/execute.ts';
import { implementationOf, isChosen } from '../../src/subject/gpu-device.ts';
import { kernelFromText } from '../support/kernels.ts';
import { fakeEnvironment, type FakeDevice, type FakeLog } from './fake-device.ts';

const header = "import type { KernelThread } from 'provable-contracts/runtime';\n";
const copies = `${header}export function kernel(this: KernelThread, x: readonly number[]): number { return x[this.thread.x]!; }`;
const call = (...values: number[]): KernelCall => ({
  arguments: [Float32Array.from(values)],
  shapes: [[values.length]],
  outputShape: [values.length],
});

function fakeBackend(
  device: FakeDevice,
  id: 'webgl2' | 'webgpu' = 'webgl2',
): Backend & { readonly closed: () => number; readonly log: FakeLog } {
  const { environment, log } = fakeEnvironment(device);
  let closed = 0;
  const connect: Connect = () =>
    Promise.resolve({
      ok: true,
      link: {
        ask: createGpuSession(environment, id),
        close: () => {
          closed++;
          return Promise.resolve();
        },
      },
    });
  return { ...gpuBackend(id, connect), closed: () => closed, log };
}

async function runOn(backend: Backend, calls: readonly KernelCall[], choice: 'any' | 'hardware' = 'any') {
  const opened = await backend.open(await kernelFromText(copies), choice);
  if (!opened.ok) return { opened, outcomes: [] as readonly KernelOutcome[] };
  const outcomes = await opened.kernel.run(calls);
  await opened.kernel.close();
  return { opened, outcomes };
}

const codeOf = (failure: KernelFailure): string =>
  failure.kind === 'device' ? failure.trouble.code : `${failure.kind}, which is no trouble of a device`;

async function firstFailure(
  device: FakeDevice,
  id: 'webgl2' | 'webgpu' = 'webgl2',
  choice: 'any' | 'hardware' = 'any',
) {
  const { opened, outcomes } = await runOn(fakeBackend(device, id), [call(1)], choice);
  if (!opened.ok) return opened.failure;
  const [outcome] = outcomes;
  invariant(outcome && !outcome.ok, 'something goes wrong');
  return outcome.failure;
}

describe('a device', () => {
  it('runs all calls of a batch, with one texture for calls of one shape', async () => {
    const backend = fakeBackend({});
    const { opened, outcomes } = await runOn(backend, [call(1, 2), call(3, 4), call(5), call(-0, Number.NaN)]);
    expect(opened.ok && opened.kernel.ran).toEqual({
      backend: 'webgl2',
      device: 'Fake SwiftShader',
      arithmetic: 'f32',
    });
    expect(outcomes.map((outcome) => outcome.ok && Array.from(outcome.output))).toEqual([
      [1, 2],
      [3, 4],
      [5],
      [-0, Number.NaN],
    ]);
    expect(backend.log.outputs).toBe(3);
  });

  it.each([1, 4] as const)('is waited for once for all calls of a shape, with %i floats a number', async (pixels) => {
    const backend = fakeBackend({ pixels });
    const { outcomes } = await runOn(backend, [call(1, 2), call(3, 4), call(-0, Number.NaN), call(5)]);
    expect(outcomes.map((outcome) => outcome.ok && Array.from(outcome.output))).toEqual([
      [1, 2],
      [3, 4],
      [-0, Number.NaN],
      [5],
    ]);
    expect(backend.log.fetched).toBe(2);
  });

  it('is given no more calls at once than their results have room for', async () => {
    const backend = fakeBackend({ pixels: 1 });
    const n = 2 ** 19;
    const large: KernelCall = { arguments: [new Float32Array(n)], shapes: [[n]], outputShape: [n] };
    const { outcomes } = await runOn(backend, [large, large, large, large]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(4);
    expect(backend.log.fetched).toBe(2);
  });

  it.each([
    ['there is none', { name: null }, 'webgl2', 'PV-5032'],
    ['there is no adapter', { name: null }, 'webgpu', 'PV-5032'],
    ['it cannot write float32', { floats: false }, 'webgl2', 'PV-5032'],
    ['it hides its name', { name: '' }, 'webgl2', 'PV-5034'],
    ['it hides its name', { name: '' }, 'webgpu', 'PV-5034'],
    ['gpu.js fell back', { fallbackReason: 'no textures' }, 'webgl2', 'PV-5034'],
    ['its mode says gpu and its class CPUKernel', { lies: true }, 'webgl2', 'PV-5034'],
    ['its mode says webgpu and its class CPUKernel', { lies: true }, 'webgpu', 'PV-5034'],
    ['it keeps ten bits', { precision: (x: number) => Math.round(x * 1024) / 1024 }, 'webgl2', 'PV-5034'],
    ['it gives zeros', { precision: () => 0 }, 'webgpu', 'PV-5034'],
    ['it gives no numbers', { precision: () => Number.NaN }, 'webgl2', 'PV-5034'],
    ['its context is lost', { losesContext: true }, 'webgl2', 'PV-5035'],
  ] as const)('is named when %s', async (_, device, id, code) => {
    const failure = await firstFailure(device, id);
    expect(codeOf(failure)).toBe(code);
    expect(failureMessage(failure)).toContain(code);
    expect(failure.kind === 'device' && failure.trouble.hint).not.toBe('');
    expect(existsSync(`docs/codes/${code}.md`)).toBe(true);
  });

  it('is refused if it differs from the requested one', async () => {
    const failure = await firstFailure(
      { name: 'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device))' },
      'webgl2',
      'hardware',
    );
    expect(codeOf(failure)).toBe('PV-5033');
    expect(failureMessage(failure)).toContain('requested on hardware, but SwiftShader would run');
  });

  it('gives no numbers of a computation of which it reports an error', async () => {
    const failure = await firstFailure({ error: 'binding size is zero' }, 'webgpu');
    expect(failure).toEqual({ kind: 'threw', message: 'binding size is zero' });
  });

  it('says what one call threw and goes on', async () => {
    const compute: FakeDevice['compute'] = (values) => {
      const [{ data }] = values as [{ data: Float32Array }];
      if (data[0] === 13) throw new Error('unlucky');
      return data;
    };
    const { outcomes } = await runOn(fakeBackend({ compute }), [call(1), call(13), call(2)]);
    expect(outcomes.map((outcome) => (outcome.ok ? outcome.output[0] : outcome.failure))).toEqual([
      1,
      { kind: 'threw', message: 'unlucky' },
      2,
    ]);
  });

  it('is told apart from a kernel that gives a wrong shape', async () => {
    const failure = await firstFailure({ compute: () => [new Float32Array(2), new Float32Array(2)] });
    expect(failure).toEqual({ kind: 'wrong-shape', expected: [1], actual: '2×2' });
  });

  it('is opened anew after it was lost', async () => {
    const backend = fakeBackend({ losesContext: true });
    await runOn(backend, [call(1)]);
    const { opened } = await runOn(backend, [call(1)]);
    expect(opened.ok).toBe(true);
    expect(backend.closed()).toBeGreaterThan(0);
  });

  it('that was lost is ended at once, although another kernel has it open: what does not end would go on', async () => {
    const backend = fakeBackend({ losesContext: true });
    const other = await backend.open(await kernelFromText(copies), 'any');
    await runOn(backend, [call(1)]);
    expect(backend.closed()).toBe(1);
    if (other.ok) await other.kernel.close();
    expect(backend.closed()).toBe(1);
  });
});

describe('a browser', () => {
  it('that does not start is named, with what was tried', async () => {
    const launch = (): Promise<never> => Promise.reject(new Error('spawn ENOENT\nmore lines'));
    const linked = await linkChromium({ launch }, 'webgl2', 'any');
    expect(linked).toMatchObject({ ok: false, trouble: { code: 'PV-5031' } });
    expect(!linked.ok && linked.trouble.message).toMatch(/spawn ENOENT/u);
    expect(!linked.ok && linked.trouble.message).not.toContain('more lines');
  });

  it('is told which device to take', () => {
    expect(chromiumFlags('webgl2', 'llvmpipe')).toContain('--use-angle=gl-egl');
    expect(chromiumFlags('webgl2', 'swiftshader')).toContain('--use-angle=swiftshader');
    expect(chromiumFlags('webgpu-browser', 'any')).toContain('--enable-unsafe-webgpu');
  });

  it('gets a session that is a script of its own', async () => {
    const { environment } = fakeEnvironment();
    const module = await loadText(`${sessionText()}\nexport const create = globalThis.createGpuSession;`);
    const create = module['create'] as typeof createGpuSession;
    expect(await create(environment, 'webgl2')({ kind: 'describe' })).toEqual({
      kind: 'device',
      name: 'Fake SwiftShader',
    });
  });
});

describe('a driver', () => {
  it('of Chromium is named only where it is requested', () => {
    expect(driverVariables('swiftshader', { LD_LIBRARY_PATH: '/mine' })['VK_DRIVER_FILES']).toContain(
      'vk_swiftshader_icd.json',
    );
    expect(driverVariables('swiftshader', { LD_LIBRARY_PATH: '/mine' })['LD_LIBRARY_PATH']).toMatch(/^\/mine:/u);
    expect(driverVariables('any', {})).not.toHaveProperty('VK_DRIVER_FILES');
  });
});

describe('names of devices', () => {
  it.each([
    [
      'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)',
      'SwiftShader',
      false,
    ],
    ['google swiftshader', 'SwiftShader', false],
    ['ANGLE (Mesa/X.org, llvmpipe (LLVM 15.0.6 256 bits), OpenGL ES 3.2)', 'llvmpipe', false],
    ['ANGLE (NVIDIA Corporation, NVIDIA GeForce RTX 3060/PCIe/SSE2, OpenGL 4.5.0)', 'NVIDIA', true],
    ['ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)', 'Intel', true],
    ['ANGLE (AMD, AMD Radeon RX 6600 (RADV NAVI23), OpenGL 4.6)', 'AMD', true],
    ['apple metal-3 Apple M1', 'Apple', true],
    ['Some New Chip 9000', 'Some New Chip 9000', true],
  ])('%s is of %s', (device, implementation, hardware) => {
    expect(implementationOf(device)).toBe(implementation);
    expect(isChosen('hardware', device)).toBe(hardware);
    expect(isChosen('any', device)).toBe(true);
    expect(isChosen('swiftshader', device)).toBe(implementation === 'SwiftShader');
    expect(isChosen('llvmpipe', device)).toBe(implementation === 'llvmpipe');
  });
});
