/**
 * Proofs that an index is inside an axis, so that the compiled code need not check. Deliberately incomplete:
 * what is not proved is checked at run time.
 */
import type { GraphNode, Loop } from './node.ts';

/** The loops around the place in question, by index. */
export type Ranges = ReadonlyMap<string, Loop>;

function integerConstant(node: GraphNode | undefined): number | null {
  return node?.op === 'constant' && node.kind === 'number' && node.integral ? Number(node.decimal) : null;
}

/** Whether the value is certainly a whole number (or NaN, which no range contains). */
export function isWhole(node: GraphNode): boolean {
  switch (node.op) {
    case 'constant':
      return node.integral;
    case 'index':
      return true;
    case 'parameter':
      return node.place === 'size' || node.place === 'length';
    case 'call':
      return (
        node.integral &&
        (node.fn === 'floor' ||
          node.fn === 'ceiling' ||
          node.fn === 'round' ||
          node.fn === 'floor-divide' ||
          node.operands.every(isWhole))
      );
    case 'select':
      return isWhole(node.then) && isWhole(node.otherwise);
    case 'reduce':
      return node.operator === 'count' || node.operator === 'argmax' || node.operator === 'argmin';
    case 'read':
    case 'self':
    case 'store':
      return false;
  }
}

/** Whether the value is certainly at least 0. */
export function isNonNegative(node: GraphNode, ranges: Ranges): boolean {
  if (node.op === 'index') {
    const loop = ranges.get(node.index);
    return loop !== undefined && isNonNegative(loop.from, ranges);
  }
  if (node.op === 'parameter') return node.place === 'size' || node.place === 'length';
  if (node.op === 'call' && (node.fn === 'add' || node.fn === 'multiply'))
    return node.operands.every((part) => isNonNegative(part, ranges));
  if (node.op === 'call' && node.fn === 'floor-divide') {
    const divisor = integerConstant(node.operands[1]);
    return divisor !== null && divisor > 0 && node.operands.every((part) => isNonNegative(part, ranges));
  }
  const value = integerConstant(node);
  return value !== null && value >= 0;
}

/** Whether `node < limit`, for a whole-number `node`. */
export function isBelow(node: GraphNode, limit: GraphNode, ranges: Ranges): boolean {
  const [a, b] = [integerConstant(node), integerConstant(limit)];
  if (a !== null && b !== null) return a < b;
  if (node.op === 'index') {
    const loop = ranges.get(node.index);
    return loop !== undefined && isAtMost(loop.to, limit, ranges);
  }
  if (node.op === 'call' && node.fn === 'floor-divide') return isQuotientBelow(node.operands, limit, ranges);
  return false;
}

/** `⌊i / c⌋ < n` follows from `i < n` for c ≥ 1 and i ≥ 0. */
function isQuotientBelow([dividend, divisor]: readonly GraphNode[], limit: GraphNode, ranges: Ranges): boolean {
  const by = integerConstant(divisor);
  return (
    dividend !== undefined &&
    by !== null &&
    by >= 1 &&
    isNonNegative(dividend, ranges) &&
    isBelow(dividend, limit, ranges)
  );
}

/** Whether `node ≤ limit`, for a whole-number `node`. */
function isAtMost(node: GraphNode, limit: GraphNode, ranges: Ranges): boolean {
  if (node === limit) return true;
  const [a, b] = [integerConstant(node), integerConstant(limit)];
  if (a !== null && b !== null) return a <= b;
  if (node.op !== 'call') return false;
  const [first, second] = node.operands;
  const by = integerConstant(second);
  if (!first || !second) return false;
  if (node.fn === 'add' && by === 1) return isBelow(first, limit, ranges);
  if (node.fn === 'subtract' && by !== null && by >= 0) return isAtMost(first, limit, ranges);
  return node.fn === 'minimum' && (isAtMost(first, limit, ranges) || isAtMost(second, limit, ranges));
}
