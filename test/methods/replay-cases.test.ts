import { describe, expect, it } from 'vitest';
import type { KernelOutcome, OpenKernel } from '../../src/backends/backend.ts';
import * as b from '../../src/math/build.ts';
import { loadGoal } from '../../src/math/compile/load.ts';
import type { Term } from '../../src/math/term.ts';
import { recordCases, type RecordedCase, type RecordingRequest } from '../../src/methods/recorded-cases.ts';
import { measureOrdinary, tryGoal, type TrialGoal, type TrialRequest } from '../../src/methods/trial.ts';
import { index, n, over, x } from '../math/equations.ts';
import { goalOf, openKernel, softmax, toCall } from './softmax-goal.ts';

/** Two kernels, the second on the output of the first: double(σ(x))_i ≈ 2·σ(x)_i. */
const at = (tensor: Term): Term => b.element(tensor, [index('i')]);
const [first = x, second = x] = ['out:0', 'out:1'].map((name) => b.variable(name, x.type));
const twice = b.call('multiply', b.integer(2), at(first));
const predicate = b.reduce('all', [over('i')], b.call('approximately', at(second), twice, b.decimal('1e-6')));
const applications = [
  { output: 'out:0', equation: 'softmax', arguments: [x], sizes: [n], type: x.type },
  { output: 'out:1', equation: 'double', arguments: [first], sizes: [n], type: x.type },
];

interface Counted {
  readonly kernel: OpenKernel;
  readonly calls: () => number;
}

type Compute = (x: Float32Array) => Float32Array | KernelOutcome;

const failure: KernelOutcome = { ok: false, failure: { kind: 'threw', message: 'too long' } };

function counted(compute: Compute, backend: 'ref32' | 'gpujs-webasm' = 'ref32'): Counted {
  const inner = openKernel(compute);
  let calls = 0;
  const runSync: OpenKernel['runSync'] = (call) => {
    calls += 1;
    return inner.runSync?.(call) ?? { ok: false, failure: { kind: 'threw', message: 'it is synchronous' } };
  };
  return { kernel: { ...inner, ran: { ...inner.ran, backend }, runSync }, calls: () => calls };
}

/** The kernel where it can only be waited for, and how many turns of the event loop had calls of it. */
function elsewhere(kernel: OpenKernel): { readonly kernel: OpenKernel; readonly turns: () => number } {
  let turns = 0;
  let waiting: Promise<void> | null = null;
  const turn = (): Promise<void> => {
    turns += 1;
    return new Promise((resolve) =>
      setImmediate(() => {
        waiting = null;
        resolve();
      }),
    );
  };
  const run: OpenKernel['run'] = async (calls) => {
    await (waiting ??= turn());
    return kernel.run(calls);
  };
  return { kernel: { ...kernel, runSync: null, run }, turns: () => turns };
}

const double = (values: Float32Array): Float32Array => values.map((value) => 2 * value);

async function trialGoal(source: TrialGoal['source'] = 'obligation'): Promise<TrialGoal> {
  const goal = { ...goalOf({ cases: 100 }), applications };
  const compiled = await loadGoal({ ...goal, predicate });
  return { goal, compiled, source, statistics: [], asksFiniteness: false, sizeTolerances: [] };
}

function trial(softmaxKernel: OpenKernel, doubleKernel: OpenKernel, cases = 100): TrialRequest & RecordingRequest {
  const kernels = new Map([
    ['softmax', softmaxKernel],
    ['double', doubleKernel],
  ]);
  return { equation: 'softmax', kernels, toCall, toEquationCall: toCall, calledAs: 'kernel', seed: 3, cases };
}

async function recordedBy(
  one: TrialGoal,
  request: RecordingRequest,
  bytes = 2 ** 24,
): Promise<readonly RecordedCase[]> {
  const recorded = await recordCases(one, request, bytes);
  if (!recorded) throw new Error('the cases can be recorded');
  return recorded.cases;
}

const wrongOnes: readonly Compute[] = [
  softmax,
  (values) => new Float32Array(values.length),
  (values) => softmax(values).map((p) => -p),
  (values) => softmax(values).map(() => NaN),
  (values) => (values.length > 40 ? softmax(values).map(() => Infinity) : softmax(values)),
  (values) => (values.length > 20 ? failure : softmax(values)),
];

describe('recorded cases', () => {
  it.each(['obligation', 'falsification'] as const)('decide what drawing them anew decides: %s', async (source) => {
    const one = await trialGoal(source);
    const right = trial(counted(softmax).kernel, counted(double).kernel);
    const recorded = await recordedBy(one, right);
    const ordinary = await measureOrdinary([one], right);
    expect(await measureOrdinary([{ ...one, recorded }], right)).toEqual(ordinary);
    const doubles = [double, (values: Float32Array) => (values.length > 30 ? values : double(values))];
    for (const wrong of wrongOnes)
      for (const other of doubles)
        for (const cases of [10, 100]) {
          const request = trial(counted(wrong).kernel, counted(double).kernel, cases);
          const replaced = { ...trial(counted(softmax).kernel, counted(other).kernel, cases), equation: 'double' };
          for (const tried of [request, replaced])
            expect(await tryGoal({ ...one, recorded }, tried, ordinary)).toBe(await tryGoal(one, tried, ordinary));
        }
  });

  it('spare the other kernels where the wrong one gives what the right one gives', async () => {
    const one = await trialGoal();
    const other = counted(double);
    const right = trial(counted(softmax).kernel, other.kernel);
    const recorded = await recordedBy(one, right);
    const before = other.calls();
    const ordinary = { largest: 1, nan: false };
    expect(await tryGoal({ ...one, recorded }, right, ordinary)).toBe('held');
    expect(other.calls()).toBe(before);
    const negated = counted((values) => softmax(values).map((p) => -p));
    await tryGoal({ ...one, recorded }, trial(negated.kernel, other.kernel), ordinary);
    expect(other.calls()).toBeGreaterThan(before);
  });

  it('ask kernels of another process about many cases at once, and decide the same', async () => {
    const one = await trialGoal();
    const right = trial(counted(softmax).kernel, counted(double).kernel);
    const recorded = await recordedBy(one, right);
    const ordinary = await measureOrdinary([one], right);
    for (const wrong of wrongOnes) {
      const [wrongAway, doubleAway] = [elsewhere(counted(wrong).kernel), elsewhere(counted(double).kernel)];
      const outcome = await tryGoal({ ...one, recorded }, trial(wrongAway.kernel, doubleAway.kernel), ordinary);
      expect(outcome).toBe(await tryGoal(one, trial(counted(wrong).kernel, counted(double).kernel), ordinary));
      // Blocks of 1, 2, 4 … 32 cases and of the other 37, each with at most one turn for either kernel.
      expect(wrongAway.turns() + doubleAway.turns()).toBeLessThanOrEqual(14);
    }
  });

  it('are none where only a run can say what there is', async () => {
    const one = await trialGoal();
    const right = trial(counted(softmax).kernel, counted(double).kernel);
    expect(await recordCases(one, right, 1_000)).toBeNull();
    const elsewhere = trial(counted(softmax, 'gpujs-webasm').kernel, counted(double).kernel);
    expect(await recordCases(one, elsewhere, 2 ** 24)).toBeNull();
    const failing = trial(counted(() => failure).kernel, counted(double).kernel);
    expect(await recordCases(one, failing, 2 ** 24)).toBeNull();
    expect(await recordCases(one, { ...right, kernels: new Map() }, 2 ** 24)).toBeNull();
    expect(await recordCases(one, { ...right, expired: () => true }, 2 ** 24)).toBeNull();
  });
});
