/** A running maximum that starts at `Number.MIN_VALUE`, or a lower bound that is it by default: the smallest positive number, 5e-324, so that no negative number exceeds it. */
import type { ts } from 'ts-morph';
import { rangeOf, type Module } from '../module.ts';
import { isApart } from '../randomness/apart.ts';
import type { Match, Rule } from '../rule.ts';
import { bare, calledName, keyOf, namesAround, wordsOf } from '../syntax/names.ts';
import { once } from '../syntax/once.ts';
import { loopsAround, scopeOf, under } from '../syntax/walk.ts';

export const maximumStart: Rule = {
  code: 'PV-9135',
  words: /\bNumber\.MIN_VALUE\b/,
  usesTypes: false,
  check: (module) =>
    module
      .all(module.ts.isPropertyAccessExpression)
      .filter((node) => keyOf(node) === 'Number.MIN_VALUE' && !isApart(module, node))
      .flatMap((node) => [...checkStart(module, node), ...checkBound(module, node)]),
};

/** `low ?? Number.MIN_VALUE` next to `high ?? Number.MAX_VALUE`, also as defaults of parameters. */
function checkBound(module: Module, node: ts.Expression): readonly Match[] {
  const { ts } = module;
  const name = defaultFor(module, node);
  if (name === null || isNeverNegative(module, node, [name])) return [];
  const around = scopeOf(ts, node);
  const hasUpper = under(ts, around, ts.isPropertyAccessExpression).some(
    (one) => keyOf(one) === 'Number.MAX_VALUE' && defaultFor(module, one) !== null,
  );
  if (!hasUpper) return [];
  return [
    {
      range: rangeOf(module, node),
      message: `the lower bound \`${name}\` is Number.MIN_VALUE by default, the smallest positive number: every negative number is below it`,
      hint: 'use -Infinity; the most negative finite number is -Number.MAX_VALUE',
      group: `bound ${around.pos}`,
    },
  ];
}

/** The name that has a value where none was given: `a = a != null ? a : v`, `const a = b.a ?? v`, `(a = v) => …`; null for other values. */
function defaultFor(module: Module, node: ts.Expression): string | null {
  const { ts } = module;
  const { parent } = node;
  if (ts.isParameter(parent)) return keyOf(parent.name);
  const isFallback =
    (ts.isConditionalExpression(parent) && parent.condition !== node) ||
    (ts.isBinaryExpression(parent) && parent.right === node && /^(?:\?\?|\|\|)$/u.test(parent.operatorToken.getText()));
  const given = isFallback ? aboveParentheses(module, parent) : null;
  if (given && ts.isVariableDeclaration(given)) return keyOf(given.name);
  const isAssigned = given && ts.isBinaryExpression(given) && given.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return isAssigned ? keyOf(given.left) : null;
}

function aboveParentheses({ ts }: Module, node: ts.Node): ts.Node {
  let { parent } = node;
  while (ts.isParenthesizedExpression(parent)) ({ parent } = parent);
  return parent;
}

function checkStart(module: Module, node: ts.Expression): readonly Match[] {
  const name = givenTo(module, node);
  const of = name === null ? reducedFrom(module, node) : maximaIn(module, scopeOf(module.ts, node)).get(name);
  if (of === null || of === undefined) return [];
  if (isNeverNegative(module, node, [name ?? '', of]) || isOfShares(module, scopeOf(module.ts, node), of)) return [];
  return [
    {
      range: rangeOf(module, node),
      message: `${name === null ? 'a maximum' : `\`${name}\``} starts at Number.MIN_VALUE, the smallest positive number: the maximum of negative numbers is 5e-324`,
      hint: 'start at -Infinity; the most negative finite number is -Number.MAX_VALUE',
      group: `${scopeOf(module.ts, node).pos}`,
    },
  ];
}

/** Whether names, or those around a node, are of something that is never negative. */
function isNeverNegative(module: Module, node: ts.Node, names: readonly string[]): boolean {
  const file = module.source.path.split('/').at(-1) ?? '';
  return [...names, file, ...namesAround(module.ts, node)].some((text) => wordsOf(text).some(isOfNoNegative));
}

/** Whether a maximum is one of an array that the function divides by its sum. */
function isOfShares(module: Module, scope: ts.Node, of: string): boolean {
  return [...of.matchAll(/([\w$.]+)\[/gu)].some(([, owner = '']) => sharesIn(module, scope).has(owner));
}

/** The arrays whose elements a function divides by a sum: `p[i] /= total`, `p[i] = p[i] / sum`. */
const sharesIn = once(({ ts }, scope): ReadonlySet<string> => {
  const isSum = (node: ts.Expression): boolean => wordsOf(keyOf(node)).some((word) => /^(?:sum|total)$/u.test(word));
  const divided = under(ts, scope, ts.isBinaryExpression).filter(({ operatorToken, right }) => {
    if (operatorToken.kind === ts.SyntaxKind.SlashEqualsToken) return isSum(right);
    const value = bare(ts, right);
    return (
      operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      ts.isBinaryExpression(value) &&
      value.operatorToken.kind === ts.SyntaxKind.SlashToken &&
      isSum(value.right)
    );
  });
  return new Set(
    divided.map(({ left }) => {
      let owner = left;
      while (ts.isElementAccessExpression(owner)) owner = owner.expression;
      return keyOf(owner);
    }),
  );
});

/** Words for what is never negative, of which a maximum may start at any number below. */
const isOfNoNegative = (word: string): boolean =>
  /^(?:scores?|probs?|probabilit(?:y|ies)|confidences?|dist(?:ance)?s?|counts?|sizes?|lengths?|widths?|heights?|weights?|durations?|times?|freq(?:uenc(?:y|ies))?s?|norms?|variances?|std|iou|areas?|zooms?|scales?|ratios?|prices?|ages?|radius|delays?|intervals?)$/u.test(
    word,
  );

/** The variable or member that a value is given to: `let m = v`, `m = v`. */
function givenTo({ ts }: Module, node: ts.Expression): string | null {
  const { parent } = node;
  if (ts.isVariableDeclaration(parent)) return keyOf(parent.name);
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
    ? keyOf(parent.left)
    : null;
}

/** The variables that a function raises, with what they are compared with: `m = Math.max(m, x)`, `if (x > m) m = x`, `m = x > m ? x : m`. */
const maximaIn = once((module, scope): ReadonlyMap<string, string> => {
  const { ts } = module;
  const raised = new Map<string, string>();
  for (const { left, operatorToken, right, parent } of under(ts, scope, ts.isBinaryExpression)) {
    if (operatorToken.kind !== ts.SyntaxKind.EqualsToken || !isRepeated(module, left, scope)) continue;
    const name = keyOf(left);
    const value = bare(ts, right);
    const around = ts.isExpressionStatement(parent) ? ifAround(module, parent) : null;
    const condition = ts.isConditionalExpression(value) ? value.condition : around?.expression;
    const raises =
      isMaxOf(module, value, name) || (condition !== undefined && asksWhetherAbove(module, condition, name));
    if (raises) raised.set(name, `${raised.get(name) ?? ''} ${condition ? keyOf(condition) : ''} ${keyOf(value)}`);
  }
  return raised;
});

/** Whether a loop or a function of its own is around a node, so that it runs for each of several values. */
function isRepeated({ ts }: Module, node: ts.Node, scope: ts.Node): boolean {
  return loopsAround(ts, node).length > 0 || scopeOf(ts, node) !== scope;
}

function isMaxOf({ ts }: Module, value: ts.Expression, name: string): boolean {
  return (
    ts.isCallExpression(value) &&
    keyOf(value.expression) === 'Math.max' &&
    value.arguments.some((argument) => keyOf(argument) === name)
  );
}

/** The `if` whose branch is the statement, alone or in a block. */
function ifAround({ ts }: Module, statement: ts.Statement): ts.IfStatement | null {
  const { parent } = statement;
  const around = ts.isBlock(parent) ? parent.parent : parent;
  return ts.isIfStatement(around) ? around : null;
}

/** `x > m`, `m < x`, with or without `=`. */
function asksWhetherAbove({ ts }: Module, condition: ts.Expression, name: string): boolean {
  return under(ts, condition, ts.isBinaryExpression).some(({ left, operatorToken, right }) => {
    const operator = operatorToken.getText();
    return (/^>=?$/u.test(operator) && keyOf(right) === name) || (/^<=?$/u.test(operator) && keyOf(left) === name);
  });
}

/** What `v` is the start of in `xs.reduce((a, b) => Math.max(a, b), v)`. */
function reducedFrom({ ts }: Module, node: ts.Node): string | null {
  const call = node.parent;
  if (!ts.isCallExpression(call) || call.arguments[1] !== node || calledName(ts, call) !== 'reduce') return null;
  const [combine] = call.arguments;
  return combine !== undefined && /\bMath\.max\b/u.test(combine.getText()) ? keyOf(call) : null;
}
