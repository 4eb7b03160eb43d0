/** Rounding of exact rational numbers: to float32, and to whole numbers. */
import { addRational, bitsOf, floorRational, fraction, multiplyRational, type Rational } from './rational.ts';

/** Bits of a float32's significand, the hidden one among them; the exponent of its smallest subnormal number. */
const precision = 24;
const smallestExponent = -149;

/** 2^exponent. */
function powerOfTwo(exponent: number): Rational {
  return exponent >= 0
    ? { numerator: 1n << BigInt(exponent), denominator: 1n }
    : { numerator: 1n, denominator: 1n << BigInt(-exponent) };
}

/** ⌊log₂ a⌋ of a positive number. */
function exponentOf({ numerator, denominator }: Rational): number {
  const guess = bitsOf(numerator) - bitsOf(denominator);
  const power = powerOfTwo(guess);
  return numerator * power.denominator >= power.numerator * denominator ? guess : guess - 1;
}

/** The whole number nearest to `a`, ties to the even one. */
export function roundHalfEvenRational(a: Rational): bigint {
  const twice = floorRational(multiplyRational(a, { numerator: 2n, denominator: 1n }));
  const below = floorRational(a);
  const isTie = twice * a.denominator === 2n * a.numerator && twice % 2n !== 0n;
  const isAbove = twice !== 2n * below;
  if (isTie) return below % 2n === 0n ? below : below + 1n;
  return isAbove ? below + 1n : below;
}

/** Ways to a whole number near a number. */
export type WholeRounding = 'floor' | 'ceiling' | 'truncate' | 'round-half-even' | 'round-half-up';

/** The integer to which the number rounds. */
export function roundWhole(kind: WholeRounding, a: Rational): bigint {
  switch (kind) {
    case 'floor':
      return floorRational(a);
    case 'ceiling':
      return -floorRational({ numerator: -a.numerator, denominator: a.denominator });
    case 'truncate':
      return a.numerator / a.denominator;
    case 'round-half-even':
      return roundHalfEvenRational(a);
    case 'round-half-up':
      return floorRational(addRational(a, { numerator: 1n, denominator: 2n }));
  }
}

/**
 * The float32 nearest to `a`, ties to even, as if exponents had no upper end: what overflows in float32 is a number of 24
 * bits beyond the largest. Source: IEEE 754-2019, §4.3.1.
 */
export function roundRational32(a: Rational): Rational {
  if (a.numerator === 0n) return a;
  const magnitude = a.numerator < 0n ? { numerator: -a.numerator, denominator: a.denominator } : a;
  const unit = powerOfTwo(Math.max(exponentOf(magnitude) - precision + 1, smallestExponent));
  const units = roundHalfEvenRational(fraction(a.numerator * unit.denominator, a.denominator * unit.numerator));
  return multiplyRational({ numerator: units, denominator: 1n }, unit);
}

/** A binary float format: bits of the significand, the hidden one among them, and the exponent of the smallest subnormal. */
export interface BinaryFormat {
  readonly precision: number;
  readonly smallestExponent: number;
}

/** The greatest number of the format that is at most `a`, as if exponents had no upper end. */
export function floorToFormat(a: Rational, format: BinaryFormat): Rational {
  if (a.numerator === 0n) return a;
  const magnitude = a.numerator < 0n ? { numerator: -a.numerator, denominator: a.denominator } : a;
  const unit = powerOfTwo(Math.max(exponentOf(magnitude) - format.precision + 1, format.smallestExponent));
  const units = floorRational(fraction(a.numerator * unit.denominator, a.denominator * unit.numerator));
  return multiplyRational({ numerator: units, denominator: 1n }, unit);
}
