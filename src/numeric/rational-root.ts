/** Square roots of whole numbers and of fractions. */
import { fraction, type Rational } from './rational.ts';

/** The largest whole number whose square is at most `value`, which is not negative. */
export function integerRoot(value: bigint): bigint {
  if (value < 2n) return value;
  // Newton's steps from above the root fall until they reach it.
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (let next = (root + value / root) / 2n; next < root; next = (root + value / root) / 2n) root = next;
  return root;
}

/** The root of the square of a fraction; null for anything else. */
export function rationalRoot({ numerator, denominator }: Rational): Rational | null {
  if (numerator < 0n) return null;
  const [top, bottom] = [integerRoot(numerator), integerRoot(denominator)];
  return top * top === numerator && bottom * bottom === denominator ? fraction(top, bottom) : null;
}
