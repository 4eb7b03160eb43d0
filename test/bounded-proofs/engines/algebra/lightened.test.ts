/** What keeps the order is taken off both sides of a comparison, and nothing else is. */
import { describe, expect, it, test } from 'vitest';
import { algebraEngine } from '../../../../src/bounded-proofs/engines/algebra/algebra-engine.ts';
import { Graph, type NumberExpression } from '../../../../src/bounded-proofs/expression.ts';
import { exact, generous, problemOf, rounded, softmax, variables, vector } from '../../graphs.ts';

type Around = (graph: Graph, x: NumberExpression, z: NumberExpression) => NumberExpression;

/** Whether a < b ⟹ f(a, z) ≤ f(b, z) is proved, for numbers between the bounds. */
async function keepsOrder(f: Around, [low, high]: readonly [number, number]): Promise<boolean> {
  const graph = new Graph();
  const [a, b, z] = [graph.variable('a'), graph.variable('b'), graph.variable('z')];
  const conclusion = graph.implies(graph.less(a, b), graph.lessEqual(f(graph, a, z), f(graph, b, z)));
  const { verdict } = await algebraEngine().decide(
    problemOf(graph, variables([a, b, z], low, high), conclusion),
    generous,
  );
  expect(['proved', 'unknown', 'exhausted']).toContain(verdict);
  return verdict === 'proved';
}

const increasing: readonly (readonly [string, Around, readonly [number, number]])[] = [
  ['a rounded sum', (graph, x, z) => graph.round32(graph.add(z, x)), [-5, 5]],
  ['a product with what is not negative', (graph, x, z) => graph.round32(graph.multiply(x, z)), [0, 5]],
  ['a quotient by what is positive', (graph, x, z) => graph.round32(graph.divide(x, z)), [1, 5]],
  ['the exponential of the code', (graph, x) => graph.machine('exp', x), [-5, 5]],
  ['the hyperbolic tangent of the mathematics', (graph, x) => graph.apply('tanh', x), [-5, 5]],
];

const others: readonly (readonly [string, Around, readonly [number, number]])[] = [
  ['the opposite', (graph, x) => graph.negate(x), [-5, 5]],
  ['a difference', (graph, x, z) => graph.round32(graph.subtract(z, x)), [-5, 5]],
  ['a product with what may be negative', (graph, x, z) => graph.round32(graph.multiply(x, z)), [-5, 5]],
  ['a quotient by what may be negative', (graph, x, z) => graph.round32(graph.divide(x, z)), [-5, 5]],
  ['a divisor', (graph, x, z) => graph.round32(graph.divide(z, x)), [1, 5]],
  ['the cosine', (graph, x) => graph.machine('cos', x), [-5, 5]],
  ['the logarithm of what may be negative', (graph, x) => graph.machine('log', x), [-5, 5]],
  ['a square', (graph, x) => graph.multiply(x, x), [-5, 5]],
];

describe('keeps the order', () => {
  test.each(increasing)('%s', async (_, f, bounds) => {
    expect(await keepsOrder(f, bounds)).toBe(true);
  });
});

describe('does not keep it, or is not seen to', () => {
  test.each(others)('%s', async (_, f, bounds) => {
    expect(await keepsOrder(f, bounds)).toBe(false);
  });
});

describe('the order of a softmax', () => {
  const ordered = async (strict: boolean, over: 'code' | 'reals', reversed: boolean): Promise<string> => {
    const graph = new Graph();
    const x = vector(graph, 'x', 6);
    const y = softmax(graph, over === 'code' ? rounded(graph) : exact(graph), x);
    const [a = graph.integer(0), b = graph.integer(0)] = x;
    const [ya = graph.integer(0), yb = graph.integer(0)] = y;
    const premise = reversed ? graph.less(b, a) : graph.less(a, b);
    const claim = strict ? graph.less(ya, yb) : graph.lessEqual(ya, yb);
    const { verdict } = await algebraEngine().decide(
      problemOf(graph, variables(x, -100, 100), graph.implies(premise, claim)),
      generous,
    );
    return verdict;
  };

  it('is that of its inputs, in float32 and over the reals', async () => {
    expect(await ordered(false, 'code', false)).toBe('proved');
    expect(await ordered(false, 'reals', false)).toBe('proved');
  });

  it('is neither strict in float32 nor the other way round', async () => {
    expect(await ordered(true, 'code', false)).not.toBe('proved');
    expect(await ordered(false, 'code', true)).not.toBe('proved');
  });
});
