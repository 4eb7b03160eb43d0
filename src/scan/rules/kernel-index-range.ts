/** A read outside an array: NaN, an exception, or an element of the next row, as the backend likes. */
import type { ts } from 'ts-morph';
import { kernelsIn, kernelWords, type Kernel } from '../kernels/kernels-in.ts';
import { numberOf } from '../kernels/signs.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { bare } from '../syntax/names.ts';
import { ancestors, isIn, under } from '../syntax/walk.ts';

export const kernelIndexRange: Rule = {
  code: 'PV-9123',
  words: kernelWords,
  usesTypes: false,
  check: (module) => kernelsIn(module).flatMap((kernel) => checkKernel(module, kernel)),
};

function checkKernel(module: Module, kernel: Kernel): readonly Match[] {
  const { ts } = module;
  return under(ts, kernel.body, ts.isElementAccessExpression).flatMap((access) => {
    const index = bare(ts, access.argumentExpression);
    const why =
      constantProblem(module, index) ??
      neighbourProblem(module, kernel, access, index) ??
      loopProblem(module, kernel, access, index);
    if (why === null) return [];
    return [
      {
        range: rangeOf(module, access),
        message: `${why}: NaN on the CPU, an exception in WebAssembly, another element on a graphics device`,
        hint: 'keep the index between 0 and the size, and choose the value at the border: i > 0 ? x[i - 1] : 0; where the output is shorter, write // pv-scan-ignore kernel-index-range: why',
      },
    ];
  });
}

function constantProblem(module: Module, index: ts.Expression): string | null {
  const value = numberOf(module, index);
  if (value === null) return null;
  if (value < 0) return `the index ${value} is before the first element`;
  return Number.isInteger(value) ? null : `the index ${value} is not a whole number`;
}

/** `x[this.thread.x - 1]` under no condition. */
function neighbourProblem(module: Module, kernel: Kernel, access: ts.Node, index: ts.Expression): string | null {
  const { ts } = module;
  if (!ts.isBinaryExpression(index) || !/^this\.thread\.[xyz]$/u.test(index.left.getText())) return null;
  const step = numberOf(module, index.right);
  const { kind } = index.operatorToken;
  const isStep = kind === ts.SyntaxKind.MinusToken || kind === ts.SyntaxKind.PlusToken;
  if (!isStep || step === null || step === 0 || isConditional(module, kernel, access)) return null;
  const last = kind === ts.SyntaxKind.MinusToken ? 'first' : 'last';
  return `\`${index.getText()}\` leaves the array at the ${last} element, if the output is as long as it`;
}

function isConditional({ ts }: Module, kernel: Kernel, node: ts.Node): boolean {
  for (const parent of ancestors(node)) {
    if (parent === kernel.node) return hasEarlyExit(kernel, node, ts);
    if (ts.isConditionalExpression(parent) || ts.isIfStatement(parent) || ts.isIterationStatement(parent, false))
      return true;
  }
  return false;
}

/** `if (this.thread.x === 0) return 0;` before the read. */
function hasEarlyExit({ body }: Kernel, node: ts.Node, ts: Module['ts']): boolean {
  return under(ts, body, ts.isIfStatement).some(
    ({ end, thenStatement }) => end < node.pos && under(ts, thenStatement, ts.isReturnStatement).length > 0,
  );
}

/** `for (let i = 0; i <= n; i++) … x[i]`. */
function loopProblem({ ts }: Module, kernel: Kernel, access: ts.Node, index: ts.Expression): string | null {
  if (!ts.isIdentifier(index)) return null;
  for (const parent of ancestors(access)) {
    if (parent === kernel.node) return null;
    if (ts.isIfStatement(parent) || ts.isConditionalExpression(parent)) return null;
    if (!ts.isForStatement(parent) || !parent.condition || !isIn(access, parent.statement)) continue;
    const { condition, initializer } = parent;
    if (!ts.isBinaryExpression(condition) || condition.left.getText() !== index.text) continue;
    const startsAtZero = initializer !== undefined && /=\s*0$/u.test(initializer.getText());
    const beyond = condition.operatorToken.kind === ts.SyntaxKind.LessThanEqualsToken;
    if (startsAtZero && beyond && ts.isIdentifier(condition.right) && kernel.scalars.has(condition.right.text))
      return `\`${index.text}\` runs to \`${condition.right.text}\` itself, one beyond the last of as many elements`;
  }
  return null;
}
