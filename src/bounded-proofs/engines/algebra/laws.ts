/** Powers of atoms that simplify: √a² = a, |a|² = a², sin² = 1 − cos². */
import { ONE } from '../../../numeric/rational.ts';
import type { Atom, AtomTable, Law } from './atoms.ts';
import type { Effort } from './effort.ts';
import { monomialOf, type Factor, type Monomial } from './monomial.ts';
import { termPolynomial, type PolynomialTerm } from './polynomial.ts';
import {
  addFunctions,
  fromAtom,
  fromPolynomial,
  fromRational,
  invertFunction,
  multiplyFunctions,
  negateFunction,
  powerFunction,
  type RationalFunction,
} from './rational-function.ts';

/** Applies the laws to the numerator until none applies; null if that divides by 0. */
export function withLaws(value: RationalFunction, atoms: AtomTable, effort: Effort): RationalFunction | null {
  const affected = [...value.numerator.values()].filter(({ monomial }) => reducible(monomial, atoms));
  if (affected.length === 0) return value;
  const kept = new Map(value.numerator);
  for (const { monomial } of affected) kept.delete(monomial.key);
  let sum: RationalFunction = { numerator: kept, divisors: kept.size === 0 ? new Map() : value.divisors };
  for (const term of affected) {
    const replaced = replace(term, atoms, effort);
    const over =
      replaced &&
      multiplyFunctions(replaced, { numerator: termPolynomial(monomialOf([])), divisors: value.divisors }, effort);
    const again = over && withLaws(over, atoms, effort);
    if (again === null) return null;
    sum = addFunctions(sum, again, effort);
  }
  return sum;
}

function reducible(monomial: Monomial, atoms: AtomTable): boolean {
  return monomial.factors.some(({ atom, exponent }) => applies(atoms.get(atom), exponent));
}

function applies(atom: Atom | undefined, exponent: number): boolean {
  if (!atom?.law) return false;
  return atom.law.kind === 'root' ? exponent < 0 || exponent > 1 : exponent > 1;
}

function replace({ monomial, coefficient }: PolynomialTerm, atoms: AtomTable, effort: Effort): RationalFunction | null {
  const kept: Factor[] = [];
  let product = fromRational(ONE);
  for (const { atom, exponent } of monomial.factors) {
    const law = atoms.get(atom)?.law;
    if (!law || !applies(atoms.get(atom), exponent)) {
      kept.push({ atom, exponent });
      continue;
    }
    // a^k = (a²)^⌊k/2⌋ · a^(k mod 2), also for negative k.
    const pairs = Math.floor(exponent / 2);
    if (exponent - 2 * pairs === 1) kept.push({ atom, exponent: 1 });
    const square = squareOf(law, effort);
    const base = pairs < 0 ? invertFunction(square, effort) : square;
    if (base === null) return null;
    product = multiplyFunctions(product, powerFunction(base, Math.abs(pairs), effort), effort);
  }
  return multiplyFunctions(product, fromPolynomial(termPolynomial(monomialOf(kept), coefficient)), effort);
}

function squareOf(law: Law, effort: Effort): RationalFunction {
  switch (law.kind) {
    case 'root':
      return law.square;
    case 'size':
      return powerFunction(fromAtom(law.of), 2, effort);
    case 'sine':
      return oneMinusSquare(law.cosine, effort);
  }
}

function oneMinusSquare(cosine: number, effort: Effort): RationalFunction {
  const square = powerFunction(fromAtom(cosine), 2, effort);
  return addFunctions(fromRational(ONE), negateFunction(square), effort);
}

/** By convention exactly one of f and −f is negative: the one whose first term by key is. */
export function negativeByConvention({ numerator }: RationalFunction): boolean {
  let first: PolynomialTerm | null = null;
  for (const term of numerator.values()) if (first === null || term.monomial.key < first.monomial.key) first = term;
  return first !== null && first.coefficient.numerator < 0n;
}
