/** What a run returns: its verdict and figures, and the smallest input that shows why a claim is false. */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import type { Counterexample } from '../../../src/evidence/receipt.ts';
import type { Case, CompiledGoal } from '../../../src/math/compile/compiled.ts';
import { FLOAT32 } from '../../../src/math/term/term.ts';
import type { Agreement } from '../../../src/methods/runs/agreement.ts';
import { openExecutor, type ExecutionRequest } from '../../../src/methods/runs/execute.ts';
import {
  buildOutcome,
  counterexampleFrom,
  kernelThere,
  shrinking,
  undetermined,
  withinLimits,
  type BrokenCase,
  type OutcomeParts,
  type PropertyOutcome,
} from '../../../src/methods/runs/outcome.ts';
import { emptyTally, type Tally } from '../../../src/methods/runs/tally.ts';
import { recordInput } from '../../../src/runtime/case-text.ts';
import { planDomain } from '../../../src/runtime/generate/domain-plan.ts';
import { SHRINK_BUDGET } from '../../../src/runtime/shrink/shrink-case.ts';
import { closed, domain, input, size, softmaxDomain } from '../../runtime/domains.ts';
import { goalOf, kernels, softmax, sumsToOne, toCall, vectorOf, type openKernel } from '../softmax-goal.ts';

type Kernel = Parameters<typeof openKernel>[0];

function requestOf(kernel: Kernel, compiled: CompiledGoal = sumsToOne({}, 8)): ExecutionRequest {
  return { goal: goalOf(), compiled, kernels: kernels(kernel), toCall };
}

const caseOf = (...x: readonly number[]): Case => ({ sizes: [x.length], values: [Float32Array.from(x)] });
const some: Counterexample = {
  input: recordInput(softmaxDomain, caseOf(1)),
  explanation: 'why',
  shrinks: 0,
  outputs: [],
};

describe('the outcome of a run', () => {
  const tally: Tally = {
    ...emptyTally(),
    cases: 100,
    premiseHits: 40,
    filtered: 3,
    sizes: [{ minimum: 2, maximum: 9 }],
  };
  const outcomeOf = (parts: Partial<OutcomeParts> = {}): PropertyOutcome =>
    buildOutcome({
      request: requestOf(softmax),
      tally,
      seed: 7,
      declaredCases: 100,
      replayed: 2,
      stopped: false,
      counterexample: null,
      foundIndex: null,
      ...parts,
    });
  const agreement = (open: string | null, equalTo: number | null = null): Pick<OutcomeParts, 'request'> => {
    const own: Agreement = { settled: (answer) => answer, equalTo: () => equalTo, open: () => open };
    const executor = openExecutor(requestOf(softmax));
    invariant(!('missing' in executor), 'the kernel is open');
    return { request: { ...requestOf(softmax), executor: { ...executor, agreement: own } } };
  };

  it('is tested where nothing broke, with what was counted and where it ran', () => {
    expect(outcomeOf()).toEqual({
      verdict: 'tested',
      reason: null,
      generator: { name: expect.any(String) as string, version: expect.any(Number) as number, seed: 7 },
      declaredCases: 100,
      cases: 100,
      filtered: 3,
      premiseHits: 40,
      open: 0,
      replayed: 2,
      sizes: { n: { minimum: 2, maximum: 9 } },
      worst: null,
      counterexample: null,
      statistics: null,
      found: null,
      ran: { backend: 'ref32', device: 'test', arithmetic: 'f32' },
    });
  });

  it('is falsified by a counterexample, whatever else was counted', () => {
    expect(outcomeOf({ counterexample: some, stopped: true })).toMatchObject({
      verdict: 'falsified',
      reason: 'why',
      counterexample: some,
    });
  });

  it('is incomplete where its time ended', () => {
    expect(outcomeOf({ stopped: true })).toMatchObject({
      verdict: 'incomplete',
      reason: 'the time budget ended after 100 of 100 cases',
    });
  });

  it('keeps the worst case and the one that broke with their inputs', () => {
    const worst = { input: caseOf(1, 2), error: 1, allowed: 4, ratio: 0.25 };
    const found = outcomeOf({ tally: { ...tally, worst, broken: caseOf(3) }, counterexample: some, foundIndex: 41 });
    expect(found.worst).toMatchObject({ ratio: 0.25, input: { values: { x: { text: '[1, 2]' } } } });
    expect(found.found).toMatchObject({ index: 41, input: { values: { x: { text: '[3]' } } } });
    // A stored input that failed again is stored already.
    expect(outcomeOf({ tally: { ...tally, broken: caseOf(3) }, counterexample: some }).found).toBeNull();
    expect(outcomeOf({ foundIndex: -1 }).found).toBeNull();
    expect(outcomeOf({ foundIndex: 0, tally: { ...tally, broken: caseOf(3) } }).found?.index).toBe(0);
  });

  it('names only the sizes that were run, and no kernel where none runs', () => {
    expect(outcomeOf({ tally: { ...tally, sizes: [] } }).sizes).toEqual({});
    const none = { ...requestOf(softmax), goal: goalOf({ applications: [] }) };
    expect(outcomeOf({ request: none }).ran).toBeNull();
    expect(outcomeOf({ request: { ...requestOf(softmax), kernels: new Map() } }).ran).toBeNull();
  });

  it('is open if digits do not show that numbers are equal, unless it is not green for another reason', () => {
    expect(outcomeOf(agreement('a term is too faint'))).toMatchObject({
      verdict: 'undetermined',
      reason: 'a term is too faint',
    });
    expect(outcomeOf({ ...agreement('too faint'), stopped: true }).verdict).toBe('incomplete');
    expect(outcomeOf({ ...agreement('too faint'), counterexample: some }).reason).toBe('why');
    expect(outcomeOf(agreement(null)).verdict).toBe('tested');
  });

  it('says to how many digits numbers were equal, unless the claim is false', () => {
    expect(outcomeOf(agreement(null, 80)).equalTo).toBe(80);
    expect(outcomeOf(agreement(null))).not.toHaveProperty('equalTo');
    expect(outcomeOf({ ...agreement(null, 80), counterexample: some })).not.toHaveProperty('equalTo');
  });

  it('of what cannot be run is undetermined with the reason, and nothing was run', () => {
    expect(undetermined(requestOf(softmax), 7, 100, 'no kernel')).toMatchObject({
      verdict: 'undetermined',
      reason: 'no kernel',
      declaredCases: 100,
      cases: 0,
      replayed: 0,
      generator: { seed: 7 },
      counterexample: null,
      found: null,
    });
  });
});

describe('mathematics without an end', () => {
  it('is a reason, and every other error is a defect', async () => {
    const throwing = (thrown: Error) => withinLimits(() => Promise.reject(thrown));
    expect(await throwing(new RangeError('2^27 steps'))).toEqual({
      ok: false,
      error: 'the claim cannot be evaluated: 2^27 steps',
    });
    await expect(throwing(new TypeError('a defect'))).rejects.toThrow('a defect');
    expect(await withinLimits(() => Promise.resolve(3))).toEqual({ ok: true, value: 3 });
  });
});

describe('how a broken case is shrunk', () => {
  it.each([
    [undefined, { budget: SHRINK_BUDGET, once: false }],
    [7, { budget: 7, once: false }],
    [0, { budget: 0, once: false }],
    [null, { budget: 0, once: true }],
  ])('with a budget of %j: %j', (budget, expected) => {
    expect(shrinking(budget)).toEqual(expected);
  });
});

describe('a counterexample', () => {
  interface Counted {
    readonly found: Counterexample;
    readonly runs: number;
  }

  /** The counterexample that comes of `broken`, and how many runs of the kernel it took. */
  async function foundFrom(kernel: Kernel, broken: Case, more: Partial<BrokenCase> = {}): Promise<Counted> {
    let runs = 0;
    const request = requestOf((x, call) => {
      runs++;
      return kernel(x, call);
    });
    const executor = openExecutor(request);
    const plan = planDomain(request.goal.domain);
    invariant(!('missing' in executor) && plan.ok, 'the goal can be run');
    // As the run that found it left it.
    await executor.run(
      1,
      () => broken,
      () => false,
    );
    runs = 0;
    const own = { request, executor, plan: plan.value, broken, budget: 1000, expired: undefined, ...more };
    return { found: await counterexampleFrom(own), runs };
  }

  const twos: Kernel = (x) => (x.length > 2 ? x.map(() => 2) : softmax(x));
  const textOf = ({ found }: Counted): string | undefined => found.input.values['x']?.text;

  it('is made smaller as long as it breaks, and is shown with what the kernel gives there', async () => {
    const { found } = await foundFrom(twos, caseOf(1.25, -7, 3, 9, 4));
    expect(found).toMatchObject({
      input: { sizes: { n: 3 }, values: { x: { text: '[0, 0, 0]' } } },
      outputs: ['[2, 2, 2]'],
    });
    expect(found.shrinks).toBeGreaterThan(0);
    expect(found.explanation).toMatch(/^Σ_i σ\(x\)_i ≈ 1: left = 6, right = 1/u);
  });

  it('is left as it is without a budget or without time', async () => {
    const broken = caseOf(1.25, -7, 3);
    for (const more of [{ budget: 0 }, { expired: () => true }]) {
      const { found } = await foundFrom(twos, broken, more);
      expect(found).toMatchObject({ shrinks: 0, input: { values: { x: { text: '[1.25, -7, 3]' } } } });
    }
  });

  it('is not run again where it is enough that there is one', async () => {
    const { found, runs } = await foundFrom(twos, caseOf(1, 2, 3), { once: true });
    expect([found.shrinks, found.outputs, runs]).toEqual([0, ['[2, 2, 2]'], 0]);
  });

  it('breaks as the first one did, and not in another way', async () => {
    const twoFaults: Kernel = (x) =>
      x.length > 4
        ? { ok: false, failure: { kind: 'threw', message: 'large' } }
        : twos(x, { arguments: [], shapes: [], outputShape: [] });
    const thrown = await foundFrom(twoFaults, caseOf(1, 2, 3, 4, 5, 6, 7));
    expect(thrown.found).toMatchObject({ input: { sizes: { n: 5 } }, outputs: [] });
    expect(thrown.found.explanation).toBe('the kernel gave no output: it threw: large');
    expect(textOf(await foundFrom(twoFaults, caseOf(1, 2, 3, 4)))).toBe('[0, 0, 0]');
  });

  it('may be run only as `settle` makes it', async () => {
    const settle = ({ sizes, values }: Case): Case => ({
      sizes,
      values: [vectorOf(values).map((v) => (v === 0 ? 1 : v))],
    });
    expect(textOf(await foundFrom(twos, caseOf(5, 6, 7, 8), { settle }))).toBe('[1, 1, 1]');
    expect(textOf(await foundFrom(twos, caseOf(0, 6, 7), { settle, budget: 0 }))).toBe('[0, 6, 7]');
  });

  it('says that a kernel broke only once, after twenty more runs', async () => {
    const { found, runs } = await foundFrom(softmax, caseOf(1, 2));
    expect(runs).toBe(20);
    expect(found).toMatchObject({ shrinks: 0, outputs: [], input: { values: { x: { text: '[1, 2]' } } } });
    expect(found.explanation).toBe(
      'it was broken once, and held in 20 more runs on this input: the kernel does not give the same output each time',
    );
  });

  it('says in which run a kernel broke that does not always', async () => {
    let calls = 0;
    const everyThird: Kernel = (x) => (calls++ % 3 === 2 ? x.map(() => 2) : softmax(x));
    const { found } = await foundFrom(everyThird, caseOf(1, 2), { budget: 0 });
    expect(found.explanation).toMatch(/; in run 3 on this input: the kernel does not give the same output each time$/u);
    expect(found.outputs).toEqual(['[2, 2]']);
  });
});

describe('what a kernel gives on one input', () => {
  const at = (x: Case, kernel: Kernel, compiled?: CompiledGoal) =>
    kernelThere(requestOf(kernel, compiled), recordInput(softmaxDomain, x));

  it('is its output, and whether the claim holds there', async () => {
    expect(await at(caseOf(0, 0), softmax)).toEqual({ outputs: ['[0.5, 0.5]'], broken: null });
    expect(await at(caseOf(0, 0), (x) => x.map(() => 2))).toEqual({
      outputs: ['[2, 2]'],
      broken: expect.stringMatching(/left = 4, right = 1/u) as string,
    });
    expect(await at(caseOf(0), () => ({ ok: false, failure: { kind: 'threw', message: 'no' } }))).toEqual({
      outputs: [],
      broken: 'the kernel gave no output: it threw: no',
    });
  });

  it('cannot be said of an input outside, a backend that cannot run it, or mathematics without an end', async () => {
    expect(await at(caseOf(0), softmax, sumsToOne({ precondition: () => false }))).toBeNull();
    expect(await at(caseOf(0), () => ({ ok: false, failure: { kind: 'unsupported', message: 'no' } }))).toBeNull();
    const endless = sumsToOne({
      check: () => {
        throw new RangeError('no end');
      },
    });
    expect(await at(caseOf(0), softmax, endless)).toBeNull();
    const request = requestOf(softmax);
    expect(await kernelThere({ ...request, kernels: new Map() }, recordInput(softmaxDomain, caseOf(0)))).toBeNull();
    expect(await kernelThere(request, { sizes: {}, values: {} })).toBeNull();
  });

  it('is written in the type of the equation', async () => {
    const number = goalOf({
      domain: domain([size('n', 1, 4)], [input('x', ['n'], { lower: closed(0), upper: closed(1) })]),
      applications: [{ output: 'out:0', equation: 'softmax', arguments: [], type: FLOAT32 }],
    });
    const compiled = sumsToOne({ check: () => true });
    const request = { goal: number, compiled, kernels: kernels(() => Float32Array.of(0.1)), toCall };
    expect(await kernelThere(request, recordInput(number.domain, caseOf(0)))).toMatchObject({ outputs: ['0.1'] });
  });
});
