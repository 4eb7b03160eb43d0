import { childScope } from '../context/scope.ts';
import { readHead, sidesOf } from '../domains/definition-heads.ts';
import type { Equation } from '../../contract.ts';
import { symbolOf } from './symbol-of.ts';

/**
 * What a formula defines beside its last symbol, each as an equation of its own: mu of `mu = mean(x), sigma² = var(x)`. Only names
 * without arguments or indices.
 */
export function definedBeside(equation: Equation): readonly { readonly symbol: string; readonly alone: Equation }[] {
  const { notation } = equation.formula;
  if (notation.status !== 'math' || notation.statements.length < 2) return [];
  const last = symbolOf(equation);
  const scope = childScope(null);
  return notation.statements.flatMap(({ body }, at) => {
    const sides = sidesOf(body);
    const head = sides && readHead(sides.left, scope, sides.right);
    if (!head || head.name === last || head.arguments !== null || head.indices.length > 0) return [];
    const statements = notation.statements.slice(0, at + 1);
    const formula = { ...equation.formula, notation: { ...notation, statements } };
    return [{ symbol: head.name, alone: { ...equation, formula } }];
  });
}
