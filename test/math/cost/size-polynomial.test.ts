import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  constant,
  evaluate,
  multiply,
  namesIn,
  nothing,
  polynomialText,
  size,
  subtract,
  sumOver,
  type SizePolynomial,
} from '../../../src/math/cost/size-polynomial.ts';

const [n, m, i] = [size('n'), size('m'), size('i')];
const polynomial: fc.Arbitrary<SizePolynomial> = fc
  .array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.nat(2), fc.nat(2), fc.nat(3)), { maxLength: 4 })
  .map((terms) =>
    add(
      ...terms.map(([c, a, b, d]) =>
        [
          ...Array.from({ length: a }, () => n),
          ...Array.from({ length: b }, () => m),
          ...Array.from({ length: d }, () => i),
        ].reduce(multiply, constant(c)),
      ),
    ),
  );
const valuesAt = (values: Readonly<Record<string, number>>) => (name: string) => values[name] ?? Number.NaN;

describe('laws', () => {
  it('adds and multiplies as the numbers do', () => {
    fc.assert(
      fc.property(polynomial, polynomial, fc.record({ n: fc.nat(9), m: fc.nat(9), i: fc.nat(9) }), (p, q, values) => {
        const at = (one: SizePolynomial): number => evaluate(one, valuesAt(values)) + 0;
        expect(at(add(p, q))).toBe(at(p) + at(q) + 0);
        expect(at(subtract(p, q))).toBe(at(p) - at(q) + 0);
        expect(at(multiply(p, q))).toBe(at(p) * at(q) + 0);
      }),
    );
  });

  it('sums in closed form what a loop sums', () => {
    fc.assert(
      fc.property(polynomial, fc.nat(6), fc.nat(8), fc.nat(5), (p, from, length, mValue) => {
        const closed = sumOver(p, 'i', constant(from), add(size('n')));
        const values = { n: from + length, m: mValue };
        let looped = 0;
        for (let k = from; k < values.n; k++) looped += evaluate(p, valuesAt({ ...values, i: k }));
        expect(evaluate(closed, valuesAt(values))).toBeCloseTo(looped, 6);
        expect(namesIn(closed)).not.toContain('i');
      }),
    );
  });

  it('holds no zero', () => expect(subtract(add(n, m), add(m, n))).toEqual(nothing));
});

describe('text', () => {
  it.each([
    [nothing, '0'],
    [multiply(constant(2), multiply(n, multiply(n, m))), '2·m·n²'],
    [sumOver(constant(1), 'i', constant(0), add(n, constant(-1))), 'n - 1'],
    [sumOver(size('i'), 'i', constant(0), n), 'n²/2 - n/2'],
    [subtract(constant(3), n), '-n + 3'],
  ])('%#: %s', (one, text) => expect(polynomialText(one)).toBe(text));
});
