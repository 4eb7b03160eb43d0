/** `pow` of a negative base is undefined in shaders: of (-2)³ SwiftShader makes 8, and Mesa NaN. */
import type { ts } from 'ts-morph';
import type { Edit } from '../edits.ts';
import { kernelsIn, kernelWords, mathCalls, type Kernel } from '../kernels/kernels-in.ts';
import { numberOf, signOf } from '../kernels/signs.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { bare } from '../syntax/names.ts';
import { under } from '../syntax/walk.ts';

export const kernelNegativePower: Rule = {
  code: 'PV-9119',
  words: kernelWords,
  usesTypes: false,
  check: (module) => kernelsIn(module).flatMap((kernel) => checkKernel(module, kernel)),
};

function checkKernel(module: Module, kernel: Kernel): readonly Match[] {
  const { ts } = module;
  const powers = [
    ...mathCalls(module, kernel, 'pow').map((node) => ({ node, base: node.arguments[0], exponent: node.arguments[1] })),
    ...under(ts, kernel.body, ts.isBinaryExpression)
      .filter(({ operatorToken }) => operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskToken)
      .map((node) => ({ node, base: node.left, exponent: node.right })),
  ];
  return powers.flatMap(({ node, base, exponent }) => {
    if (!base || !exponent || signOf(module, kernel, base) > 0) return [];
    const fix = productOf(module, node, base, exponent);
    return [
      {
        range: rangeOf(module, node),
        message: `the base \`${base.getText()}\` may be negative, and shaders leave such a power undefined: (-2)³ is 8 on SwiftShader and NaN on Mesa`,
        hint: 'multiply for whole exponents; take Math.abs or Math.max(0, …) of the base for others',
        ...(fix ? { fix } : {}),
      },
    ];
  });
}

/** Whole powers of a name or an element, as the product that they are. */
function productOf(
  module: Module,
  node: ts.Node,
  base: ts.Expression,
  exponent: ts.Expression,
): readonly Edit[] | null {
  const { ts } = module;
  const power = numberOf(module, exponent);
  const factor = bare(ts, base);
  const isPlain = ts.isIdentifier(factor) || ts.isElementAccessExpression(factor);
  if (!isPlain || (power !== 2 && power !== 3)) return null;
  return [
    { range: rangeOf(module, node), text: `(${Array.from({ length: power }, () => base.getText()).join(' * ')})` },
  ];
}
