import { describe, expect, it } from 'vitest';
import { runFalsify, type FalsifyRequest } from '../../src/methods/falsify.ts';
import { nextDown32, nextUp32 } from '../../src/numeric/float.ts';
import { closed, domain, input, numeral, open, size } from '../runtime/domains.ts';
import { goalOf, kernels, softmax, sumsToOne, toCall, vectorOf } from './softmax-goal.ts';

function request(extra: Partial<FalsifyRequest> = {}): FalsifyRequest {
  return { goal: goalOf(), compiled: sumsToOne(), kernels: kernels(softmax), toCall, seed: 7, ...extra };
}

const given = (...vectors: number[][]): FalsifyRequest['goal'] =>
  goalOf({ given: vectors.map((values) => ({ sizes: [values.length], values: [values] })) });

describe('explicit inputs', () => {
  it('are all run', async () => {
    const outcome = await runFalsify(request({ goal: given([0, -104], [88, 89, 90], [-0, 0]) }));
    expect(outcome).toMatchObject({ verdict: 'tested', cases: 3, declaredCases: 3, filtered: 0 });
  });

  it('arrive at the kernel rounded to float32, in both modes', async () => {
    for (const mode of ['sync', 'async'] as const) {
      const seen: number[] = [];
      await runFalsify(
        request({ goal: given([0.1, -0]), kernels: kernels((x) => (seen.push(...x), softmax(x)), mode) }),
      );
      expect(seen).toEqual([Math.fround(0.1), -0]);
    }
  });

  it('are the counterexample, unchanged', async () => {
    const overflowing = kernels((x) => softmax(x).map((p) => (x.includes(89) ? NaN : p)));
    const outcome = await runFalsify(request({ goal: given([0, -104], [88, 89, 90]), kernels: overflowing }));
    expect(outcome).toMatchObject({
      verdict: 'falsified',
      cases: 2,
      counterexample: { shrinks: 0, input: { values: { x: { text: '[88, 89, 90]' } } } },
      found: { index: 1 },
    });
  });

  it.each([
    [
      'out of bounds',
      given([0], [1e5]),
      'input 2 of 2 is outside the domain: x: 100000 is above the upper bound 10000',
    ],
    [
      'of another length',
      goalOf({ given: [{ sizes: [3], values: [[1, 2]] }] }),
      'input 1 of 1 is outside the domain: x has 2 elements instead of 3',
    ],
    [
      'of a size that is not allowed',
      given(Array.from({ length: 513 }, () => 0)),
      'input 1 of 1 is outside the domain: the sizes are not allowed',
    ],
    ['not numbers', given([NaN]), 'input 1 of 1 is outside the domain: x: NaN is not finite'],
    ['missing', goalOf({ given: [] }), 'the claim gives an empty set of inputs'],
  ])('that are %s leave the claim undetermined', async (_, goal, reason) => {
    expect(await runFalsify(request({ goal }))).toMatchObject({ verdict: 'undetermined', reason, cases: 0 });
  });

  it('that satisfy a bound as written stay inside it after rounding', async () => {
    const narrow = domain(
      [size('n', 1, 4)],
      [input('x', ['n'], { lower: closed(1e-6), upper: closed(0.1), excluded: [numeral(0.05)] })],
    );
    const seen: number[] = [];
    const run = (values: number[]) =>
      runFalsify(
        request({ goal: { ...given(values), domain: narrow }, kernels: kernels((x) => (seen.push(...x), softmax(x))) }),
      );
    for (const written of [[0.1, 1e-6], [0.1, 1e-6].map(Math.fround)]) {
      seen.length = 0;
      expect((await run(written)).verdict).toBe('tested');
      expect(seen).toEqual([nextDown32(Math.fround(0.1)), nextUp32(Math.fround(1e-6))]);
    }
    expect((await run([0.100001])).reason).toContain('is above the upper bound 0.1');
    const below = goalOf({
      domain: domain([], [input('x', [], { upper: open(1) })]),
      given: [{ sizes: [], values: [1] }],
      applications: [],
    });
    expect((await runFalsify(request({ goal: below }))).reason).toContain('1 is above the upper bound 1');
    expect((await run([0.05])).verdict).toBe('tested'); // float32 has no 0.05, so its neighbour is not excluded
  });

  it('that break a precondition leave the claim undetermined', async () => {
    const compiled = sumsToOne({ precondition: (_s, values) => (vectorOf(values)[0] ?? 0) > 0 });
    expect(await runFalsify(request({ goal: given([1], [-1]), compiled }))).toMatchObject({
      verdict: 'undetermined',
      reason: 'input 2 of 2 breaks a precondition',
    });
  });
});

describe('edge cases', () => {
  it('hold for a right kernel', async () => {
    const outcome = await runFalsify(request());
    expect(outcome.verdict).toBe('tested');
    expect(outcome.cases).toBe(outcome.declaredCases);
    expect(outcome.cases).toBeGreaterThan(150);
    expect(outcome.sizes).toEqual({ n: { minimum: 1, maximum: 512 } });
  });

  it('are the same in both modes and every time', async () => {
    const once = await runFalsify(request());
    expect(await runFalsify(request())).toEqual(once);
    expect(await runFalsify(request({ kernels: kernels(softmax, 'async') }))).toEqual(once);
  });

  it('catch a kernel that fails on one special value, and shrink it', async () => {
    const negativeZero = kernels((x) => (x.some((v) => Object.is(v, -0)) ? softmax(x).fill(0) : softmax(x)));
    expect((await runFalsify(request({ kernels: negativeZero }))).counterexample?.input.values['x']?.text).toBe('[-0]');
  });

  it('leave out those that break a precondition', async () => {
    const compiled = sumsToOne({ precondition: (sizes) => (sizes[0] ?? 0) > 2 });
    const outcome = await runFalsify(request({ compiled }));
    expect(outcome).toMatchObject({ verdict: 'tested', filtered: 0, sizes: { n: { minimum: 3 } } });
    expect(await runFalsify(request({ compiled: sumsToOne({ precondition: () => false }) }))).toMatchObject({
      verdict: 'vacuous',
      cases: 0,
      reason: 'no input satisfies the preconditions',
    });
  });

  it('stop when the time budget ends', async () => {
    let asked = 0;
    expect(await runFalsify(request({ expired: () => ++asked > 5 }))).toMatchObject({
      verdict: 'incomplete',
      cases: 5,
    });
  });

  it('report mathematics that never ends instead of crashing', async () => {
    const endless = sumsToOne({
      check: () => {
        throw new RangeError('a loop from 0 to 1e12 is longer than 2^27 steps');
      },
    });
    expect(await runFalsify(request({ compiled: endless }))).toMatchObject({
      verdict: 'undetermined',
      reason: 'the claim cannot be evaluated: a loop from 0 to 1e12 is longer than 2^27 steps',
    });
  });

  it('include every choice of a listed variable', async () => {
    const goal = goalOf({
      domain: domain([size('n', 1, 4)], [input('x', ['n'], { choices: [numeral(1), numeral(2), numeral(3)] })]),
    });
    const seen = new Set<number>();
    await runFalsify(request({ goal, kernels: kernels((x) => (x.forEach((v) => seen.add(v)), softmax(x))) }));
    expect(seen).toEqual(new Set([1, 2, 3]));
  });
});

describe('inputs for a graphics device', () => {
  const onDevice = (seen: number[]): FalsifyRequest['kernels'] =>
    new Map(
      [...kernels((x) => (seen.push(...x), softmax(x)))].map(([equation, kernel]) => [
        equation,
        { ...kernel, ran: { ...kernel.ran, backend: 'webgl2' } },
      ]),
    );
  const isSubnormal = (x: number): boolean => x !== 0 && Math.abs(x) < 2 ** -126;

  it('have no subnormal numbers where they are edges of the domain, as devices have none', async () => {
    const [host, device]: [number[], number[]] = [[], []];
    await runFalsify(request({ kernels: kernels((x) => (host.push(...x), softmax(x))) }));
    await runFalsify(request({ kernels: onDevice(device) }));
    expect(host.filter(isSubnormal).length).toBeGreaterThan(0);
    expect(device.filter(isSubnormal)).toEqual([]);
    expect(device).toHaveLength(host.length);
  });

  it('stay as people chose them', async () => {
    const seen: number[] = [];
    await runFalsify(request({ goal: given([1e-45, 1]), kernels: onDevice(seen) }));
    expect(seen).toEqual([Math.fround(1e-45), 1]);
  });
});

describe('a run of inputs', () => {
  it('reports its progress, and stops at the first that breaks the claim', async () => {
    const told: string[] = [];
    const onProgress = (done: number, all: number) => void told.push(`${done}/${all}`);
    const three = given([0], [1], [2, 3]);
    await runFalsify(request({ goal: three, onProgress }));
    expect(told).toEqual(['1/3', '2/3', '3/3']);
    told.length = 0;
    // In batches of equal sizes.
    await runFalsify(request({ goal: three, onProgress, kernels: kernels(softmax, 'async') }));
    expect(told).toEqual(['2/3', '3/3']);
    told.length = 0;
    const wrong = kernels((x) => (x[0] === 1 ? x.map(() => 2) : softmax(x)));
    const outcome = await runFalsify(request({ goal: three, onProgress, kernels: wrong }));
    expect(told).toEqual(['1/3', '2/3']);
    expect(outcome).toMatchObject({ found: { index: 1 }, cases: 2 });
  });

  it('keeps the number of the input that broke in a batch, too', async () => {
    const wrong = kernels((x) => (x[0] === 2 ? x.map(() => 2) : softmax(x)), 'async');
    const goal = given([0, 0], [0], [1], [2], [3]);
    expect(await runFalsify(request({ goal, kernels: wrong }))).toMatchObject({ found: { index: 3 }, cases: 4 });
  });

  it('is not longer than its limit', async () => {
    const whole = await runFalsify(request());
    const some = await runFalsify(request({ limit: 20 }));
    expect(some.cases).toBeLessThanOrEqual(20);
    expect(whole.cases).toBeGreaterThan(20);
  });

  it('is undetermined without a kernel or a domain', async () => {
    expect(await runFalsify(request({ kernels: new Map() }))).toMatchObject({
      verdict: 'undetermined',
      reason: 'no kernel is open for softmax',
      declaredCases: 0,
    });
    const impossible = goalOf({ domain: domain([size('n', 3, 2)], []) });
    expect(await runFalsify(request({ goal: impossible }))).toMatchObject({ verdict: 'undetermined', cases: 0 });
  });

  it('shrinks edges of the domain, as far as is requested', async () => {
    const wrong = kernels((x) => (x.length > 3 ? x.map(() => 2) : softmax(x)));
    const smallest = await runFalsify(request({ kernels: wrong }));
    expect(smallest.counterexample?.input.sizes).toEqual({ n: 4 });
    expect(smallest.counterexample?.shrinks).toBeGreaterThan(0);
    for (const shrinkBudget of [0, null]) {
      const { counterexample } = await runFalsify(request({ kernels: wrong, shrinkBudget }));
      expect(counterexample?.shrinks).toBe(0);
    }
  });
});
