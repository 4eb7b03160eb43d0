/** What the functions of mathematics are of fractions, where that is a fraction. */
import {
  addRational,
  compareRational,
  divideRational,
  floorRational,
  isWhole,
  multiplyRational,
  negateRational,
  subtractRational,
  toFloat,
  type Rational,
} from '../../numeric/rational.ts';
import { floor, power as wholePower } from '../../numeric/bounded-rational.ts';
import { rationalRoot } from '../../numeric/rational-root.ts';
import { functionTable } from '../functions.ts';
import type { FunctionRow } from '../functions/row.ts';

/** Null where the value is no fraction, `none` where there is none. */
type ExactFunction = (a: Rational, b: Rational, c: Rational) => Rational | null | 'none';

const whole = (value: bigint): Rational => ({ numerator: value, denominator: 1n });
const least = (a: Rational, b: Rational): Rational => (compareRational(a, b) <= 0 ? a : b);
const greatest = (a: Rational, b: Rational): Rational => (compareRational(a, b) >= 0 ? a : b);
const isZero = ({ numerator }: Rational): boolean => numerator === 0n;
const size = (a: Rational): Rational => (a.numerator < 0n ? negateRational(a) : a);

/** Ties to the even one. */
function roundToEven(a: Rational): Rational {
  const below = floorRational(a);
  const twice = compareRational(multiplyRational(whole(2n), subtractRational(a, whole(below))), whole(1n));
  return whole(twice > 0 || (twice === 0 && below % 2n !== 0n) ? below + 1n : below);
}

const floorQuotient = (a: Rational, b: Rational): Rational | 'none' =>
  isZero(b) ? 'none' : floor(divideRational(a, b));

function remainder(a: Rational, b: Rational): Rational | 'none' {
  const times = floorQuotient(a, b);
  return times === 'none' ? times : subtractRational(a, multiplyRational(times, b));
}

function power(base: Rational, exponent: Rational): Rational | null | 'none' {
  if (isZero(base) && exponent.numerator < 0n) return 'none';
  if (isWhole(exponent)) return wholePower(base, exponent);
  const root = exponent.denominator === 2n ? rationalRoot(base) : null;
  return root && wholePower(root, whole(exponent.numerator));
}

/** The logarithm of a power of the base with a whole exponent. */
const logarithm =
  (base: bigint, estimate: (value: number) => number): ExactFunction =>
  (a) => {
    const exponent = Math.round(estimate(toFloat(a)));
    if (!Number.isSafeInteger(exponent)) return null;
    const raised = power(whole(base), whole(BigInt(exponent)));
    return raised !== null && raised !== 'none' && compareRational(raised, a) === 0 ? whole(BigInt(exponent)) : null;
  };

const t = functionTable;

/** The functions that make fractions of some fractions. */
export const exactFunctions: ReadonlyMap<FunctionRow, ExactFunction> = new Map<FunctionRow, ExactFunction>([
  [t.add, addRational],
  [t.subtract, subtractRational],
  [t.multiply, multiplyRational],
  [t.divide, (a, b) => (isZero(b) ? 'none' : divideRational(a, b))],
  [t.negate, negateRational],
  [t.absolute, size],
  [t.minimum, least],
  [t.maximum, greatest],
  [t.clamp, (x, low, high) => least(greatest(x, low), high)],
  [t.sign, ({ numerator }) => whole(numerator < 0n ? -1n : numerator > 0n ? 1n : 0n)],
  [t.floor, floor],
  [t.ceiling, (a) => negateRational(floor(negateRational(a)))],
  [t.round, roundToEven],
  [t['floor-divide'], floorQuotient],
  [t.modulo, remainder],
  [t.power, power],
  [t.sqrt, rationalRoot],
  [t.log2, logarithm(2n, Math.log2)],
  [t.log10, logarithm(10n, Math.log10)],
]);

/** Those whose value jumps, which programs compute in floats. */
export const steps: ReadonlyMap<FunctionRow, 'floor' | 'ceiling' | 'round' | 'floor-divide'> = new Map(
  (['floor', 'ceiling', 'round', 'floor-divide'] as const).map((name) => [t[name], name]),
);

/** Whether an order holds between numbers that compare as −1, 0 or 1. */
export const orders: ReadonlyMap<FunctionRow, (order: number) => boolean> = new Map<
  FunctionRow,
  (order: number) => boolean
>([
  [t.less, (order) => order < 0],
  [t['less-equal'], (order) => order <= 0],
  [t.greater, (order) => order > 0],
  [t['greater-equal'], (order) => order >= 0],
]);
