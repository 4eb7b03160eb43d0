/** A running maximum that starts at `Number.MIN_VALUE`, or a lower bound that is it by default: the smallest positive number, 5e-324, so that no negative number exceeds it. */
import type { ts } from 'ts-morph';
import { rangeOf, type Module } from '../module.ts';
import { isApart } from '../randomness/apart.ts';
import type { Match, Rule } from '../rule.ts';
import { bare, calledName, keyOf, lastName, namesAround, receiverOf, wordsOf } from '../syntax/names.ts';
import { once } from '../syntax/once.ts';
import { declarationAt, type NamedDeclaration } from '../syntax/scope.ts';
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
  const scope = scopeOf(module.ts, node);
  const of = name === null ? reducedFrom(module, node) : maximaIn(module, scope).get(name);
  if (of === null || of === undefined) return [];
  if (isNeverNegative(module, node, [name ?? '', of.text])) return [];
  if (!hasMinimum(module, scope) && of.values.every((value) => isOfOwnField(module, value))) return [];
  return [
    {
      range: rangeOf(module, node),
      message: `${name === null ? 'a maximum' : `\`${name}\``} starts at Number.MIN_VALUE, the smallest positive number: the maximum of negative numbers is 5e-324`,
      hint: 'start at -Infinity; the most negative finite number is -Number.MAX_VALUE',
      group: `${scope.pos}`,
    },
  ];
}

/** Whether names, or those around a node, are of something that is never negative. */
function isNeverNegative(module: Module, node: ts.Node, names: readonly string[]): boolean {
  const file = module.source.path.split('/').at(-1) ?? '';
  return [...names, file, ...namesAround(module.ts, node)].some((text) => wordsOf(text).some(isOfNoNegative));
}

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

interface Maximum {
  /** What it is compared with, and given. */
  readonly text: string;
  /** What it may become. */
  readonly values: readonly ts.Expression[];
}

/** The variables that a function raises: `m = Math.max(m, x)`, `if (x > m) m = x`, `m = x > m ? x : m`. */
const maximaIn = once((module, scope): ReadonlyMap<string, Maximum> => {
  const { ts } = module;
  const raised = new Map<string, Maximum>();
  for (const { left, operatorToken, right, parent } of under(ts, scope, ts.isBinaryExpression)) {
    if (operatorToken.kind !== ts.SyntaxKind.EqualsToken || !isRepeated(module, left, scope)) continue;
    const name = keyOf(left);
    const value = bare(ts, right);
    const around = ts.isExpressionStatement(parent) ? ifAround(module, parent) : null;
    const condition = ts.isConditionalExpression(value) ? value.condition : around?.expression;
    const raises =
      isMaxOf(module, value, name) || (condition !== undefined && asksWhetherAbove(module, condition, name));
    if (!raises) continue;
    const known = raised.get(name) ?? { text: '', values: [] };
    raised.set(name, {
      text: `${known.text} ${condition ? keyOf(condition) : ''} ${keyOf(value)}`,
      values: [...known.values, ...partsOf(module, value).filter((part) => keyOf(part) !== name)],
    });
  }
  return raised;
});

/** `x` and `m` of `Math.max(m, x)` and of `x > m ? x : m`; other values as they are. */
function partsOf({ ts }: Module, value: ts.Expression): readonly ts.Expression[] {
  if (ts.isConditionalExpression(value)) return [value.whenTrue, value.whenFalse];
  return ts.isCallExpression(value) && keyOf(value.expression) === 'Math.max' ? value.arguments : [value];
}

/** Whether a function also looks for a minimum, from the largest number down: its numbers are of any sign. */
const hasMinimum = once(({ ts }, scope) =>
  under(ts, scope, ts.isPropertyAccessExpression).some((node) => keyOf(node) === 'Number.MAX_VALUE'),
);

/** Names of fields that hold numbers of anyone. */
const ofAnyone =
  /^_*(?:data|values?|elements?|items?|arr|array|list|buffer|numbers?|samples?|points?|x|y|xs|ys|matrix)$/iu;
/** How many names a value is followed through. */
const mostHops = 8;

/** Whether a value is of a field of the object itself, which keeps what the function does not show, such as that it is never negative. */
function isOfOwnField(module: Module, value: ts.Expression, hops: number = mostHops): boolean {
  const { ts } = module;
  let node = bare(ts, value);
  while (
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
  ) {
    const owner: ts.Expression = bare(ts, node.expression);
    if (owner.kind === ts.SyntaxKind.ThisKeyword) return !ofAnyone.test(lastName(ts, node) ?? '');
    node = owner;
  }
  const declared = hops > 0 && ts.isIdentifier(node) ? declarationAt(module, node.text, node) : null;
  const source = declared && sourceOf(module, declared);
  return source !== null && isOfOwnField(module, source, hops - 1);
}

/** What a variable is given, what a loop takes it from, or what a method such as `forEach` hands to its parameter. */
function sourceOf({ ts }: Module, declared: NamedDeclaration): ts.Expression | null {
  if (ts.isVariableDeclaration(declared)) {
    const loop = declared.parent.parent;
    return ts.isForOfStatement(loop) ? loop.expression : (declared.initializer ?? null);
  }
  if (!ts.isParameter(declared)) return null;
  const call = declared.parent.parent;
  return ts.isCallExpression(call) ? receiverOf(ts, call) : null;
}

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
function reducedFrom({ ts }: Module, node: ts.Node): Maximum | null {
  const call = node.parent;
  if (!ts.isCallExpression(call) || call.arguments[1] !== node || calledName(ts, call) !== 'reduce') return null;
  const [combine] = call.arguments;
  const owner = receiverOf(ts, call);
  const isMaximum = combine !== undefined && /\bMath\.max\b/u.test(combine.getText());
  return isMaximum && owner ? { text: keyOf(call), values: [owner] } : null;
}
