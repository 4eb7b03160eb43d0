import type { Binder, Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Context } from '../context/context.ts';
import type { Scope } from '../context/scope.ts';
import { freeIndices } from '../context/syntax-parts.ts';
import { notUsed } from '../context/ledger.ts';

/** A statement whose quantified inputs have been added to the domain. */
export interface OpenStatement {
  readonly statement: Statement;
  readonly body: Expression;
  readonly conditions: readonly Expression[];
}

/**
 * Moves `for all i` to the only part that has that index: in `A = 1 iff y_i = z_i for all i` to the second side, in
 * `A = 1 if y_i = z_i for all i` to the condition.
 */
export function innermost(ctx: Context, scope: Scope, open: OpenStatement): OpenStatement {
  return open.statement.binders.reduce((now, binder) => moved(ctx, scope, now, binder), open);
}

function moved(ctx: Context, scope: Scope, open: OpenStatement, binder: Binder): OpenStatement {
  const { statement, body, conditions } = open;
  const has = (part: Expression): boolean => freeIndices(part, scope).includes(binder.name);
  const within = (part: Expression): Expression => {
    if (!has(part)) return part;
    if (/\bany\s*$/i.test(ctx.text.text.slice(0, binder.range.start)))
      notUsed(ctx, binder.range, '"for any" may mean all and some here', 'write "for all", or ∃');
    const { range } = part;
    return { kind: 'quantified', quantifier: 'forall', binders: [binder], body: part, range };
  };
  const rest = { ...statement, binders: statement.binders.filter((one) => one !== binder) };
  if (!has(body)) {
    const about = conditions.filter((one) => has(one) && one.range.start < binder.range.start);
    if (about.length !== 1 || conditions.some((one) => has(one) && !about.includes(one))) return open;
    return { ...open, statement: rest, conditions: conditions.map(within) };
  }
  const sides = body.kind === 'logic' && body.operator === '⟺' ? [body.left, body.right] : [];
  if (body.kind !== 'logic' || sides.filter(has).length !== 1 || conditions.some(has)) return open;
  return { ...open, statement: rest, body: { ...body, left: within(body.left), right: within(body.right) } };
}
