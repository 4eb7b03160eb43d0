import { binaryLevels, level, logicLevels, memberships } from '../notation/levels.ts';
import type { BigOperatorName, Expression } from '../notation/syntax.ts';

/** Above every operator: literals, names and whatever brings its own brackets. */
const atom = 90;
/** Below every operator: a quantifier takes all that follows. */
const open = 5;
/** A sum takes the products that follow it. */
const wideBody = 45;

const narrow: ReadonlySet<BigOperatorName> = new Set(['max', 'min', 'argmax', 'argmin']);

/** Whether the body of a big operator ends at the next product sign. */
export const isNarrow = (operator: BigOperatorName): boolean => narrow.has(operator);

/** The binding power of the outermost operator of an expression, as the reader sees it. */
export function levelOf(e: Expression): number {
  switch (e.kind) {
    case 'number':
      return e.unit === null ? atom : wideBody;
    case 'binary':
      return e.juxtaposed ? level.product : (binaryLevels.get(e.operator) ?? level.product);
    case 'relation':
      return endsInFunctionType(e) ? level.implication : level.relation;
    case 'logic':
      return logicLevels.get(e.operator) ?? level.equivalence;
    case 'not':
      return level.negation;
    case 'quantified':
      return open;
    case 'big':
      if (e.operator === 'expectation' && e.binders.length === 0) return atom;
      return isNarrow(e.operator) ? level.sign : wideBody;
    case 'conditional':
      return level.conditional;
    case 'span':
      return level.span;
    case 'function-type':
      return level.implication;
    case 'negate':
      return level.sign;
    case 'transpose':
      return level.power;
    case 'factorial':
      return level.postfix;
    default:
      return atom;
  }
}

/** `f ∈ A → B` is written without parentheses, so that intervals in `A` stay intervals. */
export function endsInFunctionType(e: Extract<Expression, { kind: 'relation' }>): boolean {
  return e.operands.at(-1)?.kind === 'function-type' && memberships.has(e.operators.at(-1) ?? '');
}

/** Prefix operators that reach to the end of their brackets: they need no parentheses where nothing follows. */
export const reachesToEnd = (e: Expression): boolean =>
  e.kind === 'quantified' || (e.kind === 'big' && levelOf(e) === wideBody);
