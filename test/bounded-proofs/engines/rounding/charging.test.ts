/** What errors are charged to: a charge c of a bound to a sum says that the bound is at most c times the sum. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { float64 } from '../../../../src/math/evaluate/floats.ts';
import { createEvaluator } from '../../../../src/bounded-proofs/evaluate.ts';
import { effortUpTo } from '../../../../src/bounded-proofs/engines/algebra/effort.ts';
import { createRanges } from '../../../../src/bounded-proofs/engines/interval/ranges.ts';
import { addBounds, type Bound } from '../../../../src/bounded-proofs/engines/rounding/bound.ts';
import { charging } from '../../../../src/bounded-proofs/engines/rounding/charging.ts';
import { createSizes } from '../../../../src/bounded-proofs/engines/rounding/sizes.ts';
import { toleranceOf, type Tolerance } from '../../../../src/bounded-proofs/engines/rounding/tolerance.ts';
import { Graph, type NumberExpression } from '../../../../src/bounded-proofs/expression.ts';
import { number } from '../../graphs.ts';

const graph = new Graph();
const effort = effortUpTo(Infinity);
const names = ['a', 'b', 'c', 'd'];
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => graph.variable(name)) as [
  NumberExpression,
  NumberExpression,
  NumberExpression,
  NumberExpression,
];
const ranges = createRanges(new Map(names.map((name) => [name, { low: 0, high: 4 }])), []);
const sum = (left: NumberExpression, right: NumberExpression): NumberExpression => graph.add(left, right);
const twice = (node: NumberExpression): NumberExpression => graph.multiply(number(graph, 2), node);

function toleranceFor(allowed: NumberExpression): Tolerance {
  return toleranceOf(allowed, {
    sizes: createSizes(graph, ranges, effort),
    isCounted: (node) => ranges.range(node).low >= 0,
  });
}

const chargeOf = (allowed: NumberExpression, bound: Bound): number => toleranceFor(allowed).charge(allowed, bound);

describe('a charge to a tolerance', () => {
  test.each<[string, NumberExpression, Bound, number]>([
    ['each term to its own', sum(a, b), new Map([[a, 1], [b, 1]]), 1], // prettier-ignore
    ['the largest share counts', sum(a, b), new Map([[a, 1], [b, 3]]), 3], // prettier-ignore
    ['a multiple covers more', sum(a, twice(b)), new Map([[b, 3]]), 1.5],
    ['what is missing is not covered', sum(a, b), new Map([[c, 1e-9]]), Infinity],
    ['of a maximum only one side is there', graph.maximum(a, b), new Map([[a, 1], [b, 1]]), 2], // prettier-ignore
    ['through a product', graph.multiply(d, sum(a, b)), new Map([[graph.multiply(a, d), 2]]), 2],
    ['not through another product', graph.multiply(d, sum(a, b)), new Map([[graph.multiply(a, c), 2]]), Infinity],
    ['a number to a number', sum(a, number(graph, 0.5)), new Map([[graph.integer(1), 0.25]]), 0.5],
  ])('%s', (_, allowed, bound, expected) => {
    expect(chargeOf(allowed, bound)).toBeCloseTo(expected, 12);
  });

  test('the smallest sum that holds all of some sizes', () => {
    const inner = sum(b, c);
    const tolerance = toleranceFor(sum(a, inner));
    expect(tolerance.smallestHolder([b, c])).toBe(inner);
    expect(tolerance.smallestHolder([a, c])).toBe(sum(a, inner));
    expect(tolerance.smallestHolder([a, d])).toBeNull();
    expect(tolerance.sumsOver(b)).toEqual([inner, sum(a, inner)]);
  });
});

describe('what is allowed covers a bound', () => {
  test.each([
    [1, true],
    [1.000001, false],
  ])('of %f times its terms: %s', (share, covered) => {
    const charges = charging({ graph, ranges, effort, allowed: sum(sum(a, b), twice(c)) });
    expect(charges.covers(new Map([[a, share], [b, 0.5], [c, 2]]))).toBe(covered); // prettier-ignore
  });

  test('settled to a sum that the tolerance has, and no further than it', () => {
    const charges = charging({ graph, ranges, effort, allowed: sum(sum(a, b), c) });
    const settled = charges.bounds.settle(new Map([[a, 0.25], [b, 0.5]])); // prettier-ignore
    expect([...settled]).toEqual([[sum(a, b), 0.5]]);
  });
});

/** Trees of sums, maxima and products over four numbers. */
const tree = fc.letrec<{ node: NumberExpression }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(a, b, c, d, number(graph, 0.5)),
    fc
      .tuple(fc.nat(3), tie('node'), tie('node'))
      .map(([kind, left, right]) =>
        kind === 0 ? graph.maximum(left, right) : kind === 1 ? graph.multiply(left, right) : sum(left, right),
      ),
  ),
})).node;

/** Charges are about reals: products of these do not underflow. */
const real = fc.double({ min: 0, max: 4, noNaN: true }).map((x) => (x < 1e-15 ? 0 : x));
const points = fc.array(fc.array(real, { minLength: 4, maxLength: 4 }), { minLength: 3, maxLength: 3 });
const parts = fc.array(
  fc.tuple(fc.constantFrom(a, b, c, d), fc.constantFrom(null, a, d), fc.integer({ min: 1, max: 9 })),
  {
    minLength: 1,
    maxLength: 4,
  },
);

test('a finite charge of a random bound is right at every point', () => {
  let found = 0;
  fc.assert(
    fc.property(tree, parts, points, (allowed, terms, at) => {
      const sizes = createSizes(graph, ranges, effort);
      const bound = new Map<NumberExpression, number>();
      for (const [one, by, coefficient] of terms)
        bound.set(sizes.node(sizes.of(by === null ? one : graph.multiply(one, by)).factors), coefficient);
      const charge = toleranceOf(allowed, { sizes, isCounted: () => true }).charge(allowed, bound);
      if (!Number.isFinite(charge)) return;
      found += 1;
      for (const point of at) {
        const value = valueAt(point);
        expect(value.ofBound(bound)).toBeLessThanOrEqual(charge * value.of(allowed) * (1 + 1e-12));
      }
    }),
    { numRuns: 3000 },
  );
  expect(found).toBeGreaterThan(50);
});

test('a part of a sum that is multiplied by this sum is not forgotten', () => {
  const both = sum(a, b);
  const { bounds } = charging({ graph, ranges, effort, allowed: sum(both, c) });
  expect(valueAt([3, 1, 1, 1]).ofBound(bounds.times(new Map([[both, 1]]), a))).toBeGreaterThanOrEqual(4 * 3);
});

test('bounds computed from random bounds are at least the values they bound, whatever the tolerance', () => {
  fc.assert(
    fc.property(tree, tree, tree, tree, points, (allowed, left, right, by, at) => {
      const { bounds } = charging({ graph, ranges, effort: effortUpTo(Infinity), allowed });
      const [one, other] = [bounds.size(left, 0.5), bounds.size(right, 2)];
      const both = addBounds(one, other);
      const made: readonly [what: string, Bound, (value: ValueOf) => number][] = [
        ['size', one, ({ of }) => 0.5 * of(left)],
        ['times', bounds.times(both, by), ({ of, ofBound }) => ofBound(both) * of(by)],
        ['product', bounds.product(one, other), ({ ofBound }) => ofBound(one) * ofBound(other)],
        ['larger', bounds.larger(one, other), ({ ofBound }) => Math.max(ofBound(one), ofBound(other))],
        ['settle', bounds.settle(both), ({ ofBound }) => ofBound(both)],
      ];
      for (const point of at) {
        const value = valueAt(point);
        for (const [what, bound, least] of made)
          expect(value.ofBound(bound) * (1 + 1e-12), what).toBeGreaterThanOrEqual(least(value) * (1 - 1e-12));
      }
    }),
    { numRuns: Number(process.env['PV_RUNS'] ?? 500) },
  );
});

interface ValueOf {
  readonly of: (node: NumberExpression) => number;
  readonly ofBound: (bound: Bound) => number;
}

function valueAt(point: readonly number[]): ValueOf {
  const value = createEvaluator(float64, new Map(names.map((name, i) => [name, point[i] ?? 0])));
  const of = (node: NumberExpression): number => value.number(node);
  return { of, ofBound: (bound) => [...bound].reduce((total, [node, c]) => total + c * of(node), 0) };
}
