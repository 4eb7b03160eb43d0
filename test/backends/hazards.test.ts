/**
 * The hazards that the kernel rules of `pv scan` warn of, each seen where it happens, and found by its rule in the same text.
 *
 * Where a device is missing, the suite says so by name; in CI that is a failure.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import type { Backend, KernelCall, OpenKernel } from '../../src/backends/backend.ts';
import { connectDawnAt } from '../../src/backends/dawn-link.ts';
import { gpuBackend } from '../../src/backends/gpu-kernel.ts';
import { loadGpujs } from '../../src/backends/gpujs.ts';
import { loadBackend } from '../../src/backends/registry.ts';
import { chromiumPlaces } from '../../src/host/chromium-places.ts';
import { ruleNames, type RuleName } from '../../src/scan/rules.ts';
import type { DeviceChoice } from '../../src/subject/gpu-device.ts';
import type { KernelProgram } from '../../src/subject/kernel.ts';
import { readKernelProgram } from '../../src/subject/kernel-program.ts';
import { pointedAt } from '../support/scan-code.ts';

const dawnEntry = pathToFileURL('dist/cli/dawn.worker.js');

const places = {
  cpu: ['gpujs-cpu', 'any'],
  webasm: ['gpujs-webasm', 'any'],
  'webgl2 on SwiftShader': ['webgl2', 'swiftshader'],
  'webgl2 on llvmpipe': ['webgl2', 'llvmpipe'],
  'webgpu on SwiftShader': ['webgpu', 'swiftshader'],
} as const satisfies Record<string, readonly [Backend['id'], DeviceChoice]>;

type Place = keyof typeof places;

interface Hazard {
  readonly rule: RuleName;
  readonly what: string;
  /** JavaScript, as gpu.js takes it: a vector x, perhaps a number n. */
  readonly source: string;
  readonly x?: readonly number[];
  readonly n?: number;
  /** The first element of the output, or that there is none. */
  readonly seen: Partial<Record<Place, number | 'refused' | ((value: number) => boolean)>>;
}

const kahan =
  'function (x, n) { let t = 0; let c = 0; for (let i = 0; i < n; i++) { const y = x[0] - c; const s = t + y; c = s - t - y; t = s; } return t; }';

const hazards: readonly Hazard[] = [
  {
    rule: 'kernel-outside-names',
    what: 'a constant of the module',
    source: 'function (x) { return x[this.thread.x] * SCALE; }',
    seen: { cpu: 'refused', webasm: 'refused', 'webgl2 on SwiftShader': 'refused', 'webgpu on SwiftShader': 'refused' },
  },
  {
    rule: 'kernel-form',
    what: 'a function inside',
    source: 'function (x) { const twice = (a) => a * 2; return twice(x[0]); }',
    seen: { cpu: 'refused', webasm: 'refused', 'webgl2 on llvmpipe': 'refused' },
  },
  {
    rule: 'kernel-form',
    what: 'bits of a negative number',
    source: 'function (x) { return (x[0] << 3) ^ 5; }',
    x: [-7],
    seen: { cpu: -51, 'webgl2 on SwiftShader': 5, 'webgl2 on llvmpipe': 5, 'webgpu on SwiftShader': -51 },
  },
  {
    rule: 'kernel-form',
    what: 'i++ in an index',
    source: 'function (x) { let i = 0; const a = x[i++]; return a + i; }',
    x: [4],
    seen: { cpu: 5, 'webgpu on SwiftShader': 'refused' },
  },
  {
    rule: 'kernel-form',
    what: 'an arrow function',
    source: '(x) => x[0] * 2',
    seen: { cpu: 'refused', webasm: 'refused', 'webgl2 on SwiftShader': 'refused', 'webgpu on SwiftShader': 'refused' },
  },
  {
    rule: 'kernel-form',
    what: 'a default of a parameter',
    source: 'function (x, n = 2) { return x[0] * n; }',
    seen: { cpu: 'refused', webasm: 'refused', 'webgl2 on llvmpipe': 'refused' },
  },
  {
    rule: 'kernel-form',
    what: 'for…of',
    source: 'function (x) { let sum = 0; for (const value of x) { sum += value; } return sum; }',
    seen: { cpu: 'refused', webasm: 'refused', 'webgl2 on SwiftShader': 'refused', 'webgpu on SwiftShader': 'refused' },
  },
  {
    rule: 'kernel-form',
    what: '??',
    source: 'function (x) { return x[0] ?? 1; }',
    seen: { cpu: 'refused', webasm: 'refused', 'webgl2 on SwiftShader': 'refused', 'webgpu on SwiftShader': 'refused' },
  },
  {
    rule: 'kernel-form',
    what: 'Math.hypot',
    source: 'function (x) { return Math.hypot(x[0], x[1]); }',
    seen: { cpu: 'refused', webasm: 'refused', 'webgl2 on SwiftShader': 'refused', 'webgpu on SwiftShader': 'refused' },
  },
  {
    rule: 'kernel-loop-limit',
    what: '5000 turns',
    source: 'function (x, n) { let count = x[0]; for (let i = 0; i < n; i++) { count += 1; } return count; }',
    x: [0],
    n: 5000,
    seen: {
      cpu: 1000,
      webasm: 1000,
      'webgl2 on SwiftShader': 1000,
      'webgl2 on llvmpipe': 1000,
      'webgpu on SwiftShader': 1000,
    },
  },
  {
    rule: 'kernel-nan-test',
    what: 'NaN is not itself',
    source: 'function (x) { return x[0] !== x[0] ? 1 : 0; }',
    x: [Number.NaN],
    seen: { cpu: 1, webasm: 1, 'webgpu on SwiftShader': 0 },
  },
  {
    rule: 'kernel-negative-power',
    what: 'the cube of -2',
    source: 'function (x) { return Math.pow(x[0], 3); }',
    x: [-2],
    seen: { cpu: -8, webasm: -8, 'webgl2 on SwiftShader': 8, 'webgl2 on llvmpipe': Number.NaN },
  },
  {
    rule: 'kernel-unclamped-tanh',
    what: 'tanh(100)',
    source: 'function (x) { return Math.tanh(x[0]); }',
    x: [100],
    seen: {
      webasm: 1,
      'webgl2 on SwiftShader': Number.NaN,
      'webgpu on SwiftShader': Number.NaN,
      'webgl2 on llvmpipe': 1,
    },
  },
  {
    rule: 'kernel-unguarded-log',
    what: 'log(-1)',
    source: 'function (x) { return Math.log(x[0]); }',
    x: [-1],
    seen: { webasm: Number.NaN, 'webgl2 on SwiftShader': 0, 'webgl2 on llvmpipe': Number.NaN },
  },
  {
    rule: 'kernel-unguarded-log',
    what: 'log(0)',
    source: 'function (x) { return Math.log(x[0]); }',
    x: [0],
    seen: { webasm: -Infinity, 'webgl2 on SwiftShader': (value) => value > -89, 'webgl2 on llvmpipe': -Infinity },
  },
  {
    rule: 'kernel-input-write',
    what: 'a written element',
    source: 'function (x) { x[0] = 9; return x[0]; }',
    seen: { 'webgl2 on SwiftShader': 'refused', 'webgpu on SwiftShader': 'refused' },
  },
  {
    rule: 'kernel-input-write',
    what: 'an assigned parameter',
    source: 'function (x, n) { n = n + 1; return x[0] * n; }',
    n: 1,
    seen: { cpu: 2, 'webgpu on SwiftShader': 'refused' },
  },
  {
    rule: 'kernel-index-range',
    what: 'the element before the first',
    source: 'function (x) { return x[this.thread.x - 1]; }',
    x: [3, 4],
    seen: {
      cpu: Number.NaN,
      'webgl2 on SwiftShader': (value) => !Number.isNaN(value),
      'webgl2 on llvmpipe': (value) => !Number.isNaN(value),
    },
  },
  {
    rule: 'kernel-infinite-literal',
    what: '-1 / 0',
    source: 'function (x) { return Math.max(-1 / 0, x[0]); }',
    x: [5],
    seen: { cpu: 5, webasm: 5, 'webgpu on SwiftShader': 'refused' },
  },
  {
    rule: 'kernel-compensation',
    what: '(1 + 1e-8) - 1',
    source: 'function (x) { return x[0] + x[1] - x[0]; }',
    x: [1, 1e-8],
    seen: { webasm: 0, 'webgl2 on SwiftShader': 0, 'webgpu on SwiftShader': 0, 'webgl2 on llvmpipe': 1e-8 },
  },
  {
    rule: 'kernel-compensation',
    what: 'a thousand times 0.1',
    source: kahan,
    x: [0.1],
    n: 1000,
    seen: { webasm: 100, 'webgl2 on SwiftShader': 100, 'webgl2 on llvmpipe': (value) => Math.abs(value - 100) > 5e-4 },
  },
  {
    rule: 'kernel-unshifted-exp',
    what: 'a softmax of 100',
    source:
      'function (x, n) { let total = 0; for (let i = 0; i < n; i++) { total += Math.exp(x[i]); } return Math.exp(x[this.thread.x]) / total; }',
    x: [100, 100],
    n: 2,
    seen: { cpu: 0.5, webasm: Number.NaN, 'webgl2 on SwiftShader': Number.NaN, 'webgl2 on llvmpipe': Number.NaN },
  },
];

function programOf({ source, n }: Hazard): KernelProgram {
  const x = { name: 'x', rank: 1, integer: false } as const;
  const parameters = n === undefined ? [x] : [x, { name: 'n', rank: 0, integer: false } as const];
  // 1000 is gpu.js's own limit.
  return {
    name: 'kernel',
    language: 'gpu.js',
    source,
    sourceHash: '',
    parameters,
    outputRank: 1,
    loopMaxIterations: 1000,
    syntax: null,
  };
}

function callOf({ x = [1, 2], n }: Hazard): KernelCall {
  const data = Float32Array.from(x);
  return { arguments: n === undefined ? [data] : [data, n], shapes: [[x.length], []], outputShape: [x.length] };
}

const dawn = gpuBackend('webgpu', (...asked) => connectDawnAt(dawnEntry, ...asked));

function backendAt(place: Place): Promise<Backend> | Backend {
  const [id] = places[place];
  return id === 'webgpu' ? dawn : loadBackend(id);
}

/** Kernels stay open to the end, and with them the devices: starting one takes a second or more. */
const opened: OpenKernel[] = [];
afterAll(() => Promise.all(opened.map((kernel) => kernel.close())));

/** The first number that comes out; null where there is no device. */
async function seenAt(place: Place, hazard: Hazard): Promise<number | 'refused' | null> {
  const backend = await backendAt(place);
  const attempt = await backend.open(programOf(hazard), places[place][1]);
  if (!attempt.ok) return attempt.failure.kind === 'device' ? null : 'refused';
  opened.push(attempt.kernel);
  const [outcome] = await attempt.kernel.run([callOf(hazard)]);
  return outcome?.ok ? (outcome.output[0] ?? null) : 'refused';
}

describe.each(hazards)('$rule: $what', (hazard) => {
  it('is found by its rule', async () => {
    const parameters = hazard.n === undefined ? 'x' : 'x, n';
    expect(await pointedAt(hazard.rule, `gpu.createKernel(${hazard.source}); // ${parameters}`)).not.toEqual([]);
  });

  it.each(Object.entries(hazard.seen) as [Place, number][])('is seen on %s', async (place, expected) => {
    const value = await seenAt(place, hazard);
    if (value === null) expect(process.env['CI'], `in CI there is ${place}`).toBeUndefined();
    else if (typeof expected === 'function') expect((expected as (x: number) => boolean)(value as number)).toBe(true);
    else expect(value).toEqual(typeof expected === 'number' ? Math.fround(expected) : expected);
  });
});

it('kernel-input-write: on the CPU the array of the caller changes', async () => {
  const hazard = hazards.find(({ rule }) => rule === 'kernel-input-write');
  invariant(hazard, 'it is listed');
  const attempt = await (await backendAt('cpu')).open(programOf(hazard));
  invariant(attempt.ok, 'it opens');
  opened.push(attempt.kernel);
  const call = callOf(hazard);
  await attempt.kernel.run([call]);
  expect(call.arguments[0]).toEqual(Float32Array.of(9, 2));
});

interface RawKernel {
  (...values: unknown[]): unknown;
  readonly kernel: { readonly constructor: { readonly name: string }; readonly fallbackReason: string | null };
}
interface RawGpu {
  readonly createKernel: (source: unknown, settings: object) => RawKernel;
  readonly createKernelMap: (maps: object, source: unknown, settings: object) => RawKernel;
  readonly destroy: () => unknown;
}

/** gpu.js with settings that pv never uses. */
async function rawGpu(mode: string): Promise<RawGpu> {
  const module = await loadGpujs();
  invariant(module, 'gpu.js is installed');
  const { GPU } = module as unknown as { readonly GPU: new (options: object) => RawGpu };
  return new GPU({ mode });
}

describe('kernel-settings', () => {
  it("mode: 'dev' runs what no backend compiles", async () => {
    const gpu = await rawGpu('dev');
    const outside = 7;
    const kernel = gpu.createKernel(
      function () {
        return outside;
      },
      { output: [1] },
    );
    expect(Array.from(kernel() as Float32Array)).toEqual([7]);
    expect(await pointedAt('kernel-settings', "new GPU({ mode: 'dev' });")).not.toEqual([]);
    await gpu.destroy();
  });

  it('createKernelMap falls back to the CPU in webasm', async () => {
    const gpu = await rawGpu('webasm');
    const kernel = gpu.createKernelMap(
      { twice: 'function twice(a) { return a * 2; }' },
      'function (x) { return twice(x[this.thread.x]); }',
      { output: [1] },
    );
    expect(() => kernel([1])).not.toThrow();
    expect(kernel.kernel.fallbackReason ?? kernel.kernel.constructor.name).toMatch(/map|CPU/iu);
    await gpu.destroy();
  });
});

describe('kernel-settings in a browser', () => {
  let browser: Awaited<ReturnType<typeof chromium.launch>> | null = null;
  beforeAll(async () => {
    const [place] = chromiumPlaces();
    browser = await chromium
      .launch({ ...place, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] })
      .catch(() => null);
  });
  afterAll(() => browser?.close());

  async function inPage(text: string): Promise<unknown> {
    if (!browser) return null;
    const page = await browser.newPage();
    await page.addScriptTag({ path: createRequire(import.meta.url).resolve('gpu.js/dist/gpu-browser.min.js') });
    return page.evaluate(`(() => { const gpu = new GPU.GPU({ mode: 'webgl2' }); ${text} })()`);
  }

  it.each([
    [
      "precision: 'unsigned' changes numbers",
      "{ output: [1], precision: 'unsigned' }",
      'return x[0] / 3;',
      [21.7],
      7.233333110809326,
    ],
    [
      "precision: 'unsigned' knows no infinity",
      "{ output: [1], precision: 'unsigned' }",
      'return x[0] * 2;',
      [3e38],
      Infinity,
    ],
    [
      'an infinite constant does not compile',
      '{ output: [1], constants: { mask: -Infinity } }',
      'return Math.max(x[0], this.constants.mask);',
      [1],
      1,
    ],
  ])('%s', async (_name, settings, body, x, right) => {
    const text = `const k = gpu.createKernel(function (x) { ${body} }, ${settings}); try { return Array.from(k(${JSON.stringify(x)}))[0]; } catch (problem) { return 'refused'; }`;
    const value = await inPage(text);
    if (value === null) expect(process.env['CI']).toBeUndefined();
    else expect(value).not.toBe(right);
    expect(await pointedAt('kernel-settings', `gpu.createKernel(f, ${settings});`)).not.toEqual([]);
  });
});

it('pipeline-texture-reuse: the next call overwrites what is held', async () => {
  const gpu = await rawGpu('cpu');
  const kernel = gpu.createKernel('function (x) { return x[this.thread.x]; }', { output: [1], pipeline: true });
  const toArray = (texture: unknown): readonly number[] =>
    Array.from((texture as { toArray: () => Float32Array }).toArray?.() ?? (texture as Float32Array));
  const before = kernel([1]);
  kernel([2]);
  expect(toArray(before)).toEqual([2]);
  await gpu.destroy();
  const text = `const k = gpu.createKernel(f, { output: [1], pipeline: true }); const a = k([1]); k([2]); a.toArray();`;
  expect(await pointedAt('pipeline-texture-reuse', text)).not.toEqual([]);
});

describe('what no text shows, a run tells', () => {
  /** A vector or a matrix x, on a place of the list or on the reference. */
  const outcomeOn = async (id: Backend['id'], device: DeviceChoice, source: string, call: KernelCall) => {
    const [shape = []] = call.shapes;
    const { value: program } = await readKernelProgram({ path: 'kernel.ts', text: `export ${source}` }, 'kernel');
    invariant(program, 'the text is a kernel');
    const rank = shape.length as 1 | 2;
    const attempt = await (
      await loadBackend(id)
    ).open({ ...program, parameters: [{ name: 'x', rank, integer: false }] }, device);
    if (!attempt.ok) return attempt.failure.kind;
    opened.push(attempt.kernel);
    const [outcome] = await attempt.kernel.run([call]);
    return outcome?.ok ? outcome.output[0] : outcome?.failure.kind;
  };
  const matrix: KernelCall = {
    arguments: [Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8)],
    shapes: [[2, 4]],
    outputShape: [1],
  };
  const behindRow = 'function kernel(this: any, x: number[][]): number { return x[0]![this.thread.x + 4]!; }';

  it('a read behind a row: the reference ends the run, WebAssembly and devices give the next row', async () => {
    expect(await outcomeOn('ref32', 'any', behindRow, matrix)).toBe('threw');
    expect(await outcomeOn('gpujs-webasm', 'any', behindRow, matrix)).toBe(5);
    const onDevice = await outcomeOn('webgl2', 'swiftshader', behindRow, matrix);
    if (onDevice === 'device') expect(process.env['CI'], 'in CI there is a device').toBeUndefined();
    else expect(onDevice).toBe(5);
  });

  it.each(['ref32', 'gpujs-cpu', 'gpujs-webasm'] as const)('a ragged array: %s runs no such call', async (id) => {
    const ragged = { ...matrix, arguments: [Float32Array.of(1, 2, 3, 4, 5, 6, 7)] };
    expect(await outcomeOn(id, 'any', behindRow, ragged)).toBe('unsupported');
  });

  it.each(['gpujs-cpu', 'gpujs-webasm'] as const)('inputs of changing sizes: %s takes them', async (id) => {
    const source = 'function kernel(this: any, x: number[]): number { return x[this.thread.x]!; }';
    const of = (...values: readonly number[]): KernelCall => ({
      arguments: [Float32Array.from(values)],
      shapes: [[values.length]],
      outputShape: [values.length],
    });
    for (const call of [of(1), of(2, 3), of(4)])
      expect(await outcomeOn(id, 'any', source, call)).toBe((call.arguments[0] as Float32Array)[0]);
  });
});

it('docs/gpu.md has a row for each, with its rule', async () => {
  const rows = (await readFile('docs/gpu.md', 'utf8')).split('\n').filter((line) => line.startsWith('| '));
  const hasRow = (what: string, rule: string): boolean =>
    rows.some((row) => row.startsWith(`| ${what} |`) && row.includes(`\`${rule}\``));
  expect(hazards.filter(({ what, rule }) => !hasRow(what, rule)).map(({ what, rule }) => `${what}: ${rule}`)).toEqual(
    [],
  );
});

it('every kernel rule has its hazard here', () => {
  const shown = new Set<string>([...hazards.map(({ rule }) => rule), 'kernel-settings']);
  expect(ruleNames.filter((name) => name.startsWith('kernel-') && !shown.has(name))).toEqual([]);
});
