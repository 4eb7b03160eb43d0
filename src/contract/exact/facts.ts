/**
 * The relations that a statement claims outright: top-level, or joined by "and"; never those under a condition,
 * a negation or an implication.
 */
import type { Expression, RelationOperator, Statement } from '../../math/notation/syntax.ts';

/** `left operator right`, one link of a chain. */
export interface Link {
  readonly left: Expression;
  readonly operator: RelationOperator;
  readonly right: Expression;
}

/** The links of a statement without conditions; one with conditions claims nothing outright. */
export function claimedLinks(statement: Statement): readonly Link[] {
  if (statement.conditions.length > 0) return [];
  return [statement.body, ...statement.definitions].flatMap(linksOf);
}

/** The links of an expression and of its conjuncts. */
export function linksOf(expression: Expression): readonly Link[] {
  if (expression.kind === 'logic' && expression.operator === '∧')
    return [...linksOf(expression.left), ...linksOf(expression.right)];
  if (expression.kind === 'quantified' && expression.quantifier === 'forall') return linksOf(expression.body);
  if (expression.kind !== 'relation') return [];
  return expression.operators.flatMap((operator, i) => {
    const left = expression.operands[i];
    const right = expression.operands[i + 1];
    return left && right ? [{ left, operator, right }] : [];
  });
}

/**
 * A text that two expressions share exactly when they are written alike, places aside. `λw²` and `(λw)²` differ, although the notation
 * alone cannot tell whether λw is one name.
 */
export function expressionKey(expression: Expression): string {
  return JSON.stringify(expression, (key, value: unknown) => {
    if (key === 'range') return undefined;
    return isNode(value) && isBracketedWord(value) ? { ...value, bracketed: true } : value;
  });
}

/** Whether a word of several letters is bracketed before what follows it: `(λw)²`, `(AB)^T`. */
function isBracketedWord(expression: Expression): boolean {
  const operand = operandOf(expression);
  return operand?.kind === 'name' && expression.range.start < operand.range.start && operand.text.length > 1;
}

function operandOf(expression: Expression): Expression | null {
  if (expression.kind === 'binary') return expression.operator === '^' ? expression.left : null;
  if (expression.kind === 'transpose' || expression.kind === 'factorial') return expression.operand;
  return expression.kind === 'index' ? expression.base : null;
}

const isNode = (value: unknown): value is Expression => typeof value === 'object' && value !== null && 'kind' in value;
