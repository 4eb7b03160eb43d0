/**
 * Bounds in which weights stay what they are and all else is a number: exponentials and quotients add up to 1 over a row, so
 * that Σ c·wⱼ is c, where sixteen numbers of which each may be c are 16·c.
 */
import { magnitude } from '../../../numeric/interval.ts';
import type { Graph, NumberExpression } from '../../expression.ts';
import { numberArguments, type Ranges } from '../interval/ranges.ts';
import {
  addBounds,
  constantBound,
  divideBound,
  largerBound,
  multiplyBound,
  scaleBound,
  termBound,
  type Bound,
} from './bound.ts';
import type { BoundArithmetic } from './bound-arithmetic.ts';

/** Arithmetic on bounds that also collects the weights. */
export interface WeighingArithmetic extends BoundArithmetic {
  /** Those that bounds were made of so far. */
  readonly weights: ReadonlySet<NumberExpression>;
}

/** No weights are known at first. */
export function weighingArithmetic(graph: Graph, ranges: Ranges): WeighingArithmetic {
  const weights = new Set<NumberExpression>();
  const known = new Map<NumberExpression, boolean>();
  const sizes = new Map<NumberExpression, Bound>();

  /** Whether a weight is a term or a factor of it. */
  const hasWeight = (node: NumberExpression): boolean => {
    const found =
      known.get(node) ?? (isWeight(node, ranges) || (isLinear(node) && numberArguments(node).some(hasWeight)));
    known.set(node, found);
    return found;
  };

  const sizeOf = (node: NumberExpression): Bound => {
    const size = sizes.get(node) ?? computeSize(node);
    sizes.set(node, size);
    return size;
  };

  const computeSize = (node: NumberExpression): Bound => {
    const most = magnitude(ranges.range(node));
    if (isWeight(node, ranges)) {
      weights.add(node);
      return termBound(node, 1);
    }
    if (Number.isFinite(most) && !hasWeight(node)) return constantBound(graph, most);
    switch (node.kind) {
      case 'negate':
      case 'absolute':
        return sizeOf(node.operand);
      case 'add':
      case 'maximum':
        return addBounds(sizeOf(node.left), sizeOf(node.right));
      case 'multiply':
        return product(factor(node.left), factor(node.right));
      default:
        return termBound(graph.absolute(node), 1);
    }
  };

  /** What a weight is multiplied by stays what it is where it is an input. */
  const factor = (node: NumberExpression): Bound =>
    node.kind === 'variable' ? termBound(ranges.range(node).low >= 0 ? node : graph.absolute(node), 1) : sizeOf(node);

  const product = (a: Bound, b: Bound): Bound => {
    const one = graph.integer(1);
    return addBounds(
      ...[...b].map(([node, coefficient]) => scaleBound(node === one ? a : multiplyBound(graph, a, node), coefficient)),
    );
  };

  return {
    weights,
    size: (node, coefficient) => scaleBound(sizeOf(node), coefficient),
    times: (bound, by) => product(bound, sizeOf(by)),
    timesSize: (bound, node) => product(bound, factor(node)),
    product,
    over: (bound, by, least) => divideBound(graph, bound, by, least),
    larger: (a, b) => largerBound(graph, a, b),
    settle: (bound) => bound,
    isNumber: (exact) => exact.kind !== 'constant' && !hasWeight(exact),
  };
}

function isWeight(node: NumberExpression, ranges: Ranges): boolean {
  const isOfKind =
    node.kind === 'divide' ||
    node.kind === 'if' ||
    ((node.kind === 'function' || node.kind === 'machine') && node.fn === 'exp');
  return isOfKind && ranges.range(node).low >= 0;
}

function isLinear({ kind }: NumberExpression): boolean {
  return kind === 'add' || kind === 'multiply' || kind === 'negate' || kind === 'absolute' || kind === 'maximum';
}
