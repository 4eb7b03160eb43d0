/**
 * Roots of squares, means of squares, and roundings that float32 numbers bound: each law where it holds, and next to that where it does not.
 *
 * Holds src/bounded-proofs/engines/algebra/roots.ts.
 */
import { expect, test } from 'vitest';
import { algebraEngine } from '../../../../src/bounded-proofs/engines/algebra/algebra-engine.ts';
import { Graph, type BooleanExpression, type NumberExpression } from '../../../../src/bounded-proofs/expression.ts';
import { generous, number, problemOf, rounded, variables, vector } from '../../graphs.ts';

type Make = (graph: Graph, a: NumberExpression, b: NumberExpression) => BooleanExpression;

async function verdict(make: Make): Promise<string> {
  const graph = new Graph();
  const [a, b] = vector(graph, 'x', 2);
  if (!a || !b) throw new Error('two numbers');
  const outcome = await algebraEngine().decide(problemOf(graph, variables([a, b], -4, 4), make(graph, a, b)), generous);
  return outcome.verdict;
}

/** a²·(b² + 1). */
const scaled = (graph: Graph, a: NumberExpression, b: NumberExpression): NumberExpression =>
  graph.multiply(graph.multiply(a, a), graph.add(graph.multiply(b, b), graph.integer(1)));

const rootOfOnePlus = (graph: Graph, b: NumberExpression): NumberExpression =>
  graph.sqrt(graph.add(graph.multiply(b, b), graph.integer(1)));

const meanOfSquares =
  (share: number): Make =>
  (graph, a, b) =>
    graph.lessEqual(
      graph.multiply(number(graph, share), graph.multiply(graph.absolute(a), graph.absolute(b))),
      graph.add(graph.multiply(a, a), graph.multiply(b, b)),
    );

/** c·|a| ≤ a² + d. */
const numberAndSquare =
  (c: number, d: number): Make =>
  (graph, a) =>
    graph.lessEqual(
      graph.multiply(number(graph, c), graph.absolute(a)),
      graph.add(graph.multiply(a, a), number(graph, d)),
    );

test.each<readonly [string, Make]>([
  [
    '√(a²·s) = |a|·√s',
    (graph, a, b) =>
      graph.equal(graph.sqrt(scaled(graph, a, b)), graph.multiply(graph.absolute(a), rootOfOnePlus(graph, b))),
  ],
  ['|a|² = a²', (graph, a) => graph.equal(graph.multiply(graph.absolute(a), graph.absolute(a)), graph.multiply(a, a))],
  ['2·|a|·|b| ≤ a² + b²', meanOfSquares(2)],
  ['|a|/2⁸⁰ ≤ a² + 2⁻¹²⁰', numberAndSquare(2 ** -80, 2 ** -120)],
  ['RN(a − b²) ≤ a', (graph, a, b) => graph.lessEqual(rounded(graph).subtract(a, graph.multiply(b, b)), a)],
  ['a ≤ RN(a + b²)', (graph, a, b) => graph.lessEqual(a, rounded(graph).add(a, graph.multiply(b, b)))],
])('%s is proved', async (_, make) => {
  expect(await verdict(make)).toBe('proved');
});

test.each<readonly [string, Make]>([
  [
    '√(a²·s) = a·√s for an a of either sign',
    (graph, a, b) => graph.equal(graph.sqrt(scaled(graph, a, b)), graph.multiply(a, rootOfOnePlus(graph, b))),
  ],
  ['2.1·|a|·|b| ≤ a² + b²', meanOfSquares(2.1)],
  ['|a|/2⁵⁰ ≤ a² + 2⁻¹²⁰', numberAndSquare(2 ** -50, 2 ** -120)],
  ['RN(a − b) ≤ a for a b of either sign', (graph, a, b) => graph.lessEqual(rounded(graph).subtract(a, b), a)],
  [
    'RN(a − b²) ≤ a − b²/2, which is not a float32',
    (graph, a, b) => {
      const square = graph.multiply(b, b);
      const half = graph.subtract(a, graph.divide(square, graph.integer(2)));
      return graph.lessEqual(rounded(graph).subtract(a, square), half);
    },
  ],
])('%s is not', async (_, make) => {
  expect(await verdict(make)).toBe('unknown');
});
