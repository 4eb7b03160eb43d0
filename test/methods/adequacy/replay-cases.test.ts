import { describe, expect, it } from 'vitest';
import type { KernelOutcome, OpenKernel } from '../../../src/backends/backend.ts';
import * as b from '../../../src/math/term/build.ts';
import { loadGoal } from '../../../src/math/compile/load.ts';
import type { Term } from '../../../src/math/term/term.ts';
import { recordCases, type RecordedCase, type RecordingRequest } from '../../../src/methods/runs/recorded-cases.ts';
import { replayCases, type Replay } from '../../../src/methods/adequacy/replay-cases.ts';
import { measureOrdinary, tryGoal, type TrialGoal, type TrialRequest } from '../../../src/methods/adequacy/trial.ts';
import { index, n, over, x } from '../../math/equations.ts';
import { goalOf, openKernel, softmax, sumsToOne, toCall } from '../softmax-goal.ts';

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

  it('do not exist where only a run can determine them', async () => {
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

describe.each(['sync', 'async'] as const)('a replay (%s)', (mode) => {
  /** Case number k has the input [k], which the right kernel gives back; the claim holds of it where the number is not 9. */
  const rows = Array.from({ length: 12 }, (_, at): RecordedCase => {
    const values = Float32Array.of(at);
    const call = { arguments: [values], shapes: [[1]], outputShape: [1] };
    const run = {
      application: 0,
      calls: { kernel: call, equation: call },
      outcome: { ok: true, output: values },
    } as const;
    return {
      candidate: { sizes: [1], values: [values] },
      drawn: at + 1,
      runs: [{ ...run, output: values }],
      outputs: [values],
      holds: at !== 9,
    };
  });
  const same: Compute = (values) => values.slice();

  async function replayed(compute: Compute, more: Partial<Replay> = {}) {
    const judged: number[] = [];
    const asked: number[] = [];
    const one = {
      goal: goalOf(),
      compiled: sumsToOne({ check: (_sizes, [values]) => (judged.push(numberIn(values)), true) }),
    };
    const kernel = openKernel((values) => (asked.push(values[0] ?? NaN), compute(values)), mode);
    const outcome = await replayCases({ ...one, source: 'obligation' }, rows, {
      equation: 'softmax',
      calledAs: 'kernel',
      cases: 12,
      kernels: new Map([['softmax', kernel]]),
      toCall,
      wrap: (decide) => decide,
      ...more,
    });
    return { outcome, judged, asked };
  }
  const numberIn = (value: unknown): number => (value instanceof Float32Array ? (value[0] ?? NaN) : NaN);
  const failing =
    (kind: 'threw' | 'unsupported', from: number): Compute =>
    (values) =>
      (values[0] ?? 0) >= from ? { ok: false, failure: { kind, message: 'no' } } : same(values);

  it('takes the verdict that was recorded where the outputs are the recorded ones, and judges others', async () => {
    expect(await replayed(same)).toMatchObject({ outcome: 'broken', judged: [] });
    const { outcome, judged } = await replayed((values) => values.map((v) => (v === 9 || v === 3 ? v + 0.5 : v)));
    expect([outcome, judged]).toEqual(['held', [3, 9]]);
    expect((await replayed(same, { cases: 9 })).outcome).toBe('held');
  });

  it('takes -0 for another output than 0, and NaN for itself', async () => {
    const { judged } = await replayed((values) => values.map((v) => (v === 0 ? -0 : v)), { cases: 9 });
    expect(judged).toEqual([0]);
    const nan = rows
      .slice(0, 1)
      .map((row) => ({ ...row, runs: row.runs.map((run) => ({ ...run, output: Float32Array.of(NaN) })) }));
    const one = { goal: goalOf(), compiled: sumsToOne({ check: () => false }), source: 'obligation' as const };
    const kernel = openKernel((values) => values.map(() => NaN), mode);
    const found = await replayCases(one, nan, {
      equation: 'softmax',
      calledAs: 'kernel',
      cases: 1,
      kernels: new Map([['softmax', kernel]]),
      toCall,
      wrap: (decide) => decide,
    });
    expect(found).toBe('held');
  });

  it('ends at the first case without an output, and says whether the kernel or the backend is to blame', async () => {
    expect((await replayed(failing('threw', 4))).outcome).toBe('no output');
    expect((await replayed(failing('unsupported', 4))).outcome).toBe('unsupported');
    // The first case decides, whatever comes after it.
    expect((await replayed(failing('threw', 10))).outcome).toBe('broken');
    const trouble = { message: 'lost', code: 'PV-5031', hint: 'again' } as const;
    const lost: Compute = () => ({ ok: false, failure: { kind: 'device', trouble } });
    expect((await replayed(lost)).outcome).toBe('unsupported');
  });

  it('passes over what held before, and ends at as many cases as were requested', async () => {
    const { asked } = await replayed(same, { held: 3, cases: 8 });
    expect(asked).toEqual([3, 4, 5, 6, 7]);
    expect((await replayed(same, { held: 8, cases: 8 })).asked).toEqual([]);
  });

  it('ends when the time is over', async () => {
    let looks = 0;
    const { outcome, asked } = await replayed(same, { expired: () => ++looks > 2 });
    expect(outcome).toBe('held');
    // One after the other, or a block of one and a block of two.
    expect(asked).toEqual(mode === 'sync' ? [0, 1] : [0, 1, 2]);
  });

  it('asks the check that is given in place of the goal’s', async () => {
    const { outcome } = await replayed(same, {
      cases: 5,
      wrap:
        () =>
        (_sizes, [values]) =>
          numberIn(values) < 4,
    });
    expect(outcome).toBe('broken');
  });

  it('decides nothing without a kernel', async () => {
    expect((await replayed(same, { kernels: new Map() })).outcome).toBe('unsupported');
  });

  it('calls the kernel as it was recorded, for an equation or a kernel', async () => {
    const marked = rows.map((row) => ({
      ...row,
      runs: row.runs.map((run) => ({ ...run, calls: { ...run.calls, equation: { ...run.calls.kernel, shapes: [] } } })),
    }));
    const shapes = new Set<number>();
    for (const calledAs of ['kernel', 'equation'] as const) {
      shapes.clear();
      const kernel = openKernel((values, call) => (shapes.add(call.shapes.length), same(values)), mode);
      await replayCases({ goal: goalOf(), compiled: sumsToOne(), source: 'obligation' }, marked, {
        equation: 'softmax',
        calledAs,
        cases: 3,
        kernels: new Map([['softmax', kernel]]),
        toCall,
        wrap: (decide) => decide,
      });
      expect([...shapes]).toEqual([calledAs === 'kernel' ? 1 : 0]);
    }
  });
});
