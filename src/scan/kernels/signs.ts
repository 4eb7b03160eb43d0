/**
 * What a kernel's text says about the sign and size of a value, without knowing its inputs. Careful in one direction: what is
 * called positive is, as far as the text shows; anything else may be anything.
 */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import { bare, keyOf } from '../syntax/names.ts';
import { ancestors, isIn, under } from '../syntax/walk.ts';
import type { Kernel } from './kernels-in.ts';

/** 2: positive, 1: not negative, 0: unknown. */
export type Sign = 0 | 1 | 2;

/** Names that are being followed, so that `x = x + 1` ends. */
type Following = ReadonlySet<string>;

/** `following` are the names that are being resolved already, which ends cycles. */
export function signOf(
  module: Module,
  kernel: Kernel,
  expression: ts.Expression,
  following: Following = new Set(),
): Sign {
  const { ts } = module;
  const node = bare(ts, expression);
  const sign = (of: ts.Expression): Sign => signOf(module, kernel, of, following);
  const guarded = guardedSign(module, kernel, node);
  if (guarded > 0) return guarded;
  const value = numberOf(module, node);
  if (value !== null) return value > 0 ? 2 : value === 0 ? 1 : 0;
  if (ts.isCallExpression(node)) return signOfCall(module, node, sign);
  if (ts.isBinaryExpression(node)) return signOfOperation(module, node, sign);
  if (ts.isConditionalExpression(node)) return least(sign(node.whenTrue), sign(node.whenFalse));
  if (ts.isPropertyAccessExpression(node)) return signOfProperty(node.getText());
  if (ts.isIdentifier(node)) return signOfLocal(module, kernel, node.text, following);
  return 0;
}

function least(...signs: readonly Sign[]): Sign {
  return signs.includes(0) ? 0 : signs.includes(1) ? 1 : 2;
}

/** A thread's index is at least 0, and an output has at least one element. */
function signOfProperty(text: string): Sign {
  if (/^Math\.(?:E|PI|LN2|LN10|SQRT2|SQRT1_2|LOG2E|LOG10E)$/u.test(text)) return 2;
  return /^this\.thread\.[xyz]$/u.test(text) ? 1 : /^this\.output\.[xyz]$/u.test(text) ? 2 : 0;
}

function signOfCall({ ts }: Module, call: ts.CallExpression, sign: (of: ts.Expression) => Sign): Sign {
  const callee = bare(ts, call.expression).getText();
  const signs = call.arguments.map(sign);
  switch (callee) {
    case 'Math.exp':
    case 'Math.cosh':
      return 2;
    case 'Math.abs':
      return signs[0] === 2 ? 2 : 1;
    case 'Math.sqrt':
    case 'Math.floor':
    case 'Math.round':
      return signs[0] === 2 && callee === 'Math.sqrt' ? 2 : signs[0] === 0 && callee !== 'Math.sqrt' ? 0 : 1;
    case 'Math.max':
      return signs.includes(2) ? 2 : signs.includes(1) ? 1 : 0;
    case 'Math.min':
      return signs.length === 0 ? 0 : least(...signs);
    case 'Math.pow':
      return signs[0] ?? 0;
    default:
      return 0;
  }
}

function signOfOperation(
  { ts }: Module,
  { left, operatorToken, right }: ts.BinaryExpression,
  sign: (of: ts.Expression) => Sign,
): Sign {
  const [a, b] = [sign(left), sign(right)];
  switch (operatorToken.kind) {
    case ts.SyntaxKind.AsteriskToken:
      // A square is never negative.
      return keyOf(left) === keyOf(right) ? (a === 2 ? 2 : 1) : least(a, b);
    case ts.SyntaxKind.SlashToken:
      return least(a, b);
    case ts.SyntaxKind.PlusToken:
      return a === 0 || b === 0 ? 0 : a === 2 || b === 2 ? 2 : 1;
    case ts.SyntaxKind.AsteriskAsteriskToken:
      return a;
    default:
      return 0;
  }
}

/** A local is what its assignments are; a sum that a loop adds positive terms to is positive, since its loop runs. */
function signOfLocal(module: Module, kernel: Kernel, name: string, following: Following): Sign {
  const { ts } = module;
  // Scalars are settings (β, ε, a frequency base), about which the contract's domain knows more than the text.
  if (kernel.scalars.has(name)) return 2;
  if (following.has(name)) return 1;
  const inner = new Set([...following, name]);
  const sign = (of: ts.Expression): Sign => signOf(module, kernel, of, inner);
  const initial = under(ts, kernel.body, ts.isVariableDeclaration).flatMap((declared) =>
    ts.isIdentifier(declared.name) && declared.name.text === name && declared.initializer ? [declared.initializer] : [],
  );
  const changes = under(ts, kernel.body, ts.isBinaryExpression).filter(
    ({ left, operatorToken: { kind } }) =>
      bare(ts, left).getText() === name &&
      kind >= ts.SyntaxKind.FirstAssignment &&
      kind <= ts.SyntaxKind.LastAssignment,
  );
  const decreased = under(ts, kernel.body, ts.isPostfixUnaryExpression).some(
    ({ operand, operator }) => operand.getText() === name && operator === ts.SyntaxKind.MinusMinusToken,
  );
  if (initial.length === 0 || decreased) return 0;
  const start = least(...initial.map(sign));
  if (changes.length === 0) return start;
  const added = changes.map(({ operatorToken: { kind }, right }): Sign => {
    const one = sign(right);
    if (kind === ts.SyntaxKind.EqualsToken || kind === ts.SyntaxKind.AsteriskEqualsToken) return one;
    return kind === ts.SyntaxKind.PlusEqualsToken || kind === ts.SyntaxKind.SlashEqualsToken ? one : 0;
  });
  if (start === 0) return 0;
  return changes.every(({ operatorToken: { kind } }) => kind === ts.SyntaxKind.PlusEqualsToken)
    ? least(...added)
    : least(start, ...added);
}

/** What a condition around a value says about it: `x > 0 ? Math.log(x) : 0`, also under `&&`, `if` and earlier exits. */
function guardedSign(module: Module, kernel: Kernel, node: ts.Expression): Sign {
  const { ts } = module;
  const key = keyOf(node);
  let below: ts.Node = node;
  let best: Sign = 0;
  for (const parent of ancestors(node)) {
    if (parent === kernel.node) break;
    const held =
      ts.isIfStatement(parent) && below === parent.thenStatement
        ? parent.expression
        : ts.isConditionalExpression(parent) && below === parent.whenTrue
          ? parent.condition
          : null;
    if (held)
      for (const conjunct of conjuncts(module, held)) best = Math.max(best, comparison(module, conjunct, key)) as Sign;
    below = parent;
  }
  return best;
}

function conjuncts(module: Module, condition: ts.Expression): readonly ts.Expression[] {
  const { ts } = module;
  const node = bare(ts, condition);
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken
    ? [...conjuncts(module, node.left), ...conjuncts(module, node.right)]
    : [node];
}

/** `key > c` or `c < key` with c ≥ 0 makes `key` positive; `≥` makes it so where c > 0. */
function comparison(module: Module, condition: ts.Expression, key: string): Sign {
  const { ts } = module;
  if (!ts.isBinaryExpression(condition)) return 0;
  const { left, operatorToken, right } = condition;
  const { GreaterThanToken, GreaterThanEqualsToken, LessThanToken, LessThanEqualsToken } = ts.SyntaxKind;
  const [value, limit, strict, loose] =
    keyOf(left) === key
      ? [left, right, GreaterThanToken, GreaterThanEqualsToken]
      : [right, left, LessThanToken, LessThanEqualsToken];
  const bound = numberOf(module, limit);
  if (keyOf(value) !== key || bound === null || bound < 0) return 0;
  if (operatorToken.kind === strict) return 2;
  return operatorToken.kind === loose ? (bound > 0 ? 2 : 1) : 0;
}

/** The number that an expression writes out, with its sign. */
export function numberOf({ ts }: Module, expression: ts.Expression): number | null {
  const node = bare(ts, expression);
  if (ts.isNumericLiteral(node)) return Number(node.text.replaceAll('_', ''));
  if (
    ts.isPrefixUnaryExpression(node) &&
    node.operator === ts.SyntaxKind.MinusToken &&
    ts.isNumericLiteral(node.operand)
  )
    return -Number(node.operand.text.replaceAll('_', ''));
  return null;
}

/** Whether the text keeps the size of a value within `limit`: clamped, compared with a number, or bounded by nature. */
export function isClamped(
  module: Module,
  kernel: Kernel,
  expression: ts.Expression,
  limit: number,
  depth = 0,
): boolean {
  const { ts } = module;
  const node = bare(ts, expression);
  if (depth > 8) return false;
  const value = numberOf(module, node);
  if (value !== null) return Math.abs(value) <= limit;
  if (ts.isCallExpression(node)) {
    const callee = bare(ts, node.expression).getText();
    if (/^Math\.(?:sin|cos|tanh|sign|atan)$/u.test(callee)) return true;
    return /^Math\.(?:min|max)$/u.test(callee) && isTwoSided(module, node, limit);
  }
  if (isCompared(module, kernel, node, limit)) return true;
  if (!ts.isIdentifier(node)) return false;
  const initial = under(ts, kernel.body, ts.isVariableDeclaration).find(
    ({ name, parent }) => name.getText() === node.text && (parent.flags & ts.NodeFlags.Const) !== 0,
  )?.initializer;
  return initial !== undefined && isClamped(module, kernel, initial, limit, depth + 1);
}

/** `Math.max(-c, Math.min(c, x))`, in either order. */
function isTwoSided(module: Module, call: ts.CallExpression, limit: number): boolean {
  const { ts } = module;
  const limits = (of: ts.CallExpression): readonly number[] =>
    of.arguments.flatMap((argument) => numberOf(module, argument) ?? []).filter((x) => Math.abs(x) <= limit);
  const inner = call.arguments.map((argument) => bare(ts, argument)).filter((one) => ts.isCallExpression(one));
  const name = (of: ts.CallExpression): string => bare(ts, of.expression).getText();
  return (
    limits(call).length > 0 &&
    inner.some((one) => /^Math\.(?:min|max)$/u.test(name(one)) && name(one) !== name(call) && limits(one).length > 0)
  );
}

/** Whether some condition of the kernel compares the value with a number that is not 0 and within the limit. */
function isCompared(module: Module, kernel: Kernel, node: ts.Expression, limit: number): boolean {
  const { ts } = module;
  const key = keyOf(node);
  return under(ts, kernel.body, ts.isBinaryExpression).some(({ left, right, operatorToken: { kind } }) => {
    const compares =
      kind === ts.SyntaxKind.LessThanToken ||
      kind === ts.SyntaxKind.LessThanEqualsToken ||
      kind === ts.SyntaxKind.GreaterThanToken ||
      kind === ts.SyntaxKind.GreaterThanEqualsToken;
    const mentions = (side: ts.Expression): boolean => keyOf(side) === key || keyOf(side) === `Math.abs(${key})`;
    const limits = (side: ts.Expression): boolean => {
      const value = Math.abs(numberOf(module, side) ?? 0);
      return value > 0 && value <= limit;
    };
    return compares && ((mentions(left) && limits(right)) || (mentions(right) && limits(left))) && !isIn(node, left);
  });
}
