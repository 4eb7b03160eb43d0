/**
 * Holds src/runtime/apply-kernels.ts, src/runtime/case-arbitrary.ts, src/runtime/check-case.ts,
 * src/runtime/failure-text.ts, src/runtime/falsification-inputs.ts, src/runtime/falsification-test.ts,
 * src/runtime/generate/given-case.ts, src/runtime/index.ts, src/runtime/test-kernel.ts.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CompiledGoal } from '../../src/math/compile/compiled.ts';
import {
  falsificationTest,
  functionKernel,
  propertyTest,
  threadKernel,
  type GoalModule,
  type KernelTexts,
  type KernelThread,
  type TestKernels,
} from '../../src/runtime/index.ts';
import { referenceText } from '../../src/backends/reference-text.ts';
import { invariant } from '../../src/base/invariant.ts';
import { kernelFromText } from '../support/kernels.ts';
import { goalOf, softmax, sumsToOne, vectorOf } from '../methods/softmax-goal.ts';
import { domain } from './domains.ts';

const reproduce = 'pv probar contracts/softmax-kernel-v1.yaml --claim SM-INV-001 --seed 7';
const options = { seed: 7, reproduce };

function moduleOf(compiled: CompiledGoal = sumsToOne(), extra: Parameters<typeof goalOf>[0] = {}): GoalModule {
  return { goal: goalOf({ cases: 500, ...extra }), create: () => compiled };
}

const right: TestKernels = { softmax: functionKernel(softmax) };

function softmaxThread(this: KernelThread, x: readonly number[], n: number): number {
  let largest = -Infinity;
  for (let i = 0; i < n; i++) largest = Math.max(largest, x[i] ?? NaN);
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.exp((x[i] ?? NaN) - largest);
  return Math.exp((x[this.thread.x] ?? NaN) - largest) / sum;
}

async function messageOf(run: () => Promise<void>): Promise<string> {
  try {
    await run();
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
  return 'it held';
}

const overflowing = functionKernel((x: Float32Array) => {
  const out = x.map(Math.exp);
  const sum = out.reduce((a, b) => a + b, 0);
  return out.map((v) => v / sum);
});

beforeEach(() => vi.stubEnv('PV_CASES', ''));
afterEach(() => vi.unstubAllEnvs());

describe('propertyTest', () => {
  it('passes for right kernels of both styles', async () => {
    await propertyTest(moduleOf(), right, options);
    await propertyTest(moduleOf(), { softmax: threadKernel(softmaxThread) }, options);
  });

  it('names what a kernel has replaced, however its own results compare with it', async () => {
    const { exp } = Math;
    const flattering = functionKernel((x: Float32Array) => {
      Math.exp = () => 1;
      return x.map(() => 1 / x.length);
    });
    const messages = [
      await messageOf(() => propertyTest(moduleOf(), { softmax: flattering }, options)),
      await messageOf(() => falsificationTest(moduleOf(), { softmax: flattering }, options)),
    ];
    Math.exp = exp;
    for (const message of messages) expect(message).toMatch(/SM-INV-001 was not tested: .* replaced Math\.exp/u);
  });

  it('throws the claim, the smallest input, the outputs, the seed and path, and the command', async () => {
    const message = await messageOf(() =>
      propertyTest(moduleOf(sumsToOne(), { ifFails: 'max not subtracted' }), { softmax: overflowing }, options),
    );
    expect(message).toMatch(
      /^softmax-kernel-v1\/SM-INV-001 does not hold: Outputs sum to one\n {2}\|Σ_i σ\(x\)_i - 1\| ≤ ε\n {2}abs 6e-8 per n\n {2}Σ_i σ\(x\)_i ≈ 1: left = NaN, right = 1/,
    );
    expect(message).toMatch(/\n {2}n = 1\n {2}x = \[-?\d+\]\n {2}softmax\(…\) = \[NaN\]\n/);
    expect(message).toContain('if it fails: max not subtracted');
    expect(message).toMatch(/fast-check: \{ seed: 7, path: "[\d:]+" \}/);
    expect(message).toContain(`reproduce: ${reproduce}`);
  });

  it('repeats a failure from its path in one run', async () => {
    const message = await messageOf(() => propertyTest(moduleOf(), { softmax: overflowing }, options));
    const path = /path: "([\d:]+)"/.exec(message)?.[1] ?? '';
    let calls = 0;
    const counting: TestKernels = { softmax: (call) => (calls++, overflowing(call)) };
    const again = await messageOf(() => propertyTest(moduleOf(), counting, { ...options, path }));
    const input = (text: string): string | undefined => /x = .*/.exec(text)?.[0];
    expect(input(again)).toBe(input(message));
    expect(calls).toBe(2);
  });

  it('runs recorded inputs first', async () => {
    const replay = [{ sizes: { n: 2 }, values: { x: { hex: 'f32:0000803f00000040', text: '[1, 2]' } } }];
    const message = await messageOf(() =>
      propertyTest(
        moduleOf(),
        { softmax: (call) => softmax(vectorOf(call.arguments)).fill(0) },
        { ...options, replay },
      ),
    );
    expect(message).toContain('after 1 cases');
  });

  it.each([
    [
      'filtered too often',
      sumsToOne({ precondition: (_s, values) => (vectorOf(values)[0] ?? 0) > 0 }),
      /was not tested: \d+ of \d+ inputs broke a precondition, at most a fifth may \(seed 7\)/,
    ],
    [
      'filtered always',
      sumsToOne({ precondition: () => false }),
      /was not tested: \d+ of \d+ inputs broke a precondition/,
    ],
    [
      'vacuous',
      sumsToOne({ check: (_s, _v, _o, report) => !(report.premise = false) }),
      /was not tested: no premise of an implication held in any of 500 cases/,
    ],
  ])('throws when it was %s', async (_, compiled, expected) => {
    expect(await messageOf(() => propertyTest(moduleOf(compiled), right, options))).toMatch(expected);
  });

  it.each([
    ['7', undefined, 'in any of 7 cases'],
    ['700', undefined, 'in any of 500 cases'],
    ['7', 20, 'in any of 20 cases'],
    ['0', undefined, 'PV_CASES is "0"; a whole number from 1 is expected'],
    ['1e3', undefined, 'PV_CASES is "1e3"; a whole number from 1 is expected'],
  ])('with PV_CASES=%s and %s cases asked for: %s', async (most, cases, expected) => {
    vi.stubEnv('PV_CASES', most);
    const vacuous = moduleOf(sumsToOne({ check: (_s, _v, _o, report) => !(report.premise = false) }));
    const given = cases === undefined ? options : { ...options, cases };
    expect(await messageOf(() => propertyTest(vacuous, right, given))).toContain(expected);
  });

  it('throws when the domain has no inputs or the kernel is missing', async () => {
    const impossible = moduleOf(sumsToOne(), {
      domain: { ...goalOf().domain, sizes: [{ name: 'n', minimum: 2, maximum: 1, multipleOf: 1, definition: null }] },
    });
    expect(await messageOf(() => propertyTest(impossible, right, options))).toContain(
      'cannot be tested: no sizes satisfy the domain',
    );
    expect(await messageOf(() => propertyTest(moduleOf(), {}, options))).toContain(
      'the kernel gave no output: no kernel was given for softmax',
    );
    expect(await messageOf(() => propertyTest(moduleOf(), Object.create(right) as TestKernels, options))).toContain(
      'no kernel was given',
    );
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('out of memory');
      },
      'it threw: out of memory',
    ],
    ['changes its input', (x: Float32Array) => softmax(x.fill(1)), 'it changed its input number 1'],
    [
      'returns too little',
      (x: Float32Array) => softmax(x).slice(1),
      'its output should have 1 elements but is Float32Array of 0 elements',
    ],
  ])('fails for a kernel that %s', async (_, kernel, expected) => {
    expect(await messageOf(() => propertyTest(moduleOf(), { softmax: functionKernel(kernel) }, options))).toContain(
      expected,
    );
  });

  it('runs a claim without inputs once', async () => {
    let runs = 0;
    const ground = moduleOf(sumsToOne({ applications: [], check: () => (runs++, true) }), {
      domain: domain([], []),
      applications: [],
    });
    await propertyTest(ground, {}, options);
    expect(runs).toBe(1);
  });
});

describe('falsificationTest', () => {
  it('passes for a right kernel on edge cases and on explicit inputs', async () => {
    await falsificationTest(moduleOf(), right, options);
    await falsificationTest(moduleOf(sumsToOne(), { given: [{ sizes: [2], values: [[0, -104]] }] }), right, options);
  });

  it('throws the explicit input unchanged', async () => {
    const module = moduleOf(sumsToOne(), {
      given: [
        { sizes: [1], values: [[1]] },
        { sizes: [3], values: [[88, 89, 90]] },
      ],
    });
    const message = await messageOf(() => falsificationTest(module, { softmax: overflowing }, options));
    expect(message).toContain('x = [88, 89, 90]');
    expect(message).toContain('input 2 of 2');
    expect(message).toContain(`reproduce: ${reproduce}`);
  });

  it('shrinks an edge case', async () => {
    expect(await messageOf(() => falsificationTest(moduleOf(), { softmax: overflowing }, options))).toMatch(
      /n = 1\n {2}x = \[-?\d+\]/,
    );
  });

  it.each([
    [
      'an input is outside the domain',
      sumsToOne(),
      [{ sizes: [1], values: [[1e9]] }],
      'input 1 of 1 is outside the domain: x: 1000000000 is above the upper bound 10000',
    ],
    ['no input is left', sumsToOne({ precondition: () => false }), null, 'no input satisfies the preconditions'],
    [
      'no premise ever holds',
      sumsToOne({ check: (_s, _v, _o, report) => !(report.premise = false) }),
      null,
      'no premise of an implication held',
    ],
  ] as const)('throws when %s', async (_, compiled, given, expected) => {
    expect(await messageOf(() => falsificationTest(moduleOf(compiled, { given }), right, options))).toContain(expected);
  });
});

describe('threadKernel', () => {
  it('computes one output element per call, last axis first, from nested arrays', async () => {
    function product(
      this: KernelThread,
      a: readonly (readonly number[])[],
      b: readonly (readonly number[])[],
      k: number,
    ): number {
      let sum = 0;
      for (let i = 0; i < k; i++) sum += (a[this.thread.y]?.[i] ?? NaN) * (b[i]?.[this.thread.x] ?? NaN);
      return sum;
    }
    const call = {
      arguments: [Float32Array.of(1, 2, 3, 4, 5, 6), Float32Array.of(1, 0, 0, 1, 1, 1), 3],
      shapes: [[2, 3], [3, 2], []],
      outputShape: [2, 2],
    };
    expect([...(await threadKernel(product)(call))]).toEqual([4, 5, 10, 11]);
  });

  it('numbers threads in three dimensions and gives scalars one thread', async () => {
    function where(this: KernelThread): number {
      return this.thread.z * 100 + this.thread.y * 10 + this.thread.x + this.output.x * 1000;
    }
    expect([...(await threadKernel(where)({ arguments: [], shapes: [], outputShape: [2, 1, 2] }))]).toEqual([
      2000, 2001, 2100, 2101,
    ]);
    expect([...(await threadKernel(where)({ arguments: [], shapes: [], outputShape: [] }))]).toEqual([1000]);
  });

  /** A hypotenuse that overflows in float32 and not in doubles. */
  const norm = function (this: KernelThread, x: readonly number[], scale: number): number {
    return Math.sqrt((x[this.thread.x] ?? NaN) * (x[this.thread.x] ?? NaN)) * scale;
  };
  const normText = `export function kernel(this: { thread: { x: number } }, x: readonly number[], scale: number): number {
    return Math.sqrt(x[this.thread.x]! * x[this.thread.x]!) * scale;
  }`;
  const at = (x: readonly number[], scale = 1) => ({
    arguments: [Float32Array.from(x), scale],
    shapes: [[x.length], []],
    outputShape: [x.length],
  });
  const textsOf = async (text: string): Promise<KernelTexts> => {
    const { syntax } = await kernelFromText(text);
    invariant(syntax, 'a gpu.js kernel');
    return { float32: referenceText(syntax, 'f32'), float64: referenceText(syntax, 'f64') };
  };

  it('computes in float32 from its texts, and in doubles without', async () => {
    expect([...(await threadKernel(norm)(at([3, 1e30])))]).toEqual([3, Math.fround(1e30)]);
    const texts = await textsOf(normText);
    expect([...(await threadKernel(norm, { texts })(at([3, 1e30])))]).toEqual([3, Infinity]);
    expect([...(await threadKernel(norm, { texts })(at([1], 0.1)))]).toEqual([Math.fround(0.1)]);
    const order = [1, 0];
    const swapped = { ...at([3]), arguments: [2, Float32Array.of(3)], shapes: [[], [1]] };
    expect([...(await threadKernel(norm, { texts, order })(swapped))]).toEqual([6]);
  });

  it('refuses texts of another kernel', async () => {
    const texts = await textsOf(normText.replace('* scale', '+ scale'));
    expect([...(await threadKernel(norm, { texts })(at([2], 2)))]).toEqual([4]);
    await expect(async () => threadKernel(norm, { texts })(at([3], 2))).rejects.toThrow(
      'element 0 is 6, not 5): run pv generate',
    );
  });

  it('ends a loop that never ends, because the text is run first', async () => {
    const endless = function (this: KernelThread, x: readonly number[]): number {
      for (;;) if (x.length < 0) return 0;
    };
    const texts = await textsOf(
      'export function kernel(this: { thread: { x: number } }, x: readonly number[], scale: number): number { let s = 0; while (s < 1) { s += 0 * x[0]!; } return s; }',
    );
    await expect(async () => threadKernel(endless, { texts })(at([1]))).rejects.toThrow('loop exceeded');
  });
});

describe('functionKernel', () => {
  it('awaits what the function returns', async () => {
    await propertyTest(moduleOf(), { softmax: functionKernel(async (x: Float32Array) => softmax(x)) }, options);
    await falsificationTest(
      moduleOf(),
      { softmax: functionKernel((x: Float32Array) => Promise.resolve(softmax(x))) },
      options,
    );
    expect(
      await messageOf(() =>
        propertyTest(moduleOf(), { softmax: functionKernel(() => Promise.reject(new Error('late'))) }, options),
      ),
    ).toContain('it threw: late');
  });

  it('takes as a result what pv takes', async () => {
    const call = { arguments: [1], shapes: [[]], outputShape: [] };
    expect(await functionKernel((x: number) => x)(call)).toEqual(Float64Array.of(1));
    await expect(async () => functionKernel((x: number) => [x])(call)).rejects.toThrow('is a plain array of length 1');
  });
});
