/**
 * What expressions of a kernel are worth: known numbers and truth values, and expressions for all others.
 *
 * Under the reading `float32` every known number is the one that the code computes (a float32, a whole number, an
 * infinity), and a known zero has the sign that the code gives it. Graphs have only one zero, so a zero that results from a
 * graph stays an expression. Under `real`, known numbers are whole or infinite, and all others are expressions. Never NaN.
 */
import type { Place } from '../../subject/kernel-syntax.ts';

import { fromFloat, isWhole, toFloat } from '../../numeric/rational.ts';
import type { BooleanExpression, NumberExpression } from '../expression.ts';
import { refuse, type Execution } from './execution.ts';

/** A JavaScript number or boolean if it is known, an expression if it depends on the input. */
export type Value = number | boolean | NumberExpression | BooleanExpression;

/** A number, known or not. */
export type NumberValue = number | NumberExpression;

/** A condition that is decided, or the expression that decides it. */
export type Truth = boolean | BooleanExpression;

/** Known where the expression is a constant that a known number can be. */
export function settled({ reading }: Execution, expression: NumberExpression): NumberValue {
  if (expression.kind !== 'constant') return expression;
  const { value } = expression;
  const known = toFloat(value);
  if (reading === 'float32') return known === 0 ? expression : known;
  return isWhole(value) && Number.isSafeInteger(known) ? known : expression;
}

/** A zero, with a known or an unknown sign. */
export function isZero(value: NumberValue): boolean {
  return typeof value === 'number' ? value === 0 : value.kind === 'constant' && value.value.numerator === 0n;
}

/** The truth value, if the expression is one, and otherwise the expression. */
export function settledTruth(expression: BooleanExpression): Truth {
  return expression.kind === 'truth' ? expression.value : expression;
}

/** A number as an expression. An infinity has none. */
export function expressionOf(execution: Execution, value: NumberValue, place: Place): NumberExpression {
  if (typeof value === 'object') return value;
  if (Number.isFinite(value)) return execution.graph.constant(fromFloat(value));
  refuse(execution, place, 'an infinity is computed with here, and proofs are about numbers');
  return execution.graph.integer(0);
}

/** Whether a number is a float32: whole numbers that the code counts with may not be. */
export function isFloat32({ isFloat32: test }: Execution, value: NumberValue): boolean {
  return typeof value === 'object' ? test(value) : Math.fround(value) === value;
}

/** As JavaScript converts truth values to numbers. */
export function numberOf({ graph }: Execution, value: Value): NumberValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'object' && value.sort === 'boolean') return graph.if(value, graph.integer(1), graph.integer(0));
  return value;
}

/** As JavaScript judges conditions: every number but 0 is true. */
export function truthOf({ graph }: Execution, value: Value): Truth {
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'boolean') return value;
  if (value.sort === 'boolean') return settledTruth(value);
  return settledTruth(graph.not(graph.equal(value, graph.integer(0))));
}

/** A truth value as an expression of the execution's graph. */
export function booleanExpression({ graph }: Execution, truth: Truth): BooleanExpression {
  return typeof truth === 'boolean' ? graph.truth(truth) : truth;
}

/** `then` where the condition holds, else `otherwise`. */
export function choose(
  execution: Execution,
  condition: BooleanExpression,
  then: Value,
  otherwise: Value,
  place: Place,
): Value {
  if (Object.is(then, otherwise)) return then;
  const { graph } = execution;
  if (isTruth(then) && isTruth(otherwise)) {
    const [a, b] = [booleanExpression(execution, then), booleanExpression(execution, otherwise)];
    return settledTruth(graph.or([graph.and([condition, a]), graph.and([graph.not(condition), b])]));
  }
  const [a, b] = [numberOf(execution, then), numberOf(execution, otherwise)];
  return settled(execution, graph.if(condition, expressionOf(execution, a, place), expressionOf(execution, b, place)));
}

/** Whether a value is boolean, known or not. */
export function isTruth(value: Value): value is Truth {
  return typeof value === 'boolean' || (typeof value === 'object' && value.sort === 'boolean');
}
