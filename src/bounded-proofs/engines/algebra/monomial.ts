/**
 * Products of powers of atoms. Exponents may be negative: a divisor that is one product moves into the dividend.
 */

import { boundedExponent } from './effort.ts';

/** Atoms are numbered; a monomial lists them in rising order with exponents other than 0. */
export interface Monomial {
  /** Equal for equal monomials. */
  readonly key: string;
  readonly factors: readonly Factor[];
}

/** A power of an atom; its exponent is not 0. */
export interface Factor {
  readonly atom: number;
  readonly exponent: number;
}

/** The empty product, 1. */
export const UNIT: Monomial = { key: '', factors: [] };

/** The product of `factors`, which must be sorted by atom, each atom once. */
export function monomialOf(factors: readonly Factor[]): Monomial {
  return { key: factors.map(({ atom, exponent }) => `${atom}^${exponent}`).join(' '), factors };
}

/** Adds exponents, and drops atoms whose exponents cancel. */
export function multiplyMonomials(a: Monomial, b: Monomial): Monomial {
  if (a.factors.length === 0) return b;
  if (b.factors.length === 0) return a;
  const factors: Factor[] = [];
  let i = 0;
  let j = 0;
  for (;;) {
    const left = a.factors[i];
    const right = b.factors[j];
    if (left === undefined && right === undefined) return monomialOf(factors);
    if (right === undefined || (left !== undefined && left.atom < right.atom)) {
      if (left) factors.push(left);
      i += 1;
    } else if (left === undefined || right.atom < left.atom) {
      factors.push(right);
      j += 1;
    } else {
      const exponent = boundedExponent(left.exponent + right.exponent);
      if (exponent !== 0) factors.push({ atom: left.atom, exponent });
      i += 1;
      j += 1;
    }
  }
}

/** Multiplies every exponent; a power of 0 is 1. */
export function powerOfMonomial(a: Monomial, exponent: number): Monomial {
  return exponent === 0
    ? UNIT
    : monomialOf(
        a.factors.map((factor) => ({ atom: factor.atom, exponent: boundedExponent(factor.exponent * exponent) })),
      );
}

/** The product of the lowest powers that occur in all: the common factor. */
export function commonFactor(monomials: Iterable<Monomial>): Monomial {
  let least: Map<number, number> | null = null;
  for (const { factors } of monomials) {
    const own = new Map(factors.map(({ atom, exponent }) => [atom, exponent]));
    if (least === null) {
      least = own;
      continue;
    }
    for (const atom of new Set([...least.keys(), ...own.keys()])) {
      const exponent = Math.min(least.get(atom) ?? 0, own.get(atom) ?? 0);
      if (exponent === 0) least.delete(atom);
      else least.set(atom, exponent);
    }
    // An atom with a positive power so far that is absent here has left `least` above.
  }
  const factors = [...(least ?? [])].map(([atom, exponent]) => ({ atom, exponent }));
  return monomialOf(factors.toSorted((a, b) => a.atom - b.atom));
}
