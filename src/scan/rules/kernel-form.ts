/** What gpu.js does not compile, or compiles on one backend and refuses on the next. */
import type { ts } from 'ts-morph';
import { kernelsIn, kernelWords, type Kernel } from '../kernels/kernels-in.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { isFunction, under } from '../syntax/walk.ts';

export const kernelForm: Rule = {
  code: 'PV-9116',
  words: kernelWords,
  usesTypes: false,
  check: (module) => kernelsIn(module).flatMap((kernel) => checkKernel(module, kernel)),
};

function checkKernel(module: Module, kernel: Kernel): readonly Match[] {
  const { ts } = module;
  const { node, body } = kernel;
  const found: Match[] = [];
  const report = (at: ts.Node, what: string, hint: string): void =>
    void found.push({ range: rangeOf(module, at), message: what, hint, group: `${node.pos} ${what}` });
  if (ts.isArrowFunction(node) || ts.isMethodDeclaration(node))
    report(
      node,
      'an arrow function or a method cannot be a kernel: it has no `this.thread`, and older targets give zeros',
      'write a function declaration',
    );
  if (node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) || node.asteriskToken)
    report(node, 'an async function or a generator cannot be a kernel', 'write a plain function');
  for (const parameter of node.parameters) {
    if (parameter.initializer || parameter.dotDotDotToken || !ts.isIdentifier(parameter.name))
      report(parameter, 'gpu.js takes plain parameters: no defaults, no rest, no destructuring', 'name each parameter');
  }
  for (const inner of under(ts, body, isAny)) {
    const problem = problemOf(module, inner);
    if (problem) report(inner, ...problem);
  }
  return found;
}

const isAny = (_node: ts.Node): _node is ts.Node => true;

type Problem = readonly [what: string, hint: string];

const bits: Problem = [
  'bit operations differ between WebGL, which computes them on floats, and WebGPU: (-7 << 3) ^ 5 is 5 on one and -51 on the other',
  'use multiplications, divisions and Math.floor',
];

/** The first that a node is, is what is wrong with it. */
const problems: readonly (readonly [(ts: Module['ts'], node: ts.Node) => boolean, Problem])[] = [
  [
    isFunction,
    [
      'a function inside a kernel: gpu.js does not compile it, and build tools rewrite it',
      'write what it computes in its place',
    ],
  ],
  [
    (ts, node) => ts.isForOfStatement(node) || ts.isForInStatement(node),
    ['a kernel has no for…of and no for…in', 'count an index'],
  ],
  [
    (ts, node) => ts.isTryStatement(node) || ts.isThrowStatement(node),
    ['a kernel cannot throw', 'give a value that the caller recognises'],
  ],
  [
    (ts, node) => ts.isTemplateExpression(node) || ts.isObjectLiteralExpression(node) || ts.isSpreadElement(node),
    ['a kernel computes with numbers only', 'compute this outside the kernel'],
  ],
  [(ts, node) => ts.isOptionalChain(node), ['a kernel has no `?.`', 'read the value as it is']],
  [
    (ts, node) => ts.isPropertyAccessExpression(node) && node.name.text === 'length',
    ['a kernel does not know the length of an array', 'make it a parameter'],
  ],
  [
    (ts, node) =>
      ts.isPropertyAccessExpression(node) && node.expression.getText() === 'Math' && !mathematics.has(node.name.text),
    ['this function of Math is not the same on all backends, or on none', 'write it out with what they share'],
  ],
  [
    (ts, node) => operatorOf(ts, node) === ts.SyntaxKind.QuestionQuestionToken,
    ['a kernel has no `??`: every number is there', 'leave it out'],
  ],
  [(ts, node) => isBitOperation(ts, operatorOf(ts, node)), bits],
  [
    (ts, node) =>
      (ts.isPostfixUnaryExpression(node) || isStep(ts, node)) &&
      !ts.isExpressionStatement(node.parent) &&
      !ts.isForStatement(node.parent),
    ['`i++` inside an expression: WGSL has it as a statement alone', 'write the step on its own line'],
  ],
];

function problemOf({ ts }: Module, node: ts.Node): Problem | null {
  return problems.find(([is]) => is(ts, node))?.[1] ?? null;
}

function operatorOf(ts: Module['ts'], node: ts.Node): ts.SyntaxKind | null {
  if (ts.isBinaryExpression(node)) return node.operatorToken.kind;
  return ts.isPrefixUnaryExpression(node) ? node.operator : null;
}

function isStep(ts: Module['ts'], node: ts.Node): boolean {
  const operator = operatorOf(ts, node);
  return operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken;
}

function isBitOperation({ SyntaxKind }: Module['ts'], operator: ts.SyntaxKind | null): boolean {
  const ofBits: readonly (ts.SyntaxKind | null)[] = [
    SyntaxKind.LessThanLessThanToken,
    SyntaxKind.GreaterThanGreaterThanToken,
    SyntaxKind.GreaterThanGreaterThanGreaterThanToken,
    SyntaxKind.AmpersandToken,
    SyntaxKind.BarToken,
    SyntaxKind.CaretToken,
    SyntaxKind.TildeToken,
  ];
  return ofBits.includes(operator);
}

/** What every backend of gpu.js has, and what pv's own reader takes. */
const mathematics = new Set(
  'abs floor ceil round trunc sign sqrt fround exp log log2 sin cos tan tanh atan asin acos atan2 sinh cosh pow min max E LN2 LN10 LOG2E LOG10E PI SQRT1_2 SQRT2'.split(
    ' ',
  ),
);
