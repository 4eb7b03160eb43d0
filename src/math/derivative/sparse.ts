/**
 * Sums of tangents in which Kronecker deltas stay visible: `{ t if i = k; 0 otherwise }`.
 *
 * A tangent is a sum whose summands are either dense (any term) or sparse (a choice whose other branch is 0). The
 * constructors here keep every sparse summand at the top, so that a sum over i meets it and becomes its one element:
 * Σ_i { t_i if i = k; 0 otherwise } = t_k. That is what makes a product with a Jacobian cost no more than the formula
 * that one would write by hand.
 */
import { boolean, call, choose, conjunction, letIn, reduce, variable } from '../term/build.ts';
import { linearIn, sameSize, simplifySize } from '../term/sizes.ts';
import type { FunctionName } from '../functions.ts';
import type { FreshName } from '../term/symbols.ts';
import { termKey } from '../term/term-key.ts';
import { INTEGER, REAL, type IndexBinder, type Term } from '../term/term.ts';
import { freeVariables, substitute } from '../term/traverse.ts';
import { isZero, zero } from '../term/zero.ts';

/** The ranges of index variables in scope. */
export type Ranges = ReadonlyMap<string, Pick<IndexBinder, 'from' | 'to'>>;

interface Sparse {
  readonly condition: Term;
  readonly then: Term;
}

/** The condition and the value of a sparse summand; null of a dense one. */
export function sparse(term: Term): Sparse | null {
  return term.kind === 'if' && isZero(term.otherwise) ? term : null;
}

/** `then` where `condition` holds and 0 elsewhere. */
export function where(condition: Term, then: Term): Term {
  if (isZero(then)) return zero;
  const own = sparse(then);
  if (own) return choose(call('and', condition, own.condition), own.then, zero, REAL);
  const [left, right] = then.kind === 'call' && hasSparse(then) ? then.arguments : [];
  if (then.kind === 'call' && left && right) return sum(then.fn, where(condition, left), where(condition, right));
  return choose(condition, then, zero, REAL);
}

/** `then` or `otherwise`; where one of them is sparse, as a sum, so that it stays visible. */
export function either(condition: Term, then: Term, otherwise: Term): Term {
  const [left, right] = [sparse(then), sparse(otherwise)];
  if (left && right && termKey(left.condition) === termKey(right.condition))
    return where(left.condition, either(condition, left.then, right.then));
  if (isZero(then) || isZero(otherwise) || hasSparse(then) || hasSparse(otherwise))
    return plus(where(condition, then), where(call('not', condition), otherwise));
  return choose(condition, then, otherwise, REAL);
}

function sum(fn: FunctionName, a: Term, b: Term): Term {
  return plus(a, fn === 'add' ? b : minus(b));
}

/** a + b; summands under one condition become one. */
export function plus(a: Term, b: Term): Term {
  if (isZero(a)) return b;
  if (isZero(b)) return a;
  const [left, right] = [sparse(a), sparse(b)];
  if (left && right && termKey(left.condition) === termKey(right.condition))
    return where(left.condition, plus(left.then, right.then));
  return b.kind === 'call' && b.fn === 'negate' && b.arguments[0]
    ? call('subtract', a, b.arguments[0])
    : call('add', a, b);
}

/** −a, inside of its sparse summands. */
export function minus(a: Term): Term {
  return mapSummands(a, (part) =>
    part.kind === 'call' && part.fn === 'negate' ? (part.arguments[0] ?? part) : call('negate', part),
  );
}

/** factor·a. `factor` is written once per summand. */
export function scale(factor: Term, a: Term): Term {
  if (isZero(factor)) return zero;
  return mapSummands(a, (part) => call('multiply', factor, part));
}

/** a / divisor. */
export function over(a: Term, divisor: Term): Term {
  return mapSummands(a, (part) => call('divide', part, divisor));
}

/** `change` of a linear kind, applied to the summands when some of them are sparse, to all at once when none is. */
function mapSummands(a: Term, change: (part: Term) => Term): Term {
  if (isZero(a)) return zero;
  const own = sparse(a);
  if (own) return where(own.condition, mapSummands(own.then, change));
  if (a.kind === 'call' && (a.fn === 'add' || a.fn === 'subtract') && hasSparse(a)) {
    const [left, right] = a.arguments;
    if (left && right) return sum(a.fn, mapSummands(left, change), mapSummands(right, change));
  }
  return change(a);
}

function hasSparse(a: Term): boolean {
  if (sparse(a)) return true;
  return a.kind === 'call' && (a.fn === 'add' || a.fn === 'subtract') && a.arguments.some(hasSparse);
}

type Lets = readonly { readonly name: string; readonly value: Term }[];

/** `lets` around `body`, inside of a condition that uses none of them. */
export function wrap(lets: Lets, body: Term): Term {
  const own = sparse(body);
  if (own) {
    const free = freeVariables(own.condition);
    if (!lets.some(({ name }) => free.has(name))) return where(own.condition, wrap(lets, own.then));
  }
  return lets.reduceRight(
    (inner, { name, value }) => (freeVariables(inner).has(name) ? letIn(name, value, inner) : inner),
    body,
  );
}

/** Σ over `binders` of `body`, where `condition` holds; `ranges` says what is known about other indices. */
export function sumOver(
  binders: readonly IndexBinder[],
  condition: Term | null,
  body: Term,
  context: { readonly ranges: Ranges; readonly fresh: FreshName },
): Term {
  if (isZero(body)) return zero;
  if (binders.length === 0) return condition ? where(condition, body) : body;
  const { lets, leaves } = summandsOf(body);
  let total: Term = zero;
  let rest: Term = zero;
  for (const leaf of leaves) {
    const reduced = withoutDelta(binders, condition, wrap(lets, leaf), context);
    if (reduced) total = plus(total, reduced);
    else rest = plus(rest, leaf);
  }
  return isZero(rest) ? total : plus(total, reduce('sum', binders, wrap(lets, rest), condition));
}

/** The summands of a sum, and the names bound around it; a dense sum is one summand. */
function summandsOf(body: Term): { readonly lets: Lets; readonly leaves: readonly Term[] } {
  const lets: { readonly name: string; readonly value: Term }[] = [];
  let core = body;
  for (; core.kind === 'let'; core = core.body) lets.push(core);
  const leaves: Term[] = [];
  const collect = (term: Term): void => {
    const [left, right] = term.kind === 'call' && hasSparse(term) ? term.arguments : [];
    if (term.kind === 'call' && left && right) {
      collect(left);
      collect(term.fn === 'add' ? right : minus(right));
    } else leaves.push(term);
  };
  collect(core);
  return { lets, leaves };
}

/** The sum over one index less, where a summand is 0 but at one value of it; null if it is not of that kind. */
function withoutDelta(
  binders: readonly IndexBinder[],
  condition: Term | null,
  summand: Term,
  context: { readonly ranges: Ranges; readonly fresh: FreshName },
): Term | null {
  const own = sparse(summand);
  if (!own) return null;
  const parts = [...conjuncts(own.condition), ...(condition ? conjuncts(condition) : [])];
  for (const part of parts) {
    for (const binder of binders) {
      const value = solvedFor(part, binder, binders);
      if (!value) continue;
      const replacement = new Map([[binder.name, value]]);
      const at = (term: Term): Term => substitute(term, replacement, context.fresh);
      const others = parts.filter((one) => one !== part).map((one) => simplified(at(one)));
      const conditions = [...inside(value, binder, context.ranges), ...others];
      const remaining = binders.filter((one) => one !== binder);
      const [inner, outer] = [
        conditions.filter((one) => mentionsAny(one, remaining)),
        conditions.filter((one) => !mentionsAny(one, remaining)),
      ];
      const body = inner.length === 0 ? at(own.then) : where(conjunction(inner), at(own.then));
      return where(conjunction(outer), sumOver(remaining, null, body, context));
    }
  }
  if (parts.some((part) => mentionsAny(part, binders))) return null;
  return where(conjunction(parts), sumOver(binders, null, own.then, context));
}

function conjuncts(term: Term): readonly Term[] {
  if (term.kind === 'call' && term.fn === 'and') return term.arguments.flatMap(conjuncts);
  return term.kind === 'boolean' && term.value ? [] : [term];
}

function mentionsAny(term: Term, binders: readonly IndexBinder[]): boolean {
  const free = freeVariables(term);
  return binders.some((binder) => free.has(binder.name));
}

/** The one value of the index that satisfies `part`, over the other indices; null if there need not be one. */
function solvedFor(part: Term, binder: IndexBinder, binders: readonly IndexBinder[]): Term | null {
  if (part.kind !== 'call' || part.fn !== 'equal') return null;
  const [left, right] = part.arguments;
  if (left?.type.kind !== 'integer' || right?.type.kind !== 'integer') return null;
  const others = binders.filter((one) => one !== binder);
  const bounds = others.flatMap((one) => [one.from, one.to]);
  const tangled =
    bounds.some((end) => freeVariables(end).has(binder.name)) ||
    mentionsAny(binder.from, others) ||
    mentionsAny(binder.to, others);
  const linear = tangled ? null : linearIn(call('subtract', left, right), binder.name);
  if (!linear || Math.abs(linear.coefficient) !== 1) return null;
  return simplifySize(linear.coefficient === 1 ? call('negate', linear.rest) : linear.rest);
}

/** `i + (k - i) - 1 < n` as `k - 1 < n`: whole numbers on both sides of a relation in normal form. */
function simplified(term: Term): Term {
  if (term.kind !== 'call' || term.arguments.some((part) => part.type.kind !== 'integer')) return term;
  return call(term.fn, ...term.arguments.map(simplifySize));
}

/** The condition that `value` is in the range of `binder`; empty if it is an index with the same range. */
function inside(value: Term, { from, to }: IndexBinder, ranges: Ranges): readonly Term[] {
  const known = value.kind === 'variable' ? ranges.get(value.name) : undefined;
  const low = known && sameSize(known.from, from);
  const high = known && sameSize(known.to, to);
  return [...(low ? [] : [call('less-equal', from, value)]), ...(high ? [] : [call('less', value, to)])];
}

/** Whether two lists of indices are equal, axis by axis. */
export function sameIndices(a: readonly Term[], b: readonly string[]): Term {
  return a.reduce<Term>((all, index, axis) => {
    const name = b[axis];
    return name === undefined ? all : call('and', all, call('equal', index, variable(name, INTEGER)));
  }, boolean(true));
}
