/**
 * What bounds between inputs imply for the earlier one: in `0 ≤ a ≤ b ≤ 1`, a is at most 1. Inputs are drawn in order, each
 * between bounds that may mention earlier ones, so without this most draws of a would leave no value for b.
 */
import { call, integer } from '../../math/build.ts';
import type { Bound, InputVariable } from '../../math/domain.ts';
import type { Term } from '../../math/term.ts';
import { freeVariables } from '../../math/traverse.ts';
import { isNumeric } from '../../math/types.ts';
import { boundTerms } from '../../math/bound-terms.ts';
import { tighter } from './tighter-bound.ts';

type Minima = ReadonlyMap<string, { readonly minimum: number }>;

interface Narrowed extends Pick<InputVariable, 'name' | 'element' | 'shape' | 'choices' | 'nonFinite'> {
  lower: Bound | null;
  upper: Bound | null;
}

/** Narrows `inputs`, which are in an order in which each mentions only earlier ones. */
export function implyBounds(inputs: readonly Narrowed[], sizes: Minima): void {
  // Narrowing an input narrows those before it.
  for (const [at, input] of [...inputs.entries()].toReversed()) {
    if (!isNumeric(input.element) || !hasElements(input, sizes)) continue;
    for (const [earlier, one] of inputs.slice(0, at).entries()) {
      const known = new Set([...sizes.keys(), ...inputs.slice(0, earlier).map(({ name }) => name)]);
      const isScalar = one.shape.length === 0 && one.choices === null && !one.nonFinite && isNumeric(one.element);
      if (!isScalar) continue;
      one.upper = implied(one, { from: input.lower, to: input.upper, sign: -1 }, known);
      one.lower = implied(one, { from: input.upper, to: input.lower, sign: 1 }, known);
    }
  }
}

interface Between {
  /** The bound that may be the earlier input. */
  readonly from: Bound | null;
  /** The other end, which then bounds the earlier input too. */
  readonly to: Bound | null;
  readonly sign: 1 | -1;
}

function implied(input: Narrowed, { from, to, sign }: Between, known: ReadonlySet<string>): Bound | null {
  const own = sign === 1 ? input.lower : input.upper;
  if (from === null || to === null) return own;
  const offsets = boundTerms(from.value, sign === 1 ? 'minimum' : 'maximum').flatMap((term) =>
    offsetFrom(input.name, term),
  );
  const ends = boundTerms(to.value, sign === 1 ? 'maximum' : 'minimum').filter((term) =>
    [...freeVariables(term)].every((name) => known.has(name)),
  );
  return offsets
    .flatMap((offset) => ends.map((end): Bound => ({ value: moved(end, -offset), open: from.open || to.open })))
    .reduce<Bound | null>((bound, next) => tighter(bound, next, sign, input.element), own);
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
  const literal = end.kind === 'number' && /^\d+$/.test(end.value) ? Number(end.value) + by : null;
  if (literal !== null) return integer(literal);
  return by > 0 ? call('add', end, integer(by)) : call('subtract', end, integer(-by));
}

/** An empty tensor satisfies every bound of its elements. */
function hasElements({ shape }: Narrowed, sizes: Minima): boolean {
  return shape.every((axis) => axis.kind === 'variable' && (sizes.get(axis.name)?.minimum ?? 0) >= 1);
}
