/** Sums, extrema, quantifiers: `Σ_j e`, `max(x)`, `∀ i: p`, with and without written indices. */
import type { Range } from '../../../diagnostics/source.ts';
import { call, integer, reduce } from '../../../math/term/build.ts';
import type { BigOperatorName, Binder, Expression } from '../../../math/notation/syntax.ts';
import { REAL, type IndexBinder, type ReduceOperator, type Term } from '../../../math/term/term.ts';
import { isNumeric } from '../../../math/term/types.ts';
import { closeIndex, indexScope, openIndex, specOf, type IndexSpec } from './binders.ts';
import { binderRelation } from './clauses.ts';
import { fail, failTerm, giveUp, type Context } from '../context/context.ts';
import { closeBinders, inFrame, openFrame, reopened, share } from '../context/frames.ts';
import { asInterval, boundsOfIndex } from './index-ranges.ts';
import { use } from '../context/ledger.ts';
import { lookup, type IndexVariable, type Scope } from '../context/scope.ts';
import { freeIndices, mentions } from '../context/syntax-parts.ts';
import type { TensorValue, Value } from '../context/value.ts';
import { overAxes, scalar, scalarTerm, tensor, valueText } from '../context/values.ts';

/** `mean` is a sum over a count; the others are reductions of terms. */
export type Reduction = ReduceOperator | 'mean';

const reductions: Readonly<Record<BigOperatorName, Reduction | null>> = {
  sum: 'sum',
  product: 'product',
  max: 'max',
  min: 'min',
  argmax: 'argmax',
  argmin: 'argmin',
  mean: 'mean',
  count: 'count',
  expectation: null,
  union: null,
  intersection: null,
  limit: null,
};

type Big = Extract<Expression, { kind: 'big' }>;

/** A reduction over written indices. Operators that cannot be run, such as expectations, are reported. */
export function elaborateBig(ctx: Context, expression: Big, scope: Scope): Value {
  const operator = reductions[expression.operator];
  if (operator === null) {
    const moments = 'the mean of all elements of x is mean(x), their variance var(x)';
    const hint = expression.operator === 'expectation' ? moments : null;
    return giveUp(ctx, expression.range, `pv does not run an ${expression.operator}`, hint);
  }
  if (expression.binders.length > 0) return overIndices(ctx, operator, expression, scope);
  return overFreeIndex(ctx, operator, expression, scope);
}

function overFreeIndex(ctx: Context, operator: Reduction, expression: Big, scope: Scope): Value {
  const free = freeIndices(expression.body, scope);
  const [only] = free;
  if (free.length > 1) {
    return fail(
      ctx,
      'PV-4022',
      expression.range,
      `this could run over ${free.join(' or ')}`,
      `write which: Σ_${only ?? 'i'}`,
    );
  }
  if (only !== undefined) {
    const binder: Binder = { name: only, relation: null, bound: null, range: expression.range };
    return overIndices(ctx, operator, { ...expression, binders: [binder] }, scope);
  }
  const body = ctx.elaborate(expression.body, scope);
  if (body.kind === 'tensor') return overElements(ctx, operator, body, expression.range);
  const bound = mentions(expression.body, (name) => name.includes('_') || lookup(scope, name)?.kind === 'index');
  return fail(
    ctx,
    'PV-4022',
    expression.range,
    'nothing to run over: the body is a single number',
    bound ? 'its index is already bound outside; use another one: Σ_j' : null,
  );
}

/** The reduction of all elements of a tensor. */
export function overElements(ctx: Context, operator: Reduction, body: TensorValue, range: Range): Value {
  if (ctx.problem || !checkBody(ctx, operator, body, range)) return body;
  const { body: term, binders } = overAxes(ctx, body.shape, body.at);
  if (operator !== 'argmax' && operator !== 'argmin') return scalar(makeReduction(ctx, operator, binders, term, null));
  return body.shape.length === 1
    ? scalar(makeReduction(ctx, operator, binders, term, null))
    : fail(
        ctx,
        'PV-4007',
        range,
        `${operator} of ${valueText(body)} would be several numbers`,
        `index it: ${operator}_j A_ij`,
      );
}

/** `max_{0 ≤ j < k}` bounds j as `max_{j<k}` does: a condition that says nothing else becomes the range of its index. */
function withRanges(ctx: Context, expression: Big): Big {
  const { binders, condition } = expression;
  const open = new Set(binders.flatMap(({ name, bound }) => (bound === null ? [name] : [])));
  const bounds = condition && boundsOfIndex(condition, (name) => open.has(name));
  if (!bounds || expression.upper !== null) return expression;
  const ranges = new Map([...open].map((name) => [name, asInterval(name, bounds)] as const));
  const complete = bounds.every(({ name }) => ranges.get(name));
  if (complete) for (const { range } of [...binders, ...bounds]) use(ctx, range);
  return complete
    ? { ...expression, binders: binders.map((binder) => ranges.get(binder.name) ?? binder), condition: null }
    : expression;
}

function overIndices(ctx: Context, operator: Reduction, written: Big, scope: Scope): Value {
  const expression = withRanges(ctx, written);
  const specs = withUpper(expression);
  const bound = bindAll(ctx, specs, scope);
  const frame = openFrame(
    'binder',
    bound.indices.map((index) => index.name),
  );
  ctx.frames.push(frame);
  const conditions = [...bound.conditions, ...(expression.condition ? [expression.condition] : [])];
  const condition = conditionTerm(ctx, conditions, bound.scope);
  const value = ctx.elaborate(expression.body, bound.scope);
  ctx.frames.pop();
  const binders = bound.indices.map((index) => closeIndex(ctx, index));
  if (ctx.problem || !checkBody(ctx, operator, value, expression.body.range)) return scalar(integer(0));
  if (value.kind === 'tensor') {
    return tensor(operator === 'mean' ? REAL : value.element, value.shape, (at) =>
      makeReduction(
        ctx,
        operator,
        binders,
        reopened(ctx, frame, () => value.at(at)),
        condition,
      ),
    );
  }
  return value.kind === 'scalar'
    ? scalar(makeReduction(ctx, operator, binders, closeBinders(ctx, frame, binders, value.term), condition))
    : value;
}

/** `Σ_{i=1}^{n}`: the upper end belongs to the last binder. */
function withUpper(expression: Big): readonly { readonly binder: Binder; readonly upper: Expression | null }[] {
  return expression.binders.map((binder, i) => ({
    binder,
    upper: i === expression.binders.length - 1 ? expression.upper : null,
  }));
}

interface Bound {
  readonly indices: readonly IndexVariable[];
  readonly scope: Scope;
  /** `j ≠ i`: what the binders exclude. */
  readonly conditions: readonly Expression[];
}

/** Opens the indices of binders from left to right; later ranges may mention earlier indices. */
function bindAll(
  ctx: Context,
  written: readonly { readonly binder: Binder; readonly upper: Expression | null }[],
  outer: Scope,
): Bound {
  const indices: IndexVariable[] = [];
  const said = written.filter(({ binder }) => isAboutKnown(binder, outer));
  const binders = said.length < written.length ? written.filter((one) => !said.includes(one)) : written;
  const conditions = said.length < written.length ? said.flatMap(({ binder }) => binderRelation(binder) ?? []) : [];
  let scope = outer;
  for (const { binder, upper } of binders) {
    const spec: IndexSpec = specOf(ctx, binder, upper, scope);
    const index = openIndex(ctx, spec);
    indices.push(index);
    scope = indexScope(scope, [index]);
    if (binder.relation === '≠') {
      const condition = binderRelation(binder);
      if (condition) conditions.push(condition);
    }
  }
  return { indices, scope, conditions };
}

/** `c < 2` of `Σ_{i<n, c<2}`, where c is known already, is a condition and binds nothing. */
function isAboutKnown({ name, relation }: Binder, scope: Scope): boolean {
  const kind = lookup(scope, name)?.kind;
  const compares = relation !== null && ['<', '≤', '>', '≥', '≠'].includes(relation);
  return compares && (kind === 'value' || kind === 'index' || kind === 'definition');
}

function conditionTerm(ctx: Context, conditions: readonly Expression[], scope: Scope): Term | null {
  if (conditions.length === 0) return null;
  return conditions
    .map((c) => inFrame(ctx, openFrame('sealed'), () => truth(ctx, ctx.elaborate(c, scope), c.range)))
    .reduce((all, next) => call('and', all, next));
}

/** A proposition as a term (a tensor of truths is true when all of it is), or a failure. */
export function truth(ctx: Context, value: Value, range: Range): Term {
  if (value.kind === 'tensor' && value.element.kind === 'boolean')
    return truth(ctx, overElements(ctx, 'all', value, range), range);
  const term = scalarTerm(ctx, value, range, 'a condition');
  if (ctx.problem || term.type.kind === 'boolean') return term;
  return failTerm(
    ctx,
    'PV-4003',
    range,
    `a proposition belongs here, and this is ${valueText(value)}`,
    'compare it with something: =, ≤, ≈',
  );
}

function checkBody(ctx: Context, operator: Reduction, value: Value, range: Range): boolean {
  if (value.kind === 'family') return false;
  const type = value.kind === 'tensor' ? value.element : value.term.type;
  const logical = operator === 'all' || operator === 'any' || operator === 'count';
  if (logical ? type.kind === 'boolean' : isNumeric(type)) return true;
  fail(
    ctx,
    'PV-4003',
    range,
    `${operator} runs over ${logical ? 'propositions' : 'numbers'}, and this is ${valueText(value)}`,
  );
  return false;
}

function makeReduction(
  ctx: Context,
  operator: Reduction,
  binders: readonly IndexBinder[],
  body: Term,
  condition: Term | null,
): Term {
  if (operator === 'all' || operator === 'any') return reduce(operator, binders, body, condition);
  if (operator !== 'mean') return share(ctx, reduce(operator, binders, body, condition), operator);
  const sum = share(ctx, reduce('sum', binders, body, condition), 'sum');
  const simple = condition === null && binders.every((b) => b.from.kind === 'number');
  const count = simple
    ? binders.map((b) => call('subtract', b.to, b.from)).reduce((product, size) => call('multiply', product, size))
    : share(
        ctx,
        reduce('count', binders, { kind: 'boolean', value: true, type: { kind: 'boolean' }, origin: null }, condition),
        'count',
      );
  return call('divide', sum, count);
}

/** `∀ i: p`, `∃ i ∈ [0, n): p`, `∃! i: p` over indices. */
export function elaborateQuantified(
  ctx: Context,
  expression: Extract<Expression, { kind: 'quantified' }>,
  scope: Scope,
): Value {
  const bound = bindAll(
    ctx,
    expression.binders.map((binder) => ({ binder, upper: null })),
    scope,
  );
  const frame = openFrame(
    'binder',
    bound.indices.map((index) => index.name),
  );
  ctx.frames.push(frame);
  const condition = conditionTerm(ctx, bound.conditions, bound.scope);
  const body = truth(ctx, ctx.elaborate(expression.body, bound.scope), expression.body.range);
  ctx.frames.pop();
  const binders = bound.indices.map((index) => closeIndex(ctx, index));
  const inner = closeBinders(ctx, frame, binders, body);
  switch (expression.quantifier) {
    case 'forall':
      return scalar(reduce('all', binders, inner, condition));
    case 'exists':
      return scalar(reduce('any', binders, inner, condition));
    case 'unique':
      return scalar(call('equal', reduce('count', binders, inner, condition), integer(1)));
  }
}
