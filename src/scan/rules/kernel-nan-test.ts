/** Shader compilers may assume that NaN does not occur, and then `x !== x` is false (WGSL, section 15.7.2). */
import { kernelsIn, kernelWords, type Kernel } from '../kernels/kernels-in.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { keyOf } from '../syntax/names.ts';
import { under } from '../syntax/walk.ts';

export const kernelNanTest: Rule = {
  code: 'PV-9118',
  words: kernelWords,
  usesTypes: false,
  check: (module) => kernelsIn(module).flatMap((kernel) => checkKernel(module, kernel)),
};

function checkKernel(module: Module, { body }: Kernel): readonly Match[] {
  const { ts } = module;
  const { SyntaxKind } = ts;
  const equality = new Set([
    SyntaxKind.EqualsEqualsToken,
    SyntaxKind.EqualsEqualsEqualsToken,
    SyntaxKind.ExclamationEqualsToken,
    SyntaxKind.ExclamationEqualsEqualsToken,
  ]);
  const tests = [
    ...under(ts, body, ts.isBinaryExpression).filter(
      ({ left, operatorToken, right }) => equality.has(operatorToken.kind) && keyOf(left) === keyOf(right),
    ),
    ...under(ts, body, ts.isCallExpression).filter(({ expression }) =>
      /^(?:Number\.)?is(?:NaN|Finite)$/u.test(expression.getText()),
    ),
    ...under(ts, body, ts.isIdentifier).filter(({ text }) => text === 'NaN'),
  ];
  return tests.map((test) => ({
    range: rangeOf(module, test),
    message: 'a shader may assume that NaN never occurs: this test is false on WebGPU for every value',
    hint: 'keep NaN from arising (clamp what is divided, rooted and exponentiated), or test on the host',
  }));
}
