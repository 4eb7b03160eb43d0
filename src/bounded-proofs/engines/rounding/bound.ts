/**
 * Bounds of errors as sums c₁·m₁ + c₂·m₂ + …: nonnegative expressions with float64 coefficients that are always rounded up. A
 * thousand consecutive roundings then multiply a thousand float64 numbers, not a thousand exact fractions.
 */
import { divideUp } from '../../../numeric/interval.ts';
import type { Graph, NumberExpression } from '../../expression.ts';
import { constantUp, plus, times } from './numbers-up.ts';

/** Coefficient by expression; the key of a plain number is the constant 1. Empty is 0. */
export type Bound = ReadonlyMap<NumberExpression, number>;

/** The empty sum: the value is exact. */
export const NO_ERROR: Bound = new Map();

/** The bound `coefficient·node`, for a node that is never negative. */
export function termBound(node: NumberExpression, coefficient: number): Bound {
  return coefficient === 0 ? NO_ERROR : new Map([[node, coefficient]]);
}

/** The bound `value` on every input. */
export function constantBound(graph: Graph, value: number): Bound {
  return termBound(graph.integer(1), value);
}

/** The sum of bounds, with coefficients rounded upwards. */
export function addBounds(...bounds: readonly Bound[]): Bound {
  const [largest, ...others] = bounds.filter(({ size }) => size > 0).toSorted((a, b) => b.size - a.size);
  if (largest === undefined) return NO_ERROR;
  if (others.length === 0) return largest;
  const sum = new Map(largest);
  for (const other of others)
    for (const [node, coefficient] of other) sum.set(node, plus(sum.get(node) ?? 0, coefficient));
  return sum;
}

/** The bound times a factor of at least 0, rounded upwards. */
export function scaleBound(bound: Bound, factor: number): Bound {
  if (factor === 0) return NO_ERROR;
  return new Map([...bound].map(([node, coefficient]) => [node, times(coefficient, factor)]));
}

/** The bound times a nonnegative expression. */
export function multiplyBound(graph: Graph, bound: Bound, by: NumberExpression): Bound {
  if (bound.size === 0) return bound;
  return termBound(graph.multiply(boundExpression(graph, bound), by), 1);
}

/**
 * The bound divided by an expression that is positive, and at least `least`. A number remains a number, so that the underflow
 * of a term does not depend on the divisor.
 */
export function divideBound(graph: Graph, bound: Bound, by: NumberExpression, least: number): Bound {
  const unit = graph.integer(1);
  const number = bound.get(unit) ?? 0;
  if (number === 0 || least === 0) return dividedWhole(graph, bound, by);
  const others = new Map([...bound].filter(([node]) => node !== unit));
  return addBounds(dividedWhole(graph, others, by), constantBound(graph, divideUp(number, least)));
}

function dividedWhole(graph: Graph, bound: Bound, by: NumberExpression): Bound {
  return bound.size === 0 ? bound : termBound(graph.divide(boundExpression(graph, bound), by), 1);
}

/** At least both, as one term. */
export function largerBound(graph: Graph, a: Bound, b: Bound): Bound {
  if (a.size === 0) return b;
  if (b.size === 0) return a;
  return termBound(graph.maximum(boundExpression(graph, a), boundExpression(graph, b)), 1);
}

/** At least the bound, as one expression. */
export function boundExpression(graph: Graph, bound: Bound): NumberExpression {
  let sum = graph.integer(0);
  for (const [node, coefficient] of bound) sum = graph.add(sum, graph.multiply(node, constantUp(graph, coefficient)));
  return sum;
}
