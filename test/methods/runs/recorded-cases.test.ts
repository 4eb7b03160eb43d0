/** The cases of a claim with what the right kernels do on them, as wrong kernels are tried on them. */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import type { KernelOutcome, OpenKernel } from '../../../src/backends/backend.ts';
import {
  mostDrawn,
  recordCases,
  takenBy,
  type RecordableGoal,
  type RecordedCase,
  type RecordingRequest,
} from '../../../src/methods/runs/recorded-cases.ts';
import { createGenerator, SMALL_BLOCK_SIZE } from '../../../src/runtime/generate/generator.ts';
import { closed, domain, input, size } from '../../runtime/domains.ts';
import { goalOf, openKernel, softmax, sumsToOne, toCall, vectorOf } from '../softmax-goal.ts';

const goal = goalOf({
  domain: domain([size('n', 1, 6)], [input('x', ['n'], { lower: closed(-3), upper: closed(3) })]),
});
const one: RecordableGoal = { goal, compiled: sumsToOne({}, 8), source: 'obligation' };

function requestOf(kernel: OpenKernel, more: Partial<RecordingRequest> = {}): RecordingRequest {
  return {
    equation: 'softmax',
    kernels: new Map([['softmax', kernel]]),
    toCall,
    // Of the equation's own call.
    toEquationCall: (...asked) => ({ ...toCall(...asked), shapes: [] }),
    seed: 1,
    cases: 20,
    ...more,
  };
}

async function recorded(
  kernel = openKernel(softmax),
  more: Partial<RecordingRequest> = {},
  of = one,
): Promise<readonly RecordedCase[]> {
  const recording = await recordCases(of, requestOf(kernel, more), 2 ** 24);
  invariant(recording, 'the cases can be recorded');
  return recording.cases;
}

describe('recorded cases', () => {
  it('are those of a run, each with its calls, its outputs and whether the claim holds', async () => {
    const cases = await recorded();
    const generator = createGenerator(goal.domain, 1, goal.id, SMALL_BLOCK_SIZE);
    invariant(generator.ok, 'the domain can be generated');
    expect(cases.map(({ candidate }) => candidate)).toEqual(
      Array.from({ length: 20 }, (_, index) => generator.value.at(index)),
    );
    expect(cases.map(({ drawn }) => drawn)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    for (const { candidate, runs, outputs, holds } of cases) {
      const x = vectorOf(candidate.values);
      expect(outputs).toEqual([softmax(x)]);
      expect(holds).toBe(true);
      const kernel = { arguments: [x], shapes: [candidate.sizes], outputShape: candidate.sizes };
      expect(runs).toEqual([
        {
          application: 0,
          calls: { kernel, equation: { ...kernel, shapes: [] } },
          outcome: { ok: true, output: softmax(x) },
          output: softmax(x),
        },
      ]);
    }
  });

  it('call the kernels of other equations as they are bound', async () => {
    const [first] = await recorded(undefined, { equation: 'other' });
    expect(first?.runs[0]?.calls.equation).toBe(first?.runs[0]?.calls.kernel);
  });

  it('know of which the claim is false', async () => {
    const held = (await recorded(openKernel((x) => (x.length > 3 ? x.map(() => 1) : softmax(x))))).map(
      ({ candidate, holds }) => holds === (candidate.sizes[0] ?? 0) <= 3,
    );
    expect(held.every(Boolean)).toBe(true);
  });

  it('keep outputs that the kernel overwrites, and are the same where it is waited for', async () => {
    const storage = new Float32Array(6);
    const reusing = openKernel((x) => {
      storage.set(softmax(x));
      return { ok: true, output: storage.subarray(0, x.length) };
    });
    const expected = (await recorded()).map(({ outputs }) => outputs);
    expect((await recorded(reusing)).map(({ outputs }) => outputs)).toEqual(expected);
    const waited = await recorded({ ...openKernel(softmax, 'async') });
    expect(waited).toEqual(await recorded());
  });

  it('leave out what the preconditions exclude, and count it as drawn', async () => {
    let asked = 0;
    const compiled = sumsToOne({ precondition: () => asked++ % 5 !== 0 }, 8);
    const cases = await recorded(undefined, {}, { ...one, compiled });
    expect(cases).toHaveLength(20);
    expect(cases.slice(0, 5).map(({ drawn }) => drawn)).toEqual([2, 3, 4, 5, 7]);
    // A run draws no more than these.
    const none = await recorded(undefined, {}, { ...one, compiled: sumsToOne({ precondition: () => false }) });
    expect(none).toEqual([]);
    asked = 0;
    const seldom = sumsToOne({ precondition: () => asked++ % 4 === 0 }, 8);
    const few = await recorded(undefined, {}, { ...one, compiled: seldom });
    expect(few.map(({ drawn }) => drawn)).toEqual([1, 5, 9, 13, 17, 21, 25]);
    expect(mostDrawn(20)).toBe(26);
  });

  it('of a claim without inputs are one', async () => {
    const fixed = { ...one, goal: goalOf({ domain: domain([], []) }) };
    expect(
      await recorded(
        openKernel(() => Float32Array.of(1)),
        {},
        fixed,
      ),
    ).toHaveLength(1);
  });

  it('of a test are its inputs, and none of them was drawn', async () => {
    const given = [[0, 1], [2]].map((values) => ({ sizes: [values.length], values: [values] }));
    const test: RecordableGoal = { ...one, source: 'falsification', goal: { ...goal, given } };
    const cases = await recorded(undefined, {}, test);
    expect(cases.map(({ candidate, drawn }) => [candidate.values[0], drawn])).toEqual([
      [Float32Array.of(0, 1), 0],
      [Float32Array.of(2), 0],
    ]);
    const outside = { ...test, goal: { ...goal, given: [{ sizes: [1], values: [[99]] }] } };
    expect(await recordCases(outside, requestOf(openKernel(softmax)), 2 ** 24)).toBeNull();
  });
});

describe('cases are not recorded', () => {
  const nullOf = async (kernel: OpenKernel, more: Partial<RecordingRequest> = {}, of = one, bytes = 2 ** 24) =>
    (await recordCases(of, requestOf(kernel, more), bytes)) === null;

  it('where the right kernel fails on one of them', async () => {
    const failure: KernelOutcome = { ok: false, failure: { kind: 'threw', message: 'long' } };
    expect(await nullOf(openKernel((x) => (x.length > 5 ? failure : softmax(x))))).toBe(true);
  });

  it('where the domain has none, no kernel is open, or it runs elsewhere', async () => {
    const right = openKernel(softmax);
    const impossible = { ...one, goal: goalOf({ domain: domain([size('n', 3, 2)], []) }) };
    expect(await nullOf(right, {}, impossible)).toBe(true);
    expect(await nullOf(right, { kernels: new Map() })).toBe(true);
    const on = (backend: OpenKernel['ran']['backend']): OpenKernel => ({ ...right, ran: { ...right.ran, backend } });
    for (const backend of ['ref32', 'ref64', 'function'] as const) expect(await nullOf(on(backend))).toBe(false);
    for (const backend of ['gpujs-webasm', 'webgl2'] as const) expect(await nullOf(on(backend))).toBe(true);
  });

  it('where they take more memory than there is', async () => {
    const { bytes } = (await recordCases(one, requestOf(openKernel(softmax)), 2 ** 24)) ?? { bytes: 0 };
    // 600 for a case with one run, and 96 with its numbers for each of the three arrays of a case at least.
    expect(bytes).toBeGreaterThan(20 * (600 + 2 * (96 + 4)));
    expect(bytes).toBeLessThan(20 * (600 + 4 * (96 + 4 * 6)));
    expect(await nullOf(openKernel(softmax), {}, one, bytes)).toBe(false);
    expect(await nullOf(openKernel(softmax), {}, one, bytes - 1)).toBe(true);
  });

  it('where the time ends, or mathematics has no end; a defect is not passed over', async () => {
    expect(await nullOf(openKernel(softmax), { expired: () => true })).toBe(true);
    expect(await nullOf(openKernel(softmax), { expired: () => false })).toBe(false);
    const throwing = (thrown: Error): RecordableGoal => ({
      ...one,
      compiled: sumsToOne({
        check: () => {
          throw thrown;
        },
      }),
    });
    expect(await nullOf(openKernel(softmax), {}, throwing(new RangeError('no end')))).toBe(true);
    await expect(nullOf(openKernel(softmax), {}, throwing(new TypeError('a defect')))).rejects.toThrow('a defect');
  });
});

describe('a look at so many cases', () => {
  const at = (...drawn: readonly number[]): readonly RecordedCase[] =>
    drawn.map((number) => ({
      candidate: { sizes: [], values: [] },
      drawn: number,
      runs: [],
      outputs: [],
      holds: true,
    }));

  it('takes the first of them, of those that a run would have drawn', () => {
    const own = { source: 'obligation' } as const;
    expect(takenBy(own, at(1, 2, 3, 4), 3)).toBe(3);
    expect(takenBy(own, at(1, 2, 3, 4), 4)).toBe(4);
    expect(takenBy(own, at(1, 2, 3, 4), 9)).toBe(4);
    expect(takenBy(own, at(1, 2), 0)).toBe(0);
    expect(mostDrawn(4)).toBe(6);
    expect(takenBy(own, at(1, 6, 7, 8), 4)).toBe(2);
  });

  it('of a test takes all of its inputs or none', () => {
    expect(takenBy({ source: 'falsification' }, at(0, 0, 0), 1)).toBe(3);
    expect(takenBy({ source: 'falsification' }, at(0, 0, 0), 0)).toBe(0);
  });
});
