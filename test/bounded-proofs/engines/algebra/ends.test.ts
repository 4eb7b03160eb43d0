import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { algebraEngine } from '../../../../src/bounded-proofs/engines/algebra/algebra-engine.ts';
import { float64 } from '../../../../src/math/evaluate/floats.ts';
import { createEvaluator } from '../../../../src/bounded-proofs/evaluate.ts';
import { Graph, type NumberExpression } from '../../../../src/bounded-proofs/expression.ts';
import { exact, generous, number, problemOf, sum, variables, vector } from '../../graphs.ts';

type Parts = readonly [NumberExpression, NumberExpression, NumberExpression];

/** Whether `lower ≤ upper` is proved for 0 ≤ α ≤ 1 and a, b of the same range. */
async function isProved(
  [low, high]: readonly [number, number],
  make: (graph: Graph, parts: Parts) => readonly [NumberExpression, NumberExpression],
): Promise<boolean> {
  const graph = new Graph();
  const [alpha, a, b] = [graph.variable('α'), graph.variable('a'), graph.variable('b')];
  const [lower, upper] = make(graph, [alpha, a, b]);
  const over = [...variables([alpha], 0, 1), ...variables([a, b], low, high)];
  const problem = problemOf(graph, over, graph.lessEqual(lower, upper));
  return (await algebraEngine().decide(problem, generous)).verdict === 'proved';
}

/** α·a + (1 − α)·b. */
function between(graph: Graph, [alpha, a, b]: Parts): NumberExpression {
  const op = exact(graph);
  return op.add(op.multiply(alpha, a), op.multiply(op.subtract(graph.integer(1), alpha), b));
}

describe('a mean of two numbers', () => {
  test.each([
    [0, true],
    [-1e-9, false],
  ])('is at most the larger one and %f: %s', async (more, holds) => {
    expect(
      await isProved([0, 100], (graph, parts) => [
        between(graph, parts),
        graph.add(graph.maximum(parts[1], parts[2]), number(graph, more)),
      ]),
    ).toBe(holds);
  });
  test.each([
    [0, true],
    [1e-9, false],
  ])('is at least the smaller one and %f: %s', async (more, holds) => {
    expect(
      await isProved([0, 100], (graph, parts) => [
        graph.add(graph.minimum(parts[1], parts[2]), number(graph, more)),
        between(graph, parts),
      ]),
    ).toBe(holds);
  });
  test.each([
    [7, true],
    [6.99, false],
  ])('of numbers from −5 to 7 is at most %f: %s', async (most, holds) => {
    expect(await isProved([-5, 7], (graph, parts) => [between(graph, parts), number(graph, most)])).toBe(holds);
  });
});

test('a square is not taken for a straight line: a² ≤ a fails between −1 and 1, where both ends look alike', async () => {
  expect(await isProved([-1, 1], (graph, [, a]) => [graph.multiply(a, a), graph.maximum(a, number(graph, 0.5))])).toBe(
    false,
  );
});

/** Coefficients of the products of up to three variables, the empty one first. */
const coefficients = fc
  .tuple(fc.nat(60), fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 7, maxLength: 7 }))
  .map(([first, others]) => [first, ...others]);
const corners = fc.array(fc.double({ min: -1, max: 2, noNaN: true }), { minLength: 3, maxLength: 3 });

test('what is proved not negative of random polynomials is so at every point tried', async () => {
  let proved = 0;
  await fc.assert(
    fc.asyncProperty(coefficients, fc.array(corners, { minLength: 5, maxLength: 5 }), async (terms, points) => {
      const graph = new Graph();
      const op = exact(graph);
      const x = vector(graph, 'x', 3);
      const polynomial = sum(
        op,
        terms.map((coefficient, set) =>
          x.reduce(
            (product, xi, i) => ((set >> i) & 1 ? op.multiply(product, xi) : product),
            number(graph, coefficient),
          ),
        ),
      );
      const problem = problemOf(graph, variables(x, -1, 2), graph.lessEqual(graph.integer(0), polynomial));
      if ((await algebraEngine().decide(problem, generous)).verdict !== 'proved') return;
      proved += 1;
      for (const point of points) {
        const at = createEvaluator(float64, new Map(point.map((value, i) => [`x[${i}]`, value])));
        expect(at.number(polynomial)).toBeGreaterThanOrEqual(-1e-12);
      }
    }),
    { numRuns: 300 },
  );
  expect(proved).toBeGreaterThan(20);
});
