/** Bound indices: where they range, written or inferred from the axes where they are used. */
import { call, integer, variable } from '../../../math/term/build.ts';
import type { Binder, Expression } from '../../../math/notation/syntax.ts';
import { integerValue } from '../../../math/term/fold.ts';
import { linearIn, sameSize, simplifySize } from '../../../math/term/sizes.ts';
import { INTEGER, type IndexBinder, type Term } from '../../../math/term/term.ts';
import { substitute } from '../../../math/term/traverse.ts';
import { printTerm } from '../../../math/term/print-term.ts';
import type { Range } from '../../../diagnostics/source.ts';
import { fail, failTerm, giveUp, type Context, type Problem } from '../context/context.ts';
import { inFrame, openFrame } from '../context/frames.ts';
import { use, useAll } from '../context/ledger.ts';
import { childScope, type IndexVariable, type Scope } from '../context/scope.ts';
import { isConsecutive } from '../inputs/type-expressions.ts';
import { scalarTerm } from '../context/values.ts';
import { nameRange } from '../context/syntax-parts.ts';

/** An index to bind: its name and what is written about its range. */
export interface IndexSpec {
  readonly written: string;
  readonly from: Term | null;
  readonly to: Term | null;
  readonly range: Range;
}

/** Opens an index; `declared` is the size that a codomain gives it. */
export function openIndex(ctx: Context, spec: IndexSpec, declared: Term | null = null): IndexVariable {
  const name = ctx.fresh(spec.written);
  const index: IndexVariable = { ...spec, name, declared, inferred: null, base: null, suggested: null };
  ctx.indices.set(index.name, index);
  return index;
}

/** A scope in which the indices have their written names. */
export function indexScope(scope: Scope, indices: readonly IndexVariable[]): Scope {
  return childScope(
    scope,
    indices.map((index) => [index.written, { kind: 'index', index }] as const),
  );
}

/** The index as an integer variable. */
export function indexTerm(index: IndexVariable): Term {
  return variable(index.name, INTEGER);
}

/** The binder of an index whose body has been elaborated. */
export function closeIndex(ctx: Context, index: IndexVariable): IndexBinder {
  const to = index.to ?? index.declared ?? index.inferred?.size ?? index.suggested;
  if (to === null) {
    fail(
      ctx,
      'PV-4006',
      index.range,
      `nothing says how far the index ${index.written} runs`,
      `use it as an index of an input, or bound it: ${index.written} ∈ [0, n)`,
    );
  }
  return { name: index.name, from: index.from ?? integer(0), to: to ?? integer(0) };
}

/** What is known about an index in the place of an axis. */
export interface Leaving {
  /** Whether it may be outside the axis, as far as sizes show. */
  readonly mayLeave: boolean;
  /** What to report in that case; null: the general finding. */
  readonly problem: Problem | null;
  /** What the written index counts from. */
  readonly base: 0 | 1;
}

/** The reading of an index that must remain inside its axis, counted from 0. */
export const stays: Leaving = { mayLeave: false, problem: null, base: 0 };

/** Learns from `index` used alone on an axis of `size`; a range that is written or declared may leave the axis. */
export function useIndex(ctx: Context, index: IndexVariable, size: Term, shownBy: string, range: Range): Leaving {
  if (index.to !== null) return useWritten(ctx, index, index.to, size, range);
  const known = index.declared ? { size: index.declared, shownBy: 'the codomain' } : index.inferred;
  if (known === null) {
    index.inferred = { size, shownBy };
    return stays;
  }
  if (equalSizes(ctx, known.size, size)) return stays;
  const problem: Problem = {
    kind: 'error',
    code: 'PV-4004',
    message: `${index.written} runs over ${printTerm(known.size)} (${known.shownBy}) but ${shownBy} has ${printTerm(size)}`,
    hint: `use another index, or bound ${index.written} explicitly`,
    text: ctx.text,
    range,
  };
  if (index.declared) return { ...stays, mayLeave: true, problem };
  ctx.problem ??= problem;
  return stays;
}

/** `Σ_{i=1}^{n} x_i` over n elements counts from 1. An index counts in one way only. */
function useWritten(ctx: Context, index: IndexVariable, to: Term, size: Term, range: Range): Leaving {
  const from = index.from ? integerValue(index.from) : 0;
  const base = from === 1 && endsWith(ctx, to, size) ? 1 : 0;
  if (from === 1) {
    countFrom(ctx, index, base, range);
    countAlike(ctx, { text: ctx.text, size, written: index.written, base }, range);
  }
  const inside = base === 1 || (equalSizes(ctx, to, size) && from !== null && from >= 0);
  return { ...stays, mayLeave: !inside, base };
}

/** Whether the last of a range from 1 is the size of the axis, or at most that: k of Σ_{k=1}^{n} Σ_{i=1}^{k} x_i. */
function endsWith(ctx: Context, to: Term, size: Term): boolean {
  const last = simplifySize(call('subtract', to, integer(1)));
  if (equalSizes(ctx, last, size)) return true;
  const outer = last.kind === 'variable' ? ctx.indices.get(last.name) : undefined;
  if (outer === undefined || outer.to === null || outer.from === null) return false;
  return integerValue(outer.from) === 1 && endsWith(ctx, outer.to, size);
}

/**
 * Next to Σ_{i=1}^{n} x_i, which counts from 1, Σ_{i=1}^{n-1} x_i may leave out the last element or, counted from 0, the first.
 */
export function countAlike(ctx: Context, counted: Context['fromOne'][number], range: Range): void {
  const { text, size, written, base } = counted;
  const other = ctx.fromOne.find((one) => one.text === text && one.base !== base && equalSizes(ctx, one.size, size));
  if (other)
    fail(
      ctx,
      'PV-4055',
      range,
      `${written} and ${other.written} count differently in this text: a range from 1 to ${printTerm(size)} counts from 1, and any other from 0`,
      'let both run from 0, as computed indices do: x_0 is the first element',
    );
  ctx.fromOne.push(counted);
}

/** Records what a written index counts from, everywhere. */
export function countFrom(ctx: Context, index: IndexVariable, base: 0 | 1, range: Range): void {
  if (index.base !== null && index.base !== base) {
    const { written } = index;
    fail(
      ctx,
      'PV-4025',
      range,
      `${written} counts from 1 in one place and from 0 in another`,
      `let ${written} run from 0, as computed indices do: x_0 is the first element`,
    );
  }
  index.base = base;
}

/** Learns from an index inside an expression such as 2k+1 at an axis of `size`: the largest range that stays inside. */
export function suggestRange(ctx: Context, term: Term, size: Term): void {
  for (const index of ctx.indices.values()) {
    if (index.to !== null || index.declared !== null || index.suggested !== null) continue;
    const linear = linearIn(term, index.name);
    const first = linear && integerValue(linear.rest);
    if (!linear || linear.coefficient < 1 || first === null || first < 0) continue;
    const room = call('add', call('subtract', size, linear.rest), integer(linear.coefficient - 1));
    index.suggested = simplifySize(
      call('floor-divide', simplifySize(writeOut(ctx, room)), integer(linear.coefficient)),
    );
  }
}

/** Whether two sizes are equal, derived sizes written out. */
export function equalSizes(ctx: Context, a: Term, b: Term): boolean {
  return sameSize(a, b) || (ctx.sizeDefinitions.size > 0 && sameSize(writeOut(ctx, a), writeOut(ctx, b)));
}

/** Whether two shapes have equal sizes on every axis, once definitions are written out. */
export function equalShapes(ctx: Context, a: readonly Term[], b: readonly Term[]): boolean {
  return (
    a.length === b.length &&
    a.every((size, axis) => {
      const other = b[axis];
      return other !== undefined && equalSizes(ctx, size, other);
    })
  );
}

/** A size with its definitions substituted, so that `m` and `n - k + 1` compare as equal where m is so defined. */
export function writeOut(ctx: Context, size: Term): Term {
  return ctx.sizeDefinitions.size === 0 ? size : substitute(size, ctx.sizeDefinitions, ctx.fresh);
}

/** An integer expression from which nothing may be hoisted: the end of a range, an index. */
export function integerTerm(ctx: Context, expression: Expression, scope: Scope, what: string): Term {
  const term = inFrame(ctx, openFrame('sealed'), () =>
    scalarTerm(ctx, ctx.elaborate(expression, scope), expression.range, what),
  );
  if (term.type.kind === 'integer' || ctx.problem) return term;
  return (
    wholeQuotient(term) ??
    failTerm(
      ctx,
      'PV-4003',
      expression.range,
      `${what} must be a whole number, and ${printTerm(term)} is not known to be one`,
      'use ⌊…⌋ or // where a quotient is meant',
    )
  );
}

/** `d/2` is an integer if the divisor is known to divide. */
function wholeQuotient(term: Term): Term | null {
  if (term.kind !== 'call' || term.fn !== 'divide') return null;
  const [a, b] = term.arguments;
  const whole = a?.type.kind === 'integer' && b?.type.kind === 'integer';
  return whole ? call('floor-divide', a, b) : null;
}

/** The range that a written binder states; `upper` is the `n` of Σ_{i=1}^{n}. */
export function specOf(ctx: Context, binder: Binder, upper: Expression | null, scope: Scope): IndexSpec {
  const spec = { written: binder.name, from: null, to: null, range: binder.range };
  const { bound } = binder;
  use(ctx, nameRange(binder));
  if (bound === null)
    return upper === null ? spec : { ...spec, to: after(integerTerm(ctx, upper, scope, 'the end of a range')) };
  switch (binder.relation) {
    case '=':
    case ':=':
      // `i = 0..n-1` names the last value, as `Σ_{i=0}^{n-1}` does; `i ∈ 0..n` ends before n, as slices do.
      if (bound.kind === 'span') return { ...spec, ...rangeOfSet(ctx, { ...bound, inclusive: true }, scope) };
      if (bound.kind === 'interval' || bound.kind === 'set') return { ...spec, ...rangeOfSet(ctx, bound, scope) };
      return { ...spec, from: end(ctx, bound, scope), to: upper === null ? null : after(end(ctx, upper, scope)) };
    case '<':
      return { ...spec, to: end(ctx, bound, scope) };
    case '≤':
      return { ...spec, to: after(end(ctx, bound, scope)) };
    case '≥':
      return { ...spec, from: end(ctx, bound, scope) };
    case '>':
      return { ...spec, from: after(end(ctx, bound, scope)) };
    case '∈':
      return { ...spec, ...rangeOfSet(ctx, bound, scope) };
    default:
      return spec;
  }
}

function end(ctx: Context, expression: Expression, scope: Scope): Term {
  return integerTerm(ctx, expression, scope, 'the end of a range');
}

function after(term: Term): Term {
  return call('add', term, integer(1));
}

/** `[0, n)`, `0..n`, `{0, …, n-1}`, `{0, 1}` of consecutive numbers. */
function rangeOfSet(ctx: Context, set: Expression, scope: Scope): { from: Term; to: Term } {
  if (set.kind === 'interval') {
    const from = end(ctx, set.low, scope);
    const to = end(ctx, set.high, scope);
    return { from: set.lowOpen ? after(from) : from, to: set.highOpen ? to : after(to) };
  }
  if (set.kind === 'span' && set.to) {
    const to = end(ctx, set.to, scope);
    return { from: set.from ? end(ctx, set.from, scope) : integer(0), to: set.inclusive ? after(to) : to };
  }
  const [first] = set.kind === 'set' ? set.items : [];
  const last = set.kind === 'set' ? set.items.at(-1) : undefined;
  if (set.kind === 'set' && first && last && (set.ellipsis ? isConsecutive(set.items) : set.items.length <= 2)) {
    set.items.forEach((item) => useAll(ctx, item));
    return { from: end(ctx, first, scope), to: after(end(ctx, last, scope)) };
  }
  const range = rangeCall(ctx, set);
  if (range) return rangeOfSet(ctx, range, scope);
  giveUp(ctx, set.range, 'pv binds indices over ranges such as [0, n), 0..n or {0, …, n-1}, not over this set');
  return { from: integer(0), to: integer(0) };
}

/** `range(n)` and `range(a, b)` of Python, which end before their last argument. */
function rangeCall(ctx: Context, set: Expression): Expression | null {
  if (set.kind !== 'call' || set.callee.kind !== 'name' || set.callee.text !== 'range') return null;
  const [first, second, third] = set.arguments.map(({ value }) => value);
  if (!first || third) return null;
  use(ctx, set.callee.range);
  const { range } = set;
  const zero: Expression = { kind: 'number', value: '0', unit: null, range };
  return { kind: 'span', from: second ? first : zero, to: second ?? first, inclusive: false, range };
}
