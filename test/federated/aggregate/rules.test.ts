/**
 * Robust rules against implementations of their definitions, their preconditions, and what f attackers can do to them.
 *
 * Holds src/federated/aggregate/rules.ts, src/federated/aggregate/krum.ts, src/federated/aggregate/order-statistics.ts,
 * src/federated/aggregate/geometric-median.ts.
 */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { initialAdapter } from '../../../src/federated/adapter/initial-adapter.ts';
import type { StateDict } from '../../../src/federated/adapter/layout.ts';
import { addDistances, bulyanSelection, krum, noDistances } from '../../../src/federated/aggregate/krum.ts';
import { meanAroundMedian, median, trimmedMean } from '../../../src/federated/aggregate/order-statistics.ts';
import { ruleFault, type RuleName } from '../../../src/federated/aggregate/rules.ts';
import { streamFor, unitDouble } from '../../../src/numeric/xoshiro.ts';
import { aggregated, planOf, ruleOf, submission } from '../fixture.ts';

type Vector = readonly number[];

const layer = [{ path: 'proj', inputs: 2, outputs: 3 }];
const name = 'base_model.model.proj.lora_B.weight';
const size = 3;
const adapterOf = (data: Vector): StateDict =>
  new Map(initialAdapter(0, layer, 1)).set(name, { shape: [3, 1], data: Float32Array.from(data) });

/** What a rule makes of vectors, through the whole aggregation. */
async function byRule(rule: RuleName, vectors: readonly Vector[], faulty: number): Promise<Vector> {
  // Padded, so that ids sort as numbers.
  const parts = vectors.map((vector, p) => submission(`p${String(p).padStart(2, '0')}`, adapterOf(vector), 1 + p));
  const { adapter } = await aggregated(parts, planOf({ rule: ruleOf(rule, faulty) }));
  return [...(adapter.get(name)?.data ?? [])];
}

/* The definitions, written without regard to cost. */

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const ascending = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);
const column = (vectors: readonly Vector[], i: number): readonly number[] => vectors.map((v) => v[i] ?? NaN);
const perCoordinate = (vectors: readonly Vector[], of: (values: readonly number[]) => number): Vector =>
  Array.from({ length: size }, (_, i) => Math.fround(of(column(vectors, i))));
const distance2 = (x: Vector, y: Vector): number => sum(x.map((value, i) => (value - (y[i] ?? NaN)) ** 2));

const medianOf = (values: readonly number[]): number => {
  const s = ascending(values);
  return ((s[Math.floor((s.length - 1) / 2)] ?? NaN) + (s[Math.ceil((s.length - 1) / 2)] ?? NaN)) / 2;
};
const trimmedOf = (f: number) => (values: readonly number[]) => {
  const kept = ascending(values).slice(f, values.length - f);
  return sum(kept) / kept.length;
};

function krumScores(vectors: readonly Vector[], f: number): readonly number[] {
  return vectors.map((x, p) => {
    const others = vectors.filter((_, q) => q !== p).map((y) => distance2(x, y));
    return sum(ascending(others).slice(0, Math.max(1, vectors.length - f - 2)));
  });
}

function bestOf(vectors: readonly Vector[], f: number): number {
  const scores = krumScores(vectors, f);
  return scores.indexOf(Math.min(...scores));
}

function bulyanOf(vectors: readonly Vector[], f: number): Vector {
  const chosen: Vector[] = [];
  let rest = vectors;
  while (chosen.length < vectors.length - 2 * f) {
    const best = bestOf(rest, f);
    chosen.push(rest[best] ?? []);
    rest = rest.filter((_, p) => p !== best);
  }
  return perCoordinate(chosen, (values) => {
    const centre = medianOf(values);
    const near = ascending(values).toSorted((a, b) => Math.abs(a - centre) - Math.abs(b - centre));
    const kept = ascending(near.slice(0, values.length - 2 * f));
    return sum(kept) / kept.length;
  });
}

/** Random vectors without ties, some of them far away. */
function vectorsOf(seed: number, n: number): readonly Vector[] {
  const stream = streamFor(seed, 'vectors');
  return Array.from({ length: n }, (_, p) =>
    Array.from({ length: size }, () => Math.fround((unitDouble(stream) - 0.5) * (p % 3 === 2 ? 1000 : 1))),
  );
}

const seeds = fc.nat(100_000);

describe('the definitions', () => {
  const cases = fc.tuple(seeds, fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 4 }));
  const compare = (
    rule: RuleName,
    least: (f: number) => number,
    expected: (v: readonly Vector[], f: number) => Vector,
  ) =>
    fc.assert(
      fc.asyncProperty(cases, async ([seed, f, more]) => {
        const vectors = vectorsOf(seed, Math.max(1, least(f)) + more);
        expect(await byRule(rule, vectors, f)).toEqual(expected(vectors, f));
      }),
      { numRuns: 60 },
    );

  it('median', () =>
    compare(
      'median',
      (f) => 2 * f + 1,
      (v) => perCoordinate(v, medianOf),
    ));
  it('trimmed_mean', () =>
    compare(
      'trimmed_mean',
      (f) => 2 * f + 1,
      (v, f) => perCoordinate(v, trimmedOf(f)),
    ));
  it('krum', () =>
    compare(
      'krum',
      (f) => 2 * f + 3,
      (v, f) => v[bestOf(v, f)] ?? [],
    ));
  it('multi_krum', () =>
    compare(
      'multi_krum',
      (f) => 2 * f + 3,
      (v, f) => {
        const scores = krumScores(v, f);
        const order = [...scores.keys()].toSorted((p, q) => (scores[p] ?? NaN) - (scores[q] ?? NaN));
        const chosen = order.slice(0, v.length - f - 2).map((p) => v[p] ?? []);
        return perCoordinate(chosen, (values) => sum(values) / values.length);
      },
    ));
  it('bulyan', () => compare('bulyan', (f) => 4 * f + 3, bulyanOf));

  it('geometric_median: no point near it has a sum of distances that is smaller by more than 2e-5', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.integer({ min: 1, max: 9 }), async (seed, n) => {
        const vectors = vectorsOf(seed, n);
        const found = await byRule('geometric_median', vectors, Math.floor((n - 1) / 2));
        const cost = (z: Vector) => sum(vectors.map((x) => Math.sqrt(distance2(x, z))));
        const least = cost(found);
        const stream = streamFor(seed, 'steps');
        for (const length of [1, 1e-1, 1e-2, 1e-3]) {
          for (let k = 0; k < 20; k++) {
            const step = found.map((x) => x + length * (unitDouble(stream) - 0.5));
            expect(cost(step)).toBeGreaterThanOrEqual(least * (1 - 2e-5));
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('geometric_median of rows of which most agree is theirs', async () => {
    const same = [0.1, 0.2, 0.3].map(Math.fround);
    for (const others of [[], [[1e30, -1e30, 1e30]]])
      expect(await byRule('geometric_median', [same, same, ...others, same], 1)).toEqual(same);
  });
});

test('the order of submissions changes no bit under any rule', async () => {
  const vectors = vectorsOf(3, 11);
  const parts = vectors.map((vector, p) => submission(`p${p}`, adapterOf(vector), 1 + p));
  for (const rule of ['median', 'trimmed_mean', 'krum', 'multi_krum', 'geometric_median', 'bulyan'] as const) {
    const plan = planOf({ rule: ruleOf(rule, 2) });
    const { bytes } = await aggregated(parts, plan);
    expect((await aggregated(parts.toReversed(), plan)).bytes).toEqual(bytes);
  }
});

describe('preconditions', () => {
  it.each([
    ['median', 2, 5],
    ['trimmed_mean', 2, 5],
    ['geometric_median', 2, 5],
    ['krum', 2, 7],
    ['multi_krum', 2, 7],
    ['bulyan', 2, 11],
    ['fedavg', 2, 1],
  ] as const)('%s with f = %i needs n = %i', (rule, f, least) => {
    expect(ruleFault(ruleOf(rule, f), least)).toBeNull();
    expect(ruleFault(ruleOf(rule, f), least - 1)?.name).toBe('too_few_participants');
    for (const wrong of [-1, 0.5, NaN, Infinity]) expect(ruleFault(ruleOf(rule, wrong), 99)?.name).toBe('unsupported');
  });
});

describe('what f attackers can do', () => {
  const attack = fc.float({ noNaN: true, noDefaultInfinity: true });
  const attacks = fc.array(fc.tuple(attack, attack, attack), { minLength: 2, maxLength: 2 });
  const at = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], { minLength: 2, maxLength: 2 });

  /** Eleven vectors, two of which an attacker chose. */
  const mixed = (seed: number, hostile: readonly Vector[], places: readonly number[]) => {
    const honest = vectorsOf(seed, 33).filter((_, p) => p % 3 === 0);
    const all = honest.map((vector, p) => hostile[places.indexOf(p)] ?? vector);
    return { all, honest: honest.filter((_, p) => !places.includes(p)) };
  };

  it('no coordinate of median, trimmed_mean and bulyan leaves the range of the honest', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, attacks, at, async (seed, hostile, places) => {
        const { all, honest } = mixed(seed, hostile, places);
        for (const rule of ['median', 'trimmed_mean', 'bulyan'] as const) {
          for (const [i, x] of (await byRule(rule, all, 2)).entries()) {
            const range = column(honest, i);
            expect(x).toBeGreaterThanOrEqual(Math.min(...range));
            expect(x).toBeLessThanOrEqual(Math.max(...range));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('krum, multi_krum and geometric_median stay within a few diameters of the honest', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, attacks, at, async (seed, hostile, places) => {
        const { all, honest } = mixed(seed, hostile, places);
        const diameter = Math.sqrt(Math.max(...honest.flatMap((x) => honest.map((y) => distance2(x, y)))));
        for (const rule of ['krum', 'multi_krum', 'geometric_median'] as const) {
          const found = await byRule(rule, all, 2);
          const nearest = Math.sqrt(Math.min(...honest.map((x) => distance2(x, found))));
          // The chosen of Krum has an honest neighbour among its n − f − 2, or no other had a worse score.
          expect(nearest).toBeLessThanOrEqual(Math.sqrt(all.length) * diameter);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('one attacker moves fedavg as far as it likes', async () => {
    const { all } = mixed(1, [[1e30, 0, 0]], [4]);
    expect((await byRule('fedavg', all, 0))[0]).toBeGreaterThan(1e28);
  });
});

test('distances of nearly equal rows are exact, where |x|² + |y|² − 2xy would be negative', () => {
  const base = Float32Array.from({ length: 1000 }, (_, i) => Math.fround(1000 + i));
  const rows = [0, 1, 2, 50].map((k) => base.map((x) => x + k * 2 ** -12));
  const distances = noDistances(4);
  addDistances(distances, rows);
  expect(distances.squared[1]).toBe(1000 * 2 ** -24);
  expect(krum(distances, 0, 2)).not.toContain(3);
  expect(bulyanSelection(distances, 0)).toEqual([0, 1, 2, 3]);
});

test('order statistics do not touch their rows', () => {
  const rows = [3, 1, 2].map((x) => Float32Array.of(x));
  const out = new Float32Array(1);
  median(rows, out);
  expect(out[0]).toBe(2);
  trimmedMean(rows, 1, out);
  expect(out[0]).toBe(2);
  meanAroundMedian(rows, 2, out);
  expect(out[0]).toBe(1.5);
  expect(rows.map((row) => row[0])).toEqual([3, 1, 2]);
});
