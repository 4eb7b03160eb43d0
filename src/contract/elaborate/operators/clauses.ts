/** The clauses around the body of a statement: `for all i`, `with x > 1`, `where n = 4`. Each must be used. */
import type { Binder, Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Context } from '../context/context.ts';
import { notUsed, use } from '../context/ledger.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { freeIndices, nameRange } from '../context/syntax-parts.ts';

/** A statement that consists of `body` alone. */
export function statementOf(body: Expression): Statement {
  return { body, binders: [], conditions: [], definitions: [], label: null, range: body.range };
}

/** `x > 1` of `for x > 1`; null for `for all x`. */
export function binderRelation(binder: Binder): Expression | null {
  const { name, relation, bound, range } = binder;
  if (relation === null || bound === null) return null;
  const subject: Expression = { kind: 'name', text: name, range: nameRange(binder) };
  return { kind: 'relation', operands: [subject, bound], operators: [relation], range };
}

/** `x > 1` and `n ≥ 2` of `x ∈ F32^n with x > 1 for n ≥ 2`. */
export function clausesOf({ binders, conditions, definitions }: Statement): readonly Expression[] {
  return [...binders.flatMap((binder) => binderRelation(binder) ?? []), ...conditions, ...definitions];
}

/** `∀ i: p` as `p for all i`, from which bounds are read. */
export function unquantified(statement: Statement, scope: Scope): Statement {
  const { body } = statement;
  if (body.kind !== 'quantified' || body.quantifier !== 'forall') return statement;
  const indices = freeIndices(body.body, scope);
  if (!body.binders.every(({ name }) => indices.includes(name))) return statement;
  return unquantified({ ...statement, body: body.body, binders: [...body.binders, ...statement.binders] }, scope);
}

/** The statement with only the binders that bound its indices; a binder of another name becomes a condition. */
export function quantifying(ctx: Context, scope: Scope, statement: Statement): Statement {
  const indices = new Set([statement.body, ...statement.conditions].flatMap((part) => freeIndices(part, scope)));
  const binders: Binder[] = [];
  const conditions = [...statement.conditions];
  for (const binder of statement.binders) {
    const relation = binderRelation(binder);
    if (indices.has(binder.name)) {
      if (relation) binders.push(binder);
      else use(ctx, binder.range);
    } else if (relation) conditions.push(relation);
    else if (lookup(scope, binder.name) !== null) use(ctx, binder.range);
    else notUsed(ctx, binder.range, `nothing here has the index ${binder.name}`);
  }
  return { ...statement, binders, conditions };
}
