/**
 * Simple bounds that conditions put on one quantity: `n ≥ 5`, `1 ≤ n ≤ 512`, `|x_i| ≤ 1e4`, `p ∈ [0, 1]`.
 */
import type { Expression, RelationOperator } from '../../math/notation/syntax.ts';
import type { FormalText } from '../contract.ts';
import { claimedLinks, expressionKey, type Link } from './facts.ts';
import { groundValue } from './ground-value.ts';
import { compareRational, type Rational } from '../../numeric/rational.ts';

/** One side of a bound, with where it is written. */
export interface SimpleBound {
  /** What is bounded; equal for equal quantities. */
  readonly key: string;
  readonly side: 'lower' | 'upper';
  readonly value: Rational;
  readonly open: boolean;
  readonly field: FormalText;
  /** The quantity's or the relation's place in the field. */
  readonly range: { readonly start: number; readonly end: number };
}

/** Every simple bound in a field that is mathematics, of what `isQuantity` accepts. */
export function boundsOf(field: FormalText, isQuantity: IsQuantity = boundable): readonly SimpleBound[] {
  return field.notation.statements.flatMap((statement) =>
    claimedLinks(statement).flatMap((link) => boundsOfLink(link, field, isQuantity)),
  );
}

const flipped: Readonly<Partial<Record<RelationOperator, RelationOperator>>> = {
  '<': '>',
  '≤': '≥',
  '>': '<',
  '≥': '≤',
  '=': '=',
  ':=': ':=',
};

type IsQuantity = (expression: Expression) => boolean;

function boundsOfLink(link: Link, field: FormalText, isQuantity: IsQuantity): readonly SimpleBound[] {
  if (link.operator === '∈') return membership(link, field, isQuantity);
  const right = groundValue(link.right);
  const left = groundValue(link.left);
  if ((right === null) === (left === null)) return [];
  const quantity = right ? link.left : link.right;
  const operator = right ? link.operator : flipped[link.operator];
  const value = right ?? left;
  if (!isQuantity(quantity) || operator === undefined || value === null) return [];
  const common = {
    key: expressionKey(quantity),
    value,
    field,
    range: { start: link.left.range.start, end: link.right.range.end },
  };
  return sides(operator).map((side) => ({ ...common, side, open: operator === '<' || operator === '>' }));
}

function sides(operator: RelationOperator): readonly ('lower' | 'upper')[] {
  if (operator === '<' || operator === '≤') return ['upper'];
  if (operator === '>' || operator === '≥') return ['lower'];
  return operator === '=' || operator === ':=' ? ['lower', 'upper'] : [];
}

function membership(link: Link, field: FormalText, isQuantity: IsQuantity): readonly SimpleBound[] {
  const set = link.right;
  if (set.kind !== 'interval' || !isQuantity(link.left)) return [];
  const low = groundValue(set.low);
  const high = groundValue(set.high);
  const common = { key: expressionKey(link.left), field, range: { start: link.left.range.start, end: set.range.end } };
  return [
    ...(low ? [{ ...common, side: 'lower' as const, value: low, open: set.lowOpen }] : []),
    ...(high ? [{ ...common, side: 'upper' as const, value: high, open: set.highOpen }] : []),
  ];
}

/** Names, elements and absolute values of them: what a reader takes for one quantity. */
function boundable(expression: Expression): boolean {
  if (expression.kind === 'name') return true;
  if (expression.kind === 'index') return boundable(expression.base);
  return expression.kind === 'absolute' && boundable(expression.operand);
}

/** The first pair of bounds that no number meets, in the order they are written; absolute values are at least 0. */
export function contradiction(
  bounds: readonly SimpleBound[],
): { readonly earlier: SimpleBound | null; readonly later: SimpleBound } | null {
  const seen: SimpleBound[] = [];
  for (const bound of bounds) {
    const other = seen.find(
      (candidate) => candidate.key === bound.key && candidate.side !== bound.side && excludes(candidate, bound),
    );
    if (other) return { earlier: other, later: bound };
    if (bound.side === 'upper' && bound.key.startsWith('{"kind":"absolute"') && belowZero(bound))
      return { earlier: null, later: bound };
    seen.push(bound);
  }
  return null;
}

function belowZero(bound: SimpleBound): boolean {
  return bound.value.numerator < 0n || (bound.value.numerator === 0n && bound.open);
}

function excludes(a: SimpleBound, b: SimpleBound): boolean {
  const lower = a.side === 'lower' ? a : b;
  const upper = a.side === 'lower' ? b : a;
  const order = compareRational(lower.value, upper.value);
  return order > 0 || (order === 0 && (lower.open || upper.open));
}
