/** What is known about a number from how it is made. */
import { compareRational, fromFloat, toFloat } from '../../numeric/rational.ts';
import type { NumberExpression } from '../expression.ts';
import { isWholeNode } from '../whole-node.ts';

type Test = (expression: NumberExpression) => boolean;

/** The test that `decide` gives, made once for every number; `decide` uses `test` for parts. */
function remembered(decide: (expression: NumberExpression, test: Test) => boolean): Test {
  const known = new Map<NumberExpression, boolean>();
  const test: Test = (expression) => {
    const found = known.get(expression);
    if (found !== undefined) return found;
    const answer = decide(expression, test);
    known.set(expression, answer);
    return answer;
  };
  return test;
}

/** Whether a number is whole by construction, given the variables that are. */
export function wholeTest(variables: ReadonlySet<string>): Test {
  return remembered((expression, test) => isWholeNode(expression, (name) => variables.has(name), test));
}

/** Whether a number is a float32 by construction, if every variable is one. */
export function float32Test(): Test {
  return remembered((expression, test) => {
    switch (expression.kind) {
      case 'constant': {
        const near = toFloat(expression.value);
        return Math.fround(near) === near && compareRational(fromFloat(near), expression.value) === 0;
      }
      case 'variable':
      case 'round32':
      case 'machine':
      case 'machine-power':
        return true;
      case 'negate':
      case 'absolute':
      case 'floor':
      case 'ceiling':
      case 'truncate':
        return test(expression.operand);
      case 'minimum':
      case 'maximum':
        return test(expression.left) && test(expression.right);
      case 'if':
        return test(expression.then) && test(expression.otherwise);
      default:
        return false;
    }
  });
}
