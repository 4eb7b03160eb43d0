import type { ts } from 'ts-morph';
import type { Rank } from './kernel.ts';
import type { TypeScript } from './typescript.ts';

/** The rank that a parameter's written type says: `number` 0, `readonly number[]` 1, …; null if the text alone does not say. */
export function rankOfType(ts: TypeScript, type: ts.TypeNode | undefined): Rank | null {
  if (!type) return null;
  if (ts.isParenthesizedTypeNode(type)) return rankOfType(ts, type.type);
  if (ts.isTypeOperatorNode(type)) return rankOfType(ts, type.type);
  if (type.kind === ts.SyntaxKind.NumberKeyword) return 0;
  if (ts.isArrayTypeNode(type)) return oneMore(rankOfType(ts, type.elementType));
  if (!ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return null;
  switch (type.typeName.text) {
    case 'Array':
    case 'ReadonlyArray':
      return oneMore(rankOfType(ts, type.typeArguments?.[0]));
    case 'Float32Array':
    case 'Float64Array':
    case 'Int32Array':
      return 1;
    default:
      return null;
  }
}

/** The rank that the uses of `name` in a body show: the most indices that follow it. */
export function rankOfUses(ts: TypeScript, name: string, body: ts.Node): Rank {
  let rank: Rank = 0;
  const visit = (node: ts.Node, indices: number): void => {
    if (ts.isIdentifier(node) && node.text === name && indices > rank) rank = asRank(indices) ?? 3;
    const below = ts.isElementAccessExpression(node)
      ? indices + 1
      : ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node)
        ? indices
        : 0;
    ts.forEachChild(node, (child) =>
      visit(child, ts.isElementAccessExpression(node) && child === node.argumentExpression ? 0 : below),
    );
  };
  visit(body, 0);
  return rank;
}

/** `n` as a rank, or null if no kernel can have it. */
export function asRank(n: number): Rank | null {
  return n === 0 || n === 1 || n === 2 || n === 3 ? n : null;
}

const oneMore = (rank: Rank | null): Rank | null => (rank === null ? null : asRank(rank + 1));
