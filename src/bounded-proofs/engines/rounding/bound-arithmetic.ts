/** How bounds of errors are multiplied, divided and compared, as expressions that engines analyse later. */
import type { Graph, NumberExpression } from '../../expression.ts';
import { summands, type Ranges } from '../interval/ranges.ts';
import { boundExpression, divideBound, largerBound, multiplyBound, termBound, type Bound } from './bound.ts';

/** Nodes passed as `by` are nonnegative. */
export interface BoundArithmetic {
  /** At least coefficient·|node|. */
  readonly size: (node: NumberExpression, coefficient: number) => Bound;
  readonly times: (bound: Bound, by: NumberExpression) => Bound;
  /** At least bound·|node|. */
  readonly timesSize: (bound: Bound, node: NumberExpression) => Bound;
  /** At least a·b. */
  readonly product: (a: Bound, b: Bound) => Bound;
  /** `least`: a positive lower bound of `by`, or 0 if none is known. */
  readonly over: (bound: Bound, by: NumberExpression, least: number) => Bound;
  /** At least both. */
  readonly larger: (a: Bound, b: Bound) => Bound;
  /** The bound, or a simpler one that is at least as large: called once for each value. */
  readonly settle: (bound: Bound) => Bound;
  /** Whether only the largest size of such a value's error is kept, if it is known. */
  readonly isNumber: (exact: NumberExpression) => boolean;
}

/** How far bounds are simplified: more simplification is cheaper and less exact. */
export interface CollapsingOptions {
  readonly graph: Graph;
  readonly ranges: Ranges;
  /** Whether |a + b| counts as |a| + |b| if the sign of a + b is not known. */
  readonly triangle: boolean;
  /** Whether it does in products as well. */
  readonly insideProducts?: boolean;
}

/** Every product and quotient is one expression. */
export function collapsingArithmetic(options: CollapsingOptions): BoundArithmetic {
  const { graph } = options;
  return {
    size: (node, coefficient) => termBound(sizeOf(node, options), coefficient),
    times: (bound, by) => multiplyBound(graph, bound, by),
    timesSize: (bound, node) => multiplyBound(graph, bound, sizeOf(node, options)),
    product: (a, b) => (b.size === 0 ? b : multiplyBound(graph, a, boundExpression(graph, b))),
    over: (bound, by, least) => divideBound(graph, bound, by, least),
    larger: (a, b) => largerBound(graph, a, b),
    settle: (bound) => bound,
    isNumber: () => false,
  };
}

/** |node|, or with `triangle` something at least as large. */
function sizeOf(node: NumberExpression, options: CollapsingOptions): NumberExpression {
  const { graph, ranges, triangle, insideProducts } = options;
  if (!triangle) return graph.absolute(node);
  const { low, high } = ranges.range(node);
  if (low >= 0 || high <= 0) return graph.absolute(node);
  switch (node.kind) {
    case 'negate':
      return sizeOf(node.operand, options);
    case 'multiply':
      return insideProducts
        ? graph.multiply(sizeOf(node.left, options), sizeOf(node.right, options))
        : graph.absolute(node);
    case 'divide':
      return graph.divide(sizeOf(node.left, options), graph.absolute(node.right));
    case 'add':
      return summands(node)
        .map((part) => (insideProducts ? sizeOf(part, options) : graph.absolute(part)))
        .reduce((sum, part) => graph.add(sum, part));
    default:
      return graph.absolute(node);
  }
}
