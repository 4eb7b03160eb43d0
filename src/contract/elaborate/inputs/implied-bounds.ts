/**
 * What bounds between inputs imply for the earlier one: in `0 ≤ a ≤ b ≤ 1`, a is at most 1. Inputs are drawn in order, each
 * between bounds that may mention earlier ones, so without this most draws of a would leave no value for b.
 */
import { call, decimal, integer } from '../../../math/term/build.ts';
import type { Bound, InputVariable } from '../../../math/domain.ts';
import { termKey } from '../../../math/term/term-key.ts';
import type { Term } from '../../../math/term/term.ts';
import { freeVariables } from '../../../math/term/traverse.ts';
import { isNumeric } from '../../../math/term/types.ts';
import { boundTerms } from '../../../math/term/bound-terms.ts';
import { narrowEnd, numberOf, type Narrowable } from './tighter-bound.ts';

type Minima = ReadonlyMap<string, { readonly minimum: number }>;

interface Narrowed extends Narrowable, Pick<InputVariable, 'name' | 'element' | 'shape' | 'choices' | 'nonFinite'> {}

/** Narrows `inputs`, which are in an order in which each mentions only earlier ones. */
export function implyBounds(inputs: readonly Narrowed[], sizes: Minima): void {
  // Narrowing an input narrows those before it.
  for (const [at, input] of [...inputs.entries()].toReversed()) {
    if (!isNumeric(input.element) || !hasElements(input, sizes)) continue;
    for (const [earlier, one] of inputs.slice(0, at).entries()) {
      const known = new Set([...sizes.keys(), ...inputs.slice(0, earlier).map(({ name }) => name)]);
      const isDrawn = one.choices?.every((choice) => numberOf(choice) !== null) ?? true;
      const isScalar = one.shape.length === 0 && isDrawn && !one.nonFinite && isNumeric(one.element);
      if (!isScalar) continue;
      const [low, high] = [endOf(input, 'lower'), endOf(input, 'upper')];
      narrowBy(one, 'upper', { from: input.lower, to: high, without: input.excluded }, known);
      narrowBy(one, 'lower', { from: input.upper, to: low, without: input.excluded }, known);
    }
  }
}

/** The least or largest of listed numbers, unless a bound depends on other inputs. */
function endOf({ choices, ...bounds }: Narrowed, end: 'lower' | 'upper'): Bound | null {
  const bound = bounds[end];
  if (choices === null || (bound && numberOf(bound.value) === null)) return bound;
  const values = choices.map((choice) => numberOf(choice) ?? NaN);
  const value = choices[values.indexOf(end === 'lower' ? Math.min(...values) : Math.max(...values))];
  return value ? { value, open: false } : bound;
}

interface Between {
  /** The bound that may be the earlier input. */
  readonly from: Bound | null;
  /** The other end, which then bounds the earlier input too. */
  readonly to: Bound | null;
  /** Values that the later input cannot take. */
  readonly without: readonly Term[];
}

function narrowBy(
  input: Narrowed,
  end: 'lower' | 'upper',
  { from, to, without }: Between,
  known: ReadonlySet<string>,
): void {
  if (from === null || to === null) return;
  const excluded = new Set(without.map(termKey));
  const isOpen = (bound: Bound, term: Term): boolean => bound.open || excluded.has(termKey(term));
  const ends = boundTerms(to.value, end === 'lower' ? 'maximum' : 'minimum').filter((term) =>
    [...freeVariables(term)].every((name) => known.has(name)),
  );
  for (const start of boundTerms(from.value, end === 'lower' ? 'minimum' : 'maximum'))
    for (const offset of offsetFrom(input.name, start))
      for (const term of ends)
        narrowEnd(input, end, { value: moved(term, -offset), open: isOpen(from, start) || isOpen(to, term) });
}

/** `name + 1` is 1 away from it; other offsets imply nothing. */
function offsetFrom(name: string, term: Term): readonly number[] {
  if (term.kind === 'variable') return term.name === name ? [0] : [];
  if (term.kind !== 'call' || (term.fn !== 'add' && term.fn !== 'subtract')) return [];
  const [left, right] = term.arguments;
  if (left?.kind !== 'variable' || left.name !== name || right?.kind !== 'number' || !/^\d+$/.test(right.value))
    return [];
  return [term.fn === 'add' ? Number(right.value) : -Number(right.value)];
}

function moved(end: Term, by: number): Term {
  if (by === 0) return end;
  const literal = end.kind === 'number' && /^\d+$/.test(end.value) ? BigInt(end.value) + BigInt(by) : null;
  if (literal !== null) return decimal(String(literal));
  return by > 0 ? call('add', end, integer(by)) : call('subtract', end, integer(-by));
}

/** An empty tensor satisfies every bound of its elements. */
function hasElements({ shape }: Narrowed, sizes: Minima): boolean {
  return shape.every((axis) => axis.kind === 'variable' && (sizes.get(axis.name)?.minimum ?? 0) >= 1);
}
