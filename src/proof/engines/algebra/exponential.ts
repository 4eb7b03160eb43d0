/** exp of a sum as a product: exp(Σ cᵢ·mᵢ) = Π exp(mᵢ)^cᵢ, so that a factor common to dividend and divisor cancels. */
import { fraction } from '../../../numeric/rational.ts';
import type { AtomTable } from './atoms.ts';
import { monomialOf, type Factor } from './monomial.ts';
import { termPolynomial } from './polynomial.ts';
import { fromAtom, fromMonomial, functionKey, type RationalFunction } from './rational-function.ts';

/** Longer sums, and larger whole factors, stay in one exponential. */
const maxTerms = 256;
const maxExponent = 64n;

export function exponential(argument: RationalFunction, { atoms }: { readonly atoms: AtomTable }): RationalFunction {
  if (argument.numerator.size > maxTerms) return fromAtom(exponentialAtom(argument, atoms));
  const factors = new Map<number, number>();
  for (const { monomial, coefficient } of argument.numerator.values()) {
    const { numerator } = coefficient;
    const whole = numerator <= maxExponent && numerator >= -maxExponent;
    // c = p/q: exp(m/q)^p, and for a p beyond reach exp(c·m) as it stands.
    const base = whole ? fraction(1n, coefficient.denominator) : coefficient;
    const part = { numerator: termPolynomial(monomial, base), divisors: argument.divisors };
    const atom = exponentialAtom(part, atoms);
    factors.set(atom, (factors.get(atom) ?? 0) + (whole ? Number(numerator) : 1));
  }
  const sorted: Factor[] = [...factors]
    .map(([atom, exponent]) => ({ atom, exponent }))
    .filter(({ exponent }) => exponent !== 0)
    .toSorted((a, b) => a.atom - b.atom);
  return fromMonomial(sorted.length === 0 ? monomialOf([]) : monomialOf(sorted));
}

function exponentialAtom(argument: RationalFunction, atoms: AtomTable): number {
  return atoms.of(`exp(${functionKey(argument)})`, () => ({
    range: { low: 0, high: Infinity },
    law: null,
    excesses: null,
    variable: false,
    exponent: argument,
  })).id;
}
