import type { NumericRow, PredicateRow } from '../functions/row.ts';

/** The numbers that a term is evaluated in. The interpreter knows nothing else about them. */
export interface Arithmetic<T> {
  readonly name: string;
  /** The number that a decimal text means; `integral` when it is an exact integer whatever the arithmetic. */
  readonly constant: (text: string, integral: boolean) => T;
  /** A float64 (an input, an index), exactly. */
  readonly fromNumber: (value: number) => T;
  /** The nearest float64. */
  readonly toNumber: (value: T) => number;
  readonly numeric: (row: NumericRow, operands: readonly T[], integral: boolean) => T;
  readonly predicate: (row: PredicateRow, operands: readonly T[]) => boolean;
  readonly equal: (a: T, b: T) => boolean;
  /** Runs what only chooses a case of a formula: a comparison that fails there breaks no claim. Absent: nothing is remembered of them. */
  readonly aside?: (choose: () => boolean) => boolean;
}
