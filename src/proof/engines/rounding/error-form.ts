/** A computed value beside the exact one it stands for, and how far the two can be apart. */
import { addUp, multiplyUp } from '../../../numeric/interval.ts';
import { fromFloat } from '../../../numeric/rational.ts';
import type { Graph, NumberExpression } from '../../expression.ts';

/**
 * |value − exact| ≤ bound, ≤ relative·|exact| + absolute, and ≤ total, each on the whole domain. Infinite numbers say
 * nothing.
 */
export interface ErrorForm {
  /** An expression without roundings of the code, over inputs and over what is cut off as an input of its own. */
  readonly exact: NumberExpression;
  /** Never negative. */
  readonly bound: NumberExpression;
  readonly relative: number;
  readonly absolute: number;
  readonly total: number;
}

/** The unit roundoff of float32: half the distance from 1 to the next. */
export const UNIT_ROUNDOFF = 2 ** -24;
/** Half the smallest positive float32: what a rounding errs by at most among the subnormal numbers. */
export const HALF_SMALLEST = 2 ** -150;
export const SMALLEST_NORMAL = 2 ** -126;

export function exactForm(graph: Graph, node: NumberExpression): ErrorForm {
  return { exact: node, bound: graph.integer(0), relative: 0, absolute: 0, total: 0 };
}

export function isExactForm({ total, bound }: ErrorForm): boolean {
  return total === 0 || (bound.kind === 'constant' && bound.value.numerator === 0n);
}

/** a + b, rounded up. */
export function plus(...values: readonly number[]): number {
  return values.reduce((sum, value) => addUp(sum, value), 0);
}

/** a·b, rounded up; 0 times a bound that is infinite is 0. */
export function times(...values: readonly number[]): number {
  return values.reduce((product, value) => multiplyUp(product, value), 1);
}

/** Half a unit in the last place of the largest float32 binade that numbers up to `size` reach. */
export function halfUnit(size: number): number {
  if (!Number.isFinite(size)) return Infinity;
  let exponent = Math.max(-126, Math.ceil(Math.log2(Math.max(size, SMALLEST_NORMAL))) - 1);
  // The logarithm may round to the wrong side of a power of two.
  while (2 ** (exponent + 1) < size) exponent += 1;
  return 2 ** (exponent - 24);
}

/** A constant of at least `value` with few bits, so that exact arithmetic on it stays small. */
export function constantUp(graph: Graph, value: number): NumberExpression {
  if (value === 0) return graph.integer(0);
  let unit = 2 ** (Math.floor(Math.log2(value)) - 16);
  if (unit === 0) unit = Number.MIN_VALUE;
  return graph.constant(fromFloat(Math.ceil(value / unit) * unit));
}
