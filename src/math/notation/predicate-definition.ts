/**
 * `causal(i, j) = j ≤ i` and `even(k) = k mod 2 = 0` define predicates. As chains they would define an identity or a remainder, and claim
 * something of it.
 */
import type { Expression, RelationOperator, Statement } from './syntax.ts';

const orders: ReadonlySet<RelationOperator> = new Set(['<', '≤', '>', '≥', '≠']);

/** The statement with its right sides as one proposition if it is such a definition. */
export function withPredicate(statement: Statement): Statement {
  const { body } = statement;
  if (body.kind !== 'relation' || body.operands.length !== 3) return statement;
  const [head, left, right] = body.operands;
  const [defines, compares] = body.operators;
  if (!head || !left || !right || !defines || !compares || !['=', ':='].includes(defines)) return statement;
  const isPredicate = orders.has(compares) ? isArgument(left, head) : compares === '=' && isRemainder(left);
  if (head.kind !== 'call' || !isPredicate) return statement;
  const range = { start: left.range.start, end: right.range.end };
  const proposition: Expression = { kind: 'relation', operands: [left, right], operators: [compares], range };
  return { ...statement, body: { ...body, operands: [head, proposition], operators: [defines] } };
}

const isArgument = (e: Expression, head: Expression): boolean =>
  e.kind === 'name' &&
  head.kind === 'call' &&
  head.arguments.some(({ value }) => value.kind === 'name' && value.text === e.text);

const isRemainder = (e: Expression): boolean => e.kind === 'binary' && e.operator === 'mod';
