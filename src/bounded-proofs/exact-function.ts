/** Elementary functions over the reals where their value is known exactly. */
import { compareRational, ONE, ZERO } from '../numeric/rational.ts';
import { rationalRoot } from '../numeric/rational-root.ts';
import type { ElementaryFunction, Graph, NumberExpression } from './expression.ts';

/** Arguments at which a function is rational; ECMA-262, §21.3.2, states the same values for float64. */
export const knownValues: Readonly<Partial<Record<ElementaryFunction, readonly [argument: 0 | 1, value: 0 | 1]>>> = {
  exp: [0, 1],
  log: [1, 0],
  log2: [1, 0],
  log10: [1, 0],
  sin: [0, 0],
  cos: [0, 1],
  tan: [0, 0],
  tanh: [0, 0],
  sinh: [0, 0],
  cosh: [0, 1],
  atan: [0, 0],
  asin: [0, 0],
  acos: [1, 0],
  erf: [0, 0],
};

/** `fn(operand)`, as a number where it is one. */
export function exactFunction(graph: Graph, fn: ElementaryFunction, operand: NumberExpression): NumberExpression {
  const known = knownValues[fn];
  if (known && operand.kind === 'constant' && compareRational(operand.value, known[0] === 0 ? ZERO : ONE) === 0)
    return graph.integer(known[1]);
  return graph.apply(fn, operand);
}

/** `√operand`, as a number where it is one. */
export function exactRoot(graph: Graph, operand: NumberExpression): NumberExpression {
  const root = operand.kind === 'constant' ? rationalRoot(operand.value) : null;
  return root === null ? graph.sqrt(operand) : graph.constant(root);
}

/** left − right·⌊left/right⌋, as a number where both are; the divisor is not the number 0. */
export function exactModulo(graph: Graph, left: NumberExpression, right: NumberExpression): NumberExpression {
  const bothKnown = left.kind === 'constant' && right.kind === 'constant';
  if (!bothKnown) return graph.modulo(left, right);
  return graph.subtract(left, graph.multiply(right, graph.step('floor', graph.divide(left, right))));
}
