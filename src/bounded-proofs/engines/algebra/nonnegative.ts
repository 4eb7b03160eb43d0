/**
 * Whether a rational function of atoms is nowhere negative, as far as this can show: every term is a product of factors of
 * known sign, or interval arithmetic over the collected terms says so, or both hold at the ends of atoms' ranges.
 */
import {
  addIntervals,
  divideIntervals,
  enclose,
  magnitude,
  multiplyIntervals,
  point,
  powerInterval,
  WHOLE,
  type Interval,
} from '../../../numeric/interval.ts';
import { fraction, fromFloat, multiplyRational, type Rational } from '../../../numeric/rational.ts';
import type { AtomTable } from './atoms.ts';
import { weighed, type Effort } from './effort.ts';
import { holdsAtEnds } from './ends.ts';
import { withSquares } from './means.ts';
import { monomialOf } from './monomial.ts';
import {
  fromPolynomial,
  fromAtom,
  addFunctions,
  negateFunction,
  multiplyFunctions,
  powerFunction,
  type RationalFunction,
} from './rational-function.ts';
import { sumPolynomials, termPolynomial, type Polynomial, type PolynomialTerm } from './polynomial.ts';

/** `value ≥ 0` wherever it is defined. */
export function isNonnegative(value: RationalFunction, atoms: AtomTable, effort: Effort): boolean {
  return holdsAtEnds(
    value,
    atoms,
    effort,
    (one) => shows(one, atoms, effort) || [false, true].some((fromLast) => showsBySlack(one, atoms, effort, fromLast)),
  );
}

function shows(value: RationalFunction, atoms: AtomTable, effort: Effort): boolean {
  if (showsNonnegative(value, atoms) || rangeOfFunction(value, atoms).low >= 0) return true;
  const least = lowered(value, atoms, effort);
  if (showsNonnegative(least, atoms)) return true;
  const squared = withSquares(least, (term) => sizeOfTerm(term, atoms) < 0, atoms, effort);
  return squared !== null && signOfDivisors(value, atoms) === 1 && showsNonnegative(squared, atoms);
}

/** 1 or −1 for a term of known sign, 0 for others. */
const sizeOfTerm = (term: PolynomialTerm, atoms: AtomTable): number => signOf(new Map([['', term]]), atoms);

/**
 * Something at most as large, of fewer atoms: in terms that are subtracted, atoms that no other term has are replaced by
 * the largest value that they have. `value` itself where its divisors' sign is not known.
 */
function lowered(value: RationalFunction, atoms: AtomTable, effort: Effort): RationalFunction {
  if (signOfDivisors(value, atoms) !== 1) return value;
  const sizeOf = (term: PolynomialTerm): number => sizeOfTerm(term, atoms);
  const terms = [...value.numerator.values()];
  const kept = new Set(
    terms.filter((term) => sizeOf(term) > 0).flatMap(({ monomial }) => monomial.factors.map(({ atom }) => atom)),
  );
  const replaced = terms.map((term) => {
    if (sizeOf(term) >= 0) return termPolynomial(term.monomial, term.coefficient);
    let coefficient = term.coefficient;
    const factors = term.monomial.factors.filter(({ atom, exponent }) => {
      const law = atoms.get(atom)?.law;
      if (law?.kind === 'size' && kept.has(law.of)) return true;
      const range = atoms.get(atom)?.range ?? WHOLE;
      const most = exponent % 2 === 0 || range.low >= 0 ? magnitude(range) : Infinity;
      if (kept.has(atom) || exponent < 1 || !Number.isFinite(most)) return true;
      const factor = raised(fromFloat(most), exponent, effort);
      coefficient = weighed(multiplyRational(coefficient, factor), effort);
      return false;
    });
    return termPolynomial(monomialOf(factors), coefficient);
  });
  return { numerator: sumPolynomials(replaced, unlimited), divisors: value.divisors };
}

/** A positive integer power, by repeated squaring. */
function raised(base: Rational, exponent: number, effort: Effort): Rational {
  if (exponent === 1) return base;
  const half = raised(base, Math.floor(exponent / 2), effort);
  const square = weighed(multiplyRational(half, half), effort);
  return exponent % 2 === 0 ? square : weighed(multiplyRational(square, base), effort);
}

/** Bounded by the existing number of terms. */
const unlimited: Effort = { spend: () => undefined };

function showsNonnegative(value: RationalFunction, atoms: AtomTable): boolean {
  const divisor = signOfDivisors(value, atoms);
  return divisor !== 0 && signOf(value.numerator, atoms) * divisor >= 0 && signKnown(value.numerator, atoms);
}

/** 1 when no term is negative, −1 when none is positive, 0 for a polynomial of no terms or of unknown sign. */
function signOf(polynomial: Polynomial, atoms: AtomTable): number {
  let sign = 0;
  for (const { coefficient, monomial } of polynomial.values()) {
    let own = coefficient.numerator < 0n ? -1 : 1;
    for (const { atom, exponent } of monomial.factors) {
      const range = atoms.get(atom)?.range ?? WHOLE;
      if (exponent % 2 === 0 || range.low >= 0) continue;
      if (range.high > 0) return 0;
      own = -own;
    }
    if (sign !== 0 && own !== sign) return 0;
    sign = own;
  }
  return sign;
}

function signKnown(polynomial: Polynomial, atoms: AtomTable): boolean {
  return polynomial.size === 0 || signOf(polynomial, atoms) !== 0;
}

/** The sign of the product of all divisors; 0 when it is not known. */
function signOfDivisors({ divisors }: RationalFunction, atoms: AtomTable): number {
  let sign = 1;
  for (const { polynomial, exponent } of divisors.values()) {
    if (exponent % 2 === 0) continue;
    const range = rangeOfPolynomial(polynomial, atoms);
    const own = signOf(polynomial, atoms) || (range.low >= 0 ? 1 : range.high <= 0 ? -1 : 0);
    if (own === 0) return 0;
    sign *= own;
  }
  return sign;
}

/** Encloses the values of a rational function, from the ranges of its atoms. */
export function rangeOfFunction(value: RationalFunction, atoms: AtomTable): Interval {
  let range = rangeOfPolynomial(value.numerator, atoms);
  for (const { polynomial, exponent } of value.divisors.values())
    range = divideIntervals(range, powerInterval(rangeOfPolynomial(polynomial, atoms), exponent));
  return range;
}

function rangeOfPolynomial(polynomial: Polynomial, atoms: AtomTable): Interval {
  let sum = point(0);
  for (const { coefficient, monomial } of polynomial.values()) {
    let product = enclose(coefficient);
    for (const { atom, exponent } of monomial.factors) {
      const range = atoms.get(atom)?.range ?? WHOLE;
      const power = powerInterval(range, Math.abs(exponent));
      product = exponent < 0 ? divideIntervals(product, power) : multiplyIntervals(product, power);
    }
    sum = addIntervals(sum, product);
  }
  return sum;
}

/**
 * With slack: where v is a variable and m = max{0, …, v − w, …} an atom, v = w + m − d for some d ≥ 0. Writing v so makes max v
 * − Σ wᵢvᵢ a sum of nonnegative products. If an excess has two variables, either may be written so: the first one, or with
 * `fromLast` the last.
 */
function showsBySlack(value: RationalFunction, atoms: AtomTable, effort: Effort, fromLast: boolean): boolean {
  if (value.divisors.size > 0 && signOfDivisors(value, atoms) === 0) return false;
  let current = fromPolynomial(value.numerator);
  const replaced = new Set<number>();
  const present = new Set(
    [...value.numerator.values()].flatMap(({ monomial }) => monomial.factors.map(({ atom }) => atom)),
  );
  for (const atom of atoms.all()) {
    if (atom.excesses === null || !present.has(atom.id)) continue;
    const shared = sharedAtoms(atom.excesses);
    for (const [i, excess] of atom.excesses.entries()) {
      const variable = solvable(excess, atoms, { replaced, shared, fromLast });
      if (variable === null) continue;
      replaced.add(variable.id);
      // excess = ±v + rest = m − d, so ±v = m − d − rest.
      const slack = atoms.of(`slack ${atom.id} ${i}`, () => ({
        range: { low: 0, high: Infinity },
        law: null,
        excesses: null,
        exponent: null,
      }));
      const rest = addFunctions(
        excess,
        fromPolynomial(
          termPolynomial(monomialOf([{ atom: variable.id, exponent: 1 }]), fraction(BigInt(-variable.sign))),
        ),
        effort,
      );
      const solved = addFunctions(
        addFunctions(fromAtom(atom.id), negateFunction(fromAtom(slack.id)), effort),
        negateFunction(rest),
        effort,
      );
      const signed = variable.sign < 0 ? negateFunction(solved) : solved;
      const next = substituted(current.numerator, variable.id, signed, effort);
      if (next === null) return false;
      current = next;
    }
  }
  if (replaced.size === 0) return false;
  const whole = { numerator: current.numerator, divisors: value.divisors };
  return shows(whole, atoms, effort);
}

interface Choice {
  readonly replaced: ReadonlySet<number>;
  readonly shared: ReadonlySet<number>;
  readonly fromLast: boolean;
}

/** A variable that occurs alone in the excess with coefficient ±1, in no other term of it and in no other excess. */
function solvable(
  excess: RationalFunction,
  atoms: AtomTable,
  { replaced, shared, fromLast }: Choice,
): { readonly id: number; readonly sign: number } | null {
  if (excess.divisors.size > 0) return null;
  const terms = [...excess.numerator.values()];
  if (terms.some(({ monomial }) => monomial.factors.some(({ atom }) => replaced.has(atom)))) return null;
  for (const { monomial, coefficient } of fromLast ? terms.toReversed() : terms) {
    const [only] = monomial.factors;
    if (monomial.factors.length !== 1 || only?.exponent !== 1 || shared.has(only.atom)) continue;
    if (atoms.get(only.atom)?.variable !== true) continue;
    if (coefficient.denominator !== 1n || (coefficient.numerator !== 1n && coefficient.numerator !== -1n)) continue;
    const elsewhere = terms.filter((term) => term.monomial.factors.some(({ atom }) => atom === only.atom));
    if (elsewhere.length === 1) return { id: only.atom, sign: Number(coefficient.numerator) };
  }
  return null;
}

/** Atoms that occur in more than one of the excesses: those of the operand that all are measured from. */
function sharedAtoms(excesses: readonly RationalFunction[]): ReadonlySet<number> {
  const seen = new Set<number>();
  const shared = new Set<number>();
  for (const excess of excesses)
    for (const atom of new Set(
      [...excess.numerator.values()].flatMap(({ monomial }) => monomial.factors.map((f) => f.atom)),
    )) {
      if (seen.has(atom)) shared.add(atom);
      seen.add(atom);
    }
  return shared;
}

/** The polynomial with a variable replaced; null if the variable divides. */
function substituted(
  polynomial: Polynomial,
  variable: number,
  by: RationalFunction,
  effort: Effort,
): RationalFunction | null {
  const parts: Polynomial[] = [];
  for (const { monomial, coefficient } of polynomial.values()) {
    const factor = monomial.factors.find(({ atom }) => atom === variable);
    const rest = termPolynomial(monomialOf(monomial.factors.filter(({ atom }) => atom !== variable)), coefficient);
    if (factor && (factor.exponent < 0 || factor.exponent > 4)) return null;
    const power = powerFunction(by, factor?.exponent ?? 0, effort);
    parts.push(multiplyFunctions(fromPolynomial(rest), power, effort).numerator);
  }
  return fromPolynomial(sumPolynomials(parts, effort));
}
