import { boundTerms } from '../../../math/term/bound-terms.ts';
import { call, integer } from '../../../math/term/build.ts';
import type { Bound } from '../../../math/domain.ts';
import { integerValue } from '../../../math/term/fold.ts';
import { termKey } from '../../../math/term/term-key.ts';
import type { ScalarType, Term } from '../../../math/term/term.ts';
import { isNumeric } from '../../../math/term/types.ts';

/** An input whose ends later statements may still narrow. */
export interface Narrowable {
  readonly element: ScalarType;
  lower: Bound | null;
  upper: Bound | null;
  /** Values that it cannot take. */
  excluded: readonly Term[];
}

/**
 * Narrows one end of an input to what `next` allows too: to the tighter of two numbers, else to the minimum or maximum of the two terms.
 * An open and a closed end together are closed without the open one's values: `y ≤ 4, y < x` is `y ≤ min(4, x), y ≠ x`, which keeps y = 4.
 */
export function narrowEnd(input: Narrowable, end: 'lower' | 'upper', next: Bound | null): void {
  const [sign, both] = end === 'lower' ? ([1, 'maximum'] as const) : ([-1, 'minimum'] as const);
  const { bound, excluded } = together(input[end], next, sign, both, input.element);
  input[end] = bound;
  const known = new Set(input.excluded.map(termKey));
  input.excluded = [...input.excluded, ...excluded.filter((value) => !known.has(termKey(value)))];
}

interface Together {
  readonly bound: Bound | null;
  /** Values that an open bound excludes and `bound` does not. */
  readonly excluded: readonly Term[];
}

/** Bounds that cannot be ordered keep the newer one; whole numbers are closed first. */
function together(
  old: Bound | null,
  next: Bound | null,
  sign: 1 | -1,
  both: 'maximum' | 'minimum',
  element: ScalarType,
): Together {
  if (old === null || next === null) return { bound: old ?? next, excluded: [] };
  const [a, b] = [numberOf(old.value), numberOf(next.value)];
  if (a !== null && b !== null) {
    const isNext = a === b ? !old.open : (b - a) * sign > 0;
    return { bound: isNext ? next : old, excluded: [] };
  }
  if (!isNumeric(old.value.type) || !isNumeric(next.value.type)) return { bound: next, excluded: [] };
  const ends =
    element.kind === 'integer' && old.open !== next.open ? [closed(old, sign), closed(next, sign)] : [old, next];
  const terms = new Map(ends.flatMap(({ value }) => boundTerms(value, both)).map((term) => [termKey(term), term]));
  const value = [...terms.values()].reduce((one, other) => call(both, one, other));
  const open = ends.every((bound) => bound.open);
  const excluded = open ? [] : ends.flatMap((bound) => (bound.open ? boundTerms(bound.value, both) : []));
  return { bound: { value, open }, excluded };
}

/** `s < v` as `s ≤ v - 1`, where `v` is a whole number; `s` is one. */
function closed({ value, open }: Bound, sign: 1 | -1): Bound {
  if (!open || value.type.kind !== 'integer') return { value, open };
  return { value: call(sign === 1 ? 'add' : 'subtract', value, integer(1)), open: false };
}

/** The value of a literal, with its sign, else null. */
export function numberOf(term: Term): number | null {
  if (term.kind === 'number') return Number(term.value);
  const [operand] = term.kind === 'call' && term.fn === 'negate' ? term.arguments : [];
  return operand?.kind === 'number' ? -Number(operand.value) : (integerValue(term) ?? null);
}
