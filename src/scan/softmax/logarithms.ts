/** A logarithm of what rounds to 0 long before its logarithm is large: of a product with an exponential, and of a softmax. */
import type { ts } from 'ts-morph';
import { rangeOf, type Module } from '../module.ts';
import type { Match } from '../rule.ts';
import { bare, calledName, keyOf, receiverOf } from '../syntax/names.ts';
import { declarationAt } from '../syntax/scope.ts';
import { isFunction, scopeOf, under } from '../syntax/walk.ts';
import { shortened } from './quote.ts';
import { exponentOf, logarithmOf } from './operations.ts';

/** `Math.log(c * Math.exp(x))` and `Math.log(softmax(x)[i])`; null for other calls. */
export function lostLogarithm(module: Module, call: ts.CallExpression): Match | null {
  return logarithmOfExp(module, call) ?? logarithmOfSoftmax(module, call);
}

/** `Math.log(c * Math.exp(x))`: the exponential is 0 long before the logarithm of the product is large. */
function logarithmOfExp(module: Module, call: ts.CallExpression): Match | null {
  const [of] = call.arguments;
  if (!of || keyOf(call.expression) !== 'Math.log') return null;
  const exponents = factorsOf(module, of).flatMap((factor) => {
    const exponent = module.ts.isCallExpression(factor) ? exponentOf(module, factor) : null;
    return exponent && under(module.ts, exponent, module.ts.isIdentifier).length > 0 ? [shortened(exponent)] : [];
  });
  const [exponent] = exponents;
  if (exponent === undefined) return null;
  return {
    range: rangeOf(module, call),
    message: `a logarithm of a product with exp(${exponent}) is -Infinity once \`${exponent}\` is below -745.2, and infinite above 709.8`,
    hint: `the logarithm of c * exp(x) is Math.log(c) + x`,
  };
}

/** The factors of a product or a quotient. */
function factorsOf({ ts }: Module, product: ts.Expression): readonly ts.Expression[] {
  const factors: ts.Expression[] = [];
  const pending = [product];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const node = bare(ts, next);
    if (ts.isBinaryExpression(node) && /^[*/]$/u.test(node.operatorToken.getText()))
      pending.push(node.left, node.right);
    else factors.push(node);
  }
  return factors;
}

/**
 * `p.log()` of a `p` that a softmax gave, `softmax(x).map(Math.log)` and `softmax(x).map((p) => Math.log(p))`; a loss `-Math.log(p[i])`. Other
 * logarithms of one share are scores of a search, in which -Infinity is the last.
 */
function logarithmOfSoftmax(module: Module, call: ts.CallExpression): Match | null {
  const { ts } = module;
  const of = logarithmOf(module, call) ?? mappedByLog(module, call);
  if (!of || !isShare(module, bare(ts, of))) return null;
  if (ts.isElementAccessExpression(bare(ts, of)) && !isSubtracted(module, call)) return null;
  return {
    range: rangeOf(module, call),
    message:
      'a logarithm of a softmax is -Infinity once an argument is 745.2 below the largest, or 104 where shares are kept in float32',
    hint: 'compute it at once: log softmax(x) is x - max - Math.log(Σ exp(x - max))',
    group: `logarithm of a softmax ${scopeOf(ts, call).pos}`,
  };
}

/** `-log(p)` and `loss -= log(p)`. */
function isSubtracted({ ts }: Module, { parent }: ts.Expression): boolean {
  if (ts.isPrefixUnaryExpression(parent)) return parent.operator === ts.SyntaxKind.MinusToken;
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.MinusEqualsToken;
}

/** `p` of `p.map(Math.log)`; null for other calls. */
function mappedByLog({ ts }: Module, call: ts.CallExpression): ts.Expression | null {
  const [first] = call.arguments;
  return calledName(ts, call) === 'map' && first && keyOf(first) === 'Math.log' ? receiverOf(ts, call) : null;
}

/** Whether an expression is what a softmax gives, an element of it, or a name that is given nothing else. */
function isShare(module: Module, node: ts.Expression): boolean {
  const { ts } = module;
  if (ts.isElementAccessExpression(node)) return isShare(module, bare(ts, node.expression));
  if (ts.isCallExpression(node)) return isSoftmax(module, node);
  if (!ts.isIdentifier(node)) return false;
  const declared = declarationAt(module, node.text, node);
  if (declared && ts.isParameter(declared)) return isElementOfShares(module, declared);
  const isConstant =
    declared &&
    ts.isVariableDeclaration(declared) &&
    ts.isVariableDeclarationList(declared.parent) &&
    (declared.parent.flags & ts.NodeFlags.Const) !== 0;
  const value = isConstant ? declared.initializer : undefined;
  return value !== undefined && ts.isCallExpression(bare(ts, value)) && isSoftmax(module, bare(ts, value));
}

/** `p` of `softmax(x).map((p) => …)`. */
function isElementOfShares(module: Module, declared: ts.ParameterDeclaration): boolean {
  const { ts } = module;
  const around = declared.parent;
  if (!isFunction(ts, around) || around.parameters[0] !== declared) return false;
  const call = around.parent;
  if (!ts.isCallExpression(call) || !/^(?:map|forEach)$/u.test(calledName(ts, call) ?? '')) return false;
  const owner = receiverOf(ts, call);
  return owner !== null && isShare(module, owner);
}

const isSoftmax = ({ ts }: Module, node: ts.Expression): boolean =>
  ts.isCallExpression(node) && /^soft_?max$/iu.test(calledName(ts, node) ?? '');
