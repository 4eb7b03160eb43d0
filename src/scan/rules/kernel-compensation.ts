/** Compensated sums: shader compilers may reassociate (WGSL, section 15.7.5), and then the compensation is 0. */
import type { ts } from 'ts-morph';
import { kernelsIn, kernelWords, type Kernel } from '../kernels/kernels-in.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { bare, keyOf } from '../syntax/names.ts';
import { under } from '../syntax/walk.ts';

export const kernelCompensation: Rule = {
  code: 'PV-9126',
  words: kernelWords,
  usesTypes: false,
  check: (module) => kernelsIn(module).flatMap((kernel) => checkKernel(module, kernel)),
};

/** `(t - sum)` where t is `sum + y`. */
function checkKernel(module: Module, kernel: Kernel): readonly Match[] {
  const { ts } = module;
  return under(ts, kernel.body, ts.isBinaryExpression).flatMap((difference) => {
    if (difference.operatorToken.kind !== ts.SyntaxKind.MinusToken) return [];
    const sum = definitionOf(module, kernel, difference.left);
    if (!sum || !ts.isBinaryExpression(sum) || sum.operatorToken.kind !== ts.SyntaxKind.PlusToken) return [];
    const taken = keyOf(bare(ts, difference.right));
    if (keyOf(bare(ts, sum.left)) !== taken && keyOf(bare(ts, sum.right)) !== taken) return [];
    return [
      {
        range: rangeOf(module, difference),
        message: `\`${difference.getText()}\` takes back what was just added: a shader may simplify it, and what rounding lost is 0 then`,
        hint: 'sum in blocks or pairs, which needs no compensation, or keep this kernel off graphics devices',
      },
    ];
  });
}

function definitionOf(module: Module, kernel: Kernel, expression: ts.Expression): ts.Expression | null {
  const { ts } = module;
  const node = bare(ts, expression);
  if (!ts.isIdentifier(node)) return node;
  const initial = under(ts, kernel.body, ts.isVariableDeclaration).find(
    ({ name }) => name.getText() === node.text,
  )?.initializer;
  return initial ? bare(ts, initial) : null;
}
