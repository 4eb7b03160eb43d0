/**
 * Quotients of polynomials whose denominators stay factored: sums of quotients with one divisor, which softmax and norms
 * consist of, never multiply it out. Single products divide by negative exponents instead.
 */
import { divideRational, ONE, type Rational } from '../../../numeric/rational.ts';
import { boundedExponent, type Effort } from './effort.ts';
import { monomialOf, powerOfMonomial, type Monomial } from './monomial.ts';
import {
  addPolynomials,
  constantPolynomial,
  constantValue,
  multiplyPolynomials,
  negatePolynomial,
  polynomialKey,
  primitivePart,
  termPolynomial,
  type Polynomial,
} from './polynomial.ts';

interface Divisor {
  /** A primitive part of at least two terms. */
  readonly polynomial: Polynomial;
  /** At least 1. */
  readonly exponent: number;
}

/** A numerator over a product of powers of polynomials. */
export interface RationalFunction {
  readonly numerator: Polynomial;
  /** By key of the primitive part. */
  readonly divisors: ReadonlyMap<string, Divisor>;
}

const NO_DIVISORS: ReadonlyMap<string, Divisor> = new Map();

/** The polynomial over 1. */
export function fromPolynomial(numerator: Polynomial): RationalFunction {
  return { numerator, divisors: NO_DIVISORS };
}

/** A constant. */
export function fromRational(value: Rational): RationalFunction {
  return fromPolynomial(constantPolynomial(value));
}

/** The atom with this number. */
export function fromAtom(atom: number): RationalFunction {
  return fromMonomial(monomialOf([{ atom, exponent: 1 }]));
}

/** The monomial with the coefficient 1. */
export function fromMonomial(monomial: Monomial): RationalFunction {
  return fromPolynomial(termPolynomial(monomial));
}

/** Whether it is 0 wherever it is defined. */
export function isZeroFunction(a: RationalFunction): boolean {
  return a.numerator.size === 0;
}

/** The number that the function is, or null. */
export function constantFunction(a: RationalFunction): Rational | null {
  if (a.numerator.size === 0 || a.divisors.size === 0) return constantValue(a.numerator);
  const { numerator, divisors } = reduced(a);
  return divisors.size === 0 ? constantValue(numerator) : null;
}

/** Cancels a divisor that equals the numerator up to a product. */
export function reduced({ numerator, divisors }: RationalFunction): RationalFunction {
  return tidy(cancelled(numerator, divisors));
}

/** The opposite, over the same divisors. */
export function negateFunction(a: RationalFunction): RationalFunction {
  return { numerator: negatePolynomial(a.numerator), divisors: a.divisors };
}

/** The sum over the least common multiple of the divisors. */
export function addFunctions(a: RationalFunction, b: RationalFunction, effort: Effort): RationalFunction {
  if (isZeroFunction(a)) return b;
  if (isZeroFunction(b)) return a;
  const divisors = union(a.divisors, b.divisors);
  const left = multiplyPolynomials(a.numerator, missing(a.divisors, divisors, effort), effort);
  const right = multiplyPolynomials(b.numerator, missing(b.divisors, divisors, effort), effort);
  return tidy({ numerator: addPolynomials(left, right, effort), divisors });
}

/** The product, with divisors cancelled where they divide the other numerator. */
export function multiplyFunctions(a: RationalFunction, b: RationalFunction, effort: Effort): RationalFunction {
  const left = cancelled(a.numerator, b.divisors);
  const right = cancelled(b.numerator, a.divisors);
  const divisors = new Map(left.divisors);
  for (const [key, divisor] of right.divisors) {
    const known = divisors.get(key);
    divisors.set(key, { ...divisor, exponent: boundedExponent(divisor.exponent + (known?.exponent ?? 0)) });
  }
  return tidy({ numerator: multiplyPolynomials(left.numerator, right.numerator, effort), divisors });
}

/** Null for 1/0. */
export function invertFunction(a: RationalFunction, effort: Effort): RationalFunction | null {
  if (isZeroFunction(a)) return null;
  const { coefficient, monomial, primitive, key } = primitivePart(a.numerator);
  const numerator = multiplyPolynomials(
    missing(NO_DIVISORS, a.divisors, effort),
    termPolynomial(powerOfMonomial(monomial, -1), divideRational(ONE, coefficient)),
    effort,
  );
  return {
    numerator,
    divisors: primitive.size === 1 ? NO_DIVISORS : new Map([[key, { polynomial: primitive, exponent: 1 }]]),
  };
}

/** A power with a whole exponent of at least 0, by repeated squaring. */
export function powerFunction(a: RationalFunction, exponent: number, effort: Effort): RationalFunction {
  if (exponent === 0) return fromRational(ONE);
  const half = powerFunction(a, Math.floor(exponent / 2), effort);
  const square = multiplyFunctions(half, half, effort);
  return exponent % 2 === 0 ? square : multiplyFunctions(square, a, effort);
}

/** Equal for equal text of numerator and divisors, which equal functions mostly have. */
export function functionKey(a: RationalFunction): string {
  const divisors = [...a.divisors].map(([key, { exponent }]) => `(${key})^${exponent}`).toSorted();
  return `${polynomialKey(a.numerator)}${divisors.length === 0 ? '' : `//${divisors.join('')}`}`;
}

function union(a: ReadonlyMap<string, Divisor>, b: ReadonlyMap<string, Divisor>): ReadonlyMap<string, Divisor> {
  if (b.size === 0) return a;
  const all = new Map(a);
  for (const [key, divisor] of b) if (divisor.exponent > (all.get(key)?.exponent ?? 0)) all.set(key, divisor);
  return all;
}

/** The product of the divisors of `wanted` that `own` lacks. */
function missing(own: ReadonlyMap<string, Divisor>, wanted: ReadonlyMap<string, Divisor>, effort: Effort): Polynomial {
  let product = constantPolynomial(ONE);
  for (const [key, { polynomial, exponent }] of wanted)
    for (let i = own.get(key)?.exponent ?? 0; i < exponent; i++)
      product = multiplyPolynomials(product, polynomial, effort);
  return product;
}

function tidy(a: RationalFunction): RationalFunction {
  return isZeroFunction(a) ? fromPolynomial(a.numerator) : a;
}

/** The numerator and the divisors after cancelling a divisor that equals the numerator up to a product. */
function cancelled(numerator: Polynomial, divisors: ReadonlyMap<string, Divisor>): RationalFunction {
  if (numerator.size < 2 || ![...divisors.values()].some(({ polynomial }) => polynomial.size === numerator.size))
    return { numerator, divisors };
  const { coefficient, monomial, key } = primitivePart(numerator);
  const divisor = divisors.get(key);
  if (!divisor) return { numerator, divisors };
  const rest = new Map(divisors);
  if (divisor.exponent === 1) rest.delete(key);
  else rest.set(key, { ...divisor, exponent: divisor.exponent - 1 });
  return { numerator: termPolynomial(monomial, coefficient), divisors: rest };
}
