/**
 * Exponentials, sums, quotients and logarithms, of numbers (`Math.exp(x)`, `a / b`) and of arrays with methods or functions for them
 * (`x.exp()`, `e.div(s)`, `tf.log(x)`).
 */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import { bare, calledName, keyOf, receiverOf } from '../syntax/names.ts';
import { once } from '../syntax/once.ts';
import { under } from '../syntax/walk.ts';

/**
 * What an exponential is taken of: `x` of `Math.exp(x)`, `x.exp()` and `tf.exp(x)`, `xs` of `xs.map(Math.exp)` and
 * `Array.from(xs, Math.exp)`; null for other calls.
 */
export function exponentOf(module: Module, call: ts.CallExpression): ts.Expression | null {
  const [first, second] = call.arguments;
  if (first && !second && isExp(module, call.expression)) return first;
  const name = calledName(module.ts, call);
  if (name === 'map' && first && isExp(module, first)) return receiverOf(module.ts, call);
  if (first && second && /^(?:map|from)$/u.test(name ?? '') && isExp(module, second)) return first;
  return name === 'exp' ? operandOf(module, call) : null;
}

/** `x` of `x.exp()` and `tf.exp(x)`; null where `Math` or nothing precedes the name, and for other numbers of arguments. */
function operandOf({ ts }: Module, call: ts.CallExpression): ts.Expression | null {
  const owner = receiverOf(ts, call);
  if (!owner || keyOf(owner) === 'Math') return null;
  const [first, second] = call.arguments;
  if (!first) return owner;
  return second || !ts.isIdentifier(owner) ? null : first;
}

/** `Math.exp`, and `exp` where the module takes it from `Math`. */
function isExp(module: Module, node: ts.Expression): boolean {
  const name = keyOf(node);
  return name === 'Math.exp' || (name === 'exp' && takesExp(module, module.file));
}

const takesExp = once(({ ts }, file) =>
  under(ts, file, ts.isVariableDeclaration).some(({ name, initializer }) =>
    initializer === undefined
      ? false
      : ts.isObjectBindingPattern(name)
        ? keyOf(initializer) === 'Math' && name.elements.some((element) => keyOf(element) === 'exp')
        : keyOf(name) === 'exp' && keyOf(initializer) === 'Math.exp',
  ),
);

/** What a call takes the logarithm of: `x` of `Math.log(x)`, `log(x)`, `x.log()` and `tf.log(x)`; null for other calls. */
export function logarithmOf(module: Module, call: ts.CallExpression): ts.Expression | null {
  if (/^(?:Math\.)?log$/u.test(keyOf(call.expression))) return call.arguments[0] ?? null;
  return calledName(module.ts, call) === 'log' ? operandOf(module, call) : null;
}

interface Quotient {
  readonly node: ts.Node;
  readonly left: ts.Expression;
  readonly right: ts.Expression;
}

/** The quotients under a node: `a / b`, `a /= b`, `a.div(b)`, `tf.div(a, b)`. */
export function quotientsIn({ ts }: Module, node: ts.Node): readonly Quotient[] {
  const written = under(ts, node, ts.isBinaryExpression).flatMap((one): readonly Quotient[] =>
    /^\/=?$/u.test(one.operatorToken.getText()) ? [{ node: one, left: one.left, right: one.right }] : [],
  );
  const called = under(ts, node, ts.isCallExpression).flatMap((call): readonly Quotient[] => {
    if (!/^(?:div|divide|dotDivide|truediv)_?$/u.test(calledName(ts, call) ?? '')) return [];
    const owner = receiverOf(ts, call);
    const [first, second] = call.arguments;
    // The second of two arguments is a divisor or an axis: both readings are tried.
    return [
      ...(owner && first ? [{ node: call, left: owner, right: first }] : []),
      ...(first && second ? [{ node: call, left: first, right: second }] : []),
    ];
  });
  return [...written, ...called];
}

/** Whether a call adds up an array: `es.reduce(…)`, `es.sum(axis)`, `sum(es)`, `tf.sum(es)`. */
export function isAddition({ ts }: Module, node: ts.Expression): node is ts.CallExpression {
  return ts.isCallExpression(node) && /^(?:reduce|sum|sumBy)$/u.test(calledName(ts, node) ?? '');
}

/** An array without the calls that only change its shape: `s` of `s.unsqueeze(1)`. */
export function unshaped({ ts }: Module, expression: ts.Expression): ts.Expression {
  let node = bare(ts, expression);
  while (
    ts.isCallExpression(node) &&
    /^(?:(?:un)?squeeze|expandDims|expand_dims|expand|reshape|view|broadcastTo|broadcast|repeat|tile|toFloat)$/u.test(
      calledName(ts, node) ?? '',
    )
  ) {
    const owner = receiverOf(ts, node);
    if (!owner) break;
    node = owner;
  }
  return node;
}
