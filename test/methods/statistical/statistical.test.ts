/**
 * Statistical claims, and the parts that decide them: draw.ts, judge.ts, load.ts and moments.ts in statistical/.
 *
 * Holds src/methods/statistical/draw.ts, src/methods/statistical/judge.ts, src/methods/statistical/moments.ts.
 */
import { describe, expect, it } from 'vitest';
import type { KernelFailure } from '../../../src/backends/backend.ts';
import type { CompiledGoal } from '../../../src/math/compile/compiled.ts';
import type { Bound, Domain, InputVariable } from '../../../src/math/domain.ts';
import * as b from '../../../src/math/term/build.ts';
import { FLOAT32, INTEGER } from '../../../src/math/term/term.ts';
import { runStatistical, type StatisticalRequest } from '../../../src/methods/statistical/statistical.ts';
import type { LoadedComparison, LoadedStatistics } from '../../../src/methods/statistical/load.ts';
import { judgeSample } from '../../../src/methods/statistical/judge.ts';
import { accumulate, emptyAccumulator, momentsOf, type Accumulator } from '../../../src/methods/statistical/moments.ts';
import { uniformDraw } from '../../../src/methods/statistical/draw.ts';
import { streamFor } from '../../../src/numeric/xoshiro.ts';
import { planDomain } from '../../../src/runtime/generate/domain-plan.ts';
import { createGenerator } from '../../../src/runtime/generate/generator.ts';
import { closed, domain as box, input as variable, name, numeral, open, size } from '../../runtime/domains.ts';
import { goalOf, openKernel, sumsToOne, toCall, vectorOf } from '../softmax-goal.ts';

function sumsOf(values: readonly number[]): Accumulator {
  const sums = emptyAccumulator();
  for (const value of values) accumulate(sums, value);
  return sums;
}

describe('moments', () => {
  it('are those of the definition, far from zero too', () => {
    const values = [1, 2, 4, 8].map((x) => x + 2 ** 40);
    const { mean, variance, fourth } = momentsOf(sumsOf(values));
    expect(mean).toBe(2 ** 40 + 3.75);
    expect(variance).toBeCloseTo((2.75 ** 2 + 1.75 ** 2 + 0.25 ** 2 + 4.25 ** 2) / 3, 12);
    expect(fourth).toBeCloseTo((2.75 ** 4 + 1.75 ** 4 + 0.25 ** 4 + 4.25 ** 4) / 4, 12);
  });
  it('of a NaN are NaN', () => expect(momentsOf(sumsOf([1, Number.NaN])).mean).toBeNaN());
});

describe('an interval', () => {
  const half = sumsOf(Array.from({ length: 1000 }, (_, i) => i % 2));
  const judge = (relation: '≈' | '≤' | '≥', target: number, allowed: number | null): string =>
    judgeSample(
      { statistic: 'probability', relation },
      [half],
      { target: [target], allowed: allowed === null ? null : [allowed] },
      0.001,
    )
      .map(({ position }) => position)
      .join();
  // 0.5 in about [0.447, 0.553].
  it.each([
    ['≈', 0.5, 0.1, 'within'],
    ['≈', 0.5, 0.01, 'open'],
    ['≈', 0.6, 0.01, 'outside'],
    ['≤', 0.6, null, 'within'],
    ['≤', 0.5, null, 'open'],
    ['≤', 0.4, null, 'outside'],
    ['≥', 0.4, null, 'within'],
    ['≥', 0.5, null, 'open'],
    ['≥', 0.6, null, 'outside'],
    ['≈', Number.NaN, 0.1, 'outside'],
  ] as const)('%s %d ± %s: %s', (relation, target, allowed, position) => {
    expect(judge(relation, target, allowed)).toBe(position);
  });
  it.each([
    ['≈', 4, 2, 0.5, 'within'],
    ['≈', 4, 1, 1, 'within'],
    ['≈', 4, 0.5, 2, 'outside'],
    ['≈', 3, 0, 0, 'within'],
    ['≈', 4, 0, Infinity, 'outside'],
    ['≤', 3, null, 1, 'within'],
    ['≤', 5, null, -1, 'within'],
    ['≤', 1, null, 3, 'outside'],
    ['≥', 3, null, 1, 'within'],
    ['≥', 1, null, -1, 'within'],
    ['≥', 5, null, 3, 'outside'],
    ['≤', Number.NaN, null, Infinity, 'outside'],
  ] as const)(
    'of 3, which never varies, against %s %d ± %s reaches %d of what is allowed: %s',
    (relation, target, allowed, reach, position) => {
      const against = { target: [target], allowed: allowed === null ? null : [allowed] };
      const [found] = judgeSample({ statistic: 'mean', relation }, [sumsOf([3, 3, 3])], against, 0.1);
      expect(found).toMatchObject({ estimate: 3, reach, position, target, allowed, element: 0 });
    },
  );
  it('of each element is held to its own target, or to the one that there is', () => {
    const sums = [1, 2, 3].map((x) => sumsOf([x, x]));
    const judged = (target: readonly number[], allowed: readonly number[]) =>
      judgeSample({ statistic: 'mean', relation: '≈' }, sums, { target, allowed }, 0.1).map(
        ({ element, position }) => `${element} ${position}`,
      );
    expect(judged([1, 2, 3], [0, 0, 0])).toEqual(['0 within', '1 within', '2 within']);
    expect(judged([1, 3, 2], [0, 1, 0])).toEqual(['0 within', '1 within', '2 outside']);
    expect(judged([2], [1])).toEqual(['0 within', '1 within', '2 within']);
    expect(judged([2], [0])).toEqual(['0 outside', '1 within', '2 outside']);
    expect(judged([1, 2], [0])).toEqual(['0 within', '1 within', '2 outside']);
  });
  it('of a variance is about the variance', () => {
    const draws = Array.from({ length: 1000 }, (_, i) => 10 + (i % 2));
    const against = { target: [0.25], allowed: [0.05] };
    const [found] = judgeSample({ statistic: 'variance', relation: '≈' }, [sumsOf(draws)], against, 0.1);
    expect(found).toMatchObject({ position: 'within' });
    expect(found?.estimate).toBeCloseTo(0.25, 2);
  });
  it('of a NaN is outside', () => {
    const [found] = judgeSample(
      { statistic: 'mean', relation: '≤' },
      [sumsOf([Number.NaN])],
      { target: [0], allowed: null },
      0.1,
    );
    expect(found?.position).toBe('outside');
  });
  it('of what never varies is a point', () => {
    const [found] = judgeSample(
      { statistic: 'mean', relation: '≈' },
      [sumsOf([3, 3, 3])],
      { target: [3], allowed: [0] },
      0.1,
    );
    expect(found).toMatchObject({ low: 3, high: 3, position: 'within' });
  });
});

describe('uniform draws', () => {
  const end = (value: number, open = false) => ({ value: b.decimal(String(value)), open });
  const input = { shape: [], choices: null, excluded: [], nonFinite: false, structure: 'none' } as const;
  const domain: Domain = {
    sizes: [],
    variables: [
      { ...input, name: 'u', element: FLOAT32, lower: end(0), upper: end(1, true) },
      { ...input, name: 'k', element: INTEGER, lower: end(1), upper: end(6) },
      { ...input, name: 'x', element: FLOAT32, lower: null, upper: null },
    ],
    preconditions: [],
  };
  const made = createGenerator(domain, 1, 'g');
  if (!made.ok) throw new Error(made.error);
  const { plan, allocate } = made.value;

  it('cover their ranges evenly, without the open end, and leave the rest alone', () => {
    const draw = uniformDraw(plan, ['u', 'k']);
    if (!draw.ok) throw new Error(draw.error);
    const [buffer, stream] = [allocate([]), streamFor(1, 's')];
    const [before, faces] = [buffer.values[2], new Map<unknown, number>()];
    let below = 0;
    for (let i = 0; i < 60_000; i++) {
      draw.value(buffer, stream);
      const [u, k] = buffer.values;
      expect(typeof u === 'number' && u >= 0 && u < 1 && Math.fround(u) === u).toBe(true);
      if (Number(u) < 0.25) below++;
      faces.set(k, (faces.get(k) ?? 0) + 1);
    }
    expect(below / 60_000).toBeCloseTo(0.25, 1);
    expect([...faces.keys()].map(Number).toSorted((p, q) => p - q)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const count of faces.values()) expect(Math.abs(count - 10_000)).toBeLessThan(500);
    expect(buffer.values[2]).toBe(before);
  });

  it('need a finite range', () => {
    expect(uniformDraw(plan, ['x'])).toMatchObject({
      ok: false,
      error: expect.stringContaining('x is drawn uniformly'),
    });
  });
});

describe('a statistical run', () => {
  const inputs = box(
    [size('n', 1, 4)],
    [
      variable('x', ['n'], { lower: closed(1), upper: closed(2) }),
      variable('u', ['n'], { lower: closed(0), upper: open(1) }),
    ],
  );
  const comparison: LoadedComparison = {
    statistic: 'mean',
    text: 'mean(f(x, u)_i) ≈ x_i',
    relation: '≈',
    sample: (_sizes, values) => vectorOf(values, 2),
    target: (_sizes, values) => vectorOf(values),
    allowed: () => Float64Array.of(0.2),
  };
  const statistics: LoadedStatistics = {
    comparisons: [comparison],
    random: ['u'],
    draws: 4000,
    settings: 3,
    alpha: 0.001,
  };
  type Drop = (x: number, u: number) => number;
  const right: Drop = (x, u) => (u < 0.5 ? 2 * x : 0);

  function requestOf(drop: Drop, more: Partial<StatisticalRequest> = {}, mode?: 'async'): StatisticalRequest {
    const kernel = openKernel((x, { arguments: [, u] }) => {
      const drawn = u instanceof Float32Array ? u : new Float32Array();
      return x.map((value, i) => drop(value, drawn[i] ?? Number.NaN));
    }, mode);
    return {
      goal: goalOf({ domain: inputs }),
      compiled: sumsToOne({ check: () => true }),
      kernels: new Map([['softmax', kernel]]),
      toCall,
      seed: 1,
      statistics,
      ...more,
    };
  }

  it('is tested where every interval of every setting lies within', async () => {
    const outcome = await runStatistical(requestOf(right));
    expect(outcome).toMatchObject({
      verdict: 'tested',
      reason: null,
      cases: 12_000,
      declaredCases: 12_000,
      found: null,
    });
    const [record] = outcome.statistics ?? [];
    expect(record).toMatchObject({ comparison: comparison.text, statistic: 'mean', relation: '≈', outside: 0 });
    expect(record?.within).toBe(record?.intervals);
    // Each interval of a setting has its share of alpha.
    const elements = record?.worst.input.sizes['n'] ?? 0;
    expect(record?.worst.alpha).toBeCloseTo(0.001 / 3 / elements, 12);
    expect(record?.worst.estimate).toBeGreaterThan(record?.worst.low ?? Infinity);
  });

  it('is the same again, in batches too, and another with another seed', async () => {
    const once = await runStatistical(requestOf(right));
    expect(await runStatistical(requestOf(right))).toEqual(once);
    expect(await runStatistical(requestOf(right, {}, 'async'))).toEqual(once);
    expect((await runStatistical(requestOf(right, { seed: 2 }))).statistics).not.toEqual(once.statistics);
  });

  it('draws anew for each draw and each setting, and keeps the other inputs of a setting', async () => {
    const seen = new Map<number, Set<number>>();
    const noting: Drop = (x, u) => {
      seen.set(x, (seen.get(x) ?? new Set()).add(u));
      return right(x, u);
    };
    await runStatistical(requestOf(noting, { draws: 50, statistics: { ...statistics, settings: 2 } }));
    const draws = [...seen.values()];
    expect(draws.length).toBeLessThanOrEqual(8);
    for (const own of draws) expect(own.size).toBeGreaterThanOrEqual(50);
    const all = draws.flatMap((own) => [...own]);
    expect(new Set(all).size).toBe(all.length);
  });

  it('is falsified at the first setting that refutes it, with the interval that shows it', async () => {
    const outcome = await runStatistical(requestOf((x, u) => (u < 0.5 ? 4 * x : 0)));
    expect(outcome).toMatchObject({
      verdict: 'falsified',
      cases: 4000,
      counterexample: { shrinks: 0, outputs: ['another output for every draw'] },
    });
    expect(outcome.reason).toMatch(
      /^mean\(f\(x, u\)_i\) ≈ x_i: the mean of element \d is [\d.]+, in \[[\d.]+, [\d.]+\] at confidence 99\.9\d+ %; right = [\d.]+ ± 0\.2 \(0 of \d intervals lie within\)$/u,
    );
    expect(outcome.counterexample?.input).toEqual(outcome.statistics?.[0]?.worst.input);
  });

  it('is open where an interval reaches over the edge', async () => {
    const { verdict, reason, counterexample } = await runStatistical(requestOf(right, { draws: 100 }));
    expect([verdict, counterexample]).toEqual(['undetermined', null]);
    expect(reason).toMatch(/ intervals lie within\); more draws would decide$/u);
  });

  it('says of a bound what it is held to', async () => {
    const bound = { ...comparison, relation: '≤' as const, allowed: null, text: 'mean(f) ≤ x_i' };
    const asked = { statistics: { ...statistics, comparisons: [comparison, bound] } };
    const outcome = await runStatistical(requestOf((x, u) => (u < 0.5 ? 2.2 * x : 0), asked));
    expect(outcome.statistics?.map(({ relation }) => relation)).toEqual(['≈', '≤']);
    expect(outcome.verdict).toBe('falsified');
    expect(outcome.reason).toMatch(/^mean\(f\) ≤ x_i: .* %; ≤ \d/u);
  });

  it('ends with the input on which a kernel fails, or with the reason why it cannot run', async () => {
    const failing = (failure: KernelFailure) => {
      const kernels = new Map([['softmax', openKernel(() => ({ ok: false, failure }))]]);
      return runStatistical(requestOf(right, { kernels }));
    };
    expect(await failing({ kind: 'threw', message: 'no' })).toMatchObject({
      verdict: 'falsified',
      cases: 1,
      counterexample: { explanation: 'the kernel gave no output: it threw: no' },
      statistics: [],
    });
    expect(await failing({ kind: 'unsupported', message: 'no' })).toMatchObject({
      verdict: 'undetermined',
      reason: 'the backend cannot run it: no',
      cases: 0,
    });
    expect((await runStatistical(requestOf(right, { kernels: new Map() }))).reason).toBe(
      'no kernel is open for softmax',
    );
  });

  it('is incomplete where its time ends', async () => {
    let asked = 0;
    const { verdict, cases } = await runStatistical(requestOf(right, { expired: () => ++asked > 9 }));
    expect(verdict).toBe('incomplete');
    expect(cases).toBeGreaterThan(0);
    expect(cases).toBeLessThan(12_000);
    const never = await runStatistical(requestOf(right, { expired: () => true }));
    expect([never.verdict, never.cases]).toEqual(['incomplete', 0]);
  });

  it('needs settings inside the preconditions, and looks for each of them', async () => {
    const inside = (precondition: CompiledGoal['precondition']) =>
      runStatistical(requestOf(right, { compiled: sumsToOne({ precondition, check: () => true }) }));
    expect(await inside(() => false)).toMatchObject({ verdict: 'vacuous', cases: 0 });
    const some = await inside((_sizes, values) => (vectorOf(values)[0] ?? 0) > 1.5);
    expect(some).toMatchObject({ verdict: 'tested', cases: 12_000, filtered: 0 });
    // The second setting has the largest sizes.
    const large = await inside(([n]) => n === 4);
    expect(large).toMatchObject({ verdict: 'incomplete', sizes: { n: { minimum: 4, maximum: 4 } } });
    expect(large.statistics?.[0]?.within).toBeGreaterThan(0);
  });

  it('reports mathematics without an end', async () => {
    const target = () => {
      throw new RangeError('no end');
    };
    const asked = { statistics: { ...statistics, comparisons: [{ ...comparison, target }] } };
    expect(await runStatistical(requestOf(right, asked))).toMatchObject({
      verdict: 'undetermined',
      reason: 'the claim cannot be evaluated: no end',
      declaredCases: 12_000,
    });
  });

  it('needs a finite range to draw from', async () => {
    const open = box([size('n', 1, 4)], [variable('x', ['n']), variable('u', ['n'])]);
    const { reason } = await runStatistical(requestOf(right, { goal: goalOf({ domain: open }) }));
    expect(reason).toContain('u is drawn uniformly, and its domain gives it no finite range');
  });
});

describe('uniform draws of inputs with other domains', () => {
  function drawn(own: Partial<InputVariable>, times = 400): readonly number[] {
    const created = createGenerator(box([], [variable('u', [], own), variable('c', [])]), 1, 'g');
    if (!created.ok) throw new Error(created.error);
    const draw = uniformDraw(created.value.plan, ['u']);
    if (!draw.ok) throw new Error(draw.error);
    const [buffer, stream] = [created.value.allocate([]), streamFor(1, 's')];
    return Array.from({ length: times }, () => {
      draw.value(buffer, stream);
      return Number(buffer.values[0]);
    });
  }
  const distinct = (values: readonly number[]): readonly number[] => [...new Set(values)].toSorted((a, b) => a - b);

  it('are of every listed value', () => {
    expect(distinct(drawn({ choices: [numeral(2), numeral(0.1), numeral(7)] }))).toEqual([Math.fround(0.1), 2, 7]);
  });

  it('are of the whole numbers between the ends, without those that are left out', () => {
    const integers = (lower: Bound, upper: Bound) => distinct(drawn({ element: INTEGER, lower, upper }));
    expect(integers(closed(1), closed(3))).toEqual([1, 2, 3]);
    expect(integers(open(1), open(4))).toEqual([2, 3]);
    expect(integers(closed(0.5), closed(3.5))).toEqual([1, 2, 3]);
    expect(integers(open(1), open(2))).toEqual([Number.NaN]);
    expect(integers(open(0.5), open(1.5))).toEqual([1]);
  });

  it('are never on an end that is left out, which rounding may meet', () => {
    // Between the ends there are two float32 numbers.
    const low = 1;
    const ulp = 2 ** -23;
    const between = (lower: Bound, upper: Bound) => distinct(drawn({ lower, upper }));
    expect(between(closed(low), closed(low + ulp))).toEqual([low, low + ulp]);
    expect(between(open(low), closed(low + ulp))).toEqual([low + ulp]);
    expect(between(closed(low), open(low + ulp))).toEqual([low]);
    expect(between(open(low), open(low + ulp))).toEqual([Number.NaN]);
  });

  it('are between ends that other inputs and sizes give', () => {
    const created = createGenerator(
      box(
        [size('n', 3, 3)],
        [
          variable('c', [], { lower: closed(5), upper: closed(5) }),
          variable('u', ['n'], {
            element: INTEGER,
            lower: { value: name('n'), open: false },
            upper: { value: name('c'), open: false },
          }),
        ],
      ),
      1,
      'g',
    );
    if (!created.ok) throw new Error(created.error);
    const draw = uniformDraw(created.value.plan, ['u']);
    if (!draw.ok) throw new Error(draw.error);
    const [buffer, stream] = [created.value.allocate([3]), streamFor(1, 's')];
    buffer.values[0] = 5;
    const seen = new Set<number>();
    for (let i = 0; i < 50; i++) {
      draw.value(buffer, stream);
      const [, values] = buffer.values;
      if (typeof values === 'object') values.forEach((value) => seen.add(value));
    }
    expect([...seen].toSorted((a, b) => a - b)).toEqual([3, 4, 5]);
    // A tensor has no one value that an end could be.
    expect(
      drawn({ lower: closed(0), upper: { value: name('z'), open: false } }, 3).every((value) => Number.isNaN(value)),
    ).toBe(true);
  });

  it.each<[string, Partial<InputVariable>]>([
    ['no end above', { lower: closed(0) }],
    ['no end below', { upper: closed(0) }],
    ['rows that depend on one another', { lower: closed(0), upper: closed(1), structure: 'increasing' }],
  ])('need a finite range: not %s', (_, own) => {
    const created = planDomain(box([], [variable('u', [], own)]));
    if (!created.ok) return;
    expect(uniformDraw(created.value, ['u'])).toMatchObject({ ok: false });
    expect(uniformDraw(created.value, [])).toMatchObject({ ok: true });
  });
});
