import type { Expression } from './expression.ts';

/** The direct arguments of a node, left to right. */
export function argumentsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'constant':
    case 'variable':
    case 'truth':
      return [];
    case 'negate':
    case 'absolute':
    case 'sqrt':
    case 'floor':
    case 'ceiling':
    case 'truncate':
    case 'round-half-even':
    case 'round-half-up':
    case 'round32':
    case 'function':
    case 'machine':
    case 'not':
      return [expression.operand];
    case 'if':
      return [expression.condition, expression.then, expression.otherwise];
    case 'and':
    case 'or':
      return expression.operands;
    default:
      return [expression.left, expression.right];
  }
}
