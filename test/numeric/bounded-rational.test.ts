/** Holds src/numeric/bounded-rational.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, divide, floor, fromDecimal, multiply, power, rational } from '../../src/numeric/bounded-rational.ts';
import { compareRational, type Rational } from '../../src/numeric/rational.ts';

describe('rational arithmetic', () => {
  const int = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
  const any = fc
    .tuple(
      int,
      int.filter((n) => n !== 0n),
    )
    .map(([n, d]) => rational(n, d) as Rational);

  it('is a field, in lowest terms', () => {
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        const left = multiply(a, add(b, c) as Rational);
        const right = add(multiply(a, b) as Rational, multiply(a, c) as Rational);
        expect(left).toEqual(right);
        if (b.numerator !== 0n) expect(multiply(divide(a, b) as Rational, b)).toEqual(a);
      }),
    );
  });

  it('orders as numbers do, and floor is below', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(Math.sign(compareRational(a, b))).toBe(-Math.sign(compareRational(b, a)) + 0);
        expect(compareRational(floor(a), a)).toBeLessThanOrEqual(0);
        expect(compareRational(add(floor(a), { numerator: 1n, denominator: 1n }) as Rational, a)).toBe(1);
      }),
    );
  });

  it('reads decimals', () => {
    const value = (text: string): string => {
      const found = fromDecimal(text);
      return found ? `${found.numerator}/${found.denominator}` : 'none';
    };
    expect(['.5', '5.', '-0.25', '+2e3', '1E-2', '0e-7', '6e-8'].map(value)).toEqual([
      '1/2',
      '5/1',
      '-1/4',
      '2000/1',
      '1/100',
      '0/1',
      '3/50000000',
    ]);
    expect(['', '.', 'e5', '0x10', '1e1001', 'x', `0.${'1'.repeat(401)}`, 'NaN'].map(value)).toEqual(
      Array(8).fill('none'),
    );
  });

  it('is bounded', () => {
    const two = { numerator: 2n, denominator: 1n };
    expect(power(two, { numerator: 5000n, denominator: 1n })).toBeNull();
    expect(power({ numerator: 10n ** 500n, denominator: 1n }, { numerator: 900n, denominator: 1n })).toBeNull();
    expect(divide(two, { numerator: 0n, denominator: 1n })).toBeNull();
    expect(power({ numerator: 0n, denominator: 1n }, { numerator: -1n, denominator: 1n })).toBeNull();
  });
});
