/** The clauses around the body of a statement: `for all i`, `with x > 1`, `where n = 4`. Each must be used. */
import type { Range } from '../../diagnostics/source.ts';
import type { Binder, Expression, Statement } from '../../math/notation/syntax.ts';
import { fail, type Context } from './context.ts';
import { lookup, type Scope } from './scope.ts';
import { freeIndices } from './syntax-parts.ts';

export function statementOf(body: Expression): Statement {
  return { body, binders: [], conditions: [], definitions: [], label: null, range: body.range };
}

/** `x > 1` of `for x > 1`; null for `for all x`. */
export function binderRelation({ name, relation, bound, range }: Binder): Expression | null {
  if (relation === null || bound === null) return null;
  return { kind: 'relation', operands: [{ kind: 'name', text: name, range }, bound], operators: [relation], range };
}

/** `x > 1` and `n ≥ 2` of `x ∈ F32^n with x > 1 for n ≥ 2`. */
export function clausesOf({ binders, conditions, definitions }: Statement): readonly Expression[] {
  return [...binders.flatMap((binder) => binderRelation(binder) ?? []), ...conditions, ...definitions];
}

/** Reports that a part of a text would not be executed. */
export function notUsed(ctx: Context, range: Range, why: string, hint: string | null = null): void {
  fail(ctx, 'PV-4031', range, `this part is not used: ${why}`, hint);
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
    } else if (relation) conditions.push(relation);
    else if (lookup(scope, binder.name) === null)
      notUsed(ctx, binder.range, `nothing here has the index ${binder.name}`);
  }
  return { ...statement, binders, conditions };
}
