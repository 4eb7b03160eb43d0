import { boundTerms } from '../../math/bound-terms.ts';
import { call, integer } from '../../math/build.ts';
import type { Bound } from '../../math/domain.ts';
import { integerValue } from '../../math/fold.ts';
import { termKey } from '../../math/term-key.ts';
import type { ScalarType, Term } from '../../math/term.ts';
import { isNumeric } from '../../math/types.ts';

/**
 * The bound of an input of type `element` that allows what both allow: the tighter of two numbers, else the minimum or
 * maximum of the two terms. `sign` is 1 for lower bounds. An open and a closed bound together are open, which takes the
 * end itself from real inputs; those of whole numbers are closed first. What is not ordered keeps the newer bound.
 */
export function tighter(old: Bound | null, next: Bound | null, sign: 1 | -1, element: ScalarType): Bound | null {
  if (old === null || next === null) return old ?? next;
  const [a, b] = [numberOf(old.value), numberOf(next.value)];
  if (a !== null && b !== null) {
    if (a === b) return old.open ? old : next;
    return (b - a) * sign > 0 ? next : old;
  }
  if (!isNumeric(old.value.type) || !isNumeric(next.value.type)) return next;
  const [left, right] =
    element.kind === 'integer' && old.open !== next.open ? [closed(old, sign), closed(next, sign)] : [old, next];
  const both = sign === 1 ? 'maximum' : 'minimum';
  const terms = new Map(
    [left, right].flatMap(({ value }) => boundTerms(value, both)).map((term) => [termKey(term), term]),
  );
  const value = [...terms.values()].reduce((one, other) => call(both, one, other));
  return { value, open: left.open || right.open };
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
