/** A division by a literal zero: bundlers write -Infinity so, and WGSL does not compile it. */
import { kernelsIn, kernelWords, type Kernel } from '../kernels/kernels-in.ts';
import { numberOf } from '../kernels/signs.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { under } from '../syntax/walk.ts';

export const kernelInfiniteLiteral: Rule = {
  code: 'PV-9125',
  words: kernelWords,
  usesTypes: false,
  check: (module) => kernelsIn(module).flatMap((kernel) => checkKernel(module, kernel)),
};

function checkKernel(module: Module, { body }: Kernel): readonly Match[] {
  const { ts } = module;
  return under(ts, body, ts.isBinaryExpression).flatMap((division) => {
    const { left, operatorToken, right } = division;
    if (operatorToken.kind !== ts.SyntaxKind.SlashToken || numberOf(module, right) !== 0) return [];
    const over = numberOf(module, left);
    const infinity = over === null || over === 0 ? null : over < 0 ? '-Infinity' : 'Infinity';
    return [
      {
        range: rangeOf(module, division),
        message: 'a literal division by zero does not compile to WGSL',
        hint: 'write Infinity, or a large finite number',
        ...(infinity === null ? {} : { fix: [{ range: rangeOf(module, division), text: infinity }] }),
      },
    ];
  });
}
