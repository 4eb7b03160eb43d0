/** Which parts of a number a linear solver understands, and which it treats as unknowns. */
import type { NumberExpression } from '../../expression.ts';

/** Whether a linear solver sees through the node: sums, differences and constant multiples. */
export function isLinear(node: NumberExpression): boolean {
  switch (node.kind) {
    case 'constant':
    case 'variable':
    case 'add':
    case 'negate':
      return true;
    case 'multiply':
      return node.left.kind === 'constant' || node.right.kind === 'constant';
    case 'divide':
      return node.right.kind === 'constant';
    default:
      return false;
  }
}

/** The unknowns of a number's linear form, variables aside; at most `limit`, or null if there are more. */
export function unknownsOf(root: NumberExpression, limit: number): readonly NumberExpression[] | null {
  const found = new Set<NumberExpression>();
  const seen = new Set<NumberExpression>();
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (seen.size > 4 * limit + 64) return null;
    if (!isLinear(node)) found.add(node);
    else stack.push(...linearArguments(node));
    if (found.size > limit) return null;
  }
  return [...found];
}

function linearArguments(node: NumberExpression): readonly NumberExpression[] {
  switch (node.kind) {
    case 'negate':
      return [node.operand];
    case 'add':
    case 'multiply':
    case 'divide':
      return [node.right, node.left];
    default:
      return [];
  }
}
