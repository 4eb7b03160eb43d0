/** RN(2ᵏ·p) beside 2ᵏ·RN(p): what the law says holds of numbers, and no more is proved with it than is true. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { roundingEngine } from '../../../../src/bounded-proofs/engines/rounding/rounding-engine.ts';
import { scaledError, scaledIn } from '../../../../src/bounded-proofs/engines/rounding/scaled.ts';
import { Graph, type NumberExpression } from '../../../../src/bounded-proofs/expression.ts';
import { generous, number, problemOf, rounded, variables } from '../../graphs.ts';

const anything = (): boolean => true;

/** The verdict on |RN(q·RN(scale·g)) − factor·RN(q·g)| ≤ allowed, for q and g up to 100. */
async function verdictOf(scale: number, factor: number, allowed: number): Promise<string> {
  const graph = new Graph();
  const op = rounded(graph);
  const [q, g] = [graph.variable('q'), graph.variable('g')];
  const left = op.multiply(q, op.multiply(number(graph, scale), g));
  const right = graph.multiply(number(graph, factor), op.multiply(q, g));
  const conclusion = graph.lessEqual(graph.absolute(graph.subtract(left, right)), number(graph, allowed));
  return (await roundingEngine().decide(problemOf(graph, variables([q, g], -100, 100), conclusion), generous)).verdict;
}

test('the law holds of products of float32, whatever their size', () => {
  const double = fc.double({ min: -1e5, max: 1e5, noNaN: true });
  fc.assert(
    fc.property(double, fc.integer({ min: -140, max: 0 }), fc.integer({ min: 1, max: 20 }), (a, down, k) => {
      // Scaled down exactly, to where half the cases underflow.
      const p = a * 2 ** down * 2 ** -10;
      expect(Math.abs(Math.fround(2 ** k * p) - 2 ** k * Math.fround(p))).toBeLessThanOrEqual(scaledError(k));
    }),
    { numRuns: 20_000, seed: 1 },
  );
});

test('the law is not sharper than numbers are: a double may differ by the smallest float32', () => {
  const p = 0.3 * 2 ** -149;
  expect(Math.fround(2 * p) - 2 * Math.fround(p)).toBe(2 ** -149);
});

describe('doubling a factor doubles the product', () => {
  it('but for underflow', async () => {
    expect(await verdictOf(2, 2, 3e-45)).toBe('proved');
    expect(await verdictOf(16, 16, 2.3e-44)).toBe('proved');
  });

  it('and neither exactly, nor by another factor', async () => {
    expect(await verdictOf(2, 2, 0)).not.toBe('proved');
    expect(await verdictOf(2, 2, 1.4e-45)).not.toBe('proved');
    expect(await verdictOf(2, 4, 1e-43)).not.toBe('proved');
    expect(await verdictOf(3, 3, 1e-43)).not.toBe('proved');
    // Halves underflow before the product does.
    expect(await verdictOf(0.5, 0.5, 1e-43)).not.toBe('proved');
  });
});

describe('what is scaled', () => {
  const graph = new Graph();
  const [a, b] = [graph.variable('a'), graph.variable('b')];
  const two = graph.integer(2);
  const rounding = (of: NumberExpression): NumberExpression => graph.round32(of);

  it('is seen through products, quotients and exact doublings, in any order', () => {
    const base = rounding(graph.divide(a, b));
    const quadruple = rounding(graph.divide(graph.multiply(rounding(graph.multiply(two, a)), two), b));
    expect(scaledIn([base, quadruple], anything)).toEqual(new Map([[quadruple, { of: base, exponent: 2 }]]));
    const halved = rounding(graph.divide(a, graph.multiply(two, b)));
    expect(scaledIn([base, halved], anything)).toEqual(new Map([[base, { of: halved, exponent: 1 }]]));
  });

  it('is the least of several, and each other one so many times', () => {
    const of = (factor: number): NumberExpression =>
      rounding(graph.multiply(number(graph, factor), graph.multiply(a, b)));
    const [half, whole, eight] = [of(0.5), of(1), of(8)];
    expect([...scaledIn([eight, half, whole], anything)]).toEqual([
      [whole, { of: half, exponent: 1 }],
      [eight, { of: half, exponent: 4 }],
    ]);
  });

  it('is not found where the scale is beyond 2⁶⁴, or the factors are more than 64', () => {
    const of = (factor: number): NumberExpression =>
      rounding(graph.multiply(number(graph, factor), graph.multiply(a, b)));
    expect(scaledIn([of(1), of(2 ** 64)], anything).size).toBe(1);
    expect(scaledIn([of(1), of(2 ** 65)], anything).size).toBe(0);
    const product = (count: number): NumberExpression =>
      Array.from({ length: count }, (_, i) => graph.variable(`x[${i}]`)).reduce((all, one) => graph.multiply(all, one));
    for (const [count, found] of [
      [64, 1],
      [65, 0],
    ] as const)
      expect(scaledIn([product(count), graph.multiply(two, product(count))].map(rounding), anything).size).toBe(found);
  });

  it('looks below what it is asked about', () => {
    const [base, doubled] = [rounding(graph.multiply(a, b)), rounding(graph.multiply(two, graph.multiply(a, b)))];
    expect(scaledIn([graph.subtract(graph.apply('exp', doubled), base)], anything)).toEqual(
      new Map([[doubled, { of: base, exponent: 1 }]]),
    );
  });

  it('is not a sum, another product, or a doubling of what is not a float32', () => {
    const base = rounding(graph.multiply(a, b));
    for (const other of [
      rounding(graph.add(a, b)),
      rounding(graph.multiply(graph.multiply(a, b), graph.multiply(two, b))),
      rounding(graph.multiply(graph.integer(3), graph.multiply(a, b))),
    ])
      expect(scaledIn([base, other], anything).size).toBe(0);
    const doubled = rounding(graph.multiply(rounding(graph.multiply(two, a)), b));
    expect(scaledIn([base, doubled], anything).size).toBe(1);
    expect(scaledIn([base, doubled], () => false).size).toBe(0);
  });
});
