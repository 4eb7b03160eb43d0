/**
 * How far a float64 function deviates from the exact one, in units in the last place.
 */
import { Decimal } from 'decimal.js';
import { exactOf } from '../src/math/functions/exact-comparison.ts';
import { ulp64 } from '../src/numeric/float.ts';
import { streamFor, unitDouble } from '../src/numeric/xoshiro.ts';

/** Where a function is compared, and how points are spread there; the name seeds them. */
export interface Stretch {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  /** Spread evenly over exponents instead of over the interval: for numbers around 0. */
  readonly logarithmic?: boolean;
}

export interface Worst {
  /** In units in the last place of the exact value. */
  readonly ulps: number;
  readonly at: number;
}

/** Enough to resolve a thousandth of a unit in the last place. */
export const Short = Decimal.clone({ precision: 24 });

// For values of any number of digits, such as 170!.
const Wide = Decimal.clone({ precision: 800 });

/** The error of `value` in units in the last place of float64 at the exact value, ∞ for NaN. */
export function ulpsOf(value: number, exact: Decimal): number {
  if (Number.isNaN(value)) return Infinity;
  return new Short(exactOf(Wide, value).minus(exact).abs()).dividedBy(ulp64(exact.toNumber())).toNumber();
}

/** The largest error of `approximate` over `count` seeded points of an interval. */
export function worstOf(
  approximate: (x: number) => number,
  exact: (x: Decimal) => Decimal,
  { name, low, high, logarithmic = false }: Stretch,
  count: number,
): Worst {
  const random = streamFor(1, name);
  let worst: Worst = { ulps: 0, at: low };
  for (let k = 0; k < count; k++) {
    const share = unitDouble(random);
    const x = logarithmic ? low * (high / low) ** share : low + (high - low) * share;
    const ulps = ulpsOf(approximate(x), exact(exactOf(Short, x)));
    if (ulps > worst.ulps) worst = { ulps, at: x };
  }
  return worst;
}
