/** Reads expressions as products of names. */
import type { ts } from 'ts-morph';
import type { TypeScript } from '../../subject/typescript.ts';
import { bare, lastName } from '../syntax/names.ts';
import { constant, named, times, type Monomial } from './monomial.ts';

/** The value of a name where it is read: the initial value of a constant; null if only a run knows it. */
export type ValueOf = (name: string) => ts.Expression | null;

/** Constants defined by other constants are followed this far. */
const maxDepth = 8;

/**
 * The expression as a product, with the code's constants replaced by their values; null if it is not a product.
 * `config.hidden` is `hidden`; a `.length` or `.size` keeps its owner, since it is the length of that and of nothing else.
 */
export function monomialOf(
  ts: TypeScript,
  expression: ts.Expression,
  valueOf: ValueOf,
  depth: number = maxDepth,
): Monomial | null {
  const node = bare(ts, expression);
  if (depth === 0) return null;
  if (ts.isNumericLiteral(node)) return Number.isInteger(Number(node.text)) ? constant(Number(node.text)) : null;
  if (ts.isBinaryExpression(node)) {
    if (node.operatorToken.kind !== ts.SyntaxKind.AsteriskToken) return null;
    const left = monomialOf(ts, node.left, valueOf, depth - 1);
    const right = left && monomialOf(ts, node.right, valueOf, depth - 1);
    return left && right && times(left, right);
  }
  if (ts.isIdentifier(node)) {
    const value = valueOf(node.text);
    return (value && monomialOf(ts, value, valueOf, depth - 1)) ?? named(node.text);
  }
  const name = lastName(ts, node);
  if (name === null) return null;
  return named(
    /^(?:length|size|count|byteLength)$/u.test(name) ? node.getText(node.getSourceFile()).replace(/\s+/g, '') : name,
  );
}
