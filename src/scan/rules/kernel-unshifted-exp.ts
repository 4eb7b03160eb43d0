/** A softmax without its shift: float32 overflows at 88.7, and ∞ / ∞ is NaN. In float64 nothing shows before 709. */
import type { ts } from 'ts-morph';
import { kernelsIn, kernelWords, mathCalls, type Kernel } from '../kernels/kernels-in.ts';
import { isClamped, numberOf } from '../kernels/signs.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { bare } from '../syntax/names.ts';
import { isIn, under } from '../syntax/walk.ts';

export const kernelUnshiftedExp: Rule = {
  code: 'PV-9127',
  words: kernelWords,
  usesTypes: false,
  check: (module) => kernelsIn(module).flatMap((kernel) => checkKernel(module, kernel)),
};

/** Float32 holds exp(x) up to x = 88.72. */
const largest = 88;

function checkKernel(module: Module, kernel: Kernel): readonly Match[] {
  const { ts } = module;
  const added = under(ts, kernel.body, ts.isBinaryExpression).filter(
    ({ operatorToken: { kind } }) => kind === ts.SyntaxKind.PlusEqualsToken,
  );
  return mathCalls(module, kernel, 'exp').flatMap((call) => {
    const [argument] = call.arguments;
    if (!argument || !added.some(({ right }) => isIn(call, right)) || isShifted(module, kernel, argument)) return [];
    return [
      {
        range: rangeOf(module, call),
        message: `a sum of exp(${argument.getText()}) overflows float32 from 88.8 on, and what is divided by it is NaN`,
        hint: 'subtract the largest argument first: exp(x - max) is at most 1',
      },
    ];
  });
}

/** Whether something is subtracted from the argument, its sign is turned, or it is kept small. */
function isShifted(module: Module, kernel: Kernel, argument: ts.Expression): boolean {
  const { ts } = module;
  const node = bare(ts, argument);
  if (isClamped(module, kernel, node, largest)) return true;
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.MinusToken;
  if (ts.isCallExpression(node)) return /^Math\.min$/u.test(bare(ts, node.expression).getText());
  if (ts.isBinaryExpression(node)) {
    if (node.operatorToken.kind === ts.SyntaxKind.MinusToken) return true;
    return [node.left, node.right].some((side) => numberOf(module, side) === null && isShifted(module, kernel, side));
  }
  if (!ts.isIdentifier(node)) return false;
  const initial = under(ts, kernel.body, ts.isVariableDeclaration).find(
    ({ name }) => name.getText() === node.text,
  )?.initializer;
  return initial !== undefined && !isIn(argument, initial) && isShifted(module, kernel, initial);
}
