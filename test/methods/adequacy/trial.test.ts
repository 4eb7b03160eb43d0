/**
 * One claim against one wrong kernel: caught by an ordinary output, by an extreme, or not at all.
 *
 * Holds src/methods/statistical/load.ts.
 */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import { functionBackend } from '../../../src/backends/function-kernel.ts';
import type { CompiledGoal } from '../../../src/math/compile/compiled.ts';
import { loadGoal } from '../../../src/math/compile/load.ts';
import { loadStatistics } from '../../../src/methods/statistical/load.ts';
import {
  breaksOrdinarily,
  measureOrdinary,
  tryGoal,
  type Ordinary,
  type TrialGoal,
  type TrialOutcome,
  type TrialRequest,
} from '../../../src/methods/adequacy/trial.ts';
import { openKernels } from '../../../src/plan/open-subjects.ts';
import type { TestableGoal } from '../../../src/runtime/testable-goal.ts';
import { planOf } from '../../plan/projects.ts';
import { name } from '../../runtime/domains.ts';
import { goalOf, kernels, openKernel, softmax, sumsToOne, toCall, vectorOf } from '../softmax-goal.ts';

function trialGoal(check: CompiledGoal['check'], goal: Partial<TestableGoal> = {}): TrialGoal {
  return {
    goal: goalOf(goal),
    compiled: sumsToOne({ check }),
    source: 'obligation',
    statistics: [],
    asksFiniteness: false,
    sizeTolerances: [],
  };
}

type Kernel = Parameters<typeof openKernel>[0];
const request = (kernel: Kernel, cases = 50): TrialRequest => ({
  equation: 'softmax',
  kernels: kernels(kernel),
  toCall,
  calledAs: 'kernel',
  seed: 3,
  cases,
});

/** A claim of every output. */
const each = (holds: (y: number) => boolean): TrialGoal =>
  trialGoal((_sizes, _values, outputs) => vectorOf(outputs).every(holds));
const positive = each((y) => y > 0);
const one: Ordinary = { largest: 1, nan: false };
const always =
  (y: number): Kernel =>
  (x) =>
    x.map(() => y);

describe('a wrong kernel', () => {
  it.each<[string, Kernel, TrialOutcome]>([
    ['holds where the claim does', always(1), 'held'],
    ['is caught by an ordinary output', always(-1), 'caught'],
    ['is caught by an output up to four times the largest right one', always(-4), 'caught'],
    ['is caught by an extreme where the output has run away', always(-4.001), 'caught by an extreme'],
    ['is caught by an extreme where it is infinite', always(-Infinity), 'caught by an extreme'],
    ['is caught by an extreme where it is NaN', always(Number.NaN), 'caught by an extreme'],
    ['broke where it throws', () => ({ ok: false, failure: { kind: 'threw', message: 'no' } }), 'broke'],
    [
      'decides nothing where it cannot run',
      () => ({ ok: false, failure: { kind: 'unsupported', message: 'no' } }),
      'undetermined',
    ],
  ])('%s', async (_, kernel, expected) => {
    expect(await tryGoal(positive, request(kernel), one)).toBe(expected);
  });

  it('is judged by the first output that breaks the claim', async () => {
    let calls = 0;
    const firstExtreme: Kernel = (x) => x.map(() => (calls++ === 0 ? -9 : -1));
    expect(await tryGoal(positive, request(firstExtreme), one)).toBe('caught by an extreme');
    calls = 0;
    expect(await breaksOrdinarily(positive, request(firstExtreme), one)).toBe(true);
  });

  it('breaks ordinarily only by outputs that a right kernel might give', async () => {
    expect(await breaksOrdinarily(positive, request(always(-1)), one)).toBe(true);
    expect(await breaksOrdinarily(positive, request(always(-9)), one)).toBe(false);
    expect(await breaksOrdinarily(positive, request(always(1)), one)).toBe(false);
    const throws: Kernel = () => ({ ok: false, failure: { kind: 'threw', message: 'no' } });
    expect(await breaksOrdinarily(positive, request(throws), one)).toBe(false);
  });

  it('is ordinary if it gives NaN where the correct kernel does, or any number where that gives NaN', async () => {
    expect(await tryGoal(positive, request(always(Number.NaN)), { largest: 1, nan: true })).toBe('caught');
    const zero: Ordinary = { largest: 0, nan: false };
    expect(await tryGoal(positive, request(always(-1e30)), zero)).toBe('caught');
    expect(await tryGoal(positive, request(always(-Infinity)), zero)).toBe('caught by an extreme');
    expect(await tryGoal(positive, request(always(-Infinity)), { largest: Infinity, nan: false })).toBe('caught');
  });

  it('is judged by its own outputs, and not by those of other equations', async () => {
    const application = (output: string, equation: string) => ({
      output,
      equation,
      arguments: [],
      type: { kind: 'tensor', element: { kind: 'float', format: 'f32' }, shape: [name('n')] } as const,
    });
    const two = trialGoal((_sizes, _values, outputs) => vectorOf(outputs, 1).every((y) => y > 0), {
      applications: [application('a', 'other'), application('b', 'softmax')],
    });
    const compiled: CompiledGoal = {
      ...two.compiled,
      applications: [two.compiled.applications, two.compiled.applications].flat(),
    };
    const asked = {
      ...request(always(-1)),
      kernels: new Map([...kernels(always(-1)), ['other', openKernel(always(1e9))]]),
    };
    expect(await tryGoal({ ...two, compiled }, asked, one)).toBe('caught');
    expect(await measureOrdinary([{ ...two, compiled }], asked)).toEqual({ largest: 1, nan: false });
  });

  it('of a test runs its inputs, and stops when the time is over', async () => {
    const given = [[0, 1], [2]].map((values) => ({ sizes: [values.length], values: [values] }));
    const test: TrialGoal = { ...trialGoal(positive.compiled.check, { given }), source: 'falsification' };
    const seen: number[] = [];
    const noting: Kernel = (x) => (seen.push(x.length), x.map(() => 1));
    expect(await tryGoal(test, request(noting), one)).toBe('held');
    expect(seen).toEqual([2, 1]);
    let calls = 0;
    const counting: Kernel = (x) => (calls++, x.map(() => 1));
    expect(await tryGoal(positive, { ...request(counting), expired: () => true }, one)).toBe('held');
    expect(calls).toBe(0);
  });
});

describe('what is ordinary', () => {
  const wild: Kernel = (x) => x.map((_, i) => (i === 0 ? -7 : 2));
  it('is the largest magnitude of all outputs over all goals', async () => {
    expect(await measureOrdinary([positive], request(wild))).toEqual({ largest: 7, nan: false });
    expect(await measureOrdinary([], request(wild))).toEqual({ largest: 0, nan: false });
    expect(await measureOrdinary([positive], request(softmax))).toMatchObject({ nan: false });
  });
  it('knows NaN and infinities', async () => {
    const mixed: Kernel = (x) => x.map((_, i) => (i === 0 ? Number.NaN : 3));
    expect(await measureOrdinary([positive], request(mixed))).toEqual({ largest: 3, nan: true });
    expect(await measureOrdinary([positive], request(always(-Infinity)))).toEqual({ largest: Infinity, nan: false });
  });
  it('is measured on all cases, also where the claim would be broken', async () => {
    let calls = 0;
    const growing: Kernel = (x) => (calls++, x.map(() => -calls));
    const { largest } = await measureOrdinary([positive], request(growing, 30));
    expect([calls, largest]).toEqual([30, 30]);
  });
});

describe('a statistical claim', () => {
  const text = `metadata: { version: "1.0.0", description: Drop }
equations:
  drop:
    formula: "D(x, u)_i = { 2·x_i if u_i < 0.5; 0 otherwise }"
    domain: "x ∈ F32^n, u ∈ F32^n, 1 ≤ n ≤ 4, 1 ≤ x_i ≤ 2, 0 ≤ u_i < 1"
proof_obligations:
  - id: S-1
    type: invariant
    property: The mean is the input
    formal: "mean(D(x, u)_i) ≈ x_i"
    semantics: statistical
    tolerance: { abs: 0.2 }
    methods: { statistical: { random: [u], draws: 8000, settings: 2 } }
    applies_to: drop
`;
  const kernelText = (value: string): string =>
    `export function kernel(this: any, x: number[], u: number[]): number { return u[this.thread.x] < 0.5 ? ${value} : 0; }`;

  it('is checked against each of its tolerances, and broken if none allows it', async () => {
    const outcomeOf = async (value: string, slack: readonly number[]): Promise<TrialOutcome> => {
      const rows = [{ contract: 'd-v1', equation: 'drop', text: kernelText(value) }];
      const plan = await planOf({ 'd-v1': text }, rows);
      const check = plan.checks.find(({ method }) => method === 'statistical');
      invariant(check?.work.kind === 'goal', 'the claim is statistical');
      const { goal, subjects } = check.work;
      const opened = await openKernels(subjects, check, functionBackend);
      const loaded = await loadStatistics(goal);
      invariant(opened.ok && loaded, 'the claim can be run');
      const within = (factor: number) => ({
        ...loaded,
        comparisons: loaded.comparisons.map((row) => ({
          ...row,
          allowed: () => Float64Array.of(0.2 * factor),
        })),
      });
      const { kernels: own, toCall: call } = opened.value;
      const found = await tryGoal(
        {
          goal,
          compiled: await loadGoal(goal),
          source: 'obligation',
          statistics: slack.map(within),
          asksFiniteness: false,
          sizeTolerances: [],
        },
        { equation: 'drop', kernels: own, toCall: call, calledAs: 'kernel', seed: 1, cases: 4000 },
        one,
      );
      await opened.value.close();
      return found;
    };
    expect(await outcomeOf('2 * x[this.thread.x]', [1])).toBe('held');
    expect(await outcomeOf('4 * x[this.thread.x]', [1])).toBe('caught');
    expect(await outcomeOf('4 * x[this.thread.x]', [1, 2])).toBe('caught');
    expect(await outcomeOf('4 * x[this.thread.x]', [1, 100])).toBe('held');
    expect(await outcomeOf('4 * x[this.thread.x]', [100, 1])).toBe('held');
  });
});
