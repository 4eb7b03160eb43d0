/**
 * Statistical claims: `mean(D(x, u)_i) ≈ x_i`, `variance(…) ≈ 2/n`, `probability(D(x, u)_i = 0) ≤ p + 0.1`.
 *
 * A statistic is over the draws of the random inputs. An index is an index of the claim: one statistic for each of its values.
 */
import type { Range } from '../../../diagnostics/source.ts';
import { tabulate } from '../../../math/term/build.ts';
import type { Argument, Expression, RelationOperator } from '../../../math/notation/syntax.ts';
import type { IndexBinder, Term } from '../../../math/term/term.ts';
import { freeVariables } from '../../../math/term/traverse.ts';
import { elementTypeOf, isNumeric, shapeOf } from '../../../math/term/types.ts';
import type { StatisticalMethod } from '../../contract.ts';
import type { StatisticalComparison } from '../../goal.ts';
import { closeIndex, equalShapes, indexScope, openIndex, specOf } from '../operators/binders.ts';
import { fail, type Context } from '../context/context.ts';
import type { DomainDraft } from '../inputs/domain-draft.ts';
import { isolated, openFrame } from '../context/frames.ts';
import { use } from '../context/ledger.ts';
import { mapExpression } from '../context/map-expression.ts';
import type { OpenStatement } from './open-statement.ts';
import { differenceOf, linksOf } from '../operators/relations.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { freeIndices } from '../context/syntax-parts.ts';
import { allowedFrom } from '../operators/tolerance.ts';
import type { Link } from '../inputs/targets.ts';
import { overAxes, valueOf, valueText, wholeTerm } from '../context/values.ts';

type Statistic = StatisticalComparison['statistic'];

const statistics: ReadonlyMap<string, Statistic> = new Map([
  ['mean', 'mean'],
  ['E', 'mean'],
  ['𝔼', 'mean'],
  ['variance', 'variance'],
  ['Var', 'variance'],
  ['var', 'variance'],
  ['probability', 'probability'],
  ['P', 'probability'],
  ['Pr', 'probability'],
]);

/** The comparisons of a statistical claim; [] with a problem in `ctx` if it contains none. */
export function statisticalComparisons(
  ctx: Context,
  draft: DomainDraft,
  statements: readonly OpenStatement[],
  method: StatisticalMethod | null,
): readonly StatisticalComparison[] {
  const whole = { start: 0, end: ctx.text.text.length };
  const unknown = method?.random.find(({ value }) => !draft.inputs.has(value));
  if (method === null || method.random.length === 0 || unknown) {
    const message = unknown
      ? `${unknown.value} is not an input of this claim, so it cannot be drawn`
      : 'a statistical claim does not say which inputs are random';
    fail(ctx, 'PV-4028', whole, message, 'name them: methods: { statistical: { random: [u] } }');
    return [];
  }
  const found = statements.flatMap((statement) => comparisonsOf(ctx, draft, statement));
  const random = new Set(method.random.map(({ value }) => value));
  for (const { target } of found) checkFixed(ctx, target, random, whole);
  return ctx.problem ? [] : found;
}

/** A statistic cannot be compared with a target that depends on the draws. */
function checkFixed(ctx: Context, target: Term, random: ReadonlySet<string>, range: Range): void {
  const drawn = [...freeVariables(target)].find((name) => random.has(name) || /^\|?out:/.test(name));
  if (drawn === undefined) return;
  const what = /^\|?out:/.test(drawn) ? 'an output of the kernel' : drawn;
  fail(ctx, 'PV-4027', range, `the statistic is compared with ${what}, which every draw changes`, hint);
}

const hint = 'write e.g. mean(f(x, u)_i) ≈ x_i, variance(f(u)_i) ≈ 2/n or probability(f(x, u)_i = 0) ≤ p';

function comparisonsOf(ctx: Context, draft: DomainDraft, statement: OpenStatement): readonly StatisticalComparison[] {
  const { conditions } = statement;
  const body = withConditions(statement.body, draft.scope);
  const { range, binders: written } = statement.statement;
  if (conditions.length > 0) return refuse(ctx, range, 'a statistical claim has no conditions: put them into requires');
  const bound = written.map((binder) => openIndex(ctx, specOf(ctx, binder, null, draft.scope)));
  const inner = indexScope(draft.scope, bound);
  const free = freeIndices(body, inner).map((name) => openIndex(ctx, { written: name, from: null, to: null, range }));
  const indices = [...bound, ...free];
  ctx.frames.push(
    openFrame(
      'binder',
      indices.map(({ name }) => name),
    ),
  );
  const parts = partsOf(ctx, body).map((link) => partOf(ctx, link, indexScope(inner, free)));
  ctx.frames.pop();
  const binders = indices.map((index) => closeIndex(ctx, index));
  return parts.flatMap((part) => (part === null || ctx.problem ? [] : [overIndices(ctx, part, binders, range)]));
}

function refuse(ctx: Context, range: Range, message: string): readonly [] {
  fail(ctx, 'PV-4027', range, message, hint);
  return [];
}

/** The links of a conjunction of relations. */
function partsOf(ctx: Context, body: Expression): readonly Link[] {
  if (body.kind === 'relation') return linksOf(body);
  if (body.kind === 'logic' && body.operator === '∧') return [...partsOf(ctx, body.left), ...partsOf(ctx, body.right)];
  return refuse(ctx, body.range, 'a statistical claim compares a statistic with a number');
}

interface StatisticCall {
  readonly statistic: Statistic;
  /** The name of the statistic, and of the tolerance, as written. */
  readonly words: readonly Range[];
  readonly argument: Expression;
}

/** A name that the contract declares is not a statistic. */
function statisticOf(expression: Expression, scope: Scope): StatisticCall | null {
  if (expression.kind === 'big' && expression.operator === 'expectation')
    return expression.binders.length > 0 ? null : { statistic: 'mean', words: [], argument: expression.body };
  const applied = appliedTo(expression);
  if (applied?.name.kind !== 'name' || lookup(scope, applied.name.text)) return null;
  const statistic = statistics.get(applied.name.text);
  return statistic ? { statistic, words: [applied.name.range], argument: applied.argument } : null;
}

/** `P(e)` and `P[e]`. */
function appliedTo(expression: Expression): { readonly name: Expression; readonly argument: Expression } | null {
  if (expression.kind === 'index') {
    const [item, more] = expression.items;
    const written = expression.style === 'bracket' && !more && item?.kind === 'at';
    return written ? { name: expression.base, argument: item.value } : null;
  }
  if (expression.kind !== 'call') return null;
  const [only, more] = expression.arguments;
  return only && !more && only.label === null ? { name: expression.callee, argument: only.value } : null;
}

/** `P(y_i = 0)` parses as a named argument but is a condition. */
function withConditions(expression: Expression, scope: Scope): Expression {
  if (expression.kind !== 'call') return mapExpression(expression, (part) => withConditions(part, scope));
  const { callee } = expression;
  const isStatistic = callee.kind === 'name' && !lookup(scope, callee.text) && statistics.has(callee.text);
  if (!isStatistic) return expression;
  return { ...expression, arguments: expression.arguments.map((argument) => conditionOf(callee, argument)) };
}

function conditionOf(callee: Expression, argument: Argument): Argument {
  const { label, value } = argument;
  if (label === null) return argument;
  const start = callee.range.end + '('.length;
  const name: Expression = { kind: 'name', text: label, range: { start, end: start + label.length } };
  const range = { start, end: value.range.end };
  return { label: null, value: { kind: 'relation', operands: [name, value], operators: ['='], range } };
}

interface Sides extends StatisticCall {
  readonly relation: StatisticalComparison['relation'];
  readonly target: Expression;
}

const relations: Partial<Readonly<Record<RelationOperator, readonly [Sides['relation'], Sides['relation']]>>> = {
  '≈': ['≈', '≈'],
  '≤': ['≤', '≥'],
  '<': ['≤', '≥'],
  '≥': ['≥', '≤'],
  '>': ['≥', '≤'],
};

function sidesOf(link: Link, scope: Scope): Sides | null {
  const difference = differenceOf(link.left);
  const isTolerance = link.right.kind === 'name' && lookup(scope, link.right.text)?.kind === 'tolerance';
  if (difference && isTolerance && (link.operator === '≤' || link.operator === '<'))
    return withWord(
      sidesOf({ ...link, left: difference[0], operator: '≈', right: difference[1] }, scope),
      link.right.range,
    );
  const relation = relations[link.operator];
  const left = statisticOf(link.left, scope);
  const right = left ? null : statisticOf(link.right, scope);
  if (!relation) return null;
  if (left) return { ...left, relation: relation[0], target: link.right };
  return right && { ...right, relation: relation[1], target: link.left };
}

function withWord(sides: Sides | null, word: Range): Sides | null {
  return sides && { ...sides, words: [...sides.words, word] };
}

type Part = Omit<StatisticalComparison, 'text'> & { readonly range: Range };

function partOf(ctx: Context, link: Link, scope: Scope): Part | null {
  const sides = sidesOf(link, scope);
  if (!sides) {
    const [left, right] = [statisticOf(link.left, scope), statisticOf(link.right, scope)];
    const message =
      left || right
        ? `an estimate is compared by ≈, ≤ or ≥, not by ${link.operator}`
        : 'no side of this comparison is a statistic';
    refuse(ctx, link.range, message);
    return null;
  }
  const { statistic, argument, relation, target } = sides;
  for (const range of sides.words) use(ctx, range);
  const term = (expression: Expression): Term =>
    isolated(ctx, () => wholeTerm(ctx, ctx.elaborate(expression, scope), expression.range));
  const [sample, right] = [term(argument), term(target)];
  const wanted = statistic === 'probability' ? 'a condition' : 'numbers';
  const element = elementTypeOf(sample.type);
  if (!ctx.problem && (statistic === 'probability' ? element.kind !== 'boolean' : !isNumeric(element)))
    refuse(ctx, argument.range, `${statistic} is of ${wanted}, and this is ${valueText(valueOf(sample))}`);
  const shape = shapeOf(right.type);
  if (!ctx.problem && shape.length > 0 && !equalShapes(ctx, shape, shapeOf(sample.type)))
    refuse(ctx, link.range, 'the statistic and what it is compared with have different shapes');
  const allowed = relation === '≈' ? isolated(ctx, () => allowedOf(ctx, right, link.range)) : null;
  return { statistic, sample, relation, target: right, allowed, range: link.range };
}

/** The tolerance relative to each element of `target`. */
function allowedOf(ctx: Context, target: Term, range: Range): Term {
  const value = valueOf(target);
  if (value.kind === 'scalar') return allowedFrom(ctx, target, range) ?? target;
  const { body, binders } = overAxes(ctx, value.shape, (at) => {
    const element = value.at(at);
    return allowedFrom(ctx, element, range) ?? element;
  });
  return tabulate(binders, body);
}

function overIndices(
  ctx: Context,
  { statistic, sample, relation, target, allowed, range }: Part,
  binders: readonly IndexBinder[],
  whole: Range,
): StatisticalComparison {
  const text = ctx.text.text.slice(range.start, range.end);
  if (binders.length > 0 && shapeOf(sample.type).length > 0)
    refuse(ctx, whole, 'one claim has a statistic of a whole tensor and one of an element');
  const spread = (term: Term): Term => tabulate(binders, term);
  const parts = { sample: spread(sample), target: spread(target), allowed: allowed && spread(allowed) };
  return { statistic, text, relation, ...parts };
}
