/**
 * What emitted modules call: they receive it as a parameter, so that they import nothing.
 */
import { invariant } from '../../base/invariant.ts';
import { erf } from '../../numeric/error-function.ts';
import { ulp32, ulpDistance } from '../../numeric/float.ts';
import { codePointAt, codePointCount, utf8At, utf8Length } from '../../numeric/text-units.ts';
import {
  approximately,
  binomial,
  factorial,
  floorDivide,
  modulo,
  power,
  roundHalfEven,
  sigmoid,
  softplus,
} from '../../numeric/special-functions.ts';
import type { CaseValue, CheckReport } from './compiled.ts';

/** Flat numbers in any typed array. */
interface NumberArray {
  readonly length: number;
  readonly [index: number]: number;
}

function numberOf(value: CaseValue | undefined): number {
  invariant(typeof value === 'number', 'a scalar arrives as a number');
  return value;
}

function booleanOf(value: CaseValue | undefined): boolean {
  return numberOf(value) !== 0;
}

function stringOf(value: CaseValue | undefined): string {
  invariant(typeof value === 'string', 'a string arrives as a string');
  return value;
}

function arrayOf(value: CaseValue | undefined): NumberArray {
  invariant(typeof value === 'object', 'a tensor arrives as a flat typed array');
  return value;
}

/** How many elements an output of run-time length has. */
function lengthOf(value: CaseValue | undefined): number {
  return arrayOf(value).length;
}

/** The same numbers as float32; the array itself when it is one already. */
function float32Array(values: NumberArray): Float32Array {
  return values instanceof Float32Array ? values : Float32Array.from(values);
}

function float64Array(values: NumberArray): Float64Array {
  return values instanceof Float64Array ? values : Float64Array.from(values);
}

function int32Array(values: NumberArray): Int32Array {
  return values instanceof Int32Array ? values : Int32Array.from(values);
}

/** Some milliseconds: a claim runs thousands of inputs. */
const LONGEST_LOOP = 2 ** 22;

/** The end of a loop whose length the mathematics does not bound. @throws RangeError beyond 2²² steps. */
function loopEnd(from: number, to: number): number {
  if (to - from > LONGEST_LOOP)
    throw new RangeError(`a loop from ${from} to ${to} is longer than ${LONGEST_LOOP} steps`);
  return to;
}

/** error / allowed, for errors and allowances that may be 0, infinite or NaN: above 1 exactly when the comparison fails. */
function ratio(error: number, allowed: number): number {
  if (error === 0) return 0;
  const quotient = error / allowed;
  return quotient >= 0 && error < Infinity ? quotient : Infinity;
}

/** Writes the worst comparison so far into the report and returns it; `worst` is −∞ while there was none. */
function conclude(report: CheckReport, worst: number, error: number, allowed: number): CheckReport {
  const compared = worst >= 0;
  report.ratio = compared ? worst : -1;
  report.error = compared ? error : 0;
  report.allowed = compared ? allowed : 0;
  return report;
}

/** Ends a check that failed at one comparison (−1: at something else); always false. */
function failed(
  report: CheckReport,
  left: number | string,
  right: number | string,
  comparison: number,
  at: readonly number[] = [],
): false {
  report.premise = true;
  report.left = left;
  report.right = right;
  report.comparison = comparison;
  report.at = at;
  return false;
}

/** Ends a check that held; always true. */
function held(report: CheckReport, premise: boolean): true {
  report.premise = premise;
  report.left = Number.NaN;
  report.right = Number.NaN;
  report.comparison = -1;
  report.at = [];
  return true;
}

/** The library that emitted code calls `m`. */
export const mathematics = {
  numberOf,
  booleanOf,
  stringOf,
  arrayOf,
  lengthOf,
  float32Array,
  float64Array,
  int32Array,
  loopEnd,
  ratio,
  conclude,
  failed,
  held,
  approximately,
  binomial,
  codePointAt,
  codePointCount,
  utf8At,
  utf8Length,
  erf,
  factorial,
  floorDivide,
  modulo,
  power,
  roundHalfEven,
  sigmoid,
  softplus,
  ulp32,
  ulpDistance,
} as const;

/** The type of `m` in emitted modules. */
export type Mathematics = typeof mathematics;
