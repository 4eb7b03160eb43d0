import { describe, expect, it } from 'vitest';
import type { Domain } from '../../src/math/domain.ts';
import * as b from '../../src/math/build.ts';
import { FLOAT32, INTEGER } from '../../src/math/term.ts';
import { judgeSample } from '../../src/methods/statistical/judge.ts';
import { accumulate, emptyAccumulator, momentsOf, type Accumulator } from '../../src/methods/statistical/moments.ts';
import { uniformDraw } from '../../src/methods/statistical/draw.ts';
import { streamFor } from '../../src/numeric/xoshiro.ts';
import { createGenerator } from '../../src/runtime/generate/generator.ts';

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
