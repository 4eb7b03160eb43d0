import { bitLength, isLong, type Rational } from '../../../numeric/rational.ts';

/** Thrown when an expression has too many terms, or too large ones; the engine catches it and says `exhausted`. */
export class EffortSpent extends Error {
  constructor(beyond: string) {
    super(`more than ${beyond}`);
    this.name = 'EffortSpent';
  }
}

/** A count of operations on terms, so that a verdict depends on the problem and never on the machine. */
export interface Effort {
  readonly spend: (operations: number) => void;
}

/** A budget of `limit` operations. Spending more throws `EffortSpent`, which the engine catches. */
export function effortUpTo(limit: number): Effort {
  let spent = 0;
  return {
    spend: (operations) => {
      spent += operations;
      if (spent > limit) throw new EffortSpent(`${limit} operations on terms`);
    },
  };
}

/** Larger exponents decide nothing, and from 2⁵³ float64 would confuse them. */
const mostExponent = 2 ** 30;

/** An exponent from sums and products of exponents. */
export function boundedExponent(exponent: number): number {
  if (!(Math.abs(exponent) <= mostExponent)) throw new EffortSpent(`${mostExponent} factors in a product`);
  return exponent;
}

/** Longer numbers are charged what their arithmetic costs: the square of their length, for common divisors. */
const cheapWords = 16;

/** A coefficient from an operation, charged by its length: repeated squaring doubles it each time. */
export function weighed(coefficient: Rational, effort: Effort): Rational {
  if (isLong(coefficient)) {
    const words = bitLength(coefficient) / 64;
    effort.spend((words / cheapWords) * words);
  }
  return coefficient;
}
