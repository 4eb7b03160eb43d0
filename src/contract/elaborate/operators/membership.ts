/** `e ∈ [0, 1]`, `e ∈ {0, 1}`, `e ∈ ℤ`, `σ(x) ∈ [0, 1]^n` as propositions. */
import { call, integer, reduce } from '../../../math/term/build.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import { printTerm } from '../../../math/term/print-term.ts';
import type { Term } from '../../../math/term/term.ts';
import { isNumeric } from '../../../math/term/types.ts';
import { equalShapes, integerTerm } from './binders.ts';
import { fail, failTerm, giveUp, type Context } from '../context/context.ts';
import type { Scope } from '../context/scope.ts';
import { isTerm, readType, useType, type WrittenBound } from '../inputs/type-expressions.ts';
import type { Value } from '../context/value.ts';
import { overAxes, scalarTerm, shapeOfValue, valueText } from '../context/values.ts';

/**
 * The proposition that `value`, elementwise if it is a tensor, is in `set`. Reports a set that has no test, or the
 * wrong shape.
 */
export function membership(ctx: Context, value: Value, set: Expression, scope: Scope): Term {
  if (ctx.problem || value.kind === 'family') return integer(0);
  const elements = set.kind === 'binary' && set.operator === '^' ? set.left : set;
  if (elements !== set && !hasShape(ctx, value, set, scope)) return integer(0);
  const type = value.kind === 'tensor' ? value.element : value.term.type;
  const test = elementTest(ctx, type.kind === 'integer' ? elements : rangeOfReals(elements), scope);
  if (test === null) return integer(0);
  const isListed = type.kind === 'string' && elements.kind === 'set';
  if (!isNumeric(type) && !isListed)
    return failTerm(
      ctx,
      'PV-4003',
      set.range,
      `pv tests the membership of numbers, and of strings in a list, and this is ${valueText(value)}`,
    );
  if (value.kind === 'scalar') return test(value.term);
  const { body, binders } = overAxes(ctx, value.shape, (at) => test(value.at(at)));
  return reduce('all', binders, body);
}

/** Whether the value has the shape that the exponent of `[0, 1]^n` says. */
function hasShape(ctx: Context, value: Exclude<Value, { kind: 'family' }>, set: Expression, scope: Scope): boolean {
  const type = readType(set);
  if (!type) return true;
  const axes = type.axes.map((axis) => integerTerm(ctx, axis, scope, 'a size'));
  if (ctx.problem || equalShapes(ctx, shapeOfValue(value), axes)) return ctx.problem === null;
  const message = `this is ${valueText(value)}, and the set is one of shape ${axes.map((axis) => printTerm(axis)).join(' × ')}`;
  fail(ctx, 'PV-4007', set.range, message, 'the exponent of a set is the shape of its members');
  return false;
}

/** `0.0..=1.0` of Rust contains every number between its ends. */
function rangeOfReals(set: Expression): Expression {
  if (set.kind !== 'span' || !set.inclusive || set.from === null || set.to === null) return set;
  return { kind: 'interval', low: set.from, high: set.to, lowOpen: false, highOpen: false, range: set.range };
}

const integerSets: ReadonlySet<string> = new Set(['ℤ', 'Z', 'ℕ', 'N']);
const realSets: ReadonlySet<string> = new Set(['ℝ', 'R', 'F32', 'F64', 'F16', 'BF16']);

function elementTest(ctx: Context, set: Expression, scope: Scope): ((term: Term) => Term) | null {
  useType(ctx, set);
  if (set.kind === 'interval') return intervalTest(ctx, set, scope);
  if (set.kind === 'set' && !set.ellipsis) {
    const items = set.items.map((item) =>
      scalarTerm(ctx, ctx.elaborate(item, scope), item.range, 'an element of a set'),
    );
    return (term) =>
      items
        .map((item) => call('equal', term, item))
        .reduce((any, next) => call('or', any, next), {
          kind: 'boolean',
          value: false,
          type: { kind: 'boolean' },
          origin: null,
        });
  }
  if (set.kind === 'name' && integerSets.has(set.text)) {
    const natural = set.text === 'ℕ' || set.text === 'N';
    return (term) => {
      const whole = call('equal', term, call('floor', term));
      return natural ? call('and', whole, call('greater-equal', term, integer(0))) : whole;
    };
  }
  if (set.kind === 'name' && realSets.has(set.text)) return (term) => call('is-finite', term);
  return boundedTest(ctx, set, scope) ?? unknownSet(ctx, set);
}

/** `ℝ_≥0`, `ℤ⁺`, `{0, …, K-1}`: a format with bounds. */
function boundedTest(ctx: Context, set: Expression, scope: Scope): ((term: Term) => Term) | null {
  const type = readType(set);
  const bound = type?.lower ?? type?.upper ?? null;
  if (type === null || bound === null || !isNumeric(type.element)) return null;
  const end = (written: WrittenBound | null): Term | null =>
    written && (isTerm(written.value) ? written.value : endOf(ctx, written.value, scope));
  const [low, high] = [end(type.lower), end(type.upper)];
  return (term) =>
    [
      ...(type.element.kind === 'integer' ? [call('equal', term, call('floor', term))] : []),
      ...(low ? [call(type.lower?.open ? 'less' : 'less-equal', low, term)] : []),
      ...(high ? [call(type.upper?.open ? 'less' : 'less-equal', term, high)] : []),
    ].reduce((all, next) => call('and', all, next));
}

function unknownSet(ctx: Context, set: Expression): null {
  giveUp(ctx, set.range, 'pv tests membership in intervals, finite sets and number sets, not in this');
  return null;
}

function endOf(ctx: Context, side: Expression, scope: Scope): Term {
  return scalarTerm(ctx, ctx.elaborate(side, scope), side.range, 'the end of an interval');
}

function intervalTest(
  ctx: Context,
  set: Extract<Expression, { kind: 'interval' }>,
  scope: Scope,
): (term: Term) => Term {
  const low = isUnbounded(set.low) ? null : endOf(ctx, set.low, scope);
  const high = isUnbounded(set.high) ? null : endOf(ctx, set.high, scope);
  return (term) => {
    const above = low ? call(set.lowOpen ? 'less' : 'less-equal', low, term) : call('is-finite', term);
    const below = high ? call(set.highOpen ? 'less' : 'less-equal', term, high) : call('is-finite', term);
    return call('and', above, below);
  };
}

function isUnbounded(side: Expression): boolean {
  return side.kind === 'infinity' || (side.kind === 'negate' && side.operand.kind === 'infinity');
}
