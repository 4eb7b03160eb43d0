import { describe, expect, it } from 'vitest';
import {
  boundedExponent,
  effortUpTo,
  EffortSpent,
  weighed,
} from '../../../../src/bounded-proofs/engines/algebra/effort.ts';
import { multiplyMonomials, powerOfMonomial } from '../../../../src/bounded-proofs/engines/algebra/monomial.ts';
import { fraction } from '../../../../src/numeric/rational.ts';

describe('effort', () => {
  it('ends beyond its limit, and not at it', () => {
    const { spend } = effortUpTo(10);
    spend(4);
    spend(6);
    expect(() => {
      spend(1);
    }).toThrow(EffortSpent);
    expect(() => {
      effortUpTo(3).spend(4);
    }).toThrow('more than 3 operations on terms');
  });

  it('is spent on long numbers by the square of their length, and on others not at all', () => {
    const spent: number[] = [];
    const effort = { spend: (operations: number) => void spent.push(operations) };
    expect(weighed(fraction(3n), effort)).toEqual(fraction(3n));
    weighed(fraction(1n << 1000n), effort);
    expect(spent).toEqual([]);
    weighed(fraction(1n << 2047n), effort);
    weighed(fraction(1n, 1n << 4095n), effort);
    expect(spent).toEqual([64, 256]);
  });
});

describe('exponents', () => {
  it('go to 2³⁰ in either direction', () => {
    for (const exponent of [0, 5, 2 ** 30, -(2 ** 30)]) expect(boundedExponent(exponent)).toBe(exponent);
    for (const exponent of [2 ** 30 + 1, -(2 ** 30) - 1, Infinity, Number.NaN])
      expect(() => boundedExponent(exponent)).toThrow('more than 1073741824 factors in a product');
  });

  it('of products and powers are looked at', () => {
    const half = { key: '0^536870912', factors: [{ atom: 0, exponent: 2 ** 29 }] };
    expect(multiplyMonomials(half, half).factors).toEqual([{ atom: 0, exponent: 2 ** 30 }]);
    expect(() => multiplyMonomials(half, multiplyMonomials(half, half))).toThrow(EffortSpent);
    expect(powerOfMonomial(half, -2).factors).toEqual([{ atom: 0, exponent: -(2 ** 30) }]);
    expect(() => powerOfMonomial(half, 3)).toThrow(EffortSpent);
  });
});
