/**
 * A kernel that runs once per index: `RMSNorm(X_t)` is one run for every t, and its output has an axis for t in front.
 *
 * All runs of one application are independent of each other; what does not depend on the index is the same for every run.
 */
import { element, integer, tabulate, variable } from '../../../math/term/build.ts';
import { integerValue } from '../../../math/term/fold.ts';
import { INTEGER, type IndexBinder, type Term } from '../../../math/term/term.ts';
import { freeVariables, substitute } from '../../../math/term/traverse.ts';
import { elementTypeOf, makeType, shapeOf } from '../../../math/term/types.ts';
import type { Context } from '../context/context.ts';
import { indexTerm } from '../operators/binders.ts';
import type { IndexVariable } from '../context/scope.ts';
import type { Value } from '../context/value.ts';
import { scalar, tensor } from '../context/values.ts';

/** The indices that a kernel runs over, outermost first. */
export interface MappedOver {
  readonly indices: readonly IndexVariable[];
  /** The range of each, from 0. */
  readonly sizes: readonly Term[];
}

/** The bound indices that `terms` mention, in the order in which they were opened. */
export function boundIndices(ctx: Context, terms: readonly Term[]): readonly IndexVariable[] {
  const free = new Set(terms.flatMap((term) => [...freeVariables(term)]));
  return [...ctx.indices.values()].filter(({ name }) => free.has(name));
}

/** The ranges of `indices`, or the first index whose range is not known here or does not start at 0. */
export function mappedOver(indices: readonly IndexVariable[]): MappedOver | { readonly unknown: IndexVariable } {
  const sizes: Term[] = [];
  for (const index of indices) {
    const size = index.to ?? index.declared ?? index.inferred?.size ?? null;
    if (size === null || (index.from !== null && integerValue(index.from) !== 0)) return { unknown: index };
    sizes.push(size);
  }
  return { indices, sizes };
}

/** Whether `term` differs at every index. */
export function isMapped({ indices }: MappedOver, term: Term): boolean {
  const free = freeVariables(term);
  return indices.some(({ name }) => free.has(name));
}

/** The tensor of `term` at each index: the axes of the indices, then its own. */
export function overIndices(ctx: Context, { indices, sizes }: MappedOver, term: Term): Term {
  const leading = indices.map(({ written }, i): IndexBinder => ({
    name: ctx.fresh(written),
    from: integer(0),
    to: sizes[i] ?? integer(0),
  }));
  const renamed = substitute(
    term,
    new Map(indices.map(({ name }, i) => [name, variable(leading[i]?.name ?? name, INTEGER)])),
    ctx.fresh,
  );
  if (renamed.kind === 'tabulate')
    return tabulate([...leading, ...renamed.binders], renamed.body, elementTypeOf(term.type));
  const own = shapeOf(term.type).map((size): IndexBinder => ({ name: ctx.fresh('i'), from: integer(0), to: size }));
  const read =
    own.length === 0
      ? renamed
      : element(
          renamed,
          own.map(({ name }) => variable(name, INTEGER)),
        );
  return tabulate([...leading, ...own], read, elementTypeOf(term.type));
}

/** The output of one run: `output` is the variable for all of them. */
export function outputHere({ indices, sizes }: MappedOver, output: Term): Value {
  const places = indices.map(indexTerm);
  const shape = shapeOf(output.type).slice(sizes.length);
  const at = (own: readonly Term[]): Term => element(output, [...places, ...own]);
  return shape.length === 0 ? scalar(at([])) : tensor(elementTypeOf(output.type), shape, at);
}

/** The type of all outputs, if one run returns `type`. */
export function mappedType({ sizes }: MappedOver, type: Term['type']): Term['type'] {
  return makeType(elementTypeOf(type), [...sizes, ...shapeOf(type)]);
}
