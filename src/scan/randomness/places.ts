/** Of how many places an index is drawn: `Math.floor(random() * n)`, also by a helper such as `randomInt(n)`. */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import type { Project } from '../rule.ts';
import { bare, calledName, keyOf, receiverOf } from '../syntax/names.ts';
import { isFunction, under } from '../syntax/walk.ts';

/** `random()`, `rng()`, `this.random()`: a number in [0, 1). */
function isDraw({ ts }: Module, node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || node.arguments.length > 0) return false;
  const name = calledName(ts, node) ?? '';
  const owner = receiverOf(ts, node);
  return (
    /^(?:random|rand|rng|prng)$/iu.test(name) || (name === 'next' && /rng|random/iu.test(owner ? keyOf(owner) : ''))
  );
}

/** The draws under a node. */
export function drawsUnder(module: Module, node: ts.Node): readonly ts.CallExpression[] {
  return under(module.ts, node, module.ts.isCallExpression).filter((one) => isDraw(module, one));
}

/** The factor of `random() * n`; null for other expressions. */
export function factorOf(
  module: Module,
  expression: ts.Expression,
): { draw: ts.CallExpression; factor: ts.Expression } | null {
  const { ts } = module;
  const node = bare(ts, expression);
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.AsteriskToken) return null;
  const [left, right] = [bare(ts, node.left), bare(ts, node.right)];
  if (isDraw(module, left)) return { draw: left, factor: right };
  return isDraw(module, right) ? { draw: right, factor: left } : null;
}

/** An index drawn from the places 0 to `count` - 1. */
export interface Places {
  /** What is reported. */
  readonly node: ts.Node;
  readonly count: ts.Expression;
  /** How the same is written with another number of places. */
  readonly from: (count: string) => string;
}

/** The places that `floor(random() * n)`, `randomInt(n)` and `randomInt(0, n)` draw from; null for what is not such a draw. */
export function placesOf(module: Module, project: Project, expression: ts.Expression): Places | null {
  const { ts } = module;
  const value = floored(module, expression);
  const product = value && factorOf(module, value);
  if (product) {
    const { draw, factor } = product;
    return { node: draw.parent, count: factor, from: (count) => `Math.floor(${keyOf(draw)} * ${count})` };
  }
  const call = bare(ts, expression);
  if (!ts.isCallExpression(call) || call.arguments.length === 0 || call.arguments.length > 2) return null;
  const helper = project.functionNamed(module, call.expression);
  const given = call.arguments.at(-1);
  if (!helper || !given || !isFunction(ts, helper)) return null;
  const [first, last] = [helper.parameters[0], helper.parameters[call.arguments.length - 1]];
  const result = resultOf(module, helper);
  if (!first || !last || !result) return null;
  const [low, high] = [first.name.getText(), last.name.getText()];
  if (first === last) {
    const own = floored(module, result);
    const factor = own && factorOf(module, own)?.factor;
    if (!factor || keyOf(factor) !== high) return null;
  } else if (keyOf(call.arguments[0] ?? call) !== '0' || !isBetween(module, result, low, high)) return null;
  const name = keyOf(call.expression);
  return {
    node: call,
    count: bare(ts, given),
    from: (count) => `${name}(${first === last ? '' : '0, '}${bareText(count)})`,
  };
}

/** What a function of one statement returns. */
function resultOf({ ts }: Module, helper: ts.FunctionLikeDeclaration): ts.Expression | null {
  const { body } = helper;
  if (!body) return null;
  if (!ts.isBlock(body)) return body;
  const [statement] = body.statements;
  return body.statements.length === 1 && statement && ts.isReturnStatement(statement)
    ? (statement.expression ?? null)
    : null;
}

/** `Math.floor(random() * (high - low)) + low`, with the terms in any order and the sum inside or outside. */
function isBetween(module: Module, result: ts.Expression, low: string, high: string): boolean {
  const { ts } = module;
  const outer = floored(module, result);
  const sum = bare(ts, outer ?? result);
  if (!ts.isBinaryExpression(sum) || sum.operatorToken.kind !== ts.SyntaxKind.PlusToken) return false;
  const [left, right] = [bare(ts, sum.left), bare(ts, sum.right)];
  const drawn = keyOf(left) === low ? right : keyOf(right) === low ? left : null;
  const inner = drawn && (outer ? drawn : floored(module, drawn));
  const factor = inner && factorOf(module, inner)?.factor;
  return factor !== null && factor !== undefined && keyOf(factor) === `${high}-${low}`;
}

/** What `Math.floor(x)`, `Math.trunc(x)`, `parseInt(x)`, `x | 0` and `~~x` round down; null for others. */
function floored({ ts }: Module, expression: ts.Expression): ts.Expression | null {
  const node = bare(ts, expression);
  if (ts.isCallExpression(node))
    return /^(?:Math\.(?:floor|trunc)|parseInt)$/u.test(keyOf(node.expression)) ? (node.arguments[0] ?? null) : null;
  if (!ts.isBinaryExpression(node)) return null;
  return /^(?:\||>>>?)$/u.test(node.operatorToken.getText()) && keyOf(node.right) === '0' ? node.left : null;
}

/** `(i + 1)` as an argument. */
const bareText = (text: string): string => text.replace(/^\((.*)\)$/u, '$1');
