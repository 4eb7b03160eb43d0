/** Nodes of expressions over other parts than their own. */
import type { BooleanExpression, Graph, NumberExpression } from './expression.ts';

type NumberIn = (node: NumberExpression) => NumberExpression;
type BooleanIn = (node: BooleanExpression) => BooleanExpression;

/** `node` with its parts replaced by these numbers and truth values. */
export function rebuildBoolean(
  graph: Graph,
  node: BooleanExpression,
  number: NumberIn,
  boolean: BooleanIn,
): BooleanExpression {
  switch (node.kind) {
    case 'truth':
      return node;
    case 'not':
      return graph.not(boolean(node.operand));
    case 'and':
      return graph.and(node.operands.map(boolean));
    case 'or':
      return graph.or(node.operands.map(boolean));
    case 'less':
      return graph.less(number(node.left), number(node.right));
    case 'less-equal':
      return graph.lessEqual(number(node.left), number(node.right));
    case 'equal':
      return graph.equal(number(node.left), number(node.right));
  }
}

/** Nodes other than choices: a choice becomes one of its branches. */
type Unconditional = Exclude<NumberExpression, { readonly kind: 'if' }>;

/** `node` with its parts replaced by these numbers; null if a divisor becomes the constant zero. */
export function rebuildNumber(graph: Graph, node: Unconditional, number: NumberIn): NumberExpression | null {
  switch (node.kind) {
    case 'constant':
    case 'variable':
      return node;
    case 'add':
      return graph.add(number(node.left), number(node.right));
    case 'multiply':
      return graph.multiply(number(node.left), number(node.right));
    case 'divide': {
      const by = number(node.right);
      return by.kind === 'constant' && by.value.numerator === 0n ? null : graph.divide(number(node.left), by);
    }
    case 'minimum':
      return graph.minimum(number(node.left), number(node.right));
    case 'maximum':
      return graph.maximum(number(node.left), number(node.right));
    case 'power':
      return graph.power(number(node.left), number(node.right));
    case 'machine-power':
      return graph.machinePower(number(node.left), number(node.right));
    case 'modulo':
      return graph.modulo(number(node.left), number(node.right));
    case 'remainder':
      return graph.remainder(number(node.left), number(node.right));
    case 'negate':
      return graph.negate(number(node.operand));
    case 'absolute':
      return graph.absolute(number(node.operand));
    case 'sqrt':
      return graph.sqrt(number(node.operand));
    case 'round32':
      return graph.round32(number(node.operand));
    case 'function':
      return graph.apply(node.fn, number(node.operand));
    case 'machine':
      return graph.machine(node.fn, number(node.operand));
    default:
      return graph.step(node.kind, number(node.operand));
  }
}
