/**
 * A softmax or a log-sum-exp without its shift, in plain code: exp(x) is infinite from 709.8 on, and from 88.8 on where it is kept in
 * float32, so that one large logit makes every result NaN. Kernels have a rule of their own (`kernel-unshifted-exp`).
 */
import type { ts } from 'ts-morph';
import { kernelsIn } from '../kernels/kernels-in.ts';
import { rangeOf, type Module } from '../module.ts';
import { isApart } from '../randomness/apart.ts';
import type { Match, Rule } from '../rule.ts';
import { bare, calledName, keyOf, receiverOf } from '../syntax/names.ts';
import { once } from '../syntax/once.ts';
import { lostLogarithm } from '../softmax/logarithms.ts';
import { exponentOf, isAddition, logarithmOf, quotientsIn, unshaped } from '../softmax/operations.ts';
import { shortened } from '../softmax/quote.ts';
import { ancestors, functionAround, isFunction, isIn, loopsAround, under, type FunctionNode } from '../syntax/walk.ts';

export const unshiftedSoftmax: Rule = {
  code: 'PV-9134',
  words: /\bexp\b|soft_?max\b/i,
  usesTypes: false,
  check: (module) => {
    const { ts } = module;
    const kernels = kernelsIn(module);
    const reported = new Set<ts.Node>();
    const looked = new Map<ts.Node, number>();
    const isOfKernel = (node: ts.Node): boolean => kernels.some((kernel) => isIn(node, kernel.node));
    return module.all(ts.isCallExpression).flatMap((call): readonly Match[] => {
      const lost = lostLogarithm(module, call);
      if (lost) return isOfKernel(call) || isApart(module, call) ? [] : [lost];
      const argument = exponentOf(module, call);
      const own = argument && wholeFunction(module, call);
      if (!argument || !own || reported.has(own) || isOfKernel(call)) return [];
      const times = looked.get(own) ?? 0;
      looked.set(own, times + 1);
      if (times >= mostOfOneFunction) return [];
      const text = ownTextOf(module, own);
      if (shiftWords.test(text) || isKeptSmall(module, own, argument) || isApart(module, call)) return [];
      const use = useOfSum(module, own, call);
      if (use === null) return [];
      reported.add(own);
      return [
        {
          range: rangeOf(module, call),
          message: `a ${use} of exp(${shortened(argument)}) without a shift is ${use === 'softmax' ? 'NaN' : 'infinite'} once an argument is above 709.8, or above 88.8 where exponentials are kept in float32`,
          hint: 'subtract the largest argument first: exp(x - max) is at most 1',
        },
      ];
    });
  },
};

/** How many exponentials of one function are followed, so that a file of thousands takes its time once. */
const mostOfOneFunction = 16;

/** How many names an exponential is followed through. */
const mostSteps = 8;

/** Words of functions that shift or bound their arguments in some way. */
const shiftWords = /(?<!(?:soft|arg)[-_]?)max|largest|shift|stable|clamp|clip|\bmin\b|log_?p(?:rob)?|\blp\b/iu;

/** The function around a node that is not merely passed to a call, as the callback of `map` is. */
function wholeFunction({ ts }: Module, node: ts.Node): FunctionNode | null {
  let own = functionAround(ts, node);
  while (own && ts.isCallExpression(own.parent)) own = functionAround(ts, own);
  return own;
}

const ownTextOf = once((_, node) => node.getText());

/** Whether an argument is a number of the code, has a sign turned or something subtracted, or is bounded by nature. */
function isKeptSmall(module: Module, own: FunctionNode, argument: ts.Expression): boolean {
  const { ts } = module;
  const seen = new Set<string>();
  const pending: ts.Node[] = [argument];
  let mentionsData = argument.kind === ts.SyntaxKind.ThisKeyword;
  for (let node = pending.pop(); node; node = pending.pop()) {
    const text = node.getText();
    if (
      /-|\b(?:sub|subtract|minus|neg|negative)_?\(/u.test(text) ||
      /\b(?:tanh|sin|cos\w*|sigmoid|sim\w*|log\w*)\(/iu.test(text) ||
      /(?:attention_?weights|prob(?:abilitie)?s|similarit(?:y|ies)|normali[sz]ed?)\(/iu.test(text)
    )
      return true;
    for (const name of under(ts, node, ts.isIdentifier)) {
      if (seen.has(name.text) || isMember(module, name)) continue;
      seen.add(name.text);
      const values = valuesOf(module, own).get(name.text) ?? elementsOf(module, name);
      pending.push(...values);
      mentionsData ||=
        values.length === 0 && !isCounter(module, argument, name.text) && !/^[A-Z\d_]+$/u.test(name.text);
    }
  }
  return !mentionsData;
}

/** `xs` where a name is the parameter of a callback of it: `xs.map((x) => …)`. */
function elementsOf({ ts }: Module, name: ts.Identifier): readonly ts.Expression[] {
  for (const around of ancestors(name)) {
    if (!isFunction(ts, around) || !ts.isCallExpression(around.parent)) continue;
    const [parameter] = around.parameters;
    const owner = receiverOf(ts, around.parent);
    if (!owner || !parameter || keyOf(parameter.name) !== name.text) continue;
    return ts.isIdentifier(owner) && owner.text !== name.text ? [owner] : [];
  }
  return [];
}

/** `name` of `owner.name`. */
const isMember = ({ ts }: Module, node: ts.Identifier): boolean =>
  ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;

/** A variable that a `for` around the node declares, which counts as far as the code says. */
function isCounter({ ts }: Module, node: ts.Node, name: string): boolean {
  return loopsAround(ts, node).some(
    (loop) =>
      ts.isForStatement(loop) &&
      loop.initializer !== undefined &&
      ts.isVariableDeclarationList(loop.initializer) &&
      loop.initializer.declarations.some((declared) => keyOf(declared.name) === name),
  );
}

/** What a function gives its variables, arrays and lists, by name: declared, assigned, assigned to elements, pushed. */
const valuesOf = once(({ ts }, own): ReadonlyMap<string, readonly ts.Expression[]> => {
  const values = new Map<string, ts.Expression[]>();
  const add = (target: ts.Node, value: ts.Expression): void => {
    let owner = target;
    while (ts.isElementAccessExpression(owner)) owner = owner.expression;
    const key = keyOf(owner);
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  };
  for (const { name, initializer } of under(ts, own, ts.isVariableDeclaration)) if (initializer) add(name, initializer);
  for (const { left, operatorToken, right } of under(ts, own, ts.isBinaryExpression))
    if (/^[+*/-]?=$/u.test(operatorToken.getText())) add(left, right);
  for (const call of under(ts, own, ts.isCallExpression)) {
    const owner = receiverOf(ts, call);
    const [value] = call.arguments;
    if (owner && value && calledName(ts, call) === 'push') add(owner, value);
  }
  return values;
});

/** Whether the exponentials of a call are summed, and divided by that sum or put into a logarithm; null otherwise. */
function useOfSum(module: Module, own: FunctionNode, call: ts.CallExpression): 'softmax' | 'log-sum-exp' | null {
  const { ts } = module;
  const names = exponentialsOf(module, own, call);
  const isOfThem = (node: ts.Node): boolean =>
    isIn(call, node) ||
    under(ts, node, ts.isCallExpression).some((one) => keyOf(one) === keyOf(call)) ||
    [...under(ts, node, ts.isIdentifier), ...under(ts, node, ts.isPropertyAccessExpression)].some((one) =>
      names.has(keyOf(one)),
    );
  const sums = new Map<string, boolean>();
  const isSum = (node: ts.Expression): boolean => {
    const key = keyOf(node);
    const known = sums.get(key) ?? isSumOf(module, own, bare(ts, node), isOfThem);
    sums.set(key, known);
    return known;
  };
  const quotients = quotientsIn(module, own).filter(({ right }) => isSum(unshaped(module, right)));
  if (quotients.some(({ node, left }) => isOfThem(left) || isOfElements(module, node, names))) return 'softmax';
  const logs = under(ts, own, ts.isCallExpression).map((one) => logarithmOf(module, one));
  return logs.some((of) => of !== null && isSum(unshaped(module, of))) ? 'log-sum-exp' : null;
}

/** The names that hold exponentials: given by an expression with the call in it, or by one that is such a name. */
function exponentialsOf(module: Module, own: FunctionNode, call: ts.CallExpression): ReadonlySet<string> {
  const { ts } = module;
  const names = new Set<string>();
  const values = [...valuesOf(module, own)];
  for (let step = 0; step < mostSteps; step++) {
    for (const [name, given] of values)
      if (given.some((value) => isIn(call, value) || names.has(keyOf(elementOwner(module, bare(ts, value))))))
        names.add(name);
    for (const { initializer, expression } of under(ts, own, ts.isForOfStatement))
      if (names.has(keyOf(expression)) && ts.isVariableDeclarationList(initializer))
        for (const { name } of initializer.declarations) names.add(keyOf(name));
  }
  return names;
}

function elementOwner({ ts }: Module, node: ts.Expression): ts.Expression {
  return ts.isElementAccessExpression(node) ? node.expression : node;
}

/** Whether an expression adds up what `isOfThem` accepts: `es.reduce((a, b) => a + b)`, `sum(es)`, a variable of one, `sum += e`. */
function isSumOf(
  module: Module,
  own: FunctionNode,
  node: ts.Expression,
  isOfThem: (node: ts.Node) => boolean,
): boolean {
  const { ts } = module;
  const isAdding = (value: ts.Expression): boolean => isAddition(module, value) && isOfThem(value);
  if (isAdding(node)) return true;
  const name = keyOf(node);
  const given = valuesOf(module, own).get(name) ?? [];
  return given.some((value) => {
    const { parent } = value;
    const isAdded =
      ts.isBinaryExpression(parent) &&
      (parent.operatorToken.kind === ts.SyntaxKind.PlusEqualsToken || keyOf(value).startsWith(`${name}+`));
    return isAdded ? isOfThem(value) : isAdding(bare(ts, value));
  });
}

/** `es.map((e) => e / sum)`. */
function isOfElements({ ts }: Module, node: ts.Node, names: ReadonlySet<string>): boolean {
  const around = functionAround(ts, node);
  if (!around || !ts.isCallExpression(around.parent)) return false;
  const owner = receiverOf(ts, around.parent);
  return owner !== null && names.has(keyOf(owner));
}
