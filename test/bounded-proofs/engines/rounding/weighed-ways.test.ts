/**
 * Weights that add up to one, exponentials that fall, values in units of an input, what lies above a tangent: each with the
 * tolerance that the code keeps, and next to that with one that it does not keep, or with code that is wrong.
 *
 * Holds src/bounded-proofs/engines/rounding/ways.ts.
 */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { algebraEngine } from '../../../../src/bounded-proofs/engines/algebra/algebra-engine.ts';
import type { Engine } from '../../../../src/bounded-proofs/engines/engine.ts';
import { roundingEngine } from '../../../../src/bounded-proofs/engines/rounding/rounding-engine.ts';
import { Graph, type BooleanExpression, type NumberExpression } from '../../../../src/bounded-proofs/expression.ts';
import {
  exact,
  generous,
  largest,
  number,
  problemOf,
  rounded,
  softmax,
  sum,
  variables,
  vector,
  type Operations,
} from '../../graphs.ts';

/** A claim over numbers of at most 500 in size and τ, which is at least `least`. */
type Make = (graph: Graph, x: readonly NumberExpression[], tau: NumberExpression) => BooleanExpression;

async function verdict(make: Make, least = 0.5, engine: Engine = roundingEngine()): Promise<string> {
  const graph = new Graph();
  const x = vector(graph, 'x', 6);
  const tau = graph.variable('τ');
  const over = [...variables(x, -500, 500), ...variables([tau], least, 20)];
  return (await engine.decide(problemOf(graph, over, make(graph, x, tau)), generous)).verdict;
}

const at = (x: readonly NumberExpression[], i: number): NumberExpression => {
  const node = x[i];
  if (!node) throw new Error('no such number');
  return node;
};

const within = (graph: Graph, left: NumberExpression, right: NumberExpression): BooleanExpression =>
  graph.lessEqual(graph.absolute(left), right);

/** |Σ τ·(qⱼ − pⱼ)| ≤ share·τ for two softmaxes of three numbers, of which the second may lack some. */
const difference =
  (share: number, count = 3): Make =>
  (graph, x, tau) => {
    const op = rounded(graph);
    const [p, q] = [softmax(graph, op, x.slice(0, 3)), softmax(graph, op, x.slice(3)).slice(0, count)];
    const terms = p.map((one, i) => op.multiply(tau, op.subtract(q[i] ?? number(graph, 0), one)));
    return within(graph, sum(exact(graph), terms), graph.multiply(number(graph, share), tau));
  };

/** The softmax of the code and of the mathematics, element by element, whatever the size of the arguments. */
const distance =
  (allowed: number): Make =>
  (graph, x) => {
    const [code, formula] = [softmax(graph, rounded(graph), x), softmax(graph, exact(graph), x)];
    return within(graph, graph.subtract(at(code, 0), at(formula, 0)), number(graph, allowed));
  };

/** exp((τ·a − max(τ·a, τ·b))/τ), for a and b of at most 1 in size. */
function softened(graph: Graph, op: Operations, [a, b]: readonly NumberExpression[], by: NumberExpression, tau = by) {
  const small = [a, b].map((one) => graph.minimum(graph.maximum(one ?? by, graph.integer(-1)), graph.integer(1)));
  const scaled = small.map((one) => op.multiply(tau, one));
  return op.apply('exp', op.divide(op.subtract(at(scaled, 0), largest(graph, scaled)), by));
}

const temperature =
  (allowed: number, power = 1): Make =>
  (graph, x, tau) => {
    const one = graph.integer(1);
    const by = power === 1 ? tau : rounded(graph).multiply(tau, tau);
    const left = softened(graph, rounded(graph), x, by, tau);
    return within(graph, graph.subtract(left, softened(graph, exact(graph), x, one)), number(graph, allowed));
  };

/** Whether eᵃ − eᵇ − e^slope·(a − b) is not negative, a and b being small. */
const tangent =
  (slope: 'a' | 'b', sign: 1 | -1): Make =>
  (graph, x, tau) => {
    const [a, b] = [graph.divide(at(x, 0), tau), graph.divide(at(x, 1), tau)];
    const [ea, eb] = [graph.apply('exp', a), graph.apply('exp', b)];
    const [from, to] = sign === 1 ? [a, b] : [b, a];
    const rise = graph.multiply(slope === 'a' ? ea : eb, graph.subtract(from, to));
    return graph.lessEqual(graph.integer(0), graph.subtract(graph.subtract(ea, eb), rise));
  };

test.each([
  ['two softmaxes have one sum', difference(8e-7), 0.5],
  ['a softmax is near the softmax', distance(1.5e-6), 0.5],
  ['a temperature that is multiplied and divided by is gone', temperature(8e-7), 0.5],
  ['an exponential is above its tangents', tangent('b', 1), 0.5],
])('%s', async (_, make, least) => {
  expect(await verdict(make, least)).toBe('proved');
});

test.each([
  ['two softmaxes within less than their roundings', difference(6e-8), 0.5],
  ['softmaxes of which one lacks a number', difference(8e-7, 2), 0.5],
  ['a softmax within less than its roundings', distance(5e-8), 0.5],
  ['a temperature within less than its roundings', temperature(5e-8), 0.5],
  ['a temperature that is divided by twice', temperature(8e-7, 2), 0.5],
  ['a temperature that may be next to 0, where products underflow', temperature(8e-7), 2 ** -149],
  ['an exponential below its chords', tangent('a', 1), 0.5],
  ['a tangent the wrong way', tangent('b', -1), 0.5],
])('%s is not proved', async (_, make, least) => {
  expect(['unknown', 'exhausted']).toContain(await verdict(make, least));
});

test('exp(a − log s) is eᵃ/s, for that s alone', async () => {
  const claim =
    (more: number): Make =>
    (graph, x) => {
      const [a, b] = [at(x, 0), graph.apply('exp', at(x, 1))];
      const s = graph.add(b, graph.integer(1));
      const log = graph.apply('log', graph.add(b, graph.integer(1 + more)));
      return graph.equal(graph.apply('exp', graph.subtract(a, log)), graph.divide(graph.apply('exp', a), s));
    };
  expect(await verdict(claim(0), 0.5, algebraEngine())).toBe('proved');
  expect(await verdict(claim(1), 0.5, algebraEngine())).toBe('unknown');
});

test('the exponential lies above its tangents, and meets them where they touch', () => {
  const exponent = fc.double({ min: -200, max: 200, noNaN: true });
  fc.assert(
    fc.property(exponent, exponent, (a, b) => {
      const Exact = Decimal.clone({ precision: 60 });
      const [ea, eb] = [Exact.exp(a), Exact.exp(b)];
      const gap = ea.minus(eb).minus(eb.times(new Exact(a).minus(b)));
      expect(gap.gte(ea.plus(eb).times('-1e-50'))).toBe(true);
    }),
    { numRuns: 2000, seed: 1 },
  );
});
