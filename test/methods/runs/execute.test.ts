/** How cases run on kernels: one after another or in batches, with the same outcomes in the same order. */
import { describe, expect, it } from 'vitest';
import type { KernelCall, KernelFailure, KernelOutcome, OpenKernel } from '../../../src/backends/backend.ts';
import { invariant } from '../../../src/base/invariant.ts';
import type { Case, CompiledGoal } from '../../../src/math/compile/compiled.ts';
import { FLOAT32, type Type } from '../../../src/math/term/term.ts';
import {
  failureMessage,
  openApplications,
  openExecutor,
  type CaseExecutor,
  type ExecutionRequest,
} from '../../../src/methods/runs/execute.ts';
import { BLOCK_SIZE } from '../../../src/runtime/generate/generator.ts';
import { name } from '../../runtime/domains.ts';
import { goalOf } from '../softmax-goal.ts';

const modes = ['sync', 'async'] as const;
type Mode = (typeof modes)[number];
const vector: Type = { kind: 'tensor', element: FLOAT32, shape: [name('n')] };

type Compute = (x: Float32Array) => KernelOutcome;
const threw: KernelOutcome = { ok: false, failure: { kind: 'threw', message: 'no' } };
const gives = (output: Float32Array): KernelOutcome => ({ ok: true, output });

function kernelOf(compute: Compute, mode: Mode): OpenKernel & { readonly calls: () => number } {
  let calls = 0;
  const one = (call: KernelCall): KernelOutcome => {
    calls++;
    const [x] = call.arguments;
    return compute(x instanceof Float32Array ? x : Float32Array.of(Number(x)));
  };
  return {
    ran: { backend: 'ref32', device: 'test', arithmetic: 'f32' },
    run: async (asked) => asked.map(one),
    runSync: mode === 'sync' ? one : null,
    close: async () => {},
    calls: () => calls,
  };
}

/** `first` on the inputs, then `second` on the output of the first; the claim holds where `holds` says so of the outputs. */
function chain(
  kernels: ReadonlyMap<string, OpenKernel>,
  compiled: Partial<CompiledGoal> = {},
  type: Type = vector,
): ExecutionRequest {
  const application = (output: string, equation: string) => ({ output, equation, arguments: [{ type }], type });
  return {
    goal: goalOf({ applications: [application('a', 'first'), application('b', 'second')] }),
    compiled: {
      comparisons: [],
      precondition: (_sizes, values) => values[0] !== 'outside',
      applications: [
        { arguments: (_sizes, values) => [...values], sizes: (sizes) => [...sizes] },
        { arguments: (_sizes, _values, [first]) => (first === undefined ? [] : [first]), sizes: (sizes) => [...sizes] },
      ],
      check: () => true,
      ...compiled,
    },
    kernels,
    toCall: (_application, args, sizes) => ({
      arguments: args.map((arg) => (typeof arg === 'string' || arg instanceof Float64Array ? 0 : arg)),
      shapes: [[...sizes]],
      outputShape: [...sizes],
    }),
  };
}

function executorOf(request: ExecutionRequest): CaseExecutor {
  const executor = openExecutor(request);
  invariant(!('missing' in executor), 'every kernel is open');
  return executor;
}

const caseOf = (...x: readonly number[]): Case => ({ sizes: [x.length], values: [Float32Array.from(x)] });
const plusOne: Compute = (x) => gives(x.map((v) => v + 1));
const twice: Compute = (x) => gives(x.map((v) => 2 * v));

/** Every visit as text: `position status outputs or problem`. */
async function visits(
  request: ExecutionRequest,
  cases: readonly (Case | null)[],
  goOn: (position: number) => boolean = () => true,
): Promise<readonly string[]> {
  const executor = executorOf(request);
  const seen: string[] = [];
  await executor.run(
    cases.length,
    (position) => cases[position] ?? null,
    (status, position, candidate) => {
      expect(candidate).toBe(cases[position] ?? null);
      const { problem, outputs } = executor.outcome;
      const shown =
        status === 'filtered' ? '' : problem === null ? JSON.stringify(outputs.map(String)) : problem.message;
      seen.push(`${position} ${status} ${shown}`.trim());
      return goOn(position);
    },
  );
  return seen;
}

const both = (first: Compute, second: Compute, mode: Mode, other: Mode = mode): ReadonlyMap<string, OpenKernel> =>
  new Map([
    ['first', kernelOf(first, mode)],
    ['second', kernelOf(second, other)],
  ]);

describe.each(modes)('cases (%s)', (mode) => {
  it('run each application on the outputs of those before it, and are visited in order', async () => {
    const request = chain(both(plusOne, twice, mode), { check: (_sizes, _values, [, b]) => String(b) !== '6' });
    expect(await visits(request, [caseOf(0, 1), null, caseOf(2), caseOf(3)])).toEqual([
      '0 held ["1,2","2,4"]',
      '1 filtered',
      '2 broken ["3","6"]',
      '3 held ["4","8"]',
    ]);
  });

  it('outside the preconditions run no kernel', async () => {
    const first = kernelOf(plusOne, mode);
    const kernels = new Map([
      ['first', first],
      ['second', kernelOf(twice, mode)],
    ]);
    const outside: Case = { sizes: [1], values: ['outside'] };
    expect(await visits(chain(kernels), [outside, caseOf(1), outside])).toEqual([
      '0 filtered',
      '1 held ["2","4"]',
      '2 filtered',
    ]);
    expect(first.calls()).toBe(1);
  });

  it('end where the visitor says so', async () => {
    const request = chain(both(plusOne, twice, mode));
    const cases = [caseOf(1), caseOf(2), caseOf(3)];
    expect(await visits(request, cases, (position) => position < 1)).toHaveLength(2);
  });

  it('that give no output run no further kernel, and do not touch the cases beside them', async () => {
    const second = kernelOf(twice, mode);
    const kernels = new Map([
      ['first', kernelOf((x) => (x[0] === 2 ? threw : plusOne(x)), mode)],
      ['second', second],
    ]);
    expect(await visits(chain(kernels), [caseOf(1), caseOf(2), caseOf(3)])).toEqual([
      '0 held ["2","4"]',
      '1 broken it threw: no',
      '2 held ["4","8"]',
    ]);
    expect(second.calls()).toBe(2);
    const none = kernelOf(twice, mode);
    const failing = new Map([
      ['first', kernelOf(() => threw, mode)],
      ['second', none],
    ]);
    expect(await visits(chain(failing), [caseOf(1)])).toEqual(['0 broken it threw: no']);
    expect(none.calls()).toBe(0);
  });

  it('take one number where the equation gives one, NaN where the kernel gives none, and texts as they are', async () => {
    const scalar = chain(
      both(
        () => gives(Float32Array.of(5, 6)),
        () => gives(new Float32Array(0)),
        mode,
      ),
      {},
      FLOAT32,
    );
    expect(await visits(scalar, [caseOf(1)])).toEqual(['0 held ["5","NaN"]']);
    const text: KernelOutcome = { ok: true, output: new Float32Array(0), text: 'yes' };
    expect(await visits(chain(both(() => text, twice, mode)), [caseOf(1)])).toEqual(['0 held ["yes","0"]']);
  });

  it('keep an output that the next run of the same kernel overwrites', async () => {
    const storage = new Float32Array(1);
    const kernel = kernelOf((x) => {
      storage[0] = (x[0] ?? 0) + 1;
      return gives(storage);
    }, mode);
    const kernels = new Map([
      ['first', kernel],
      ['second', kernel],
    ]);
    expect(await visits(chain(kernels), [caseOf(1)])).toEqual(['0 held ["2","3"]']);
  });

  it('run a kernel once per index where the application says so', async () => {
    const request = chain(both(twice, plusOne, mode), {
      applications: [
        {
          arguments: (_sizes, values) => [...values],
          sizes: () => [2],
          each: { runs: (sizes) => [(sizes[0] ?? 0) / 2], arguments: ['part'] },
        },
        { arguments: (_sizes, _values, [first]) => (first === undefined ? [] : [first]), sizes: (sizes) => [...sizes] },
      ],
    });
    const [first, second] = [...request.kernels.values()];
    invariant(first && second, 'there are two kernels');
    expect(await visits(request, [caseOf(1, 2, 3, 4), caseOf(5, 6)])).toEqual([
      '0 held ["2,4,6,8","3,5,7,9"]',
      '1 held ["10,12","11,13"]',
    ]);
    const failing = { ...request, kernels: both((x) => (x[0] === 3 ? threw : twice(x)), plusOne, mode) };
    expect(await visits(failing, [caseOf(1, 2, 3, 4), caseOf(5, 6)])).toEqual([
      '0 broken it threw: no',
      '1 held ["10,12","11,13"]',
    ]);
  });
});

describe('an executor', () => {
  it('takes one case at a time where every kernel answers at once, else a block', () => {
    expect(executorOf(chain(both(plusOne, twice, 'sync'))).width).toBe(1);
    expect(executorOf(chain(both(plusOne, twice, 'async'))).width).toBe(BLOCK_SIZE);
    expect(executorOf(chain(both(plusOne, twice, 'sync', 'async'))).width).toBe(BLOCK_SIZE);
  });

  it('gives the same where one kernel answers at once and the other is waited for', async () => {
    const cases = [caseOf(1), caseOf(2, 3)];
    const expected = await visits(chain(both(plusOne, twice, 'sync')), cases);
    expect(await visits(chain(both(plusOne, twice, 'sync', 'async')), cases)).toEqual(expected);
    expect(await visits(chain(both(plusOne, twice, 'async', 'sync')), cases)).toEqual(expected);
  });

  it('is the given one where cases are decided without kernels', () => {
    const executor = executorOf(chain(both(plusOne, twice, 'sync')));
    expect(openExecutor({ ...chain(new Map()), executor })).toBe(executor);
  });

  it('names the first equation without a kernel', () => {
    const second = new Map([['second', kernelOf(twice, 'sync')]]);
    expect(openExecutor(chain(new Map()))).toEqual({ missing: 'first' });
    expect(openExecutor(chain(second))).toEqual({ missing: 'first' });
    expect(openExecutor(chain(new Map([['first', kernelOf(plusOne, 'sync')]])))).toEqual({ missing: 'second' });
    expect(openApplications(chain(second))).toEqual({ missing: 'first' });
  });

  it('takes a call that a backend lost for one that failed', async () => {
    const lossy: OpenKernel = { ...kernelOf(plusOne, 'async'), run: () => Promise.resolve([]) };
    const request = chain(both(plusOne, twice, 'async'));
    const kernels = new Map([...request.kernels, ['first', lossy]]);
    expect(await visits({ ...request, kernels }, [caseOf(1)])).toEqual([
      '0 broken it threw: the backend lost the call',
    ]);
  });
});

describe('single applications', () => {
  const open = (kernels: ReadonlyMap<string, OpenKernel>, heard: string[] = []) => {
    const applications = openApplications(chain(kernels), (run, call, outcome) => {
      expect(run.ok).toBe(outcome.ok);
      heard.push(`${String(call.arguments[0])} → ${run.ok ? String(run.output) : run.problem.message}`);
    });
    invariant(!('missing' in applications), 'every kernel is open');
    return applications;
  };
  const x = [Float32Array.of(1)] as const;

  it('run at once where all kernels do, and each run is heard', () => {
    const heard: string[] = [];
    const { applySync } = open(
      both(plusOne, () => threw, 'sync'),
      heard,
    );
    expect(applySync?.(0, x, [1])).toEqual({ ok: true, output: Float32Array.of(2) });
    expect(applySync?.(1, x, [1])).toEqual({ ok: false, problem: { kind: 'threw', message: 'it threw: no' } });
    expect(heard).toEqual(['1 → 2', '1 → it threw: no']);
    expect(applySync?.(2, x, [1])).toMatchObject({ ok: false, problem: { kind: 'unsupported' } });
    expect(heard).toHaveLength(2);
  });

  it.each([
    ['sync', 'sync'],
    ['sync', 'async'],
    ['async', 'sync'],
    ['async', 'async'],
  ] as const)('can be waited for, whatever way the kernels answer: %s, %s', async (first, second) => {
    const heard: string[] = [];
    const { apply, applySync } = open(both(plusOne, twice, first, second), heard);
    expect(applySync === null).toBe(first === 'async' || second === 'async');
    expect(await apply(0, x, [1])).toEqual({ ok: true, output: Float32Array.of(2) });
    expect(await apply(1, x, [1])).toEqual({ ok: true, output: Float32Array.of(2) });
    expect(heard).toEqual(['1 → 2', '1 → 2']);
    expect(await apply(2, x, [1])).toMatchObject({ ok: false, problem: { kind: 'unsupported' } });
  });

  it('that a backend loses are refused, and not heard', async () => {
    const heard: string[] = [];
    const lossy: OpenKernel = { ...kernelOf(plusOne, 'async'), run: () => Promise.resolve([]) };
    const { apply } = open(new Map([...both(plusOne, twice, 'async'), ['first', lossy]]), heard);
    expect(await apply(0, x, [1])).toEqual({
      ok: false,
      problem: { kind: 'unsupported', message: 'there is no such kernel' },
    });
    expect(heard).toEqual([]);
  });
});

describe('a failure as a sentence', () => {
  const trouble = { message: 'the device was lost', code: 'PV-5031', hint: 'run it again' } as const;
  it.each<[KernelFailure, string]>([
    [{ kind: 'threw', message: 'out of range' }, 'it threw: out of range'],
    [{ kind: 'wrong-shape', expected: [2, 3], actual: '[6]' }, 'its output should have shape [2, 3] but is [6]'],
    [{ kind: 'wrong-shape', expected: 'a number', actual: '[6]' }, 'its output should be a number but is [6]'],
    [{ kind: 'mutated-input', parameter: 'x' }, 'it changed its input x'],
    [
      { kind: 'fallback', requested: 'webgl2', ran: 'cpu', reason: 'no context' },
      'webgl2 was requested but cpu ran: no context',
    ],
    [{ kind: 'device', trouble }, 'the device was lost (PV-5031); run it again'],
    [{ kind: 'unsupported', message: 'no loops' }, 'the backend cannot run it: no loops'],
  ])('%j', (failure, sentence) => {
    expect(failureMessage(failure)).toBe(sentence);
  });
});
