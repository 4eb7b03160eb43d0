/**
 * How far a computed decimal may be from the real number that it approximates: the decimal logarithm of a bound, −∞ if it
 * is that number and +∞ if nothing is known. First-order bounds, with a margin for higher orders.
 */
import type { Decimal } from 'decimal.js';
import { functionTable, type FunctionName } from '../functions.ts';
import type { NumericRow } from '../functions/row.ts';
import {
  EXACT,
  FEW_UNITS,
  HALF_UNIT,
  largestError,
  LOST,
  rounding,
  sizeOf,
  sum,
  UNKNOWN,
  type Bounded,
} from './bounded.ts';
import { errorOfInfinite, errorOfOverflowed, isOverflowed } from './infinite-errors.ts';

/** log₁₀ of the share of an operand up to which an error is first-order. */
const SMALL = -2;
/** How far off a size may be, as a share of it. */
const SIZE_ERROR = 1e-6;
/** How much further than its error a remainder must be from 0 and from the divisor, as log₁₀, to be on one side of the jump. */
const NEAR_END = 0.1;

const names: ReadonlyMap<unknown, FunctionName> = new Map(
  (Object.keys(functionTable) as FunctionName[]).map((name) => [functionTable[name], name]),
);

/** A number of which it may be known that it is positive, however close to 0. */
interface Signed extends Bounded {
  readonly positive?: boolean;
}

/** The error of `value`, which is `row` of the operands in `digits` digits. */
export function errorOf(
  row: NumericRow,
  value: Decimal,
  operands: readonly Signed[],
  digits: number,
  again: (operands: readonly Decimal[]) => Decimal,
): number {
  const name = names.get(row);
  const [a, b] = operands;
  if (operands.some(isOverflowed)) return errorOfOverflowed(name, value, operands, digits);
  if (operands.some(({ error }) => error === UNKNOWN)) return LOST;
  const exact = operands.every(({ error }) => error === EXACT);
  if (!a) return rounding(value, digits, FEW_UNITS);
  if ([value, ...operands.map((operand) => operand.value)].some((one) => !one.isFinite()))
    return errorOfInfinite(name, value, operands, exact);
  if (name !== undefined && selections.has(name)) return largestError(operands);
  if (name === undefined || steps.has(name)) {
    if (exact) return errorOfExactStep(name, value, a, b, digits);
    return name === 'modulo' && b ? errorOfModulo(value, a, b, digits) : errorOfStep(value, operands, again);
  }
  return exact && isExact(name, value, operands, digits) ? EXACT : errorOfSmooth(name, value, [a, b], digits);
}

function errorOfSmooth(
  name: FunctionName,
  value: Decimal,
  [a, b]: readonly [Bounded, Bounded | undefined],
  digits: number,
): number {
  if (b && hasVanished(name, value, a, b))
    return Math.max(errorOfPair(name, value, a, b), belowAll(exponentOf(name, a, b)));
  if (b) return sum(errorOfPair(name, value, a, b), rounding(value, digits, name === 'power' ? FEW_UNITS : HALF_UNIT));
  if (value.isZero() && !a.value.isZero() && vanishing.has(name))
    return belowAll((a.value.toNumber() + 10 ** a.error) / Math.LN10);
  return sum(errorOfFunction(name, value, a), rounding(value, digits, FEW_UNITS));
}

/** The error of a number with this exponent that was taken for 0. It is not exact, however small it is. */
const belowAll = (exponent: number): number =>
  Math.max(exponent + 1 + SIZE_ERROR * Math.abs(exponent), -Number.MAX_VALUE);

/** A product, a quotient or a power that falls below every exponent is not 0. */
const hasVanished = (name: FunctionName, value: Decimal, a: Bounded, b: Bounded): boolean =>
  value.isZero() &&
  !a.value.isZero() &&
  (name === 'divide' || name === 'power' || (name === 'multiply' && !b.value.isZero()));

function exponentOf(name: FunctionName, a: Bounded, b: Bounded): number {
  if (name === 'power') return b.value.toNumber() * sizeOf(a.value);
  return sizeOf(a.value) + (name === 'divide' ? -1 : 1) * sizeOf(b.value);
}

/** Functions that return an operand, up to its sign. */
const selections: ReadonlySet<FunctionName> = new Set(['negate', 'absolute', 'minimum', 'maximum', 'clamp']);
/** Functions that jump, and are exact between the jumps. */
const steps: ReadonlySet<FunctionName> = new Set([
  'sign',
  'floor',
  'ceiling',
  'round',
  'floor-divide',
  'modulo',
  'factorial',
  'binomial',
  'ulp32',
  'round32',
  'ulp-distance',
]);
/** Functions whose values may fall below every exponent. */
const vanishing: ReadonlySet<FunctionName> = new Set(['exp', 'sigmoid', 'softplus']);

/** Whether a number is positive by construction, however close to 0. */
export function isPositive(
  row: NumericRow,
  { value, error }: Bounded,
  operands: readonly { readonly positive: boolean }[],
): boolean {
  if (value.isPositive() && !value.isZero() && (error === EXACT || sizeOf(value) > error || error === UNKNOWN))
    return true;
  switch (names.get(row)) {
    case 'exp':
    case 'sigmoid':
    case 'softplus':
    case 'cosh':
      return !value.isNaN();
    case 'add':
    case 'multiply':
    case 'divide':
    case 'minimum':
    case 'sqrt':
    case 'tanh':
    case 'sinh':
    case 'atan':
    case 'erf':
    case 'expm1':
    case 'log1p':
      return operands.every(({ positive }) => positive);
    case 'power':
      return operands[0]?.positive === true;
    case 'maximum':
      return operands.some(({ positive }) => positive);
    default:
      return false;
  }
}

/** Whether the result of exact operands is exact: no digit was lost, or the function's value is known there. */
function isExact(name: FunctionName, value: Decimal, [a, b]: readonly Bounded[], digits: number): boolean {
  if (!a) return false;
  const [x, y] = [a.value, b?.value];
  if (b && hasVanished(name, value, a, b)) return false;
  switch (name) {
    case 'add':
    case 'subtract':
      return y !== undefined && width(x, y) <= digits;
    case 'multiply':
      return y !== undefined && (x.isZero() || y.isZero() || x.sd() + y.sd() <= digits);
    case 'divide':
      return y !== undefined && (x.isZero() || (value.sd() + y.sd() <= digits && value.times(y).equals(x)));
    case 'sqrt':
      return 2 * value.sd() <= digits && value.times(value).equals(x);
    case 'power':
      return y !== undefined && y.isInteger() && y.greaterThanOrEqualTo(0) && x.sd() * y.toNumber() <= digits;
    case 'log':
    case 'log2':
    case 'log10':
      return x.equals(1);
    case 'softplus':
    case 'reciprocal-sqrt':
      return false;
    default:
      // At 0 their values are 0, 1/2 or 1.
      return x.isZero();
  }
}

/** Digits from the first of both numbers to the last of both, with a carry. */
function width(x: Decimal, y: Decimal): number {
  if (x.isZero() || y.isZero()) return Math.max(x.sd(), y.sd());
  const last = Math.min(x.e - x.sd(), y.e - y.sd());
  return Math.max(x.e, y.e) + 1 - last;
}

/** Exact, unless digits were lost before the step. */
function errorOfExactStep(
  name: FunctionName | undefined,
  value: Decimal,
  a: Bounded,
  b: Bounded | undefined,
  digits: number,
): number {
  const fits = b === undefined || a.value.sd() + b.value.sd() + Math.abs(a.value.e - b.value.e) < digits;
  if (name === 'modulo' && b && !fits) return Math.max(rounding(a.value, digits, FEW_UNITS), sizeOf(b.value));
  if (name === 'floor-divide' && !fits) return sum(0, rounding(value, digits, FEW_UNITS));
  if ((name === 'factorial' || name === 'binomial') && value.sd() >= digits) return rounding(value, digits, FEW_UNITS);
  return EXACT;
}

/** A function that is constant between jumps: exact if no jump is within reach, otherwise the height of the jump. */
function errorOfStep(
  value: Decimal,
  operands: readonly Signed[],
  again: (operands: readonly Decimal[]) => Decimal,
): number {
  const moved = (signs: readonly number[]): Decimal =>
    again(
      operands.map((operand, i) => {
        const { value: x, error, positive } = operand;
        if (error === EXACT) return x;
        const Context = x.constructor as typeof Decimal;
        // A shift that is rounded away shows no jump.
        const least = x.isZero() ? Context.minE : x.e - Context.precision + 1;
        const shift = new Context(`1e${Math.max(Math.ceil(error), least, Context.minE)}`);
        const there = x.plus(shift.times(signs[i] ?? 1));
        return positive === true && !there.greaterThan(0) ? smallestOf(Context) : there;
      }),
    );
  const reach = [
    [1, 1],
    [-1, -1],
    [1, -1],
    [-1, 1],
  ].map((signs) => {
    const other = moved(signs);
    return other.isNaN() ? LOST : sizeOf(other.minus(value));
  });
  return Math.max(...reach);
}

/** The least positive decimal. */
const smallestOf = (context: typeof Decimal): Decimal => new context(`1e${context.minE}`);

/** Functions of one number that jump at 0, or beside it. */
const jumpsAtZero: ReadonlySet<FunctionName | undefined> = new Set(['sign', 'floor', 'ceiling', 'round'] as const);

/** Operands of a function that jumps: a positive number that was taken for 0 is the least one, lest the function see 0. */
export function besideJumps<T extends Signed>(row: NumericRow, operands: readonly T[]): readonly T[] {
  if (!jumpsAtZero.has(names.get(row))) return operands;
  return operands.map((operand) => {
    if (operand.positive !== true || !operand.value.isZero()) return operand;
    const value = smallestOf(operand.value.constructor as typeof Decimal);
    return { ...operand, value, error: Math.max(operand.error, value.e) };
  });
}

/** The remainder of a division moves with the dividend, and jumps by the divisor where it comes to either end of its range. */
function errorOfModulo(value: Decimal, a: Bounded, b: Bounded, digits: number): number {
  const quotient = Math.max(0, sizeOf(a.value) - sizeOf(b.value));
  const shift = sum(a.error, b.error === EXACT ? EXACT : b.error + quotient);
  const moved = sum(shift, Math.max(rounding(a.value, digits, FEW_UNITS), rounding(b.value, digits, FEW_UNITS)));
  const toNearestEnd = Math.min(sizeOf(value), sizeOf(b.value.abs().minus(value.abs())));
  return toNearestEnd > moved + NEAR_END ? moved : sum(sizeOf(b.value), moved);
}

function errorOfPair(name: FunctionName, value: Decimal, a: Bounded, b: Bounded): number {
  const [x, y] = [sizeOf(a.value), sizeOf(b.value)];
  switch (name) {
    case 'add':
    case 'subtract':
      return sum(a.error, b.error);
    case 'multiply':
      return sum(cross(y, a.error), sum(cross(x, b.error), cross(a.error, b.error)));
    case 'divide':
      return b.error > y + SMALL ? LOST : sum(a.error - y, sizeOf(value) + b.error - y) + 0.01;
    case 'power':
      return errorOfPower(value, a, b);
    default:
      return LOST;
  }
}

/** Up to this exponent a size that {@link sizeOf} rounds may be multiplied by it. */
const SAFE_EXPONENT = 1e4;

function errorOfPower(value: Decimal, a: Bounded, b: Bounded): number {
  const x = sizeOf(a.value);
  const exponent = b.value.toNumber();
  const isWhole = b.error === EXACT && Number.isInteger(exponent) && exponent >= 1;
  if (isWhole && (exponent <= SAFE_EXPONENT || x <= a.error + 0.4))
    return Math.log10(exponent) + a.error + (exponent - 1) * Math.max(x, a.error + 0.4);
  const ofExponent = b.error === EXACT ? EXACT : logarithmOf(a.value) + b.error;
  const relative = sum(cross(sizeOf(b.value), a.error - x), ofExponent);
  return relative > SMALL ? LOST : sizeOf(value) + relative + 0.1;
}

/** log₁₀ |ln a|; near 1 log₁₀ |a − 1|, which the size of a does not show. */
function logarithmOf(a: Decimal): number {
  const size = Math.abs(sizeOf(a));
  return size < 0.1 ? sizeOf(a.minus(1)) + 0.2 : Math.log10(size * Math.LN10);
}

/** log₁₀ of a product; 0 times anything is 0. */
const cross = (a: number, b: number): number => (a === -Infinity || b === -Infinity ? -Infinity : a + b);

/** |f′|·error, if the error is small compared with the scale of the function there. */
function errorOfFunction(name: FunctionName, value: Decimal, { value: x, error }: Bounded): number {
  if (error === EXACT) return EXACT;
  const result = sizeOf(value);
  const relative = error - sizeOf(x);
  switch (name) {
    case 'exp':
    case 'expm1':
      return error > SMALL ? LOST : sum(result, name === 'exp' ? -Infinity : 0) + error + 0.1;
    case 'log':
    case 'log2':
    case 'log10':
      return relative > SMALL ? LOST : relative + 0.3;
    case 'log1p': {
      const inside = sizeOf(x.plus(1));
      return error - inside > SMALL ? LOST : error - inside + 0.1;
    }
    case 'sqrt':
      if (relative > SMALL) return x.isNegative() && x.abs().greaterThan(0) ? LOST : error / 2 + 0.2;
      return error - result;
    case 'reciprocal-sqrt':
      return relative > SMALL ? LOST : 3 * result + error;
    case 'tan':
      return error + 2 * Math.max(0, result) > SMALL ? LOST : error + 2 * Math.max(0, result) + 0.4;
    case 'sinh':
    case 'cosh':
      return error > SMALL ? LOST : Math.max(0, result) + error + 0.5;
    case 'sigmoid':
      return error > SMALL ? LOST : Math.min(-0.6, result) + error + 0.1;
    case 'sin':
    case 'cos':
    case 'tanh':
    case 'atan':
    case 'softplus':
    case 'erf':
      return error + 0.1;
    default:
      return LOST;
  }
}
