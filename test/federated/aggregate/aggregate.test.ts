/**
 * The aggregate of a round: federated averaging, the modes, their bytes and their faults.
 *
 * Holds src/federated/aggregate/aggregate.ts, src/federated/aggregate/cohort.ts, src/federated/aggregate/products.ts,
 * src/federated/aggregate/orthogonal.ts, src/federated/aggregate/weighted-mean.ts, src/federated/aggregate/norm-bound.ts.
 */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { adapterFault } from '../../../src/federated/adapter/adapter-fault.ts';
import { writeAdapter } from '../../../src/federated/adapter/adapter-file.ts';
import { readerOf } from '../../../src/federated/adapter/adapter-reader.ts';
import { initialAdapter } from '../../../src/federated/adapter/initial-adapter.ts';
import type { StateDict } from '../../../src/federated/adapter/layout.ts';
import { orthonormalBasis, singularValues } from '../../../src/federated/aggregate/orthogonal.ts';
import { weightedMean } from '../../../src/federated/aggregate/weighted-mean.ts';
import { streamFor, unitDouble } from '../../../src/numeric/xoshiro.ts';
import {
  adapterFrom,
  aggregated,
  faultOf,
  layers,
  planOf,
  productOf,
  relativeError,
  ruleOf,
  submission,
} from '../fixture.ts';

const bName = 'base_model.model.model.layers.0.q_proj.lora_B.weight';
const withB = (data: readonly number[]): StateDict =>
  new Map(adapterFrom('x')).set(bName, { shape: [7, 2], data: Float32Array.from(data) });
const fourteen = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 14, maxLength: 14 });
const sampleCount = fc.integer({ min: 1, max: 1_000_000 });

describe('federated averaging', () => {
  it('test_fedavg_weighted_arithmetic: weighs by samples and reputation', async () => {
    const parts = [
      submission('a', withB(Array.from({ length: 14 }, (_, i) => i)), 3),
      submission('b', withB(Array.from({ length: 14 }, () => 4)), 2, 0.5),
      submission('c', withB(Array.from({ length: 14 }, () => 1e9)), 5, 0),
    ];
    const { adapter, report } = await aggregated(parts, planOf());
    expect([...(adapter.get(bName)?.data ?? [])]).toEqual(Array.from({ length: 14 }, (_, i) => (3 * i + 4) / 4));
    expect(report).toEqual({ participants: ['a', 'b'], shares: [0.75, 0.25], rank: 2, alpha: 4, discarded: 0 });
  });

  it('is the mean over exact numbers, rounded once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fourteen, sampleCount), { minLength: 1, maxLength: 6 }), async (cases) => {
        const parts = cases.map(([numbers, samples], p) => submission(`p${p}`, withB(numbers), samples));
        const { adapter } = await aggregated(parts, planOf());
        const total = cases.reduce((sum, [, samples]) => sum + samples, 0);
        for (const [i, found] of (adapter.get(bName)?.data ?? []).entries()) {
          const terms = cases.map(([numbers, samples]) => samples * (numbers[i] ?? NaN));
          const [mean, size] = [
            terms.reduce((a, b) => a + b, 0) / total,
            terms.reduce((a, b) => a + Math.abs(b), 0) / total,
          ];
          expect(Math.abs(found - mean)).toBeLessThanOrEqual(2 ** -24 * Math.abs(mean) + 2 ** -149 + 1e-14 * size);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('fedavg([d, d, d]) == d, bit for bit, for any weights', async () => {
    const cases = fc.array(fc.tuple(sampleCount, fc.double({ min: 1e-3, max: 1, noNaN: true })), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(fourteen, cases, async (numbers, weights) => {
        const one = withB(numbers);
        const parts = weights.map(([samples, reputation], p) => submission(`p${p}`, one, samples, reputation));
        const { adapter } = await aggregated(parts, planOf());
        expect(adapter.get(bName)?.data.every((x, i) => Object.is(x, one.get(bName)?.data[i]))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('is finite for the largest finite numbers', () => {
    const largest = (2 - 2 ** -23) * 2 ** 127;
    for (const sign of [1, -1]) {
      const out = new Float32Array(1);
      weightedMean(
        [1, 1, 1].map(() => Float32Array.of(sign * largest)),
        [3, 7e5, 0.1],
        new Float64Array(1),
        out,
      );
      expect(out[0]).toBe(sign * largest);
    }
  });

  it('gives the same bytes whatever the order of the submissions', async () => {
    const parts = Array.from({ length: 9 }, (_, p) =>
      submission(`node-${p}`, adapterFrom(`n${p}`, false), p + 1, 1 / (p + 1)),
    );
    for (const mode of ['fedit', 'stack', 'svd'] as const) {
      const { bytes } = await aggregated(parts, planOf({ mode }));
      await fc.assert(
        fc.asyncProperty(fc.shuffledSubarray(parts, { minLength: 9 }), async (shuffled) => {
          expect((await aggregated(shuffled, planOf({ mode }))).bytes).toEqual(bytes);
        }),
        { numRuns: 8 },
      );
    }
  });

  it('gives the same bytes for tensors of several parts', async () => {
    const wide = [{ path: 'q_proj', inputs: 3, outputs: 40_000 }];
    const parts = [1, 2, 3].map((p) => submission(`p${p}`, adapterFrom(`wide${p}`, true, 2, wide), p));
    const { adapter } = await aggregated(parts, planOf());
    const inputs = [1, 2, 3].map(
      (p) => adapterFrom(`wide${p}`, true, 2, wide).get('base_model.model.q_proj.lora_B.weight')?.data,
    );
    const found = adapter.get('base_model.model.q_proj.lora_B.weight')?.data ?? [];
    expect(found.length).toBe(80_000);
    for (const [i, x] of found.entries()) {
      const [a = NaN, b = NaN, c = NaN] = inputs.map((data) => data?.[i]);
      if (x !== Math.fround((a + 2 * b + 3 * c) / 6)) expect.fail(`element ${i} is ${x}`);
    }
  });

  it('writes a file that is a valid submission of the next round', async () => {
    const parts = ['a', 'b'].map((id) => submission(id, adapterFrom(id)));
    const { bytes } = await aggregated(parts, planOf());
    const frozen = initialAdapter(0, layers, 2);
    expect(adapterFault(bytes, { layers, targetModules: [], rank: 2, alpha: 4, frozen })).toBeNull();
    const again = await aggregated(parts, planOf({ start: readerOf(bytes) }));
    expect(again.bytes).toEqual(bytes);
  });
});

describe('the modes', () => {
  const trained = Array.from({ length: 5 }, (_, p) => adapterFrom(`m${p}`, false));
  const exact = (adapters: readonly StateDict[], l: number) => {
    const layer = layers[l] ?? expect.fail('there are two layers');
    const products = adapters.map((adapter) => productOf(adapter, layer));
    const total = adapters.reduce((sum, _, p) => sum + p + 1, 0);
    return {
      layer,
      mean: Float64Array.from(products[0] ?? [], (_, i) =>
        products.reduce((sum, product, p) => sum + ((p + 1) / total) * (product[i] ?? NaN), 0),
      ),
    };
  };
  const parts = (adapters: readonly StateDict[]) => adapters.map((adapter, p) => submission(`p${p}`, adapter, p + 1));
  const errors = (adapter: StateDict, of: readonly StateDict[]) =>
    [0, 1].map((l) => {
      const { layer, mean } = exact(of, l);
      return relativeError(productOf(adapter, layer), mean);
    });

  it('stack is exact, and its rank grows while the scale stays', async () => {
    const { adapter, report } = await aggregated(parts(trained), planOf({ mode: 'stack' }));
    expect(report).toMatchObject({ rank: 10, alpha: 20 });
    for (const error of errors(adapter, trained)) expect(error).toBeLessThan(1e-7);
  });

  it('svd truncates to the nearest product of the rank, and reports what that cost', async () => {
    const { adapter, report } = await aggregated(parts(trained), planOf({ mode: 'svd' }));
    const found = errors(adapter, trained);
    expect(Math.abs(Math.max(...found) - report.discarded)).toBeLessThan(1e-6);
    expect(report.discarded).toBeGreaterThan(0.1);
    expect(report.rank).toBe(2);
  });

  it('svd is exact where the mean has the rank, also for submissions that agree', async () => {
    const same = Array.from({ length: 4 }, () => adapterFrom('same', false));
    const { adapter, report } = await aggregated(parts(same), planOf({ mode: 'svd' }));
    for (const error of errors(adapter, same)) expect(error).toBeLessThan(1e-6);
    expect(report.discarded).toBeLessThan(1e-12);
  });

  it('ffa is exact, and fedit is not', async () => {
    const frozen = Array.from({ length: 5 }, (_, p) => adapterFrom(`m${p}`));
    const linear = await aggregated(parts(frozen), planOf());
    for (const error of errors(linear.adapter, frozen)) expect(error).toBeLessThan(1e-7);
    const factors = await aggregated(parts(trained), planOf({ mode: 'fedit' }));
    for (const error of errors(factors.adapter, trained)) expect(error).toBeGreaterThan(0.1);
  });

  it('of adapters that change nothing, svd changes nothing', async () => {
    const zero = initialAdapter(0, layers, 2);
    const { adapter } = await aggregated([submission('a', zero), submission('b', zero)], planOf({ mode: 'svd' }));
    for (const layer of layers) expect(productOf(adapter, layer).every((x) => x === 0)).toBe(true);
  });
});

describe('faults', () => {
  const one = submission('a', adapterFrom('a'));
  it.each([
    ['too_few_participants', [], {}],
    ['too_few_participants', [submission('a', adapterFrom('a'), 1, 0)], {}],
    ['duplicate_participant', [one, one], {}],
    ['weight_invalid', [submission('b', adapterFrom('b'), 0)], {}],
    ['weight_invalid', [submission('b', adapterFrom('b'), 1.5)], {}],
    ['weight_invalid', [submission('b', adapterFrom('b'), 1, 2)], {}],
    ['weight_invalid', [submission('b', adapterFrom('b'), 1, NaN)], {}],
    ['unreadable', [{ ...one, adapter: readerOf(new Uint8Array(9)) }], {}],
    ['unreadable', [one], { start: readerOf(new Uint8Array(9)) }],
    ['structure_differs', [one, submission('b', adapterFrom('b', true, 3))], {}],
    ['structure_differs', [one], { start: readerOf(writeAdapter(adapterFrom('b', true, 3))) }],
    ['structure_differs', [submission('a', new Map([['x', { shape: [1], data: new Float32Array(1) }]]))], {}],
    ['frozen_factor_differs', [one, submission('b', adapterFrom('b', false))], {}],
    ['frozen_factor_differs', [one], { start: readerOf(writeAdapter(adapterFrom('s', false))) }],
    ['unsupported', [one], { mode: 'stack', rule: ruleOf('median') }],
    ['unsupported', [one], { rule: ruleOf('median', -1) }],
    ['unsupported', [one], { rule: ruleOf('norm_bound') }],
    ['unsupported', [one], { mode: 'fedit', rule: ruleOf('norm_bound', 0, 1) }],
    ['too_few_participants', [one], { rule: ruleOf('krum') }],
    ['too_few_participants', [one], { rule: ruleOf('median', 1) }],
  ] as const)('%s', async (name, participants, changes) => {
    expect(await faultOf([...participants], planOf(changes))).toBe(name);
  });

  it('unsupported for svd of more directions than can be rotated in reasonable time', async () => {
    const wide = [{ path: 'q_proj', inputs: 600, outputs: 600 }];
    const parts = Array.from({ length: 19 }, (_, p) => submission(`p${p}`, initialAdapter(p, wide, 27)));
    expect(await faultOf(parts, planOf({ mode: 'svd' }))).toBe('unsupported');
  });

  it('not_finite for a poisoned submission in every mode and under every rule', async () => {
    const poisoned = submission('p', withB([...Array.from({ length: 13 }, () => 1), NaN]));
    const others = Array.from({ length: 6 }, (_, p) => submission(`p${p}`, adapterFrom(`o${p}`)));
    for (const mode of ['ffa', 'fedit', 'stack', 'svd'] as const)
      expect(await faultOf([...others, poisoned], planOf({ mode }))).toBe('not_finite');
    for (const name of ['median', 'trimmed_mean', 'krum', 'multi_krum', 'geometric_median', 'bulyan'] as const)
      expect(await faultOf([...others, poisoned], planOf({ rule: ruleOf(name, 1) }))).toBe('not_finite');
  });

  it('unreadable for a source that fails in the middle', async () => {
    const reader = readerOf(writeAdapter(adapterFrom('a')));
    let reads = 0;
    const failing: typeof reader = {
      ...reader,
      read: async (offset, length) =>
        ++reads > 4 ? { ok: false, error: { message: 'the disk is gone' } } : await reader.read(offset, length),
    };
    expect(await faultOf([{ ...one, adapter: failing }], planOf())).toBe('unreadable');
  });
});

describe('factorisations', () => {
  const random = (name: string, rows: number, columns: number) => {
    const stream = streamFor(3, name);
    return Array.from({ length: columns }, () => Float64Array.from({ length: rows }, () => unitDouble(stream) - 0.5));
  };
  const dot = (x: Float64Array, y: Float64Array) => x.reduce((sum, value, i) => sum + value * (y[i] ?? NaN), 0);

  it('give orthonormal columns and the matrix back', () => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (seed, rows, columns) => {
          const m = random(`m${seed}`, rows, columns);
          // Dependent columns.
          if (columns > 2) m[columns - 1] = Float64Array.from(m[0] ?? [], (x, i) => 2 * x - (m[1]?.[i] ?? NaN));
          const { q, r } = orthonormalBasis(m);
          for (const [i, x] of q.entries())
            for (const [j, y] of q.entries()) expect(Math.abs(dot(x, y) - (i === j ? 1 : 0))).toBeLessThan(1e-13);
          for (const [j, column] of m.entries())
            for (const [i, value] of column.entries())
              expect(
                Math.abs(q.reduce((sum, one, k) => sum + (one[i] ?? NaN) * (r[j]?.[k] ?? NaN), 0) - value),
              ).toBeLessThan(1e-12);
          const { u, sigma, v } = singularValues(m);
          for (const [k, value] of sigma.slice(1).entries()) expect(value).toBeLessThanOrEqual(sigma[k] ?? NaN);
          for (const [j, column] of m.entries())
            for (const [i, value] of column.entries())
              expect(
                Math.abs(sigma.reduce((sum, s, k) => sum + s * (u[k]?.[i] ?? NaN) * (v[k]?.[j] ?? NaN), 0) - value),
              ).toBeLessThan(1e-13);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('find known singular values', () => {
    const { sigma } = singularValues([Float64Array.of(3, 4), Float64Array.of(0, 5)]);
    expect(sigma.map((value) => value ** 2)).toEqual([expect.closeTo(45, 12), expect.closeTo(5, 12)]);
  });
});

test('norm_bound shortens what is far from the start and keeps the rest', async () => {
  const start = initialAdapter(0, layers, 2);
  const near = withB([0.5, ...Array.from({ length: 13 }, () => 0)]);
  const cut = new Map(start).set(bName, near.get(bName) ?? expect.fail('B is there'));
  const far = new Map(start).set(bName, { shape: [7, 2], data: new Float32Array(14).fill(1e30) });
  const parts = [submission('near', cut), submission('far', far)];
  for (const origin of [null, readerOf(writeAdapter(start))]) {
    const { adapter } = await aggregated(parts, planOf({ rule: ruleOf('norm_bound', 0, 2), start: origin }));
    const [first, ...rest] = adapter.get(bName)?.data ?? [];
    const share = 2 / Math.sqrt(14) / 2;
    expect(first).toBeCloseTo(0.25 + share, 6);
    for (const x of rest) expect(x).toBeCloseTo(share, 6);
  }
});
