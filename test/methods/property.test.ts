import { describe, expect, it } from 'vitest';
import type { CompiledGoal } from '../../src/math/compile/compiled.ts';
import { runProperty, type PropertyRequest } from '../../src/methods/property.ts';
import { parseInput, recordInput } from '../../src/runtime/case-text.ts';
import { createGenerator } from '../../src/runtime/generate/generator.ts';
import { closed, domain, input, name, size, softmaxDomain } from '../runtime/domains.ts';
import { goalOf, kernels, softmax, sumsToOne, toCall, vectorOf, openKernel } from './softmax-goal.ts';

function request(extra: Partial<PropertyRequest> = {}): PropertyRequest {
  return { goal: goalOf(), compiled: sumsToOne(), kernels: kernels(softmax), toCall, seed: 7, cases: 1000, ...extra };
}

/** Softmax without the shift by the maximum: overflows where exp does. */
const unshifted = (x: Float32Array): Float32Array => {
  const out = x.map((v) => Math.exp(v));
  const sum = out.reduce((a, b) => a + b, 0);
  return out.map((v) => v / sum);
};

describe('a right kernel', () => {
  it('is tested with the declared number of cases, a worst case and the sizes that ran', async () => {
    const outcome = await runProperty(request());
    expect(outcome).toMatchObject({
      verdict: 'tested',
      reason: null,
      cases: 1000,
      declaredCases: 1000,
      filtered: 0,
      premiseHits: 1000,
      counterexample: null,
      found: null,
    });
    expect(outcome.sizes).toEqual({ n: { minimum: 1, maximum: 512 } });
    expect(outcome.worst?.ratio).toBeGreaterThan(0);
    expect(outcome.worst?.ratio).toBeLessThan(1);
    expect(outcome.ran).toEqual({ backend: 'ref32', device: 'test', arithmetic: 'f32' });
  });

  it('runs what is drawn, in order, to the last case and no further', async () => {
    const generator = createGenerator(softmaxDomain, 7, goalOf().id);
    if (!generator.ok) throw new Error(generator.error);
    for (const mode of ['sync', 'async'] as const)
      for (const cases of [1, 64, 65, 150]) {
        const seen: Float32Array[] = [];
        await runProperty(request({ cases, kernels: kernels((x) => (seen.push(x.slice()), softmax(x)), mode) }));
        const drawn = Array.from({ length: cases }, (_, index) => vectorOf(generator.value.at(index)?.values ?? []));
        expect(seen.slice(0, cases)).toEqual(drawn);
      }
  });

  it('gives the same outcome again, synchronously or in batches', async () => {
    const once = await runProperty(request());
    expect(await runProperty(request())).toEqual(once);
    expect(await runProperty(request({ kernels: kernels(softmax, 'async') }))).toEqual(once);
    expect((await runProperty(request({ seed: 8 }))).worst).not.toEqual(once.worst);
  });

  it('keeps the input of the worst case exactly', async () => {
    const { worst } = await runProperty(request());
    if (!worst) throw new Error('no worst case');
    const parsed = parseInput(softmaxDomain, worst.input);
    if (!parsed.ok) throw new Error(parsed.error);
    const sum = softmax(vectorOf(parsed.value.values)).reduce((a, b) => a + b, 0);
    expect(Math.abs(sum - 1)).toBe(worst.error);
  });
});

describe('a wrong kernel', () => {
  it.each(['sync', 'async'] as const)('is falsified with a small counterexample (%s)', async (mode) => {
    const outcome = await runProperty(request({ kernels: kernels(unshifted, mode) }));
    expect(outcome.verdict).toBe('falsified');
    expect(outcome.counterexample?.input).toMatchObject({ sizes: { n: 1 } });
    const x = Number(/^\[(.*)\]$/.exec(outcome.counterexample?.input.values['x']?.text ?? '')?.[1]);
    expect(Math.abs(x)).toBeLessThanOrEqual(1000);
    expect(outcome.counterexample?.outputs).toEqual(['[NaN]']);
    expect(outcome.counterexample?.explanation).toBe(
      'Σ_i σ(x)_i ≈ 1: left = NaN, right = 1, and NaN is within no tolerance',
    );
    expect(outcome.reason).toBe(outcome.counterexample?.explanation);
    expect(outcome.found?.index).toBeGreaterThanOrEqual(0);
  });

  it.each(['sync', 'async'] as const)('is kept with the number of the case that it broke (%s)', async (mode) => {
    const outcome = await runProperty(
      request({ kernels: kernels((x) => (x.length > 100 && x.length < 140 ? x.map(() => 2) : softmax(x)), mode) }),
    );
    const generator = createGenerator(softmaxDomain, 7, goalOf().id);
    const { index = -1, input: found } = outcome.found ?? {};
    const drawn = generator.ok ? generator.value.at(index) : null;
    expect(index).toBeGreaterThan(15);
    expect(found).toEqual(drawn && recordInput(softmaxDomain, drawn));
    expect(outcome.cases).toBe(index + 1);
  });

  it('is caught when it forgets the last element', async () => {
    const outcome = await runProperty(request({ kernels: kernels((x) => softmax(x).fill(0, x.length - 1)) }));
    expect(outcome.counterexample?.input.values['x']?.text).toBe('[0]');
  });

  it('is caught when it fails only at one size', async () => {
    const outcome = await runProperty(
      request({
        cases: 10_000,
        kernels: kernels((x) => (x.length % 16 === 15 ? softmax(x).fill(0, 0, 4) : softmax(x))),
      }),
    );
    expect(outcome.counterexample?.input.sizes).toEqual({ n: 15 });
  });

  it.each([
    [
      'threw',
      { kind: 'threw', message: 'index out of range' },
      'the kernel gave no output: it threw: index out of range',
    ],
    [
      'wrong shape',
      { kind: 'wrong-shape', expected: [2], actual: '[3]' },
      'the kernel gave no output: its output should have shape [2] but is [3]',
    ],
    ['mutated input', { kind: 'mutated-input', parameter: 'x' }, 'the kernel gave no output: it changed its input x'],
    [
      'fallback',
      { kind: 'fallback', requested: 'webgl', ran: 'cpu', reason: 'no context' },
      'the kernel gave no output: webgl was requested but cpu ran: no context',
    ],
  ] as const)('is falsified when it %s', async (_, failure, explanation) => {
    for (const mode of ['sync', 'async'] as const) {
      const failing = kernels((x) => (x.length > 4 ? { ok: false, failure } : softmax(x)), mode);
      const outcome = await runProperty(request({ kernels: failing }));
      expect(outcome).toMatchObject({
        verdict: 'falsified',
        reason: explanation,
        counterexample: { input: { sizes: { n: 5 } }, outputs: [] },
      });
    }
  });

  it('shrinks to the same kind of failure, not to another', async () => {
    const twoFaults = kernels((x) =>
      x.length > 8
        ? { ok: false, failure: { kind: 'threw', message: 'large' } }
        : x.length > 2
          ? softmax(x).fill(2)
          : softmax(x),
    );
    const onlyLarge = domain([size('n', 1, 512)], [input('x', ['n'], { lower: closed(-1), upper: closed(1) })]);
    const outcome = await runProperty(request({ goal: goalOf({ domain: onlyLarge }), kernels: twoFaults }));
    expect(outcome.counterexample?.explanation).toContain('threw: large');
    expect(outcome.counterexample?.input.sizes).toEqual({ n: 9 });
  });
});

describe('on a graphics device', () => {
  it('cases have no subnormal numbers, and a counterexample stays one without', async () => {
    const seen: number[] = [];
    const device = new Map(
      [
        ...kernels(
          (x) => (seen.push(...x), x.some((v) => v !== 0 && Math.abs(v) < 1e-30) ? x.map(() => 2) : softmax(x)),
        ),
      ].map(([equation, kernel]) => [equation, { ...kernel, ran: { ...kernel.ran, backend: 'webgl2' as const } }]),
    );
    const { counterexample } = await runProperty(request({ kernels: device }));
    expect(seen.filter((v) => v !== 0 && Math.abs(v) < 2 ** -126)).toEqual([]);
    expect(Number(/-?[\d.e-]+/u.exec(counterexample?.input.values['x']?.text ?? '')?.[0])).not.toBe(0);
  });
});

describe('what is not green', () => {
  it('is undetermined when the backend cannot run the kernel', async () => {
    const outcome = await runProperty(
      request({ kernels: kernels(() => ({ ok: false, failure: { kind: 'unsupported', message: 'no float64' } })) }),
    );
    expect(outcome).toMatchObject({
      verdict: 'undetermined',
      reason: 'the backend cannot run it: no float64',
      cases: 0,
      counterexample: null,
    });
  });

  it('is undetermined when no kernel is open or the domain has no inputs', async () => {
    expect(await runProperty(request({ kernels: new Map() }))).toMatchObject({
      verdict: 'undetermined',
      reason: 'no kernel is open for softmax',
    });
    const impossible = goalOf({ domain: domain([size('n', 3, 2)], []) });
    expect(await runProperty(request({ goal: impossible }))).toMatchObject({ verdict: 'undetermined' });
  });

  it.each(['sync', 'async'] as const)(
    'is incomplete when the time budget ends, within a block too (%s)',
    async (mode) => {
      let asked = 0;
      const expired = (): boolean => ++asked > 100;
      const outcome = await runProperty(request({ cases: 10_000, kernels: kernels(softmax, mode), expired }));
      expect(outcome.verdict).toBe('incomplete');
      expect(outcome.cases).toBeGreaterThan(64);
      expect(outcome.cases).toBeLessThan(100);
      expect(outcome.reason).toBe(`the time budget ended after ${outcome.cases} of 10000 cases`);
    },
  );

  it('reports a counterexample that it had no time to shrink', async () => {
    let broken = false;
    const wrong = kernels((x) => {
      broken ||= x.length > 1;
      return broken ? x.map(() => 2) : softmax(x);
    });
    const outcome = await runProperty(request({ kernels: wrong, expired: () => broken }));
    expect(outcome).toMatchObject({ verdict: 'falsified', counterexample: { shrinks: 0 } });
  });

  const filtering = (keep: (x: Float32Array) => boolean): CompiledGoal =>
    sumsToOne({ precondition: (_sizes, values) => keep(vectorOf(values)) });

  it.each(['sync', 'async'] as const)('is incomplete when more than a fifth is filtered (%s)', async (mode) => {
    const outcome = await runProperty(
      request({ compiled: filtering((x) => (x[0] ?? 0) >= 0), kernels: kernels(softmax, mode) }),
    );
    expect(outcome.verdict).toBe('incomplete');
    expect(outcome.reason).toMatch(/^\d+ of 1251 inputs \(\d\d %\) broke a precondition, at most 20 % may/);
    expect(outcome.cases + outcome.filtered).toBe(1251);
  });

  it('counts inputs whose bounds contradict each other as filtered, the same in both modes', async () => {
    const bounded = domain(
      [size('n', 1, 4)],
      [
        input('x', ['n']),
        input('a', [], { lower: closed(0), upper: closed(10) }),
        input('b', [], { lower: closed(0.01), upper: { value: name('a'), open: false } }),
      ],
    );
    const goal = goalOf({ domain: bounded });
    const outcome = await runProperty(request({ goal }));
    expect(outcome.filtered).toBeGreaterThan(20);
    expect(await runProperty(request({ goal, kernels: kernels(softmax, 'async') }))).toEqual(outcome);
  });

  it('is vacuous when everything is filtered', async () => {
    expect(await runProperty(request({ compiled: filtering(() => false) }))).toMatchObject({
      verdict: 'vacuous',
      cases: 0,
      reason: 'no case was run: all 1251 inputs broke a precondition',
    });
  });

  it('runs the declared number of cases when a few are filtered', async () => {
    const outcome = await runProperty(request({ compiled: filtering((x) => x.length !== 2) }));
    expect(outcome).toMatchObject({ verdict: 'tested', cases: 1000 });
    expect(outcome.filtered).toBeGreaterThan(0);
  });

  it('is vacuous when no premise ever holds', async () => {
    const implication = sumsToOne({ check: (_s, _v, _o, report) => !(report.premise = false) });
    expect(await runProperty(request({ compiled: implication }))).toMatchObject({
      verdict: 'vacuous',
      premiseHits: 0,
      reason: 'no premise of an implication held in any of 1000 cases',
    });
  });
});

describe('replay', () => {
  it('runs stored failing inputs first and does not shrink them again', async () => {
    const broken = request({ kernels: kernels(unshifted) });
    const first = await runProperty(broken);
    const stored = first.counterexample?.input;
    if (!stored) throw new Error('no counterexample');
    let calls = 0;
    const counting = kernels((x) => (calls++, unshifted(x)));
    const again = await runProperty({ ...broken, kernels: counting, replay: [stored] });
    expect(again).toMatchObject({
      verdict: 'falsified',
      replayed: 1,
      cases: 1,
      found: null,
      counterexample: { input: stored, shrinks: 0 },
    });
    expect(calls).toBeLessThan(5);
  });

  it('does not count stored inputs towards the declared cases, and leaves out those outside the domain', async () => {
    const stored = { sizes: { n: 1 }, values: { x: { hex: 'f32:0000803f', text: '[1]' } } };
    const outside = { sizes: { n: 1 }, values: { x: { hex: 'f32:ffff7f7f', text: '[3.4e38]' } } };
    const foreign = { sizes: { k: 1 }, values: {} };
    expect(await runProperty(request({ replay: [outside, stored, foreign] }))).toMatchObject({
      verdict: 'tested',
      replayed: 1,
      cases: 1000,
    });
  });
});

describe('goals of other forms', () => {
  it('runs a goal without inputs once', async () => {
    const ground = goalOf({ domain: domain([], []), applications: [] });
    const compiled = sumsToOne({ applications: [], check: () => true });
    expect(await runProperty(request({ goal: ground, compiled, kernels: new Map() }))).toMatchObject({
      verdict: 'tested',
      cases: 1,
      declaredCases: 1,
      ran: null,
    });
  });

  it('keeps outputs apart when one kernel runs twice and reuses its output array', async () => {
    const shared = new Float32Array(512);
    const reusing = kernels((x) => {
      shared.set(x);
      return shared.subarray(0, x.length);
    });
    const [application] = goalOf().applications;
    if (!application) throw new Error('no application');
    const shifted = (x: Float32Array): Float32Array => x.map((v) => v + 1);
    const compiled = sumsToOne({
      applications: [
        { arguments: (_s, values) => [vectorOf(values)], sizes: (s) => [...s] },
        { arguments: (_s, values) => [shifted(vectorOf(values))], sizes: (s) => [...s] },
      ],
      check: (_s, values, outputs) => {
        const x = vectorOf(values);
        const y = shifted(x);
        return (
          vectorOf(outputs, 0).every((v, i) => Object.is(v, x[i])) && vectorOf(outputs, 1).every((v, i) => v === y[i])
        );
      },
    });
    const goal = goalOf({ applications: [application, { ...application, output: 'out:1' }] });
    expect((await runProperty(request({ goal, compiled, kernels: reusing }))).verdict).toBe('tested');
    expect((await runProperty(request({ goal, compiled, kernels: kernels((x) => x.slice(), 'async') }))).verdict).toBe(
      'tested',
    );
  });

  it('keeps them apart where another kernel runs in between', async () => {
    const reusing = () => {
      const shared = new Float32Array(512);
      return openKernel((x) => {
        shared.set(x);
        return shared.subarray(0, x.length);
      });
    };
    const [application] = goalOf().applications;
    if (!application) throw new Error('no application');
    const plus = (x: Float32Array, k: number): Float32Array => x.map((v) => v + k);
    const compiled = sumsToOne({
      applications: [0, 1, 2].map((k) => ({
        arguments: (_s, values) => [plus(vectorOf(values), k)],
        sizes: (s) => [...s],
      })),
      check: (_s, values, outputs) =>
        [0, 1, 2].every((k) => {
          const expected = plus(vectorOf(values), k);
          return vectorOf(outputs, k).every((v, i) => v === expected[i]);
        }),
    });
    const applications = ['softmax', 'another', 'softmax'].map((equation, k) => ({
      ...application,
      equation,
      output: `out:${k}`,
    }));
    const both = new Map([
      ['softmax', reusing()],
      ['another', reusing()],
    ]);
    const found = await runProperty(request({ goal: goalOf({ applications }), compiled, kernels: both }));
    expect(found.verdict).toBe('tested');
  });

  it('writes errors without an end as the largest double, since receipts are JSON', async () => {
    const exact = sumsToOne({
      check: (_s, _v, _o, report) => (
        Object.assign(report, { ratio: Infinity, error: 1, allowed: 0, comparison: 0 }),
        false
      ),
    });
    const outcome = await runProperty(request({ compiled: exact }));
    expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
    expect(outcome.worst?.ratio).toBe(Number.MAX_VALUE);
  });

  it('reports progress up to the total', async () => {
    const seen: number[] = [];
    await runProperty(request({ onProgress: (done, total) => seen.push(done / total) }));
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.every((share, i) => share <= 1 && share >= (seen[i - 1] ?? 0))).toBe(true);
  });
});
