/**
 * exp of a sum as a product: exp(Σ cᵢ·mᵢ) = Π exp(mᵢ)^cᵢ, so that a factor common to dividend and divisor cancels; a logarithm
 * among them becomes its argument.
 */
import { fraction, ONE, type Rational } from '../../../numeric/rational.ts';
import type { AtomTable } from './atoms.ts';
import type { Effort } from './effort.ts';
import { monomialOf, type Factor, type Monomial } from './monomial.ts';
import { termPolynomial } from './polynomial.ts';
import {
  fromAtom,
  fromMonomial,
  fromRational,
  functionKey,
  invertFunction,
  multiplyFunctions,
  powerFunction,
  type RationalFunction,
} from './rational-function.ts';

/** Longer sums, and larger integer factors, remain in one exponential. */
const maxTerms = 256;
const maxExponent = 64n;

interface Tools {
  readonly atoms: AtomTable;
  readonly effort: Effort;
}

/** Null if a logarithm would be of 0. */
export function exponential(argument: RationalFunction, { atoms, effort }: Tools): RationalFunction | null {
  if (argument.numerator.size > maxTerms) return fromAtom(exponentialAtom(argument, atoms));
  const factors = new Map<number, number>();
  let ofLogarithms = fromRational(ONE);
  for (const { monomial, coefficient } of argument.numerator.values()) {
    const inner = argument.divisors.size === 0 ? insideLogarithm(monomial, coefficient, atoms) : null;
    if (inner) {
      const base = coefficient.numerator < 0n ? invertFunction(inner, effort) : inner;
      const power = base && powerFunction(base, Math.abs(Number(coefficient.numerator)), effort);
      if (power === null) return null;
      ofLogarithms = multiplyFunctions(ofLogarithms, power, effort);
      continue;
    }
    const { numerator } = coefficient;
    const whole = numerator <= maxExponent && numerator >= -maxExponent;
    // c = p/q: exp(m/q)^p, and for a p beyond reach exp(c·m) itself.
    const base = whole ? fraction(1n, coefficient.denominator) : coefficient;
    const part = { numerator: termPolynomial(monomial, base), divisors: argument.divisors };
    const atom = exponentialAtom(part, atoms);
    factors.set(atom, (factors.get(atom) ?? 0) + (whole ? Number(numerator) : 1));
  }
  const sorted: Factor[] = [...factors]
    .map(([atom, exponent]) => ({ atom, exponent }))
    .filter(({ exponent }) => exponent !== 0)
    .toSorted((a, b) => a.atom - b.atom);
  return multiplyFunctions(ofLogarithms, fromMonomial(monomialOf(sorted)), effort);
}

/** The f of n·log f, for a small whole n; else null. */
function insideLogarithm(
  { factors }: Monomial,
  { numerator, denominator }: Rational,
  atoms: AtomTable,
): RationalFunction | null {
  const [only] = factors;
  if (factors.length !== 1 || only?.exponent !== 1 || denominator !== 1n) return null;
  if (numerator > maxExponent || numerator < -maxExponent) return null;
  return atoms.get(only.atom)?.logarithm ?? null;
}

function exponentialAtom(argument: RationalFunction, atoms: AtomTable): number {
  return atoms.of(`exp(${functionKey(argument)})`, () => ({
    range: { low: 0, high: Infinity },
    law: null,
    excesses: null,
    exponent: argument,
  })).id;
}
