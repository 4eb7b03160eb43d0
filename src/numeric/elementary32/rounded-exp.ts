/**
 * `Math.exp` rounded to float32, mostly without calling it.
 *
 * The float64 of exp32's algorithm (exp.ts) errs by less than 2⁻³², and `Math.exp` by far less. Where everything within twice
 * that rounds to one float32, that is the result of both; the few numbers near a border between two float32 (one in a hundred)
 * ask `Math.exp` itself. So the bits are those of the engine, whichever exponential it has.
 *
 * Source: Ziv (1991), Fast evaluation of elementary mathematical functions with correctly rounded last bit, ACM TOMS 17(3).
 */
import { exp32Constants, powerOfTwo } from './exp.ts';

/** What the test needs beyond exp.ts, for other code that has it too. */
export const roundedExpConstants = {
  /** Between them no result is 0, and none overflows. */
  least: -103,
  most: 88,
  /** The entry of {@link powersOfTwo} for k = 0. */
  origin: 32 * 149,
  /** Factors by twice the error. */
  above: 1 + 2 ** -31,
  below: 1 - 2 ** -31,
} as const;

const { origin } = roundedExpConstants;

/** 2^(k/32), from the k of `least` to that of `most`. */
export const powersOfTwo: Float64Array = Float64Array.from({ length: origin + 32 * 128 }, (_, i) =>
  powerOfTwo(i - origin),
);

/** Replaces every value by the float32 nearest to `Math.exp` of it. */
export const expOfEach: (values: Float32Array) => void = inOneScope();

/** The engine takes constants of a closure for constants, where it reads those of a module in every turn. */
function inOneScope(): (values: Float32Array) => void {
  const { perUnit, shift, cubic, quadratic, linear } = exp32Constants;
  const { least, most, origin, above, below } = roundedExpConstants;
  const powers = powersOfTwo;
  return (values) => {
    for (let i = 0; i < values.length; i++) {
      const x = values[i] ?? 0;
      if (!(x > least && x < most)) {
        values[i] = Math.exp(x);
        continue;
      }
      const scaled = perUnit * x;
      const rounded = scaled + shift - shift;
      const rest = scaled - rounded;
      const power = powers[(rounded | 0) + origin] ?? 0;
      const value = ((cubic * rest + quadratic) * (rest * rest) + (linear * rest + 1)) * power;
      const result = Math.fround(value * above);
      values[i] = result === Math.fround(value * below) ? result : Math.exp(x);
    }
  };
}
