/**
 * A case with some indices of one size left out of every tensor that has an axis of that size.
 */
import type { Case, CaseValue } from '../../math/compile/compiled.ts';
import type { DomainPlan, VariablePlan } from '../generate/domain-plan.ts';
import { allocateCase } from '../generate/generator.ts';
import { elementsOf, shapesAt, sizesAllowed, withDerivedSizes } from '../generate/sizes.ts';

/** A range of indices along one size. */
export interface Slice {
  /** Which size shrinks. */
  readonly size: number;
  readonly from: number;
  readonly count: number;
}

/** Which of `before` indices of an axis stay when it becomes `after` long; null if it would grow. */
function keptIndices(
  before: number,
  after: number,
  follows: boolean,
  sizeBefore: number,
  slice: Slice,
): readonly number[] | null {
  if (after > before) return null;
  const all = Array.from({ length: before }, (_, i) => i);
  if (after === before) return all;
  // An axis of length c · size loses c neighbours per dropped index; any other derived axis loses its end.
  const factor = follows ? 1 : before / sizeBefore;
  const scaled = Number.isInteger(factor) && after === before - factor * slice.count;
  return scaled
    ? all.filter((i) => i < factor * slice.from || i >= factor * (slice.from + slice.count))
    : all.slice(0, after);
}

function gather(
  source: Exclude<CaseValue, number | string>,
  target: Exclude<CaseValue, number | string>,
  shape: readonly number[],
  kept: readonly (readonly number[])[],
): void {
  const counts = kept.map((indices) => indices.length);
  for (let flat = 0; flat < elementsOf(counts); flat++) {
    let rest = flat;
    let offset = 0;
    let stride = 1;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const count = counts[axis] ?? 1;
      offset += (kept[axis]?.[rest % count] ?? 0) * stride;
      rest = Math.floor(rest / count);
      stride *= shape[axis] ?? 1;
    }
    target[flat] = source[offset] ?? 0;
  }
}

function copyVariable(
  variable: VariablePlan,
  value: CaseValue,
  target: CaseValue,
  context: {
    readonly before: readonly number[];
    readonly after: readonly number[];
    readonly sizeBefore: number;
    readonly slice: Slice;
  },
): CaseValue | null {
  if (typeof value !== 'object' || typeof target !== 'object') return value;
  const { before, after, sizeBefore, slice } = context;
  const kept = before.map((length, axis) =>
    keptIndices(length, after[axis] ?? length, variable.axisSizes[axis] === slice.size, sizeBefore, slice),
  );
  const complete = kept.filter((indices) => indices !== null);
  if (complete.length < kept.length) return null;
  gather(value, target, before, complete);
  return target;
}

/**
 * The smaller case; null if the sizes would not be allowed. Elements are copied, not yet fitted to bounds that depend on sizes.
 */
export function dropSlice(plan: DomainPlan, from: Case, slice: Slice): Case | null {
  const sizeBefore = from.sizes[slice.size] ?? 0;
  const sizes = withDerivedSizes(
    plan,
    from.sizes.map((size, i) => (i === slice.size ? size - slice.count : size)),
  );
  if (!sizesAllowed(plan, sizes)) return null;
  const before = shapesAt(plan, from.sizes);
  const after = shapesAt(plan, sizes);
  if (!before || !after) return null;
  const smaller = allocateCase(plan, sizes);
  for (const [i, variable] of plan.variables.entries()) {
    const copied = copyVariable(variable, from.values[i] ?? 0, smaller.values[i] ?? 0, {
      before: before[i] ?? [],
      after: after[i] ?? [],
      sizeBefore,
      slice,
    });
    if (copied === null) return null;
    smaller.values[i] = copied;
  }
  return smaller;
}
