import { Decimal } from 'decimal.js';
import type { Result } from '../../base/result.ts';
import { exactOf } from '../functions/exact-comparison.ts';
import type { Term } from '../term/term.ts';
import type { Arithmetic } from './arithmetic.ts';
import { interpret, type EvaluationLimits, type Evaluated } from './interpret.ts';
import type { Environment } from './value.ts';

/**
 * Decimal arithmetic with `digits` significant digits (1 to 1000), one rounding per operation, ties to even.
 *
 * NaN and the infinities follow IEEE 754. Separate from the float arithmetics because it loads decimal.js.
 */
export function decimalArithmetic(digits: number): Arithmetic<Decimal> {
  const context = Decimal.clone({
    precision: Math.max(1, Math.min(1000, digits)),
    rounding: Decimal.ROUND_HALF_EVEN,
    defaults: true,
  });
  const nan = new context(Number.NaN);
  return {
    name: `decimal${digits}`,
    constant: (text) => new context(text),
    fromNumber: (value) => exactOf(context, value),
    toNumber: (value) => value.toNumber(),
    numeric: (row, [a = nan, b = nan, c = nan]) => row.exact(context, a, b, c),
    predicate: (row, [a = nan, b = nan, c = nan]) => row.exact(context, a, b, c),
    equal: (a, b) => a.equals(b),
  };
}

const EXACT_LIMITS: EvaluationLimits = { maxSteps: 2_000_000 };

/** The value of `term` with `digits` significant digits per operation, or why it was not computed. Floats in `environment` enter exactly. */
export function interpretExact(
  term: Term,
  environment: Environment,
  digits: number,
  limits = EXACT_LIMITS,
): Result<Evaluated<Decimal>, string> {
  return interpret(term, environment, decimalArithmetic(digits), limits);
}

/**
 * As {@link interpretExact}, for terms that are known to be small.
 *
 * @throws RangeError when the term is too large or takes too long.
 */
export function evaluateExact(term: Term, environment: Environment, digits: number): Evaluated<Decimal> {
  const result = interpretExact(term, environment, digits);
  if (!result.ok) throw new RangeError(result.error);
  return result.value;
}
