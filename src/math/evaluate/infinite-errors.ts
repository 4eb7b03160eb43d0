/** Errors of results that an infinity takes part in: one that is stated, and a number that exceeds every exponent. */
import type { Decimal } from 'decimal.js';
import type { FunctionName } from '../functions.ts';
import {
  EXACT,
  FEW_UNITS,
  hasKnownSign,
  largestError,
  LOST,
  rounding,
  sizeOf,
  UNKNOWN,
  type Bounded,
} from './bounded.ts';

/** log₁₀ of the largest decimal. */
const LARGEST_EXPONENT = 9e15;
/** log₁₀ of sizes that move no exponent out of range. */
const MODERATE = 1e15;

/** Functions whose values may exceed every exponent. */
const growing: ReadonlySet<FunctionName> = new Set<FunctionName>([
  'exp',
  'expm1',
  'sinh',
  'cosh',
  'power',
  'multiply',
  'add',
  'subtract',
  'divide',
]);
/** Infinities, divisions by 0 and functions outside their domains follow IEEE 754; otherwise the exponent overflowed. */
export function errorOfInfinite(
  name: FunctionName | undefined,
  value: Decimal,
  operands: readonly Bounded[],
  exact: boolean,
): number {
  const [a, b] = operands;
  if (exact) {
    const isStated =
      value.isNaN() || operands.some((operand) => !operand.value.isFinite()) || (a && isPole(name, a, b));
    return !isStated && name !== undefined && growing.has(name) ? UNKNOWN : EXACT;
  }
  const infinite = operands.filter((operand) => !operand.value.isFinite());
  if (infinite.length > 0 && infinite.every(({ error }) => error === EXACT))
    return errorWithInfinity(name, value, operands);
  const isPoleThere = a !== undefined && isPole(name, a, b);
  return !value.isNaN() && !isPoleThere && infinite.length === 0 && name !== undefined && growing.has(name)
    ? UNKNOWN
    : LOST;
}

/** An exact infinity and a number that is known up to an error: sums and maxima begin with an infinity. */
function errorWithInfinity(name: FunctionName | undefined, value: Decimal, operands: readonly Bounded[]): number {
  const known = operands.filter((operand) => operand.value.isFinite());
  const hasSign = known.every(hasKnownSign);
  switch (name) {
    case 'add':
    case 'subtract':
      return EXACT;
    case 'minimum':
    case 'maximum':
    case 'clamp':
      return value.isFinite() ? largestError(known) : EXACT;
    case 'multiply':
      return hasSign ? EXACT : LOST;
    case 'divide':
      return hasSign || value.isZero() ? EXACT : LOST;
    default:
      return LOST;
  }
}

function isPole(name: FunctionName | undefined, a: Bounded, b: Bounded | undefined): boolean {
  return (name === 'divide' && b?.value.isZero() === true) || (name === 'power' && a.value.isZero());
}

/** An infinity that stands for a number beyond the range, rather than for infinity itself. */
export const isOverflowed = ({ value, error }: Bounded): boolean => error === UNKNOWN && !value.isFinite();

/** An operand exceeds every exponent. */
export function errorOfOverflowed(
  name: FunctionName | undefined,
  value: Decimal,
  operands: readonly Bounded[],
  digits: number,
): number {
  const others = operands.filter((operand) => !isOverflowed(operand));
  if (value.isNaN() || name === undefined || others.some(({ error }) => error === UNKNOWN)) return LOST;
  const hasSign = others.every(hasKnownSign);
  const isModerate = others.every((other) => Math.abs(sizeOf(other.value)) < MODERATE);
  const last = operands.at(-1);
  switch (name) {
    case 'add':
    case 'subtract':
    case 'negate':
    case 'absolute':
    case 'sinh':
    case 'cosh':
      return UNKNOWN;
    case 'minimum':
    case 'maximum':
    case 'clamp':
      return value.isFinite() ? largestError(others) : UNKNOWN;
    case 'multiply':
      return hasSign && isModerate ? UNKNOWN : LOST;
    case 'divide':
      if (last && isOverflowed(last)) return isModerate ? MODERATE - LARGEST_EXPONENT : LOST;
      return hasSign && isModerate ? UNKNOWN : LOST;
    case 'exp':
    case 'expm1':
    case 'sigmoid':
    case 'tanh':
    case 'erf':
      return value.isFinite() ? -LARGEST_EXPONENT : UNKNOWN;
    case 'sign':
      return EXACT;
    case 'atan':
      return rounding(value, digits, FEW_UNITS);
    default:
      return LOST;
  }
}
