import { isWhole } from '../../numeric/rational.ts';
import type { NumberExpression } from '../expression.ts';

/** Whether a number is whole by construction, given the variables that are. */
export function wholeTest(variables: ReadonlySet<string>): (expression: NumberExpression) => boolean {
  const known = new Map<NumberExpression, boolean>();
  const test = (expression: NumberExpression): boolean => {
    const found = known.get(expression);
    if (found !== undefined) return found;
    const answer = decide(expression);
    known.set(expression, answer);
    return answer;
  };
  const decide = (expression: NumberExpression): boolean => {
    switch (expression.kind) {
      case 'constant':
        return isWhole(expression.value);
      case 'variable':
        return variables.has(expression.name);
      case 'floor':
      case 'ceiling':
      case 'truncate':
      case 'round-half-even':
      case 'round-half-up':
        return true;
      // A float32 beside a whole number is whole: from 2²⁴ on all are, and below that whole numbers are float32.
      case 'round32':
      case 'negate':
      case 'absolute':
        return test(expression.operand);
      case 'add':
      case 'multiply':
      case 'minimum':
      case 'maximum':
      case 'modulo':
      case 'remainder':
        return test(expression.left) && test(expression.right);
      case 'if':
        return test(expression.then) && test(expression.otherwise);
      default:
        return false;
    }
  };
  return test;
}
