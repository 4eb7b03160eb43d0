/** Which numbers are whole by how they are made. */
import { isWhole } from '../numeric/rational.ts';
import type { NumberExpression } from './expression.ts';

/** Whether `node` is whole by construction, given which variables are and which of its parts are `known` to be. */
export function isWholeNode(
  node: NumberExpression,
  isWholeVariable: (name: string) => boolean,
  known: (part: NumberExpression) => boolean,
): boolean {
  switch (node.kind) {
    case 'constant':
      return isWhole(node.value);
    case 'variable':
      return isWholeVariable(node.name);
    case 'floor':
    case 'ceiling':
    case 'truncate':
    case 'round-half-even':
    case 'round-half-up':
      return true;
    // The float32 next to a whole number is whole: from 2²⁴ on all are, and below that whole numbers are float32.
    case 'round32':
    case 'negate':
    case 'absolute':
      return known(node.operand);
    case 'add':
    case 'multiply':
    case 'minimum':
    case 'maximum':
    case 'modulo':
    case 'remainder':
      return known(node.left) && known(node.right);
    case 'if':
      return known(node.then) && known(node.otherwise);
    default:
      return false;
  }
}
