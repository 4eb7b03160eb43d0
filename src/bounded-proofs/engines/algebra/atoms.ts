/**
 * Opaque values of the algebra: variables, roundings, machine functions, and exact functions up to the laws in `normalise.ts`.
 * Atoms are numbered by value: two with different numbers may be equal, two with the same number are.
 */
import type { Interval } from '../../../numeric/interval.ts';
import type { RationalFunction } from './rational-function.ts';

/** Powers of an atom that simplify. */
export type Law =
  /** The atom is √square. */
  | { readonly kind: 'root'; readonly square: RationalFunction }
  /** The atom is |of|, and its square is of². */
  | { readonly kind: 'size'; readonly of: number }
  /** The atom is a sine; its square is 1 − cosine². */
  | { readonly kind: 'sine'; readonly cosine: number };

/** One opaque value, with what is known about it. */
export interface Atom {
  readonly id: number;
  readonly key: string;
  /** Encloses every value on the domain of the problem. */
  readonly range: Interval;
  readonly law: Law | null;
  /** Of max{0, d₁, …}: the dᵢ. Else null. */
  readonly excesses: readonly RationalFunction[] | null;
  /** Of exp(m): the m. Else null. */
  readonly exponent: RationalFunction | null;
  /** Of log(f): the f, which is positive. Else absent. */
  readonly logarithm?: RationalFunction;
  /** A solved equation may replace it: it is a variable of the problem, or an opaque value. */
  readonly variable?: true;
}

/** The atoms of one problem, numbered in the order in which they are first seen. */
export interface AtomTable {
  /** The atom with a key; made on first sight. */
  readonly of: (key: string, make: () => Omit<Atom, 'id' | 'key'>) => Atom;
  readonly get: (id: number) => Atom | undefined;
  readonly all: () => readonly Atom[];
}

/** An empty table. */
export function atomTable(): AtomTable {
  const byKey = new Map<string, Atom>();
  const list: Atom[] = [];
  return {
    of: (key, make) => {
      const known = byKey.get(key);
      if (known) return known;
      const atom = { ...make(), id: list.length, key };
      byKey.set(key, atom);
      list.push(atom);
      return atom;
    },
    get: (id) => list[id],
    all: () => list,
  };
}
