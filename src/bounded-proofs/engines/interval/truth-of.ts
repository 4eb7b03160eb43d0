/** What ranges of numbers imply for statements about them. */
import type { Interval } from '../../../numeric/interval.ts';
import type { BooleanExpression, NumberExpression } from '../../expression.ts';

/** Encloses the values of a number. */
export type RangeOf = (node: NumberExpression) => Interval;
/** True or false where that is certain, null otherwise. */
export type TruthOf = (node: BooleanExpression) => boolean | null;

/** Whether the statement holds everywhere in the ranges (true), nowhere (false), or neither is seen (null). */
export function truthOf(node: BooleanExpression, range: RangeOf, truth: TruthOf): boolean | null {
  switch (node.kind) {
    case 'truth':
      return node.value;
    case 'not': {
      const inner = truth(node.operand);
      return inner === null ? null : !inner;
    }
    case 'and':
    case 'or': {
      const decisive = node.kind === 'or';
      const parts = node.operands.map(truth);
      if (parts.includes(decisive)) return decisive;
      return parts.includes(null) ? null : !decisive;
    }
    default:
      return compareRanges(node.kind, range(node.left), range(node.right));
  }
}

function compareRanges(kind: 'less' | 'less-equal' | 'equal', a: Interval, b: Interval): boolean | null {
  switch (kind) {
    case 'less':
      return a.high < b.low ? true : a.low >= b.high ? false : null;
    case 'less-equal':
      return a.high <= b.low ? true : a.low > b.high ? false : null;
    case 'equal':
      if (a.high < b.low || a.low > b.high) return false;
      return a.low === a.high && b.low === b.high && a.low === b.low && Number.isFinite(a.low) ? true : null;
  }
}
