/** Comparisons: chains, elementwise over tensors, approximate with the claim's tolerance, membership. */
import type { Range } from '../../../diagnostics/source.ts';
import { call, conjunction, integer, reduce, withOrigin } from '../../../math/term/build.ts';
import type { FunctionName } from '../../../math/functions.ts';
import type { Expression, RelationOperator } from '../../../math/notation/syntax.ts';
import { sameSize } from '../../../math/term/sizes.ts';
import { termKey } from '../../../math/term/term-key.ts';
import type { Term } from '../../../math/term/term.ts';
import { freeVariables } from '../../../math/term/traverse.ts';
import { elementTypeOf, isNumeric } from '../../../math/term/types.ts';
import { equalShapes } from './binders.ts';
import { fail, failTerm, giveUp, type Context } from '../context/context.ts';
import { inFrame, openFrame } from '../context/frames.ts';
import { use } from '../context/ledger.ts';
import { withIdentity } from './identity-matrix.ts';
import { listedShape } from './listed-shapes.ts';
import { membership } from './membership.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { isSequenceValue } from './sequences.ts';
import { mentions, namesOf } from '../context/syntax-parts.ts';
import type { Link } from '../inputs/targets.ts';
import { absoluteAllowed, allowedFrom, isRelative, roundedOverflow } from './tolerance.ts';
import type { Value } from '../context/value.ts';
import { overAxes, scalar, valueText } from '../context/values.ts';

type Relation = Extract<Expression, { kind: 'relation' }>;

const numericRelations: Partial<Readonly<Record<RelationOperator, FunctionName>>> = {
  '=': 'equal',
  ':=': 'equal',
  '≡': 'equal',
  '≠': 'not-equal',
  '<': 'less',
  '≤': 'less-equal',
  '>': 'greater',
  '≥': 'greater-equal',
};

/** The pairs of a chain: `a < b ≤ c` has `a < b` and `b ≤ c`. */
export function linksOf(relation: Relation): readonly Link[] {
  return relation.operators.flatMap((operator, i) => {
    const left = relation.operands[i];
    const right = relation.operands[i + 1];
    return left && right ? [{ left, operator, right, range: { start: left.range.start, end: right.range.end } }] : [];
  });
}

/** The conjunction of all links of a chain. */
export function elaborateRelation(ctx: Context, relation: Relation, scope: Scope): Value {
  return scalar(conjunction(linksOf(relation).map((link) => linkTerm(ctx, link, scope))));
}

function linkTerm(ctx: Context, link: Link, scope: Scope): Term {
  if (link.operator === '∈' || link.operator === '∉') {
    const member = membership(ctx, ctx.elaborate(link.left, scope), link.right, scope);
    return withOrigin(link.operator === '∈' ? member : call('not', member), link.range);
  }
  const contained = withinInterval(ctx, link, scope) ?? congruence(ctx, link, scope);
  if (contained) return contained;
  if (ctx.claim === null) return compareLink(ctx, link, scope);
  const withTolerance = finiteness(ctx, link, scope) ?? toleranced(ctx, link, scope);
  if (withTolerance) return withTolerance;
  // A bound that depends on inputs, such as s/2, is what the claim says, and not its author's tolerance.
  if (differenceOf(link.left) && (link.operator === '≤' || link.operator === '<') && namesOf(link.right).length === 0)
    ctx.claim.boundsDifference = true;
  return ulpLink(ctx, link, scope) ?? compareLink(ctx, link, scope);
}

/** `[a, b] ⊂ [c, d)`: c ≤ a and b < d; null unless both sides are intervals. */
function withinInterval(ctx: Context, { left, operator, right, range }: Link, scope: Scope): Term | null {
  const isInside = operator === '⊂' || operator === '⊆';
  if (!isInside || left.kind !== 'interval' || right.kind !== 'interval') return null;
  const [low, high, from, to] = [left.low, left.high, right.low, right.high].map((end) => ctx.elaborate(end, scope));
  if (!low || !high || !from || !to) return null;
  const beyond = (isOpen: boolean): RelationOperator => (isOpen ? '<' : '≤');
  return conjunction([
    compare(ctx, beyond(right.lowOpen && !left.lowOpen), from, low, range),
    compare(ctx, beyond(right.highOpen && !left.highOpen), high, to, range),
  ]);
}

/** `a ≡ b mod m`: m divides a - b; null for `a ≡ (b mod m)`, which is an equality. */
function congruence(ctx: Context, { left, operator, right, range }: Link, scope: Scope): Term | null {
  if (operator !== '≡' || right.kind !== 'binary' || right.operator !== 'mod') return null;
  if (ctx.text.text.slice(left.range.end, right.range.start).includes('(')) return null;
  const difference: Expression = { ...right, operator: '-', left, right: right.left };
  const remainder: Expression = { ...right, left: difference };
  return compare(ctx, '=', ctx.elaborate(remainder, scope), scalar(integer(0)), range);
}

function compareLink(ctx: Context, { left, operator, right, range }: Link, scope: Scope): Term {
  return compare(ctx, operator, ...withIdentity(ctx, left, right, scope), range);
}

/** `|e| < ∞` says that e is finite, so it is elaborated as that. */
function finiteness(ctx: Context, link: Link, scope: Scope): Term | null {
  const [small, large] =
    link.operator === '<' ? [link.left, link.right] : link.operator === '>' ? [link.right, link.left] : [];
  if (small?.kind !== 'absolute' || large?.kind !== 'infinity') return null;
  use(ctx, large.range);
  return forAllElements(ctx, [ctx.elaborate(small.operand, scope)], link.range, ([term]) =>
    call('is-finite', term ?? integer(0)),
  );
}

/** `|a - b| ≤ 4 ULP`. */
function ulpLink(ctx: Context, link: Link, scope: Scope): Term | null {
  const { left, right } = link;
  if (right.kind !== 'number' || right.unit?.toLowerCase() !== 'ulp') return null;
  const sides = differenceOf(left);
  if (ctx.claim?.semantics === 'real')
    return failTerm(ctx, 'PV-4012', link.range, 'a claim over the reals has no units of float32');
  if (sides === null || (link.operator !== '≤' && link.operator !== '<')) {
    return failTerm(ctx, 'PV-4012', link.range, 'ULP measures a difference: |a - b| ≤ 4 ULP');
  }
  const bound = ctx.elaborate({ ...right, unit: null }, scope);
  const values = [ctx.elaborate(sides[0], scope), ctx.elaborate(sides[1], scope), bound];
  const fn = link.operator === '≤' ? 'less-equal' : 'less';
  return forAllElements(ctx, values, link.range, ([a, b, limit]) =>
    call(fn, call('ulp-distance', a ?? integer(0), b ?? integer(0)), limit ?? integer(0)),
  );
}

/** The operands of `|a - b|`; null for any other expression. */
export function differenceOf(expression: Expression): readonly [Expression, Expression] | null {
  if (expression.kind !== 'absolute' || expression.operand.kind !== 'binary' || expression.operand.operator !== '-')
    return null;
  return [expression.operand.left, expression.operand.right];
}

/** `a ≈ b`, `|a - b| ≤ ε`, and other comparisons that mention ε; null if the tolerance plays no part. */
function toleranced(ctx: Context, link: Link, scope: Scope): Term | null {
  if (link.operator === '≈') return approximate(ctx, ...withIdentity(ctx, link.left, link.right, scope), link.range);
  const isTolerance = (name: string): boolean => lookup(scope, name)?.kind === 'tolerance';
  const onLeft = mentions(link.left, isTolerance);
  const onRight = mentions(link.right, isTolerance);
  if (!onLeft && !onRight) return null;
  const sides = differenceOf(link.left);
  if (sides && link.right.kind === 'name' && isTolerance(link.right.text)) {
    use(ctx, link.right.range);
    const [a, b] = withIdentity(ctx, ...sides, scope);
    if (link.operator === '≤') return approximate(ctx, a, b, link.range);
    if (link.operator === '<') return strictlyWithin(ctx, a, b, link.range);
  }
  return withEpsilon(ctx, link, scope, onLeft ? link.left : link.right);
}

function approximate(ctx: Context, a: Value, b: Value, range: Range): Term {
  checkDifferent(ctx, a, b, range);
  return forAllElements(ctx, [a, b], range, ([x, y]) => {
    const allowed = y && allowedFrom(ctx, y, range);
    return x && y && allowed
      ? withOrigin(call('approximately', x, roundedOverflow(ctx, y), allowed), range)
      : integer(0);
  });
}

/** `|a - b| < ε` keeps its strictness: a difference of exactly ε breaks it. */
function strictlyWithin(ctx: Context, a: Value, b: Value, range: Range): Term {
  checkDifferent(ctx, a, b, range);
  return forAllElements(ctx, [a, b], range, ([x, y]) => {
    const allowed = y && allowedFrom(ctx, y, range);
    return x && y && allowed
      ? withOrigin(call('less', call('absolute', call('subtract', x, y)), allowed), range)
      : integer(0);
  });
}

/** ε in any other place is the allowed difference from its side, with ε = 0 there. */
function withEpsilon(ctx: Context, link: Link, scope: Scope, side: Expression): Term {
  const { claim } = ctx;
  if (claim === null) return integer(0);
  const relative = claim.tolerance !== null && isRelative(claim.tolerance);
  claim.epsilon = integer(0);
  const base = relative ? ctx.elaborate(side, scope) : null;
  claim.epsilon = base?.kind === 'scalar' ? allowedFrom(ctx, base.term, link.range) : absoluteAllowed(ctx, link.range);
  const term = compareLink(ctx, link, scope);
  claim.epsilon = null;
  return term;
}

/** Relations in which nothing is to itself. */
const distinguishing = new Set<RelationOperator>(['≠', '<', '>']);

/** `a op b` for every element. */
function compare(ctx: Context, operator: RelationOperator, a: Value, b: Value, range: Range): Term {
  if (operator === '≈')
    return failTerm(ctx, 'PV-4011', range, '≈ needs a tolerance, which only a claim has', 'use = or ≤ here');
  const fn = numericRelations[operator];
  if (!fn) {
    giveUp(ctx, range, `pv has no executable meaning for ${operator}`);
    return integer(0);
  }
  if (ctx.problem) return integer(0);
  // `f(x) ≠ f(x)` fails: it is false, and runs.
  if (!distinguishing.has(operator)) checkDifferent(ctx, a, b, range);
  if (fn === 'not-equal' && (a.kind === 'tensor' || b.kind === 'tensor')) {
    return call(
      'not',
      forAllElements(ctx, [a, b], range, ([x, y]) => equality(ctx, 'equal', x, y, range)),
    );
  }
  return forAllElements(ctx, [a, b], range, ([x, y]) => withOrigin(equality(ctx, fn, x, y, range), range));
}

function equality(ctx: Context, fn: FunctionName, a: Term | undefined, b: Term | undefined, range: Range): Term {
  if (!a || !b) return integer(0);
  const [left, right] = [elementTypeOf(a.type), elementTypeOf(b.type)];
  if (isNumeric(left) && isNumeric(right)) return call(fn, a, b);
  const comparable = left.kind === right.kind && (fn === 'equal' || fn === 'not-equal');
  if (!comparable)
    return failTerm(
      ctx,
      'PV-4003',
      range,
      `these cannot be compared: ${valueText(scalar(a))} and ${valueText(scalar(b))}`,
    );
  if (left.kind !== 'boolean') return call(fn, a, b);
  return call(fn === 'equal' ? 'iff' : 'xor', a, b);
}

const listHint = 'compare with a list in a falsification test that gives the inputs (given: "x = [1, 2]")';

/** `test` of the elements at each index; numbers are the same at every index. */
function forAllElements(
  ctx: Context,
  values: readonly Value[],
  range: Range,
  test: (elements: readonly Term[]) => Term,
): Term {
  if (ctx.problem) return integer(0);
  let shape: readonly Term[] = [];
  const same: Term[] = [];
  for (const value of sequencesLast(values)) {
    if (value.kind === 'family')
      return failTerm(
        ctx,
        'PV-4006',
        range,
        `${value.name} must be indexed here: nothing says how far its indices run`,
      );
    if (value.kind !== 'tensor') continue;
    const lengths = lengthsOf(shape, value);
    if (lengths) {
      same.push(withOrigin(call('equal', ...lengths), range));
      continue;
    }
    const differ = shape.length > 0 && !equalShapes(ctx, shape, value.shape);
    const common = differ ? listedShape(ctx, shape, value.shape, range) : value.shape;
    if (common === null) {
      const message = `${values.map(valueText).join(' and ')} do not compare: their shapes differ`;
      const lists = values.some((one) => one.kind === 'tensor' && one.shape.every((size) => size.kind === 'number'));
      return failTerm(ctx, 'PV-4007', range, message, lists && ctx.claim ? listHint : null);
    }
    shape = common;
  }
  const elementOf = (value: Value, at: readonly Term[]): Term =>
    value.kind === 'tensor' ? value.at(at) : value.kind === 'scalar' ? value.term : integer(0);
  if (shape.length === 0) return test(values.map((value) => elementOf(value, [])));
  const { body, binders } = overAxes(ctx, shape, (at) => test(values.map((value) => elementOf(value, at))));
  return conjunction([...same, reduce('all', binders, body)]);
}

/** For a sequence compared with a vector or another sequence, the two lengths, which must be equal in a run; else null. */
function lengthsOf(shape: readonly Term[], value: Value): readonly [Term, Term] | null {
  const [known, more] = shape;
  const [own] = isSequenceValue(value) ? value.shape : [];
  return known && !more && own && !sameSize(known, own) ? [known, own] : null;
}

function sequencesLast(values: readonly Value[]): readonly Value[] {
  return [...values.filter((value) => !isSequenceValue(value)), ...values.filter(isSequenceValue)];
}

/** A comparison of a value with itself can never fail, so it says nothing. */
function checkDifferent(ctx: Context, a: Value, b: Value, range: Range): void {
  // Types decide what is said of shapes.
  if (ctx.claim === null || ctx.claim.asksShapes || ctx.problem || a.kind === 'family' || b.kind === 'family') return;
  if (a.kind === 'scalar' && b.kind === 'scalar' && freeVariables(a.term).size === 0) return;
  if (probeKey(ctx, a) !== probeKey(ctx, b)) return;
  fail(
    ctx,
    'PV-4013',
    range,
    'both sides are the same, so nothing could make this fail',
    'compare with something computed in another way, such as the reference: f(x) ≈ f_ref(x)',
  );
}

/** The key of the value, or of its element at arbitrary indices. */
function probeKey(ctx: Context, value: Exclude<Value, { kind: 'family' }>): string {
  if (value.kind === 'scalar') return termKey(value.term);
  if (value.whole) return termKey(value.whole);
  const indices = value.shape.map((_, axis): Term => ({
    kind: 'variable',
    name: `probe:${axis}`,
    type: { kind: 'integer' },
    origin: null,
  }));
  const outside = ctx.frames;
  const [root] = outside;
  ctx.frames = root ? [...outside, openFrame('sealed')] : outside;
  const key = termKey(inFrame(ctx, openFrame('sealed'), () => value.at(indices)));
  ctx.frames = outside;
  return key;
}
