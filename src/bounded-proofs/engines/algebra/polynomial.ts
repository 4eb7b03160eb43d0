/** Sparse polynomials over numbered atoms with rational coefficients; exponents may be negative (Laurent polynomials). */
import {
  addRational,
  compareRational,
  divideRational,
  multiplyRational,
  negateRational,
  ONE,
  ZERO,
  type Rational,
} from '../../../numeric/rational.ts';
import { commonFactor, multiplyMonomials, powerOfMonomial, UNIT, type Monomial } from './monomial.ts';
import { weighed, type Effort } from './effort.ts';

/** One summand. */
export interface PolynomialTerm {
  readonly monomial: Monomial;
  /** Not zero. */
  readonly coefficient: Rational;
}

/** By the key of the monomial; empty is 0. */
export type Polynomial = ReadonlyMap<string, PolynomialTerm>;

const NOTHING: Polynomial = new Map();

/** The polynomial `value`; empty for 0. */
export function constantPolynomial(value: Rational): Polynomial {
  return termPolynomial(UNIT, value);
}

/** The polynomial `coefficient·monomial`; empty if the coefficient is 0. */
export function termPolynomial(monomial: Monomial, coefficient: Rational = ONE): Polynomial {
  return coefficient.numerator === 0n ? NOTHING : new Map([[monomial.key, { monomial, coefficient }]]);
}

/** The number that the polynomial is, or null. */
export function constantValue(a: Polynomial): Rational | null {
  if (a.size === 0) return ZERO;
  const only = a.size === 1 ? a.get(UNIT.key) : undefined;
  return only?.coefficient ?? null;
}

/** The sum. Spends effort in proportion to the number of terms. */
export function addPolynomials(a: Polynomial, b: Polynomial, effort: Effort): Polynomial {
  if (a.size < b.size) return addPolynomials(b, a, effort);
  if (b.size === 0) return a;
  effort.spend(a.size + b.size);
  const sum = new Map(a);
  for (const [key, term] of b) accumulate(sum, key, term, effort);
  return sum;
}

/** The sum of many, in time proportional to all their terms together. */
export function sumPolynomials(parts: readonly Polynomial[], effort: Effort): Polynomial {
  const sum = new Map<string, PolynomialTerm>();
  for (const part of parts) {
    effort.spend(part.size);
    for (const [key, term] of part) accumulate(sum, key, term, effort);
  }
  return sum;
}

function accumulate(sum: Map<string, PolynomialTerm>, key: string, term: PolynomialTerm, effort: Effort): void {
  const known = sum.get(key);
  if (!known) {
    sum.set(key, term);
    return;
  }
  const coefficient = weighed(addRational(known.coefficient, term.coefficient), effort);
  if (coefficient.numerator === 0n) sum.delete(key);
  else sum.set(key, { monomial: term.monomial, coefficient });
}

/** The polynomial with all coefficients negated. */
export function negatePolynomial(a: Polynomial): Polynomial {
  return new Map(
    [...a].map(([key, { monomial, coefficient }]) => [key, { monomial, coefficient: negateRational(coefficient) }]),
  );
}

function scalePolynomial(a: Polynomial, factor: Rational, effort: Effort): Polynomial {
  if (factor.numerator === 0n) return NOTHING;
  if (compareRational(factor, ONE) === 0) return a;
  return new Map(
    [...a].map(([key, { monomial, coefficient }]) => [
      key,
      { monomial, coefficient: weighed(multiplyRational(coefficient, factor), effort) },
    ]),
  );
}

/** The product. Spends effort in proportion to the product of the numbers of terms. */
export function multiplyPolynomials(a: Polynomial, b: Polynomial, effort: Effort): Polynomial {
  const [one] = a.size === 1 ? a.values() : [];
  const [other] = b.size === 1 ? b.values() : [];
  if (one && one.monomial.key === '') return scalePolynomial(b, one.coefficient, effort);
  if (other && other.monomial.key === '') return scalePolynomial(a, other.coefficient, effort);
  effort.spend(2 * a.size * b.size);
  const product = new Map<string, PolynomialTerm>();
  for (const left of a.values())
    for (const right of b.values()) {
      const monomial = multiplyMonomials(left.monomial, right.monomial);
      const coefficient = weighed(multiplyRational(left.coefficient, right.coefficient), effort);
      accumulate(product, monomial.key, { monomial, coefficient }, effort);
    }
  return product;
}

/** A polynomial as coefficient · monomial · primitive part; equal up to such a factor means equal primitive parts. */
export interface Primitive {
  readonly coefficient: Rational;
  readonly monomial: Monomial;
  /** Its first term by key has coefficient 1, and no atom divides all terms. */
  readonly primitive: Polynomial;
  /** Equal for equal primitive parts. */
  readonly key: string;
}

/** The polynomial is not 0. */
export function primitivePart(a: Polynomial): Primitive {
  const monomial = commonFactor([...a.values()].map((term) => term.monomial));
  const inverse = powerOfMonomial(monomial, -1);
  const shifted = [...a.values()].map((term) => ({
    monomial: multiplyMonomials(term.monomial, inverse),
    coefficient: term.coefficient,
  }));
  shifted.sort((x, y) => (x.monomial.key < y.monomial.key ? -1 : x.monomial.key > y.monomial.key ? 1 : 0));
  const coefficient = shifted[0]?.coefficient ?? ONE;
  const terms = shifted.map((term) => ({
    monomial: term.monomial,
    coefficient: divideRational(term.coefficient, coefficient),
  }));
  return {
    coefficient,
    monomial,
    primitive: new Map(terms.map((term) => [term.monomial.key, term])),
    key: terms.map(printTerm).join('+'),
  };
}

/** Equal for equal polynomials. */
export function polynomialKey(a: Polynomial): string {
  return [...a.values()].map(printTerm).toSorted().join('+');
}

function printTerm({ monomial, coefficient }: PolynomialTerm): string {
  return `${coefficient.numerator}/${coefficient.denominator}*${monomial.key}`;
}
