import { arithmetic } from './functions/arithmetic.ts';
import { comparison } from './functions/comparison.ts';
import { elementary } from './functions/elementary.ts';
import { logic, strings } from './functions/logic.ts';
import type { FunctionRow } from './functions/row.ts';

/**
 * The function table: one row per scalar function of the mathematics.
 *
 * A row says everything the back ends need; a test walks the table and demands each meaning.
 * Elaboration maps notation names and operators to these names.
 */
export const functionNames = [
  'add',
  'subtract',
  'multiply',
  'divide',
  'negate',
  'power',
  'modulo',
  'floor-divide',
  'absolute',
  'sign',
  'floor',
  'ceiling',
  'round',
  'minimum',
  'maximum',
  'clamp',
  'sqrt',
  'reciprocal-sqrt',
  'exp',
  'expm1',
  'log',
  'log1p',
  'log2',
  'log10',
  'sin',
  'cos',
  'tan',
  'tanh',
  'sinh',
  'cosh',
  'atan',
  'erf',
  'sigmoid',
  'softplus',
  'factorial',
  'binomial',
  /** Constants: functions without arguments. */
  'pi',
  'e',
  'less',
  'less-equal',
  'greater',
  'greater-equal',
  'equal',
  'not-equal',
  /** `approximately(a, b, allowed)`: |a − b| ≤ allowed, false when either is NaN; equal infinities satisfy it. */
  'approximately',
  'and',
  'or',
  'not',
  'implies',
  'iff',
  'xor',
  'is-finite',
  'is-nan',
  /** Distance of a to b in units in the last place of the float32 nearest to b. */
  'ulp-distance',
  /** The unit in the last place of the float32 nearest to the argument. */
  'ulp32',
  /** Round to nearest float32. */
  'round32',
  /** The number of characters (Unicode code points) of a string. */
  'string-length',
  /** The code point at a position of a string. */
  'code-point-at',
  /** The number of bytes of a string in UTF-8, and the byte at a position. */
  'utf8-length',
  'utf8-at',
  'string-concat',
] as const;

/** A scalar function that terms can call. */
export type FunctionName = (typeof functionNames)[number];

/** Every function with its meaning in every back end. */
export const functionTable: Readonly<Record<FunctionName, FunctionRow>> = {
  ...arithmetic,
  ...elementary,
  ...comparison,
  ...logic,
  ...strings,
};
