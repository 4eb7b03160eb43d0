/** A kernel that writes to its inputs: shaders refuse it, and on the CPU it changes the array of the caller. */
import type { ts } from 'ts-morph';
import { kernelsIn, kernelWords, type Kernel } from '../kernels/kernels-in.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { bare } from '../syntax/names.ts';
import { under } from '../syntax/walk.ts';

export const kernelInputWrite: Rule = {
  code: 'PV-9122',
  words: kernelWords,
  usesTypes: false,
  check: (module) => kernelsIn(module).flatMap((kernel) => checkKernel(module, kernel)),
};

function checkKernel(module: Module, kernel: Kernel): readonly Match[] {
  const { ts } = module;
  const assigned = [
    ...under(ts, kernel.body, ts.isBinaryExpression)
      .filter(
        ({ operatorToken: { kind } }) => kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment,
      )
      .map(({ left }) => left),
    ...under(ts, kernel.body, ts.isPostfixUnaryExpression).map(({ operand }) => operand),
    ...under(ts, kernel.body, ts.isPrefixUnaryExpression)
      .filter(({ operator }) => operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken)
      .map(({ operand }) => operand),
  ];
  return assigned.flatMap((target) => {
    const name = rootOf(module, target);
    if (!kernel.arrays.has(name) && !kernel.scalars.has(name)) return [];
    return [
      {
        range: rangeOf(module, target),
        message: kernel.arrays.has(name)
          ? `the kernel writes to its input \`${name}\`: shaders refuse it, and on the CPU it changes the array of the caller`
          : `the kernel assigns its parameter \`${name}\`, which WGSL refuses`,
        hint: 'copy it to a local with let, and return what is computed',
      },
    ];
  });
}

function rootOf({ ts }: Module, target: ts.Expression): string {
  let at = bare(ts, target);
  while (ts.isElementAccessExpression(at)) at = bare(ts, at.expression);
  return ts.isIdentifier(at) ? at.text : '';
}
