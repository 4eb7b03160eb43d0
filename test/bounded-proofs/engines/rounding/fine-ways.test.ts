/**
 * Claims whose tolerance vanishes with their inputs, and bounds by squares: with the tolerance that the code needs, and with one
 * that it does not keep.
 */
import { expect, test } from 'vitest';
import { roundingEngine } from '../../../../src/bounded-proofs/engines/rounding/rounding-engine.ts';
import { Graph, type BooleanExpression, type NumberExpression } from '../../../../src/bounded-proofs/expression.ts';
import { exact, generous, number, problemOf, rounded, sum, variables, vector } from '../../graphs.ts';

async function verdict(make: (graph: Graph, x: readonly NumberExpression[]) => BooleanExpression): Promise<string> {
  const graph = new Graph();
  const x = vector(graph, 'x', 3);
  const outcome = await roundingEngine().decide(problemOf(graph, variables(x, -1e3, 1e3), make(graph, x)), generous);
  return outcome.verdict;
}

const at = (x: readonly NumberExpression[], i: number): NumberExpression => {
  const node = x[i];
  if (!node) throw new Error('no such number');
  return node;
};

const square = (graph: Graph, a: NumberExpression): NumberExpression => graph.multiply(a, a);

/** The norm of (x₀, x₁) turned by x₂, by sines and cosines of the machine. */
const rotation =
  (share: number, mistake: number) =>
  (graph: Graph, x: readonly NumberExpression[]): BooleanExpression => {
    const op = rounded(graph);
    const [a, b, angle] = [at(x, 0), at(x, 1), op.multiply(at(x, 2), number(graph, 0.3))];
    const [c, s] = [graph.machine('cos', angle), graph.machine('sin', angle)];
    const first = op.subtract(op.multiply(a, c), op.multiply(b, s));
    const second = op.add(op.multiply(a, s), op.multiply(number(graph, mistake), op.multiply(b, c)));
    const before = graph.add(square(graph, a), square(graph, b));
    const after = graph.add(square(graph, first), square(graph, second));
    const allowed = graph.add(graph.multiply(before, number(graph, share)), number(graph, 1e-44));
    return graph.lessEqual(graph.absolute(graph.subtract(after, before)), allowed);
  };

/** x₀ / √(Σx² + 1) beside what it is at most. */
const normalised =
  (most: number) =>
  (graph: Graph, x: readonly NumberExpression[]): BooleanExpression => {
    const op = rounded(graph);
    const squares = sum(
      op,
      x.map((xi) => op.multiply(xi, xi)),
    );
    const value = op.multiply(op.divide(at(x, 0), op.sqrt(op.add(squares, graph.integer(1)))), at(x, 1));
    const allowed = graph.multiply(number(graph, most), graph.absolute(at(x, 1)));
    return graph.lessEqual(graph.absolute(value), graph.add(allowed, number(graph, 1e-42)));
  };

/** t·x₀ + (1 − t)·x₀ for a t that takes some roundings to compute. */
const shared =
  (share: number) =>
  (graph: Graph, x: readonly NumberExpression[]): BooleanExpression => {
    const op = rounded(graph);
    const [a, b] = [at(x, 0), at(x, 1)];
    let t = graph.machine('exp', graph.negate(graph.absolute(b)));
    for (let i = 0; i < 4; i++) t = op.add(op.multiply(t, number(graph, 0.25)), number(graph, 0.125));
    const rest = op.subtract(graph.integer(1), t);
    const whole = exact(graph).add(op.multiply(a, t), op.multiply(a, rest));
    const allowed = graph.add(graph.multiply(graph.absolute(a), number(graph, share)), number(graph, 1e-44));
    return graph.lessEqual(graph.absolute(graph.subtract(whole, a)), allowed);
  };

/** (1 − b)·x₁ / (1 − bᵗ) with the power of the machine. */
const firstStep =
  (t: number) =>
  (graph: Graph, x: readonly NumberExpression[]): BooleanExpression => {
    const op = rounded(graph);
    const [b, one] = [graph.round32(graph.multiply(at(x, 0), number(graph, 2 ** -11))), graph.integer(1)];
    const power = graph.machinePower(b, graph.integer(t));
    const step = op.divide(op.multiply(op.subtract(one, b), at(x, 1)), op.subtract(one, power));
    return graph.lessEqual(graph.absolute(graph.subtract(step, at(x, 1))), number(graph, 4e-4));
  };

test.each([
  ['a rotation keeps the norm', rotation(2e-6, 1)],
  ['a normalised number is at most 1', normalised(1 + 1e-6)],
  ['two shares make a whole', shared(3e-7)],
  ['the first power is the base', firstStep(1)],
])('%s, to its rounding', async (_, make) => {
  expect(await verdict(make)).toBe('proved');
});

test.each([
  ['a rotation within less than its rounding', rotation(1e-8, 1)],
  ['half a rotation', rotation(2e-6, 0.999)],
  ['a normalised number at most 0.99', normalised(0.99)],
  ['two shares within less than their rounding', shared(1e-8)],
  ['the second power in the place of the base', firstStep(2)],
])('%s is not proved', async (_, make) => {
  expect(['unknown', 'exhausted']).toContain(await verdict(make));
});
