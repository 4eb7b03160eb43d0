/** Names in code: what an expression is called, and the words that a name is made of. */
import type { ts } from 'ts-morph';
import type { TypeScript } from '../../subject/typescript.ts';
import { isFunction, ancestors } from './walk.ts';

/** An expression without parentheses, assertions of type and `!`. */
export function bare(ts: TypeScript, node: ts.Expression): ts.Expression {
  let at = node;
  while (
    ts.isParenthesizedExpression(at) ||
    ts.isAsExpression(at) ||
    ts.isSatisfiesExpression(at) ||
    ts.isNonNullExpression(at) ||
    ts.isTypeAssertionExpression(at)
  )
    at = at.expression;
  return at;
}

/** `lr` for `lr`, `config.lr`, `this.lr`, `config['lr']`; null for what has no name. */
export function lastName(ts: TypeScript, expression: ts.Expression): string | null {
  const node = bare(ts, expression);
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text.replace(/^#/, '');
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
    return node.argumentExpression.text;
  return null;
}

/** What a call calls: `step` of `optimizer.step()`; null for what has no name. */
export function calledName(ts: TypeScript, call: ts.CallExpression | ts.NewExpression): string | null {
  return lastName(ts, call.expression);
}

/** What precedes the last name: `optimizer` of `optimizer.step()`; null if nothing does. */
export function receiverOf(ts: TypeScript, call: ts.CallExpression | ts.NewExpression): ts.Expression | null {
  const node = bare(ts, call.expression);
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) ? bare(ts, node.expression) : null;
}

/** An expression as a key: its text without blanks and `!`, so that `a . b` and `a!.b` are `a.b`. */
export function keyOf(node: ts.Node): string {
  return node.getText(node.getSourceFile()).replace(/\s+|!/g, '');
}

/** The text of a property name that is written out. */
export function propertyName(ts: TypeScript, name: ts.PropertyName): string | null {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isPrivateIdentifier(name) ? name.text : null;
}

/** `gradNormEMA_v2` → `grad norm ema v 2`: the words of a name, in lower case. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d)/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Under which name a function or class is declared; null if it has none. */
export function declaredName(ts: TypeScript, node: ts.Node): string | null {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if ((isFunction(ts, node) || ts.isClassLike(node)) && node.name) return node.name.getText(node.getSourceFile());
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return parent.name.text;
  if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) return propertyName(ts, parent.name);
  if (ts.isBinaryExpression(parent) && parent.right === node) return lastName(ts, parent.left);
  return null;
}

const namesBelow = new WeakMap<ts.Node, readonly string[]>();

/** The names of the functions and classes around a node, nearest first. */
export function namesAround(ts: TypeScript, node: ts.Node): readonly string[] {
  const path: ts.Node[] = [];
  let names: readonly string[] = [];
  for (const parent of ancestors(node)) {
    const known = namesBelow.get(parent);
    if (known) {
      names = known;
      break;
    }
    path.push(parent);
  }
  // Each parent is looked at once, however many draws a sum of thousands of them has.
  for (const parent of path.reverse()) {
    const name = isFunction(ts, parent) || ts.isClassLike(parent) ? declaredName(ts, parent) : null;
    if (name !== null) names = [name, ...names];
    namesBelow.set(parent, names);
  }
  return names;
}
