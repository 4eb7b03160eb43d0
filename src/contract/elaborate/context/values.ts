/** Making values and taking them apart. */
import type { Range } from '../../../diagnostics/source.ts';
import { element, integer, tabulate, variable } from '../../../math/term/build.ts';
import { INTEGER, type IndexBinder, type ScalarType, type Term } from '../../../math/term/term.ts';
import { elementTypeOf, makeType, shapeOf, typeText } from '../../../math/term/types.ts';
import { fail, type Context } from './context.ts';
import { closeBinders, isAtom, openFrame, share } from './frames.ts';
import type { ScalarValue, TensorValue, Value } from './value.ts';

/** A term as a value. */
export function scalar(term: Term): ScalarValue {
  return { kind: 'scalar', term };
}

/** The value of a term: an input, a named tensor, a number. */
export function valueOf(term: Term): ScalarValue | TensorValue {
  const shape = shapeOf(term.type);
  if (shape.length === 0) return scalar(term);
  return {
    kind: 'tensor',
    element: elementTypeOf(term.type),
    shape,
    at: (indices) => element(term, indices),
    whole: term,
  };
}

/** A tensor whose elements `at` computes. Its `whole` is null: it is materialised only where it is needed. */
export function tensor(
  elementType: ScalarType,
  shape: readonly Term[],
  at: (indices: readonly Term[]) => Term,
): TensorValue {
  return { kind: 'tensor', element: elementType, shape, at, whole: null };
}

/** The same tensor with each element changed; `element` is the type of the changed elements. */
export function mapTensor(value: TensorValue, elementType: ScalarType, change: (term: Term) => Term): TensorValue {
  const changed = tensor(elementType, value.shape, (indices) => change(value.at(indices)));
  return value.row ? { ...changed, row: true } : changed;
}

/** Sizes of the axes, outermost first; empty for scalars and families. */
export function shapeOfValue(value: Value): readonly Term[] {
  return value.kind === 'tensor' ? value.shape : [];
}

/** The number of axes or, for a family, of indices. */
export function rankOf(value: Value): number {
  return value.kind === 'tensor' ? value.shape.length : value.kind === 'family' ? value.rank : 0;
}

/** `F32^n`, `ℝ`: for messages. */
export function valueText(value: Value): string {
  if (value.kind === 'family') return `a family of numbers (${value.name})`;
  return typeText(value.kind === 'tensor' ? makeType(value.element, value.shape) : value.term.type);
}

const axisNames = ['i', 'j', 'k', 'l'] as const;

/** One element with fresh indices over the axes of `shape`, and the binders for them. */
export function overAxes(
  ctx: Context,
  shape: readonly Term[],
  body: (indices: readonly Term[]) => Term,
  tabulated = false,
): { readonly body: Term; readonly binders: readonly IndexBinder[] } {
  const binders = shape.map((size, axis): IndexBinder => ({
    name: ctx.fresh(axisNames[axis] ?? 'i'),
    from: integer(0),
    to: size,
  }));
  const frame = openFrame(
    'binder',
    binders.map((binder) => binder.name),
  );
  ctx.frames.push(frame);
  const inner = body(binders.map((binder) => variable(binder.name, INTEGER)));
  ctx.frames.pop();
  return { body: closeBinders(ctx, frame, binders, inner, tabulated), binders };
}

/** The value as one term; tensors that are still functions are tabulated. */
export function wholeTerm(ctx: Context, value: Value, range: Range): Term {
  if (value.kind === 'scalar') return value.term;
  if (value.kind === 'family') {
    fail(
      ctx,
      'PV-4006',
      range,
      `nothing says how far the indices of ${value.name} run`,
      `index it, or bound its indices: ${value.name}_k for k ∈ [0, n)`,
    );
    return integer(0);
  }
  if (value.whole) return value.whole;
  const { body, binders } = overAxes(ctx, value.shape, value.at, true);
  return tabulate(binders, body, value.element);
}

/** The value with every tensor computed once and named: for operands that are read many times. */
export function materialize(ctx: Context, value: TensorValue, range: Range, hint: string): TensorValue {
  if (value.whole && isAtom(value.whole)) return value;
  const named = valueOf(share(ctx, wholeTerm(ctx, value, range), hint));
  return named.kind === 'tensor' ? named : value;
}

/** The one scalar of a value, or a failure that says what was expected. */
export function scalarTerm(ctx: Context, value: Value, range: Range, what: string): Term {
  if (value.kind === 'scalar') return value.term;
  fail(ctx, 'PV-4003', range, `${what} must be a single number, and this is ${valueText(value)}`);
  return integer(0);
}
