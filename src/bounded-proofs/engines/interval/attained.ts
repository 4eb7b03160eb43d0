/**
 * A sum over the operands of a maximum: some operand attains it, and there `p − max` is 0. So one term of Σⱼ exp(xⱼ − max x) is
 * exp(0) = 1, though no single term is known to be more than 0.
 */
import { addDown, point, type Interval } from '../../../numeric/interval.ts';
import type { NumberExpression } from '../../expression.ts';
import { selectionOperands, type BinaryNode } from './selection.ts';

/** How deep below a term the difference from the maximum may be. */
const depth = 8;
/** Larger sums are not analysed. */
const maxTerms = 1024;

/** The values and ranges from which the sum is bounded. */
export interface AttainedContext {
  /** The values that terms reach where their difference from the maximum is 0; terms of nested sums are visited once. */
  readonly reached: Map<number, number>;
  readonly range: (node: NumberExpression) => Interval;
  /** The range of a node whose arguments have the ranges given. */
  readonly rangeOver: (node: NumberExpression, range: (inner: NumberExpression) => Interval) => Interval;
  readonly argumentsOf: (node: NumberExpression) => readonly NumberExpression[];
}

/**
 * A lower bound for the excess of the sum of `terms` over the sum of their lower ends, with a case for each operand that may
 * attain the maximum subtracted in the terms. 0 if nothing is gained.
 */
export function attainedGain(terms: readonly NumberExpression[], context: AttainedContext): number {
  return leastOverOperands(terms, context, (term, attained) => addDown(attained, -context.range(term).low));
}

/** Likewise, a number that at least one of the terms reaches; 0 if none is known. */
export function attainedTerm(terms: readonly NumberExpression[], context: AttainedContext): number {
  return leastOverOperands(terms, context, (_, attained) => attained);
}

/** The minimum over all operands of the value of the best term with that operand. */
function leastOverOperands(
  terms: readonly NumberExpression[],
  context: AttainedContext,
  gives: (term: NumberExpression, attained: number) => number,
): number {
  if (terms.length > maxTerms) return 0;
  const first = terms[0] && differenceIn(terms[0], context);
  if (!first) return 0;
  const operands = selectionOperands(first.largest);
  if (operands.size > terms.length) return 0;
  const reachedBy = (term: NumberExpression, difference: NumberExpression): number => {
    const known = context.reached.get(term.id) ?? atZero(term, difference, context, depth).low;
    context.reached.set(term.id, known);
    return known;
  };
  const best = new Map<NumberExpression, number>();
  for (const term of terms) {
    const found = differenceIn(term, context);
    if (found?.largest !== first.largest) continue;
    const gain = gives(term, reachedBy(term, found.node));
    best.set(found.operand, Math.max(best.get(found.operand) ?? 0, gain));
  }
  let least = Infinity;
  for (const operand of operands) least = Math.min(least, best.get(operand) ?? 0);
  return Number.isFinite(least) ? Math.max(0, least) : 0;
}

interface Difference {
  readonly node: NumberExpression;
  readonly operand: NumberExpression;
  readonly largest: BinaryNode;
}

const differences = new WeakMap<NumberExpression, Difference | null>();

/** The first `p − max(…, p, …)` below a node. */
function differenceIn(term: NumberExpression, context: AttainedContext): Difference | null {
  const known = differences.get(term);
  if (known !== undefined) return known;
  const found = findDifference(term, context);
  differences.set(term, found);
  return found;
}

function findDifference(term: NumberExpression, context: AttainedContext): Difference | null {
  let level: readonly NumberExpression[] = [term];
  for (let i = 0; i < depth && level.length > 0 && level.length <= 64; i++) {
    for (const node of level) {
      const found = asDifference(node);
      if (found) return found;
    }
    level = level.flatMap(context.argumentsOf);
  }
  return null;
}

function asDifference(node: NumberExpression): Difference | null {
  if (node.kind !== 'add') return null;
  const [operand, negated] = node.right.kind === 'negate' ? [node.left, node.right] : [node.right, node.left];
  if (negated.kind !== 'negate' || negated.operand.kind !== 'maximum') return null;
  return selectionOperands(negated.operand).has(operand) ? { node, operand, largest: negated.operand } : null;
}

/** The range of `term` where `difference` is 0. */
function atZero(
  term: NumberExpression,
  difference: NumberExpression,
  context: AttainedContext,
  remaining: number,
): Interval {
  if (term === difference) return point(0);
  if (remaining === 0) return context.range(term);
  return context.rangeOver(term, (inner) => atZero(inner, difference, context, remaining - 1));
}
