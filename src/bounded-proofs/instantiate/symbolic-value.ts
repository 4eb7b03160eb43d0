/** What terms are worth at concrete sizes: every number and truth value an expression of the input. */
import type { BooleanExpression, Graph, NumberExpression } from '../expression.ts';

/** A number or a truth value. */
export type ScalarExpression = NumberExpression | BooleanExpression;

/** A tensor of expressions. */
export interface TensorValue {
  readonly sort: 'tensor';
  readonly shape: readonly number[];
  /** Row-major. Of a tensor that is being computed, those elements that there are. */
  readonly elements: readonly ScalarExpression[];
}

/** The value of a term whose inputs are variables. */
export type SymbolicValue = ScalarExpression | TensorValue;

/** `then` where the condition holds, else `otherwise`; both of one sort and shape. Null if they are not. */
export function chooseValue(
  graph: Graph,
  condition: BooleanExpression,
  then: SymbolicValue,
  otherwise: SymbolicValue,
): SymbolicValue | null {
  if (then === otherwise) return then;
  if (then.sort === 'number' && otherwise.sort === 'number') return graph.if(condition, then, otherwise);
  if (then.sort === 'boolean' && otherwise.sort === 'boolean')
    return graph.or([graph.and([condition, then]), graph.and([graph.not(condition), otherwise])]);
  if (then.sort !== 'tensor' || otherwise.sort !== 'tensor') return null;
  if (then.shape.join() !== otherwise.shape.join()) return null;
  const elements = then.elements.map((element, i) => {
    const other = otherwise.elements[i];
    const chosen = other && chooseValue(graph, condition, element, other);
    return chosen && chosen.sort !== 'tensor' ? chosen : null;
  });
  return elements.every((element) => element !== null) ? { sort: 'tensor', shape: then.shape, elements } : null;
}
