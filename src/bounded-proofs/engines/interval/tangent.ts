/** Convexity: eᵃ − eᵇ − eᵇ·(a − b) is nonnegative, which interval arithmetic on its terms does not show. */
import type { NumberExpression } from '../../expression.ts';
import type { BinaryNode } from './selection.ts';

/** Whether a sum is eᵃ − eᵇ − eᵇ·(a − b), for the exact exponential. */
export function isTangentGap(node: BinaryNode): boolean {
  const { left: curves, right: last } = node;
  if (last.kind !== 'negate' || last.operand.kind !== 'multiply' || curves.kind !== 'add') return false;
  const { left: upper, right: subtracted } = curves;
  if (subtracted.kind !== 'negate') return false;
  const [a, b] = [exponent(upper), exponent(subtracted.operand)];
  const { left, right } = last.operand;
  const slope = left === subtracted.operand ? right : right === subtracted.operand ? left : null;
  return a !== null && b !== null && slope?.kind === 'add' && isDifference(slope, a, b);
}

function exponent(node: NumberExpression): NumberExpression | null {
  return node.kind === 'function' && node.fn === 'exp' ? node.operand : null;
}

function isDifference({ left, right }: BinaryNode, a: NumberExpression, b: NumberExpression): boolean {
  return left === a && right.kind === 'negate' && right.operand === b;
}
