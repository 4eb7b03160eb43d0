/** What can be said of a number by looking at how it is made. */
import { compareRational, fromFloat, isWhole, toFloat } from '../../numeric/rational.ts';
import type { NumberExpression } from '../expression.ts';

type Test = (expression: NumberExpression) => boolean;

/** The test that `decide` states, asked once of every number; `decide` asks `test` about parts. */
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
  return remembered((expression, test) => {
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
  });
}

/** Whether a number is a float32 by construction, where every variable is one. */
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
