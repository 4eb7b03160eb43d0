/** The expressions of a binding's `arguments` and `output` on values that may depend on the input. */
import { fromDecimal } from '../../numeric/bounded-rational.ts';
import type { Expression } from '../../math/notation/syntax.ts';
import { evaluateArgument } from '../../subject/argument-expression.ts';
import { fromFloat, isWhole, toFloat } from '../../numeric/rational.ts';
import type { Graph, NumberExpression } from '../expression.ts';

/** A scalar by its name; null if there is none. */
export type ScalarNamed = (name: string) => NumberExpression | null;

/** The value where no scalar in it depends on the input; NaN elsewhere. */
export function knownArgument(expression: Expression, scalar: ScalarNamed): number {
  return evaluateArgument(expression, (name) => {
    const value = scalar(name);
    return value?.kind === 'constant' ? toFloat(value.value) : Number.NaN;
  });
}

/** A value, and how many operations of it float64 may round. */
interface Counted {
  readonly value: NumberExpression;
  readonly roundings: number;
}

/**
 * The exact value, or why there is none. Backends are given the float32 nearest to the float64 result: that is the one
 * nearest to the exact value after one operation on float32 (Figueroa 1995), but not always after several.
 */
export function argumentOf(graph: Graph, expression: Expression, scalar: ScalarNamed): NumberExpression | string {
  const known = knownArgument(expression, scalar);
  if (Number.isFinite(known)) return graph.constant(fromFloat(known));
  const counted = count(graph, expression, scalar);
  if (typeof counted === 'string') return counted;
  return counted.roundings <= 1
    ? counted.value
    : 'an argument of the binding takes several operations in float64, which proofs do not follow';
}

function count(graph: Graph, expression: Expression, scalar: ScalarNamed): Counted | string {
  switch (expression.kind) {
    case 'number': {
      const value = fromDecimal(expression.value);
      return value ? { value: graph.constant(value), roundings: isWhole(value) ? 0 : 1 } : 'a number is out of reach';
    }
    case 'name': {
      const value = scalar(expression.text);
      return value ? { value, roundings: 0 } : `${expression.text} has no value`;
    }
    case 'negate':
    case 'floor':
    case 'ceiling': {
      const operand = count(graph, expression.operand, scalar);
      if (typeof operand === 'string') return operand;
      const value =
        expression.kind === 'negate' ? graph.negate(operand.value) : graph.step(expression.kind, operand.value);
      return { value, roundings: operand.roundings };
    }
    case 'binary': {
      const [left, right] = [count(graph, expression.left, scalar), count(graph, expression.right, scalar)];
      if (typeof left === 'string') return left;
      if (typeof right === 'string') return right;
      const value = binary(graph, expression.operator, left.value, right.value);
      return value
        ? { value, roundings: left.roundings + right.roundings + 1 }
        : `\`${expression.operator}\` of an input in the binding has no model in proofs`;
    }
    default:
      return 'an argument of the binding has no model in proofs';
  }
}

function binary(graph: Graph, operator: string, a: NumberExpression, b: NumberExpression): NumberExpression | null {
  switch (operator) {
    case '+':
      return graph.add(a, b);
    case '-':
      return graph.subtract(a, b);
    case '·':
    case '×':
      return graph.multiply(a, b);
    default:
      return null;
  }
}
