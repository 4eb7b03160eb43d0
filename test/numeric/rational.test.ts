import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addRational,
  bitsOf,
  compareRational,
  divideRational,
  floorRational,
  fraction,
  fromFloat,
  multiplyRational,
  negateRational,
  ONE,
  subtractRational,
  toFloat,
  ZERO,
  type Rational,
} from '../../src/numeric/rational.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const anyRational = fc
  .tuple(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.bigInt({ min: 1n, max: 2n ** 70n }))
  .map(([a, b]) => fraction(a, b));

/** `numerator · 2^exponent`. */
const dyadic = (numerator: bigint, exponent: number): Rational =>
  exponent >= 0 ? fraction(numerator << BigInt(exponent)) : fraction(numerator, 1n << BigInt(-exponent));

test('every finite float64 survives the way through a rational', () => {
  fc.assert(
    fc.property(finite, (value) => {
      expect(toFloat(fromFloat(value)) === value).toBe(true);
    }),
  );
  for (const value of [Number.MAX_VALUE, Number.MIN_VALUE, -Number.MIN_VALUE, 2 ** -1022, 2 ** -1022 - 2 ** -1074])
    expect(toFloat(fromFloat(value))).toBe(value);
});

test('float64 arithmetic is exact arithmetic, rounded once', () => {
  fc.assert(
    fc.property(finite, finite, (a, b) => {
      expect(toFloat(addRational(fromFloat(a), fromFloat(b)))).toBe(a + b === 0 ? 0 : a + b);
      expect(Math.abs(toFloat(multiplyRational(fromFloat(a), fromFloat(b))))).toBe(Math.abs(a * b));
      if (b !== 0) expect(Math.abs(toFloat(divideRational(fromFloat(a), fromFloat(b))))).toBe(Math.abs(a / b));
    }),
    { numRuns: 2000 },
  );
});

test('ties go to the even neighbour', () => {
  const base = 2n ** 53n;
  expect(toFloat(fraction(base + 1n))).toBe(2 ** 53);
  expect(toFloat(fraction(base + 3n))).toBe(2 ** 53 + 4);
  expect(toFloat(fraction(-base - 1n))).toBe(-(2 ** 53));
  // One bit beyond a tie decides it, however far away that bit is.
  expect(toFloat(addRational(fraction(base + 1n), dyadic(1n, -900)))).toBe(2 ** 53 + 2);
  expect(toFloat(subtractRational(fraction(base + 3n), dyadic(1n, -900)))).toBe(2 ** 53 + 2);
});

test('subnormals keep fewer bits, and round once', () => {
  expect(toFloat(dyadic(1n, -1075))).toBe(0);
  expect(toFloat(dyadic(3n, -1075))).toBe(2 * Number.MIN_VALUE);
  expect(toFloat(dyadic(5n, -1075))).toBe(2 * Number.MIN_VALUE);
  expect(toFloat(addRational(dyadic(1n, -1075), dyadic(1n, -3000)))).toBe(Number.MIN_VALUE);
  expect(toFloat(dyadic(1n, -5000))).toBe(0);
  expect(toFloat(negateRational(dyadic(3n, -1075)))).toBe(-2 * Number.MIN_VALUE);
  // 2^-1022 − 2^-1076 lies beyond the middle between the two numbers around it.
  expect(toFloat(subtractRational(dyadic(1n, -1022), dyadic(1n, -1076)))).toBe(2 ** -1022);
});

test('beyond the largest float64 lies infinity, from the middle to the next power of two on', () => {
  const middle = (2n ** 54n - 1n) << 970n;
  expect(toFloat(fraction(middle))).toBe(Infinity);
  expect(toFloat(fraction(middle - 1n))).toBe(Number.MAX_VALUE);
  expect(toFloat(fraction(-(10n ** 400n)))).toBe(-Infinity);
  expect(toFloat(fraction(10n ** 400n, 10n ** 399n))).toBe(10);
});

test('arithmetic keeps the laws of a field, in lowest terms', () => {
  fc.assert(
    fc.property(anyRational, anyRational, anyRational, (a, b, c) => {
      expect(addRational(a, b)).toEqual(addRational(b, a));
      expect(multiplyRational(a, addRational(b, c))).toEqual(
        addRational(multiplyRational(a, b), multiplyRational(a, c)),
      );
      expect(subtractRational(a, a)).toEqual(ZERO);
      if (a.numerator !== 0n) expect(divideRational(a, a)).toEqual(ONE);
      expect(compareRational(a, b)).toBe(-compareRational(b, a) || 0);
    }),
  );
});

/** Euclid's algorithm as it is taught. */
function divisorOf(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

test('sums, products and quotients are those of the definition, in lowest terms, whatever their parts share', () => {
  const part = fc.oneof(
    fc.bigInt({ min: -50n, max: 50n }),
    fc.bigInt({ min: -(2n ** 53n) - 3n, max: 2n ** 53n + 3n }),
    fc.tuple(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), fc.nat(200)).map(([a, b]) => a << BigInt(b)),
    fc.bigInt({ min: -20n, max: 20n }).map((a) => a * 10n ** 30n),
  );
  const denominator = part.map((a) => (a === 0n ? 1n : a));
  const expectLowest = (found: Rational, numerator: bigint, over: bigint): void => {
    expect(found.numerator * over).toBe(numerator * found.denominator);
    expect(divisorOf(found.numerator, found.denominator)).toBe(1n);
    expect(found.denominator > 0n).toBe(true);
  };
  fc.assert(
    fc.property(part, denominator, part, denominator, (n, d, m, e) => {
      const [a, b] = [fraction(n, d), fraction(m, e)];
      expectLowest(a, n, d);
      expectLowest(addRational(a, b), n * e + m * d, d * e);
      expectLowest(multiplyRational(a, b), n * m, d * e);
      if (m !== 0n) expectLowest(divideRational(a, b), n * e, d * m);
    }),
    { numRuns: 3000 },
  );
});

test('counts binary digits', () => {
  expect([0n, 1n, 2n, 3n, 15n, 16n, 255n, 256n].map(bitsOf)).toEqual([1, 1, 2, 2, 4, 5, 8, 9]);
  for (let i = 1; i < 300; i++) {
    expect(bitsOf(1n << BigInt(i))).toBe(i + 1);
    expect(bitsOf((1n << BigInt(i)) - 1n)).toBe(i);
  }
});

test('the floor is the greatest whole number below', () => {
  expect([fraction(7n, 2n), fraction(-7n, 2n), fraction(-4n), ZERO].map(floorRational)).toEqual([3n, -4n, -4n, 0n]);
});
