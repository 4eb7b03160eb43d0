/**
 * Terms over numbers as people write them. `0.7 + 0.2 + 0.1 = 1` is true of the decimals and false in float64, so each number is a
 * fraction as far as it is one, beside what float64 makes of it.
 */
import { fromDecimal } from '../../numeric/bounded-rational.ts';
import {
  compareRational,
  fromFloat,
  isLong,
  isWhole,
  subtractRational,
  toFloat,
  ZERO,
  type Rational,
} from '../../numeric/rational.ts';
import { functionTable } from '../functions.ts';
import type { NumericRow } from '../functions/row.ts';
import { call, decimal } from '../term/build.ts';
import { printTerm } from '../term/print-term.ts';
import type { Term } from '../term/term.ts';
import type { Arithmetic } from './arithmetic.ts';
import { exactFunctions, orders, steps } from './fractions.ts';
import { interpret } from './interpret.ts';
import type { Environment } from './value.ts';

/** A number of type `number` is itself: a whole number, an infinity or NaN. */
type Written = number | Mixed;

interface Mixed {
  /** As float64 computes it. */
  readonly float: number;
  /** Null if it is no fraction, or one of too many digits. */
  readonly exact: Rational | null;
  /** Of a number that is not known exactly: how far it may be from `float`. */
  readonly error: number;
}

/** The truth of a claim about numbers as written. */
export interface TruthAsWritten {
  readonly holds: boolean;
  /** A comparison whose sides are not known exactly, and closer than float64 computes them. */
  readonly isClose: boolean;
  /** Where float64 comes to another whole number than the numbers as written do. */
  readonly rounded: string | null;
}

const limits = { maxSteps: 200_000 };

/** Whether a claim holds of the numbers as written; null if it is too large to be decided, or no truth value. */
export function truthAsWritten(term: Term, environment: Environment): TruthAsWritten | null {
  const arithmetic = writtenNumbers();
  const found = interpret(term, environment, arithmetic, limits);
  if (!found.ok || typeof found.value !== 'boolean') return null;
  return { holds: found.value, isClose: arithmetic.isClose(), rounded: arithmetic.rounded() };
}

/** The truth values of a tensor of them; null as for {@link truthAsWritten}, and where one is close or rests on float64's rounding. */
export function truthsAsWritten(term: Term, environment: Environment): readonly boolean[] | null {
  const arithmetic = writtenNumbers();
  const found = interpret(term, environment, arithmetic, limits);
  if (!found.ok || typeof found.value !== 'object' || found.value === null || !('data' in found.value)) return null;
  if (arithmetic.isClose() || arithmetic.rounded() !== null) return null;
  return found.value.data.map((one) => one === true);
}

interface WrittenNumbers extends Arithmetic<Written> {
  readonly isClose: () => boolean;
  readonly rounded: () => string | null;
}

function writtenNumbers(): WrittenNumbers {
  const state = { isClose: false, rounded: null as string | null };
  /** Notes sides that are closer than their errors. */
  const closeness = (operands: readonly Written[], apart: number): void => {
    if (apart <= operands.reduce<number>((sum, one) => sum + errorOf(one), 0)) state.isClose = true;
  };
  return {
    name: 'numbers as written',
    constant: (text) => mixed(Number(text), fromDecimal(text), 0),
    fromNumber: (value) => mixed(value, Number.isFinite(value) ? fromFloat(value) : null, 0),
    toNumber: nearest,
    numeric: (row, operands) => {
      const floats = operands.map(floatOf);
      const float = valueAt(row, floats);
      if (isExactInFloats(row, operands, float)) return float;
      const exacts = operands.map(exactOf);
      const exact = exactly(row, exacts);
      if (exact === 'none') return valueAt(row, operands.map(nearest));
      if (exact !== null && steps.has(row) && toFloat(exact) !== float)
        state.rounded ??= `${shown(row, operands.map(nearest))} = ${toFloat(exact)}, but float64, in which programs compute it, makes that ${shown(row, floats)} = ${float}`;
      return mixed(float, exact, exact === null ? spread(row, operands, float) : 0);
    },
    predicate: (row, operands) => {
      const [a = Number.NaN, b = Number.NaN, c = Number.NaN] = operands;
      const [x = null, y = null, z = null] = operands.map(exactOf);
      const order = orders.get(row);
      if (order && x && y) return order(compareRational(x, y));
      if (row === functionTable.approximately && x && y && z) return isWithin(x, y, z);
      const [p, q, r] = [floatOf(a), floatOf(b), floatOf(c)];
      if (order) closeness([a, b], Math.abs(p - q));
      if (row === functionTable.approximately) closeness([a, b, c], Math.abs(Math.abs(p - q) - r));
      return row.float64(p, q, r);
    },
    equal: (a, b) => {
      const [x, y] = [exactOf(a), exactOf(b)];
      if (x && y) return compareRational(x, y) === 0;
      const [p, q] = [floatOf(a), floatOf(b)];
      closeness([a, b], Math.abs(p - q));
      return p === q;
    },
    isClose: () => state.isClose,
    rounded: () => state.rounded,
  };
}

const unit = Number.EPSILON / 2;

const floatOf = (one: Written): number => (typeof one === 'number' ? one : one.float);

function exactOf(one: Written): Rational | null {
  if (typeof one !== 'number') return one.exact;
  return Number.isFinite(one) ? { numerator: BigInt(one), denominator: 1n } : null;
}

const nearest = (one: Written): number => (typeof one !== 'number' && one.exact ? toFloat(one.exact) : floatOf(one));

function errorOf(one: Written): number {
  if (typeof one === 'number') return 0;
  return one.exact ? Math.abs(toFloat(one.exact) - one.float) + unit * Math.abs(one.float) : one.error;
}

function mixed(float: number, exact: Rational | null, error: number): Written {
  const known = exact && !isLong(exact) ? exact : null;
  if (
    known ? isWhole(known) && Number.isSafeInteger(float) && known.numerator === BigInt(float) : !Number.isFinite(float)
  )
    return float;
  return { float, exact: known, error: known ? 0 : Math.max(error, unit * Math.abs(float)) };
}

const valueAt = (row: NumericRow, [a = Number.NaN, b = Number.NaN, c = Number.NaN]: readonly number[]): number =>
  row.float64(a, b, c);

/** Of whole numbers, what float64 computes without rounding; and of infinities whatever it computes. */
function isExactInFloats(row: NumericRow, operands: readonly Written[], float: number): boolean {
  if (operands.some((one) => typeof one === 'number' && !Number.isFinite(one))) return true;
  return operands.every((one) => typeof one === 'number') && row.result !== 'real' && Number.isSafeInteger(float);
}

/** `none` where the function has no value, as at a division by 0. */
function exactly(row: NumericRow, operands: readonly (Rational | null)[]): Rational | null | 'none' {
  const known = exactFunctions.get(row);
  const given = operands.filter((one) => one !== null);
  if (!known || given.length < operands.length) return null;
  const [a = ZERO, b = ZERO, c = ZERO] = given;
  return known(a, b, c);
}

/** How far a value moves with the errors of its operands, and with the function's own. */
function spread(row: NumericRow, operands: readonly Written[], float: number): number {
  let error = 4 * Number.EPSILON * Math.abs(float);
  const floats = operands.map(floatOf);
  for (const [i, one] of operands.entries()) {
    const by = errorOf(one);
    for (const moved of by === 0 ? [] : [floatOf(one) - by, floatOf(one) + by])
      error += Math.abs(valueAt(row, floats.with(i, moved)) - float);
  }
  return Number.isNaN(error) ? Infinity : error;
}

function isWithin(a: Rational, b: Rational, allowed: Rational): boolean {
  const apart = subtractRational(a, b);
  if (apart.numerator === 0n) return true;
  const size = apart.numerator < 0n ? { ...apart, numerator: -apart.numerator } : apart;
  return compareRational(size, allowed) <= 0;
}

function shown(row: NumericRow, operands: readonly number[]): string {
  const name = steps.get(row);
  return name ? printTerm(call(name, ...operands.map((one) => decimal(String(one))))) : '';
}
