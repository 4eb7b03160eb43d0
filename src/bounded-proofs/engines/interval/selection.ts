import type { NumberExpression } from '../../expression.ts';

/** A node with two numbers below it. */
export type BinaryNode = Extract<NumberExpression, { readonly left: NumberExpression }>;
/** A node with one number below it. */
export type UnaryNode = Extract<NumberExpression, { readonly operand: NumberExpression }>;

const operandsOfNode = new WeakMap<NumberExpression, ReadonlySet<NumberExpression>>();

/** What a maximum of maxima, or a minimum of minima, chooses from; nested nodes of the same kind are flattened. */
export function selectionOperands(node: BinaryNode): ReadonlySet<NumberExpression> {
  const known = operandsOfNode.get(node);
  if (known) return known;
  const found = new Set<NumberExpression>();
  const seen = new Set<NumberExpression>();
  const stack: NumberExpression[] = [node];
  while (stack.length > 0) {
    const top = stack.pop();
    if (!top || seen.has(top)) continue;
    seen.add(top);
    if (top.kind === node.kind) stack.push(top.right, top.left);
    else found.add(top);
  }
  operandsOfNode.set(node, found);
  return found;
}
