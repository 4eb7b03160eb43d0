/** Cases without `otherwise`: if none of their conditions holds, nothing is defined, so such inputs are outside the domain. */
import type { Expression } from '../../../math/notation/syntax.ts';
import { statementOf } from '../operators/clauses.ts';
import { fail, reading, type Context, type OpenCases } from '../context/context.ts';
import { constrain } from './domain.ts';
import type { DomainDraft } from '../inputs/domain-draft.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { namesOf } from '../context/syntax-parts.ts';

const why = 'where no condition holds, these cases say nothing';
const hint = 'say what holds otherwise: { a if …; b otherwise }';

/** Narrows the domain of an equation to where its cases hold. */
export function excludeUncovered(ctx: Context, draft: DomainDraft): void {
  for (const open of ctx.openCases) {
    if (ctx.problem) return;
    const conditions = open.expression.cases.map(({ condition }) => condition);
    if (isOfInputs(conditions, open.scope, draft.scope))
      reading(ctx, open.text, () => {
        constrain(ctx, draft, statementOf(anyOf(conditions, open.expression)));
      });
    if (ctx.problem || !isOfInputs(conditions, open.scope, draft.scope)) {
      ctx.problem = null;
      refuse(ctx, open);
    }
  }
}

/** A claim is about all inputs, so its cases must cover each. */
export function refuseUncovered(ctx: Context): void {
  const [first] = ctx.openCases;
  if (first) refuse(ctx, first);
}

function refuse(ctx: Context, { expression, text }: OpenCases): void {
  const last = expression.cases.at(-1)?.condition.range ?? expression.range;
  reading(ctx, text, () => {
    fail(ctx, 'PV-4050', last, why, hint);
  });
}

/** Whether the names mean the same outside the formula: none of them is a parameter of a helper. */
function isOfInputs(conditions: readonly Expression[], inner: Scope, outer: Scope): boolean {
  return conditions.flatMap(namesOf).every((name) => {
    const entry = lookup(inner, name);
    return entry === lookup(outer, name) || entry?.kind === 'index';
  });
}

function anyOf(conditions: readonly Expression[], { range }: Expression): Expression {
  const [first, ...rest] = conditions;
  return rest.reduce<Expression>(
    (left, right) => ({ kind: 'logic', operator: '∨', left, right, range }),
    first ?? { kind: 'boolean', value: true, range },
  );
}
