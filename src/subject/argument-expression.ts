/**
 * The expressions of a binding's `arguments` and `output`: numbers, names of the equation's parameters and sizes,
 * and arithmetic of scalars in the notation of contracts.
 */
import type { Expression } from '../math/notation/syntax.ts';
import { soleExpression } from '../math/notation/sole-expression.ts';
import { readNotation } from '../math/notation/read.ts';

/** An expression, or what is wrong with it. */
export type ReadArgument =
  { readonly ok: true; readonly expression: Expression } | { readonly ok: false; readonly message: string };

/** Reads one argument; `names` are the scalars that it may use. */
export function readArgument(text: string, names: ReadonlySet<string>): ReadArgument {
  const notation = readNotation(text, 'expression');
  const expression = soleExpression(notation);
  if (!expression) return { ok: false, message: notation.problem?.message ?? 'this is not one expression' };
  const problem = problemOf(expression, names);
  return problem === null ? { ok: true, expression } : { ok: false, message: problem };
}

function problemOf(expression: Expression, names: ReadonlySet<string>): string | null {
  switch (expression.kind) {
    case 'number':
      return expression.unit === null ? null : 'a number here has no unit';
    case 'name':
      return names.has(expression.text) ? null : `\`${expression.text}\` is not a scalar or size of the equation`;
    case 'negate':
    case 'floor':
    case 'ceiling':
    case 'square-root':
      return problemOf(expression.operand, names);
    case 'binary':
      return operations.has(expression.operator)
        ? (problemOf(expression.left, names) ?? problemOf(expression.right, names))
        : `\`${expression.operator}\` cannot be used here`;
    default:
      return 'only arithmetic of scalars and sizes can be written here';
  }
}

const operations: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['·', (a, b) => a * b],
  ['×', (a, b) => a * b],
  ['/', (a, b) => a / b],
  ['//', (a, b) => Math.floor(a / b)],
  ['mod', (a, b) => a - b * Math.floor(a / b)],
  ['^', (a, b) => a ** b],
]);

/** The value of an expression that `readArgument` accepted; NaN where a name has no value. */
export function evaluateArgument(expression: Expression, valueOf: (name: string) => number): number {
  const evaluate = (part: Expression): number => evaluateArgument(part, valueOf);
  switch (expression.kind) {
    case 'number':
      return Number(expression.value);
    case 'name':
      return valueOf(expression.text);
    case 'negate':
      return -evaluate(expression.operand);
    case 'floor':
      return Math.floor(evaluate(expression.operand));
    case 'ceiling':
      return Math.ceil(evaluate(expression.operand));
    case 'square-root':
      return Math.sqrt(evaluate(expression.operand));
    case 'binary':
      return operations.get(expression.operator)?.(evaluate(expression.left), evaluate(expression.right)) ?? Number.NaN;
    default:
      return Number.NaN;
  }
}

/** The same expression as JavaScript; `nameOf` gives the code of a name. For generated tests. */
export function printArgument(expression: Expression, nameOf: (name: string) => string): string {
  const print = (part: Expression): string => printArgument(part, nameOf);
  switch (expression.kind) {
    case 'number':
      return String(Number(expression.value));
    case 'name':
      return nameOf(expression.text);
    case 'negate':
      return `(-${print(expression.operand)})`;
    case 'floor':
      return `Math.floor(${print(expression.operand)})`;
    case 'ceiling':
      return `Math.ceil(${print(expression.operand)})`;
    case 'square-root':
      return `Math.sqrt(${print(expression.operand)})`;
    case 'binary':
      return printOperation(expression.operator, print(expression.left), print(expression.right));
    default:
      return 'Number.NaN';
  }
}

function printOperation(operator: string, left: string, right: string): string {
  if (operator === '//') return `Math.floor(${left} / ${right})`;
  if (operator === 'mod') return `(${left} - ${right} * Math.floor(${left} / ${right}))`;
  const sign = operator === '·' || operator === '×' ? '*' : operator === '^' ? '**' : operator;
  return `(${left} ${sign} ${right})`;
}
