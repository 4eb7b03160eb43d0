/** `Σ_{i<j} x_i·x_j` and `Σ_{i≠j} x_i·x_j`, where nothing else has the index j, sum over pairs: over j as well. */
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { mapExpression } from '../context/map-expression.ts';
import type { Scope } from '../context/scope.ts';
import { childrenOf, freeIndices } from '../context/syntax-parts.ts';

type Big = Extract<Expression, { kind: 'big' }>;

/** `text` with a sum over j around such sums. */
export function withPairSums(text: FormalText, scope: Scope): FormalText {
  const statements = text.notation.statements.map((statement) => overPairs(statement, scope));
  return { ...text, notation: { ...text.notation, statements } };
}

function overPairs(statement: Statement, scope: Scope): Statement {
  const second = new Set<string>();
  const change = (part: Expression): Expression => {
    const name = part.kind === 'big' ? secondIndex(part, scope) : null;
    const inner = mapExpression(part, change);
    if (part.kind !== 'big' || name === null) return inner;
    second.add(name);
    const binder = { name, relation: null, bound: null, range: part.binders[0]?.range ?? part.range };
    return { ...part, binders: [binder], condition: null, upper: null, body: inner };
  };
  const body = change(statement.body);
  const around = [body, ...statement.conditions, ...statement.definitions].flatMap((part) => freeIndices(part, scope));
  const isOutside = [...around, ...statement.binders.map(({ name }) => name)].some((name) => second.has(name));
  return second.size === 0 || isOutside ? statement : { ...statement, body };
}

/** j of `Σ_{i<j} x_i·x_j`. In `Σ_{j<i} A_ij` i is the row, and there is a sum for each. */
function secondIndex({ operator, binders, body }: Big, scope: Scope): string | null {
  const [binder, more] = binders;
  if (operator !== 'sum' || !binder || more || binder.bound?.kind !== 'name') return null;
  if (binder.relation !== '<' && binder.relation !== '≠' && binder.relation !== '>') return null;
  const second = binder.bound.text;
  return hasAlone(body, second, scope) ? second : null;
}

function hasAlone(part: Expression, index: string, scope: Scope): boolean {
  const children = childrenOf(part);
  if (part.kind !== 'index' && children.length > 0) return children.some((child) => hasAlone(child, index, scope));
  const found = freeIndices(part, scope);
  return found.length === 1 && found[0] === index;
}
