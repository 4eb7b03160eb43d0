/**
 * Polynomials of degree one in an atom of a bounded range: between the ends of the range such a polynomial lies between its
 * values at the ends, whatever the other atoms are. So it is nonnegative if it is so at both ends: α·a + (1 − α)·b for 0 ≤ α ≤
 * 1 if a and b are nonnegative.
 */
import { fromFloat, multiplyRational } from '../../../numeric/rational.ts';
import type { AtomTable } from './atoms.ts';
import type { Effort } from './effort.ts';
import { monomialOf } from './monomial.ts';
import { sumPolynomials, termPolynomial, type Polynomial } from './polynomial.ts';
import type { RationalFunction } from './rational-function.ts';

/** Atoms that are replaced by their ends, one inside the other: the cases double with each. */
const mostAtoms = 7;
/** Polynomials with more terms are not tried. */
const mostTerms = 400;

/** Whether `holds` of the function, or at both ends of some atom, or of each of these at both ends of another one, … */
export function holdsAtEnds(
  value: RationalFunction,
  atoms: AtomTable,
  effort: Effort,
  holds: (value: RationalFunction) => boolean,
): boolean {
  const look = (numerator: Polynomial, remaining: number): boolean => {
    if (holds({ numerator, divisors: value.divisors })) return true;
    if (remaining === 0 || numerator.size > mostTerms) return false;
    const chosen = linearAtom(numerator, value, atoms);
    if (chosen === null) return false;
    return chosen.ends.every((end) => look(replaced(numerator, chosen.atom, end, effort), remaining - 1));
  };
  return look(value.numerator, mostAtoms);
}

/**
 * Among the atoms of degree one with a bounded range that occur in no divisor, the one in the most terms; one that a
 * maximum is taken of comes last, since what is known about the two together is lost with it.
 */
function linearAtom(
  numerator: Polynomial,
  { divisors }: RationalFunction,
  atoms: AtomTable,
): { readonly atom: number; readonly ends: readonly [number, number] } | null {
  const uses = new Map<number, number>();
  for (const { monomial } of numerator.values())
    for (const { atom, exponent } of monomial.factors)
      uses.set(atom, exponent === 1 ? (uses.get(atom) ?? 0) + 1 : Number.NEGATIVE_INFINITY);
  for (const { polynomial } of divisors.values())
    for (const { monomial } of polynomial.values()) for (const { atom } of monomial.factors) uses.delete(atom);
  const compared = new Set<number>();
  for (const id of uses.keys())
    for (const excess of atoms.get(id)?.excesses ?? [])
      for (const { monomial } of excess.numerator.values()) for (const { atom } of monomial.factors) compared.add(atom);
  const order = (atom: number): number => (compared.has(atom) ? 1 : 0);
  for (const [atom, count] of [...uses].toSorted((a, b) => order(a[0]) - order(b[0]) || b[1] - a[1])) {
    const range = atoms.get(atom)?.range;
    if (count > 0 && range && Number.isFinite(range.low) && Number.isFinite(range.high))
      return { atom, ends: [range.low, range.high] };
  }
  return null;
}

/** The polynomial with an atom replaced by a number. */
function replaced(polynomial: Polynomial, atom: number, by: number, effort: Effort): Polynomial {
  const value = fromFloat(by);
  const parts = [...polynomial.values()].map(({ monomial, coefficient }) => {
    const others = monomial.factors.filter((factor) => factor.atom !== atom);
    return others.length === monomial.factors.length
      ? termPolynomial(monomial, coefficient)
      : termPolynomial(monomialOf(others), multiplyRational(coefficient, value));
  });
  return sumPolynomials(parts, effort);
}
