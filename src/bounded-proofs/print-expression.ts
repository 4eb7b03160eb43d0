/**
 * Expressions as text for people: infix, exact numbers as decimals, and what is used more than once under a name of its own.
 *
 * `fl(a)` is a rounding to float32, `exp₃₂(a)` a function of the machine, `exp(a)` the function over the reals.
 */
import { compareRational, fromFloat, isWhole, toFloat, type Rational } from '../numeric/rational.ts';
import { shortestText } from '../numeric/shortest-text.ts';
import { argumentsOf } from './arguments-of.ts';
import type { Expression } from './expression.ts';

/** How much of an expression to print. */
export interface PrintOptions {
  /** Named parts beyond this many are left out, and their number is reported. */
  readonly mostLines: number;
  /** The value of a named part, printed after it; null prints nothing. */
  readonly worth: ((expression: Expression) => string | null) | null;
}

const defaults: PrintOptions = { mostLines: 40, worth: null };

/** The expression on the first line, then `t1 = …` for each part with a name, in the order of their first use. */
export function printProofExpression(root: Expression, options: Partial<PrintOptions> = {}): string {
  const { mostLines, worth } = { ...defaults, ...options };
  const names = namesOf(root);
  const lines = [...names].slice(0, mostLines).map(([expression, name]) => {
    const value = worth?.(expression) ?? null;
    return `  ${name} = ${textOf(expression, names, true).text}${value === null ? '' : ` = ${value}`}`;
  });
  const more = names.size - lines.length;
  return [textOf(root, names, true).text, ...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].join('\n');
}

/** Parts nested deeper than this get names, however often they are used. */
const mostLevels = 8;

/** Parts that are used more than once, or are too deep, in the order in which they are visited. */
function namesOf(root: Expression): ReadonlyMap<Expression, string> {
  const order = inOrder(root);
  const uses = new Map<Expression, number>();
  for (const expression of order) for (const part of argumentsOf(expression)) uses.set(part, (uses.get(part) ?? 0) + 1);
  const heights = new Map<Expression, number>();
  const named = new Set<Expression>();
  // Arguments have smaller numbers than what they are arguments of.
  for (const expression of order.toSorted((a, b) => a.id - b.id)) {
    const parts = argumentsOf(expression);
    const height = 1 + Math.max(0, ...parts.map((part) => (named.has(part) ? 1 : (heights.get(part) ?? 0))));
    heights.set(expression, height);
    const isWorthIt = parts.length > 0 && expression !== root;
    if (isWorthIt && ((uses.get(expression) ?? 0) > 1 || height > mostLevels)) named.add(expression);
  }
  return new Map(order.filter((one) => named.has(one)).map((one, i) => [one, `t${i + 1}`]));
}

/** Every node once, from the root downwards and from left to right, without recursion. */
function inOrder(root: Expression): readonly Expression[] {
  const seen = new Set<Expression>([root]);
  const queue = [root];
  for (const expression of queue)
    for (const part of argumentsOf(expression))
      if (!seen.has(part)) {
        seen.add(part);
        queue.push(part);
      }
  return queue;
}

/** How tightly a text holds together: 1 or · 2 and · 3 not · 4 relations · 5 + − · 6 · / · 7 unary · 8 atoms. */
interface Text {
  readonly text: string;
  readonly level: number;
}

function textOf(expression: Expression, names: ReadonlyMap<Expression, string>, asDefined = false): Text {
  const name = asDefined ? undefined : names.get(expression);
  if (name !== undefined) return { text: name, level: 8 };
  const at = (part: Expression, level: number): string => {
    const { text, level: own } = textOf(part, names);
    return own < level ? `(${text})` : text;
  };
  const infix = (left: Expression, symbol: string, right: Expression, level: number): Text => ({
    text: `${at(left, level)} ${symbol} ${at(right, level + 1)}`,
    level,
  });
  const called = (fn: string, ...parts: readonly Expression[]): Text => ({
    text: `${fn}(${parts.map((part) => at(part, 0)).join(', ')})`,
    level: 8,
  });
  switch (expression.kind) {
    case 'constant':
      return numberText(expression.value);
    case 'truth':
      return { text: String(expression.value), level: 8 };
    case 'variable':
      return { text: expression.name, level: 8 };
    case 'add':
      return expression.right.kind === 'negate' && !names.has(expression.right)
        ? infix(expression.left, '−', expression.right.operand, 5)
        : infix(expression.left, '+', expression.right, 5);
    case 'multiply':
      return infix(expression.left, '·', expression.right, 6);
    case 'divide':
      return infix(expression.left, '/', expression.right, 6);
    case 'modulo':
      return infix(expression.left, 'mod', expression.right, 6);
    case 'remainder':
      return infix(expression.left, '%', expression.right, 6);
    case 'minimum':
      return called('min', expression.left, expression.right);
    case 'maximum':
      return called('max', expression.left, expression.right);
    case 'power':
      return called('pow', expression.left, expression.right);
    case 'machine-power':
      return called('pow₃₂', expression.left, expression.right);
    case 'negate':
      return { text: `−${at(expression.operand, 7)}`, level: 7 };
    case 'absolute':
      return { text: `|${at(expression.operand, 0)}|`, level: 8 };
    case 'sqrt':
      return called('√', expression.operand);
    case 'floor':
    case 'ceiling':
    case 'truncate':
    case 'round-half-even':
    case 'round-half-up':
      return called(expression.kind, expression.operand);
    case 'round32':
      return called('fl', expression.operand);
    case 'function':
      return called(expression.fn, expression.operand);
    case 'machine':
      return called(`${expression.fn}₃₂`, expression.operand);
    case 'if': {
      const { condition, then, otherwise } = expression;
      return { text: `(${at(condition, 0)} ? ${at(then, 0)} : ${at(otherwise, 0)})`, level: 8 };
    }
    case 'less':
      return infix(expression.left, '<', expression.right, 4);
    case 'less-equal':
      return infix(expression.left, '≤', expression.right, 4);
    case 'equal':
      return infix(expression.left, '=', expression.right, 4);
    case 'not':
      return { text: `¬${at(expression.operand, 7)}`, level: 7 };
    case 'and':
      return { text: expression.operands.map((operand) => at(operand, 3)).join(' ∧ '), level: 2 };
    case 'or':
      return { text: expression.operands.map((operand) => at(operand, 2)).join(' ∨ '), level: 1 };
  }
}

/** A float as its shortest decimal, any other number as a fraction. */
function numberText(value: Rational): Text {
  const near = toFloat(value);
  const level = value.numerator < 0n ? 7 : 8;
  if (isWhole(value) && Math.abs(near) < 1e16) return { text: String(value.numerator).replace('-', '−'), level };
  const isFloat = Number.isFinite(near) && compareRational(fromFloat(near), value) === 0;
  if (isFloat) {
    const text = Math.fround(near) === near ? shortestText(near, 'f32') : shortestText(near, 'f64');
    return { text: text.replace(/^-/, '−'), level };
  }
  const isLong = String(value.numerator).length + String(value.denominator).length > 40;
  const about = isLong ? `≈${shortestText(near, 'f64')}` : `${value.numerator}/${value.denominator}`;
  return { text: about.replace(/^(≈?)-/, '$1−'), level: isLong ? 8 : 6 };
}
