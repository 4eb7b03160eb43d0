/** Indexing of values: `A_ij`, `A[i, :]`, `σ(x)_i`, with the inference of index ranges. */
import { call, integer } from '../../../math/term/build.ts';
import type { Range } from '../../../diagnostics/source.ts';
import type { Term } from '../../../math/term/term.ts';
import { integerValue } from '../../../math/term/fold.ts';
import { partsOf } from '../../../math/term/traverse.ts';
import { constantSize } from '../../../math/term/sizes.ts';
import type { Expression, IndexItem } from '../../../math/notation/syntax.ts';
import { countFrom, integerTerm, stays, suggestRange, useIndex, type Leaving } from './binders.ts';
import { countsNumbersFromOne, useFromOne } from './from-one.ts';
import { fail, type Context } from '../context/context.ts';
import { splitIndexName } from '../context/names.ts';
import type { Scope } from '../context/scope.ts';
import type { TensorValue, Value } from '../context/value.ts';
import { rankOf, scalar, tensor, valueText } from '../context/values.ts';

/** One resolved index: a place, or a part of an axis that remains. */
type Selector =
  | { readonly kind: 'at'; readonly term: Term; readonly range: Range }
  | { readonly kind: 'slice'; readonly from: Term; readonly to: Term | null };

/** `value` at the written indices; with fewer indices than axes, the last axes remain. `shown` is the text of the value. */
export function indexValue(
  ctx: Context,
  value: Value,
  items: readonly IndexItem[],
  scope: Scope,
  place: { readonly range: Range; readonly shown: string },
): Value {
  if (ctx.problem) return value;
  const axes = rankOf(value);
  if (items.length > axes) {
    return fail(
      ctx,
      'PV-4005',
      place.range,
      `${place.shown} has ${axes === 0 ? 'no axis' : axes === 1 ? 'one axis' : `${axes} axes`} (${valueText(value)}) and ${items.length} ${items.length === 1 ? 'index' : 'indices'} here`,
    );
  }
  const selectors = items.map((item) => selectorOf(ctx, item, scope));
  if (value.kind === 'family') return value.at(selectors.map((s) => (s.kind === 'at' ? s.term : s.from)));
  if (value.kind === 'scalar') return value;
  const leaving = selectors.map((selector, axis) =>
    selector.kind === 'at' ? checkPlace(ctx, value, axis, selector, place.shown) : stays,
  );
  return select(
    value,
    selectors.map((selector, axis) => countedFromZero(selector, leaving[axis] ?? stays)),
    leaving.some(({ mayLeave }) => mayLeave) ? watched(ctx, selectors, leaving, place) : null,
  );
}

/** The variables of an index, except those that index another array in it, as in `μ_{c_i}`. */
function countingVariables(term: Term): readonly string[] {
  if (term.kind === 'variable') return [term.name];
  return term.kind === 'element' ? [] : partsOf(term).flatMap(countingVariables);
}

function countedFromZero(selector: Selector, { base }: Leaving): Selector {
  return selector.kind === 'at' && base === 1
    ? { ...selector, term: call('subtract', selector.term, integer(1)) }
    : selector;
}

/** Registers the read for checkReads; returns the origin by which its terms are known there. */
function watched(
  ctx: Context,
  selectors: readonly Selector[],
  leaving: readonly Leaving[],
  { range, shown }: { readonly range: Range; readonly shown: string },
): Range {
  const origin: Range = { ...range };
  const indices = selectors.map((selector) => (selector.kind === 'at' ? selector.range : range));
  const problem = leaving.find((axis) => axis.problem !== null)?.problem ?? null;
  ctx.reads.set(origin, { text: ctx.text, shown, range, indices, problem });
  return origin;
}

/** The items of a subscript: a text such as `ij` is split into its letters, and one character per axis (`10`, `0c`) into its characters. */
export function subscriptItems(items: readonly IndexItem[], scope: Scope, axes: number): readonly IndexItem[] {
  return items.flatMap((item): readonly IndexItem[] => {
    if (item.kind !== 'at' || (item.value.kind !== 'name' && item.value.kind !== 'number')) return [item];
    const { value } = item;
    const written: Extract<Expression, { kind: 'name' }> =
      value.kind === 'name' ? value : { kind: 'name', text: value.value, range: value.range };
    if (value.kind === 'number' && !/^\d+$/.test(value.value)) return [item];
    return splitIndexName(written, scope, new Set(), items.length === 1 ? axes : 0).map(at);
  });
}

/** One position along an axis, as opposed to a slice. */
export function at(value: Expression): IndexItem {
  return { kind: 'at', value };
}

function selectorOf(ctx: Context, item: IndexItem, scope: Scope): Selector {
  if (item.kind === 'at')
    return { kind: 'at', term: integerTerm(ctx, item.value, scope, 'an index'), range: item.value.range };
  const from = item.from ? integerTerm(ctx, item.from, scope, 'the start of a slice') : integer(0);
  const to = item.to ? integerTerm(ctx, item.to, scope, 'the end of a slice') : null;
  return { kind: 'slice', from, to: to && item.inclusive ? call('add', to, integer(1)) : to };
}

function checkPlace(
  ctx: Context,
  value: TensorValue,
  axis: number,
  selector: Extract<Selector, { kind: 'at' }>,
  shown: string,
): Leaving {
  const size = value.shape[axis] ?? integer(0);
  const { term } = selector;
  if (value.fromOne?.[axis] === true) {
    const indices = countingVariables(term).flatMap((name) => ctx.indices.get(name) ?? []);
    return useFromOne(ctx, { term, size, shown, range: selector.range }, indices);
  }
  const index = term.kind === 'variable' ? ctx.indices.get(term.name) : undefined;
  if (index) {
    const shownBy = value.shape.length === 1 ? `the axis of ${shown}` : `axis ${axis + 1} of ${shown}`;
    return useIndex(ctx, index, size, shownBy, selector.range);
  }
  const place = integerValue(term);
  const length = constantSize(size);
  if (place !== null && countsNumbersFromOne(ctx, place, size, selector.range))
    return useFromOne(ctx, { term, size, shown, range: selector.range }, []);
  if (place !== null && (place < 0 || (length !== null && place >= length))) {
    fail(
      ctx,
      'PV-4005',
      selector.range,
      `index ${place} is outside axis ${axis + 1} of ${shown}${length === null ? '' : `, which has ${length} elements`}`,
      'indices count from 0',
    );
    return stays;
  }
  for (const name of countingVariables(term)) {
    const inside = ctx.indices.get(name);
    if (inside && inside.from !== null && integerValue(inside.from) === 1) countFrom(ctx, inside, 0, selector.range);
  }
  suggestRange(ctx, term, size);
  // A claim about one element applies to inputs that have it.
  return { ...stays, mayLeave: place === null || ctx.claim === null };
}

function select(value: TensorValue, selectors: readonly Selector[], origin: Range | null): Value {
  const rest = value.shape.slice(selectors.length);
  const kept: Term[] = [];
  selectors.forEach((selector, axis) => {
    if (selector.kind === 'slice')
      kept.push(call('subtract', selector.to ?? value.shape[axis] ?? integer(0), selector.from));
  });
  const shape = [...kept, ...rest];
  const place = (indices: readonly Term[]): Term => {
    let next = 0;
    const full = selectors.map((s) => (s.kind === 'at' ? s.term : call('add', indices[next++] ?? integer(0), s.from)));
    const read = value.at([...full, ...indices.slice(next)]);
    return origin === null || read.kind !== 'element' ? read : { ...read, origin };
  };
  return shape.length === 0 ? scalar(place([])) : tensor(value.element, shape, place);
}
