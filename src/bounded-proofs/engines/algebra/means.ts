/** Products of two different sizes in terms that are subtracted, by the squares of each: a·b ≤ (a² + b²)/2. */
import { divideRational, fraction, fromFloat, multiplyRational, ONE, toFloat } from '../../../numeric/rational.ts';
import type { AtomTable } from './atoms.ts';
import type { Effort } from './effort.ts';
import { withLaws } from './laws.ts';
import { monomialOf, multiplyMonomials, UNIT, type Monomial } from './monomial.ts';
import { sumPolynomials, termPolynomial, type PolynomialTerm } from './polynomial.ts';
import { fromPolynomial, type RationalFunction } from './rational-function.ts';

const half = fraction(1n, 2n);

/**
 * Something at most as large; null if no term is such a product. `isSubtracted` identifies the terms that are nowhere positive.
 */
export function withSquares(
  { numerator, divisors }: RationalFunction,
  isSubtracted: (term: PolynomialTerm) => boolean,
  atoms: AtomTable,
  effort: Effort,
): RationalFunction | null {
  let found = false;
  const parts = [...numerator.values()].map((term) => {
    const pair = isSubtracted(term) ? oddPair(term, atoms) : null;
    if (pair === null) return termPolynomial(term.monomial, term.coefficient);
    found = true;
    return sumPolynomials(
      pair.map(({ monomial, coefficient }) => termPolynomial(monomial, multiplyRational(coefficient, half))),
      effort,
    );
  });
  if (!found) return null;
  const squared = withLaws(fromPolynomial(sumPolynomials(parts, effort)), atoms, effort);
  return squared && squared.divisors.size === 0 ? { numerator: squared.numerator, divisors } : null;
}

/** c·a·b·m as c·a²·m and c·b²·m, for the first two sizes of odd powers; c·a·m as c·t·a²·m and c/t·m, with t of about 1/√c. */
function oddPair(
  { monomial, coefficient }: PolynomialTerm,
  atoms: AtomTable,
): readonly [PolynomialTerm, PolynomialTerm] | null {
  const [a, b] = monomial.factors.filter(
    ({ atom, exponent }) => exponent > 0 && exponent % 2 === 1 && atoms.get(atom)?.law?.kind === 'size',
  );
  if (!a) return null;
  const power = (atom: number, exponent: number): Monomial => monomialOf([{ atom, exponent }]);
  const times = (more: Monomial, less: Monomial): Monomial =>
    multiplyMonomials(monomial, multiplyMonomials(more, less));
  if (b)
    return [
      { monomial: times(power(a.atom, 1), power(b.atom, -1)), coefficient },
      { monomial: times(power(a.atom, -1), power(b.atom, 1)), coefficient },
    ];
  const size = Math.abs(toFloat(coefficient));
  const weight = size > 0 && size < 1 ? fromFloat(2 ** Math.round(-Math.log2(size) / 2)) : ONE;
  return [
    { monomial: times(power(a.atom, 1), UNIT), coefficient: multiplyRational(coefficient, weight) },
    { monomial: times(power(a.atom, -1), UNIT), coefficient: divideRational(coefficient, weight) },
  ];
}
