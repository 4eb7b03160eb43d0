/**
 * Bounds against published numbers and reference implementations, and the law that they contain what the network computes.
 *
 * Holds src/training/robustness/analysis.ts, src/training/robustness/back-substitution.ts,
 * src/training/robustness/evaluate.ts, src/training/robustness/intervals.ts, src/training/robustness/matrix.ts,
 * src/training/robustness/network.ts, src/training/robustness/relaxation.ts, src/training/robustness/rounding.ts.
 */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createAnalysis, stateOf, type NodeState } from '../../../src/training/robustness/analysis.ts';
import { addCoefficient, lowerBound } from '../../../src/training/robustness/back-substitution.ts';
import { bounds, propagate, type Method } from '../../../src/training/robustness/bounds.ts';
import { createEvaluator } from '../../../src/training/robustness/evaluate.ts';
import { networkOf, type Layer, type Network } from '../../../src/training/robustness/network.ts';
import type { Arithmetic } from '../../../src/training/robustness/rounding.ts';
import { figure3, hasRobustnessData, jsonAt, networkAt } from '../../support/robustness-data.ts';

/** Bounds of one node as pairs. */
const pairs = (network: Network, lo: readonly number[], hi: readonly number[], method: Method, node: number) => {
  const found = bounds(network, { lo, hi }, method, 'real');
  return Array.from(found.lo[node] ?? [], (l, j) => [l, found.hi[node]?.[j] ?? Number.NaN]);
};

function near(found: readonly (readonly number[])[], expected: readonly (readonly number[])[], tolerance = 1e-9): void {
  expect(found.length).toBe(expected.length);
  for (const [j, pair] of expected.entries())
    for (const [k, value] of pair.entries())
      expect(Math.abs((found[j]?.[k] ?? Number.NaN) - value)).toBeLessThanOrEqual(tolerance);
}

describe('figure 3 of Singh et al., POPL 2019', () => {
  it('has the published DeepPoly bounds', () => {
    const at = (node: number) => pairs(figure3(), [-1, -1], [1, 1], 'deeppoly', node);
    near(at(1), [
      [-2, 2],
      [-2, 2],
    ]);
    near(at(3), [
      [0, 3],
      [-2, 2],
    ]);
    near(at(5), [
      [1, 5.5],
      [0, 2],
    ]);
  });

  it('has looser intervals', () => {
    near(pairs(figure3(), [-1, -1], [1, 1], 'ibp', 5), [
      [1, 7],
      [0, 2],
    ]);
  });

  it('takes the slope α for a leaky ReLU where u = −l', () => {
    near(pairs(figure3(0.2), [-1, -1], [1, 1], 'deeppoly', 3), [
      [-0.4, 2.8],
      [-2, 2],
    ]);
    near(pairs(figure3(0.2), [-1, -1], [1, 1], 'deeppoly', 5), [
      [0.52, 5.32],
      [-0.4, 2],
    ]);
  });
});

test('the example of auto_LiRPA', () => {
  const network = networkOf(2, [
    {
      weights: [
        [1, -1],
        [2, -1],
      ],
      bias: [0, 0],
      slope: 0,
    },
    { weights: [[1, -1]], bias: [0] },
  ]);
  near(pairs(network, [-1, -2], [2, 1], 'ibp', 3), [[-6, 4]]);
  near(pairs(network, [-1, -2], [2, 1], 'deeppoly', 3), [[-3, 3]]);
});

test(`reference data are ${hasRobustnessData ? 'there' : 'absent (../shared/data/robustness): they are not compared'}`, () => {
  expect(typeof hasRobustnessData).toBe('boolean');
});

describe.runIf(hasRobustnessData)('reference data', () => {
  interface Worked {
    readonly id: string;
    readonly input?: { readonly lo: readonly number[]; readonly hi: readonly number[] };
    readonly layers?: readonly {
      readonly W: readonly (readonly number[])[];
      readonly b: readonly number[];
      readonly act: string;
      readonly alpha?: number;
    }[];
    readonly ibp?: { readonly pre?: readonly Pairs[] };
    readonly deeppoly?: { readonly pre?: readonly Pairs[] };
  }
  interface Pairs {
    readonly lo: readonly number[];
    readonly hi: readonly number[];
  }
  const { examples } = jsonAt<{ readonly examples: readonly Worked[] }>('worked-examples.json', { examples: [] });
  const worked = examples.flatMap((one) =>
    one.layers && one.input && (one.ibp?.pre ?? one.deeppoly?.pre) ? [one] : [],
  );

  it.each(worked.map((one) => [one.id, one] as const))('worked example %s, to 1e-9', (_, one) => {
    const layers = (one.layers ?? []).map(({ W, b, act, alpha }): Layer => ({
      weights: W,
      bias: b,
      ...(act !== 'none' && { slope: act === 'relu' ? 0 : (alpha ?? 0) }),
    }));
    const network = networkOf(one.input?.lo.length ?? 0, layers);
    const affine = network.nodes.flatMap((node, n) => (node.kind === 'affine' ? [n] : []));
    for (const method of ['ibp', 'deeppoly'] as const)
      for (const [layer, pre] of (one[method]?.pre ?? []).entries())
        near(
          pairs(network, one.input?.lo ?? [], one.input?.hi ?? [], method, affine[layer] ?? 0),
          pre.lo.map((l, j) => [l, pre.hi[j] ?? 0]),
        );
  });

  interface Reference {
    readonly onnx: string;
    readonly vnnlib: string;
    readonly lo: readonly number[];
    readonly hi: readonly number[];
    readonly IBP: { readonly lb: readonly number[]; readonly ub: readonly number[] };
    readonly DeepPoly: { readonly lb: readonly number[]; readonly ub: readonly number[] };
  }
  const references = jsonAt<readonly Reference[]>('acasxu/reference_bounds_f64.json', []);
  // Every fourth; the benchmark compares them all.
  const some = references.filter((_, k) => k % 4 === 0);
  it.each(some.map((one) => [`${one.onnx} on ${one.vnnlib}`, one] as const))(
    '%s: the bounds of auto_LiRPA to 1e-9 of the interval, and never tighter by more than its own rounding',
    (_, one) => {
      const network = networkAt(`acasxu/${one.onnx}`);
      for (const [method, reference] of [
        ['ibp', one.IBP],
        ['deeppoly', one.DeepPoly],
      ] as const) {
        const found = pairs(network, one.lo, one.hi, method, network.output);
        for (const [j, [l = 0, u = 0]] of found.entries()) {
          const [lb = 0, ub = 0] = [reference.lb[j], reference.ub[j]];
          // An end near 0 is the difference of large numbers, and what rounding outward costs follows their size.
          const size = Math.max(Math.abs(lb), Math.abs(ub));
          expect(lb - l).toBeLessThanOrEqual(1e-9 * size);
          expect(u - ub).toBeLessThanOrEqual(1e-9 * size);
          expect(l - lb).toBeLessThanOrEqual(1e-11 * size);
          expect(ub - u).toBeLessThanOrEqual(1e-11 * size);
        }
      }
    },
  );
});

const weight = fc.double({ min: -3, max: 3, noNaN: true });
const layerOf = (inputs: number, outputs: number, slope: number | undefined): fc.Arbitrary<Layer> =>
  fc
    .record({
      weights: fc.array(fc.array(weight, { minLength: inputs, maxLength: inputs }), {
        minLength: outputs,
        maxLength: outputs,
      }),
      bias: fc.array(weight, { minLength: outputs, maxLength: outputs }),
    })
    .map((layer) => ({ ...layer, ...(slope !== undefined && { slope }) }));

/** Small networks with ReLU or leaky ReLU, a box, and points in it as shares of its sides. */
const cases = fc
  .tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 4 }),
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom(0, 0.01, 0.3),
  )
  .chain(([inputs, first, second, slope]) =>
    fc.record({
      inputs: fc.constant(inputs),
      layers: fc.tuple(layerOf(inputs, first, slope), layerOf(first, second, slope), layerOf(second, 2, undefined)),
      centre: fc.array(weight, { minLength: inputs, maxLength: inputs }),
      width: fc.constantFrom(0, 1e-9, 0.01, 1, 4),
      shares: fc.array(fc.array(fc.constantFrom(0, 0.25, 0.5, 0.9, 1), { minLength: inputs, maxLength: inputs }), {
        minLength: 4,
        maxLength: 4,
      }),
    }),
  );

function escapes(
  found: { readonly lo: readonly Float64Array[]; readonly hi: readonly Float64Array[] },
  output: number,
  values: ArrayLike<number>,
): boolean {
  return Array.from(values).some(
    (y, j) => !(y >= (found.lo[output]?.[j] ?? Number.NaN) && y <= (found.hi[output]?.[j] ?? Number.NaN)),
  );
}

describe('bounds', () => {
  it.each([
    ['ibp', 'float64'],
    ['deeppoly', 'float64'],
    ['hybrid', 'float64'],
    ['ibp', 'float32'],
    ['deeppoly', 'float32'],
  ] as const)(
    '%s in %s contain every output that the network computes',
    (method, arithmetic: Exclude<Arithmetic, 'real'>) => {
      fc.assert(
        fc.property(cases, ({ inputs, layers, centre, width, shares }) => {
          const round = arithmetic === 'float32' ? Math.fround : (x: number) => x;
          const rounded = layers.map((layer) => ({
            ...layer,
            weights: layer.weights.map((row) => Array.from(row, round)),
            bias: Array.from(layer.bias, round),
            ...(layer.slope !== undefined && { slope: round(layer.slope) }),
          }));
          const network = networkOf(inputs, rounded, arithmetic);
          const [lo, hi] = [centre.map((x) => round(x - width)), centre.map((x) => round(x + width))];
          const found = bounds(network, { lo, hi }, method, arithmetic);
          const evaluate = createEvaluator(network, arithmetic);
          for (const share of shares) {
            const x = lo.map((l, i) =>
              Math.min(hi[i] ?? l, Math.max(l, round(l + (share[i] ?? 0) * ((hi[i] ?? l) - l)))),
            );
            expect(escapes(found, network.output, evaluate(x))).toBe(false);
          }
        }),
        { numRuns: 300 },
      );
    },
  );

  it('of the hybrid are no looser than either', () => {
    fc.assert(
      fc.property(cases, ({ inputs, layers, centre, width }) => {
        const network = networkOf(inputs, layers);
        const box = { lo: centre.map((x) => x - width), hi: centre.map((x) => x + width) };
        const both = bounds(network, box, 'hybrid');
        for (const method of ['ibp', 'deeppoly'] as const) {
          const one = bounds(network, box, method);
          for (const n of network.nodes.keys())
            for (const j of (both.lo[n] ?? []).keys()) {
              expect(both.lo[n]?.[j]).toBeGreaterThanOrEqual(one.lo[n]?.[j] ?? Infinity);
              expect(both.hi[n]?.[j]).toBeLessThanOrEqual(one.hi[n]?.[j] ?? -Infinity);
            }
        }
      }),
      { numRuns: 100 },
    );
  });

  // Ten times 0.1 is not 1 in floating point: bounds of the sum over the reals alone would lie on one side of what is computed.
  it('without the slack for rounding would exclude what a float32 engine computes', () => {
    const tenths = Array.from({ length: 10 }, () => Math.fround(0.1));
    const network = networkOf(10, [{ weights: [tenths], bias: [0] }], 'float32');
    const point = { lo: tenths.map(() => 1), hi: tenths.map(() => 1) };
    const [computed = 0] = createEvaluator(network, 'float32')(point.lo);
    expect(escapes(bounds(network, point, 'ibp', 'real'), 1, [computed])).toBe(true);
    expect(escapes(bounds(network, point, 'ibp', 'float32'), 1, [computed])).toBe(false);
    expect(escapes(bounds(network, point, 'deeppoly', 'float32'), 1, [computed])).toBe(false);
  });

  it('contain 0 where a float32 engine flushes a product of a leaky ReLU to it', () => {
    const slope = Math.fround(0.3);
    const network = networkOf(1, [{ weights: [[1]], bias: [0], slope }], 'float32');
    const point = { lo: [-2e-38], hi: [-2e-38] };
    for (const method of ['ibp', 'deeppoly'] as const)
      expect(bounds(network, point, method, 'float32').hi[2]?.[0]).toBeGreaterThanOrEqual(0);
    expect(bounds(network, point, 'ibp', 'float64').hi[2]?.[0]).toBeLessThan(0);
  });

  it('are infinite, not wrong, where a float32 engine overflows', () => {
    const network = networkOf(
      1,
      [
        { weights: [[1e30]], bias: [0], slope: 0 },
        { weights: [[1e30]], bias: [0] },
      ],
      'float32',
    );
    expect(bounds(network, { lo: [0], hi: [1] }, 'deeppoly', 'float32').hi.at(-1)?.[0]).toBe(Infinity);
    expect(bounds(network, { lo: [0], hi: [1] }, 'deeppoly', 'float64').hi.at(-1)?.[0]).toBeLessThan(1.1e60);
  });
});

describe('a wrong implementation', () => {
  const network = networkOf(1, [
    { weights: [[1]], bias: [0], slope: 0 },
    { weights: [[1]], bias: [0] },
  ]);
  const upperBound = (spoil: (relu: NodeState) => void): number => {
    const analysis = createAnalysis(network, 'float64');
    propagate(analysis, { lo: [-1], hi: [1] }, 'deeppoly');
    spoil(stateOf(analysis, 2));
    addCoefficient(analysis, network.output, 0, -1);
    return -lowerBound(analysis, network.output, 0, 'lines');
  };
  const [computed = 0] = createEvaluator(network)([1]);

  it('with the lower line above and the upper line below is caught by sampling', () => {
    expect(upperBound(() => {})).toBeGreaterThanOrEqual(computed);
    const swapped = upperBound(({ upperSlope, upperOffset, lowerSlope, lowerOffset }) => {
      upperSlope.set(lowerSlope);
      upperOffset.set(lowerOffset);
    });
    expect(swapped).toBeLessThan(computed);
  });

  it('with another lower line at a tie is still sound', () => {
    expect(upperBound(({ lowerSlope }) => void lowerSlope.fill(1))).toBeGreaterThanOrEqual(computed);
  });
});
