/** `a if p else b`, `{ a if p; b if q; c otherwise }`. */
import { choose, integer } from '../../../math/term/build.ts';
import type { Range } from '../../../diagnostics/source.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { ScalarType, Term } from '../../../math/term/term.ts';
import { commonType, elementTypeOf } from '../../../math/term/types.ts';
import { equalShapes } from './binders.ts';
import { fail, type Context } from '../context/context.ts';
import { leavesNothing } from './exhaustive.ts';
import { closeFrame, openFrame, reopened } from '../context/frames.ts';
import { truth } from './reductions.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { freeIndices, mentions } from '../context/syntax-parts.ts';
import type { Value } from '../context/value.ts';
import { scalar, tensor, valueText } from '../context/values.ts';

type Cases = Extract<Expression, { kind: 'cases' }>;
type Conditional = Extract<Expression, { kind: 'conditional' }>;

/** `Σ_j w_j·x_{i+j} if i + j < n else 0`: a condition on the bound index can only belong to the body of the sum. */
function insideSum(expression: Conditional, scope: Scope): Expression | null {
  const { condition, then, otherwise } = expression;
  if (then.kind !== 'big') return null;
  const free = then.binders.length === 0 ? freeIndices(then.body, scope) : then.binders.map(({ name }) => name);
  const bound = free.filter((name) => lookup(scope, name) === null);
  if (!mentions(condition, (name) => bound.includes(name))) return null;
  return { ...then, body: { kind: 'conditional', condition, then: then.body, otherwise, range: expression.range } };
}

/** Where the choice only limits a sum, the sum is written with the limit instead. */
export function elaborateConditional(ctx: Context, expression: Conditional, scope: Scope): Value {
  const sum = insideSum(expression, scope);
  if (sum) return ctx.elaborate(sum, scope);
  const condition = truth(ctx, ctx.elaborate(expression.condition, scope), expression.condition.range);
  return chooseBetween(
    ctx,
    condition,
    branch(ctx, expression.then, scope),
    branch(ctx, expression.otherwise, scope),
    expression.range,
  );
}

/** Cases that together cover everything need no `otherwise`. */
export function elaborateCasesOf(ctx: Context, expression: Cases, scope: Scope): Value {
  const { cases } = expression;
  const last = cases.at(-1);
  if (!last) return scalar(integer(0));
  const conditionOf = ({ condition }: (typeof cases)[number]): Term =>
    truth(ctx, ctx.elaborate(condition, scope), condition.range);
  // If no case holds, nothing is defined, so the last case may serve as `otherwise`.
  const rest = expression.otherwise ?? last.value;
  const chosen = expression.otherwise ? cases : cases.slice(0, -1);
  const conditions: Term[] = [];
  const value = chosen.reduceRight(
    (otherwise, one) => {
      const condition = conditionOf(one);
      conditions.push(condition);
      return chooseBetween(ctx, condition, branch(ctx, one.value, scope), otherwise, expression.range);
    },
    branch(ctx, rest, scope),
  );
  if (expression.otherwise === null) {
    conditions.push(conditionOf(last));
    const isCount = (term: Term): boolean => term.kind === 'variable' && ctx.indices.has(term.name);
    if (!ctx.problem && !leavesNothing(conditions, isCount)) ctx.openCases.push({ expression, scope, text: ctx.text });
  }
  return value;
}

/** A branch is evaluated only if its condition holds, so its shared values stay inside. */
function branch(ctx: Context, expression: Expression, scope: Scope): Value {
  const frame = openFrame('guard');
  ctx.frames.push(frame);
  const value = ctx.elaborate(expression, scope);
  ctx.frames.pop();
  if (value.kind === 'scalar') return scalar(closeFrame(frame, value.term));
  if (value.kind === 'family') return value;
  return tensor(value.element, value.shape, (indices) => reopened(ctx, frame, () => value.at(indices)));
}

function chooseBetween(ctx: Context, condition: Term, a: Value, b: Value, range: Range): Value {
  if (ctx.problem || a.kind === 'family' || b.kind === 'family') return a;
  const type = commonType(elementOf(a), elementOf(b));
  if (type === null)
    return fail(ctx, 'PV-4003', range, `the branches have different kinds: ${valueText(a)} and ${valueText(b)}`);
  if (a.kind === 'scalar' && b.kind === 'scalar') return scalar(choose(condition, a.term, b.term, type));
  if (a.kind === 'tensor' && b.kind === 'tensor' && !equalShapes(ctx, a.shape, b.shape)) {
    return fail(ctx, 'PV-4007', range, `the branches have different shapes: ${valueText(a)} and ${valueText(b)}`);
  }
  const shape = a.kind === 'tensor' ? a.shape : b.kind === 'tensor' ? b.shape : [];
  return tensor(type, shape, (indices) => choose(condition, elementAt(a, indices), elementAt(b, indices), type));
}

function elementOf(value: Exclude<Value, { kind: 'family' }>): ScalarType {
  return value.kind === 'tensor' ? value.element : elementTypeOf(value.term.type);
}

function elementAt(value: Exclude<Value, { kind: 'family' }>, indices: readonly Term[]): Term {
  return value.kind === 'tensor' ? value.at(indices) : value.term;
}
