/** Float64 arithmetic on sizes, rounded up. Infinity says that nothing is known. */
import { addUp, multiplyUp } from '../../../numeric/interval.ts';
import { fromFloat } from '../../../numeric/rational.ts';
import type { Graph, NumberExpression } from '../../expression.ts';

/** The sum, rounded upwards; 0 for no numbers. */
export function plus(...values: readonly number[]): number {
  return values.reduce((sum, value) => addUp(sum, value), 0);
}

/** 0 times Infinity is 0: what is not there does not count, however large its factor. */
export function times(...values: readonly number[]): number {
  return values.reduce((product, value) => multiplyUp(product, value), 1);
}

/**
 * An expression of at least `value`: a constant with 17 bits, so that exact arithmetic on it stays small; for Infinity the
 * size of a number that nothing is known about, so that nothing is proved with it.
 */
export function constantUp(graph: Graph, value: number): NumberExpression {
  if (value === 0) return graph.integer(0);
  const unit = 2 ** Math.max(-1074, Math.floor(Math.log2(value)) - 16);
  const above = Math.ceil(value / unit) * unit;
  return Number.isFinite(above) ? graph.constant(fromFloat(above)) : graph.absolute(graph.variable(UNKNOWN_SIZE));
}

/** No input has this name: names of inputs have no spaces. */
const UNKNOWN_SIZE = 'unknown size';
