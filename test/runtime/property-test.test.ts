import { describe, expect, it } from 'vitest';
import type { CompiledGoal } from '../../src/math/compile/compiled.ts';
import {
  falsificationTest,
  functionKernel,
  propertyTest,
  threadKernel,
  type GoalModule,
  type KernelThread,
  type TestKernels,
} from '../../src/runtime/index.ts';
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

function messageOf(run: () => void): string {
  try {
    run();
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

describe('propertyTest', () => {
  it('passes for right kernels of both styles', () => {
    propertyTest(moduleOf(), right, options);
    propertyTest(moduleOf(), { softmax: threadKernel(softmaxThread) }, options);
  });

  it('throws the claim, the smallest input, the outputs, the seed and path, and the command', () => {
    const message = messageOf(() =>
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

  it('repeats a failure from its path in one run', () => {
    const message = messageOf(() => propertyTest(moduleOf(), { softmax: overflowing }, options));
    const path = /path: "([\d:]+)"/.exec(message)?.[1] ?? '';
    let calls = 0;
    const counting: TestKernels = { softmax: (call) => (calls++, overflowing(call)) };
    const again = messageOf(() => propertyTest(moduleOf(), counting, { ...options, path }));
    const input = (text: string): string | undefined => /x = .*/.exec(text)?.[0];
    expect(input(again)).toBe(input(message));
    expect(calls).toBe(2);
  });

  it('runs recorded inputs first', () => {
    const replay = [{ sizes: { n: 2 }, values: { x: { hex: 'f32:0000803f00000040', text: '[1, 2]' } } }];
    const message = messageOf(() =>
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
  ])('throws when it was %s', (_, compiled, expected) => {
    expect(messageOf(() => propertyTest(moduleOf(compiled), right, options))).toMatch(expected);
  });

  it('throws when the domain has no inputs or the kernel is missing', () => {
    const impossible = moduleOf(sumsToOne(), {
      domain: { ...goalOf().domain, sizes: [{ name: 'n', minimum: 2, maximum: 1, multipleOf: 1, definition: null }] },
    });
    expect(messageOf(() => propertyTest(impossible, right, options))).toContain(
      'cannot be tested: no sizes satisfy the domain',
    );
    expect(messageOf(() => propertyTest(moduleOf(), {}, options))).toContain(
      'the kernel gave no output: no kernel was given for softmax',
    );
    expect(messageOf(() => propertyTest(moduleOf(), Object.create(right) as TestKernels, options))).toContain(
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
    ['returns too little', (x: Float32Array) => softmax(x).slice(1), 'its output should have 1 elements but has 0'],
  ])('fails for a kernel that %s', (_, kernel, expected) => {
    expect(messageOf(() => propertyTest(moduleOf(), { softmax: functionKernel(kernel) }, options))).toContain(expected);
  });

  it('runs a claim without inputs once', () => {
    let runs = 0;
    const ground = moduleOf(sumsToOne({ applications: [], check: () => (runs++, true) }), {
      domain: domain([], []),
      applications: [],
    });
    propertyTest(ground, {}, options);
    expect(runs).toBe(1);
  });
});

describe('falsificationTest', () => {
  it('passes for a right kernel on edge cases and on explicit inputs', () => {
    falsificationTest(moduleOf(), right, options);
    falsificationTest(moduleOf(sumsToOne(), { given: [{ sizes: [2], values: [[0, -104]] }] }), right, options);
  });

  it('throws the explicit input as it stands', () => {
    const module = moduleOf(sumsToOne(), {
      given: [
        { sizes: [1], values: [[1]] },
        { sizes: [3], values: [[88, 89, 90]] },
      ],
    });
    const message = messageOf(() => falsificationTest(module, { softmax: overflowing }, options));
    expect(message).toContain('x = [88, 89, 90]');
    expect(message).toContain('input 2 of 2');
    expect(message).toContain(`reproduce: ${reproduce}`);
  });

  it('shrinks an edge case', () => {
    expect(messageOf(() => falsificationTest(moduleOf(), { softmax: overflowing }, options))).toMatch(
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
  ] as const)('throws when %s', (_, compiled, given, expected) => {
    expect(messageOf(() => falsificationTest(moduleOf(compiled, { given }), right, options))).toContain(expected);
  });
});

describe('threadKernel', () => {
  it('computes one output element per call, last axis first, from nested arrays', () => {
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
    expect([...threadKernel(product)(call)]).toEqual([4, 5, 10, 11]);
  });

  it('numbers threads in three dimensions and gives scalars one thread', () => {
    function where(this: KernelThread): number {
      return this.thread.z * 100 + this.thread.y * 10 + this.thread.x + this.output.x * 1000;
    }
    expect([...threadKernel(where)({ arguments: [], shapes: [], outputShape: [2, 1, 2] })]).toEqual([
      2000, 2001, 2100, 2101,
    ]);
    expect([...threadKernel(where)({ arguments: [], shapes: [], outputShape: [] })]).toEqual([1000]);
  });
});
