/** An input of a contract, found: a value with its origin, or a column with its table. */
import type { DataColumn, DataScalar, DataTable, FrameworkDefault } from '../read/data-set.ts';
import type { Place } from './data-check.ts';

/** A value of a config. Numbers are in the unit of the vocabulary. */
export type ScalarValue = number | boolean | string;

/** A number, truth value or text, and where it comes from. */
export interface BoundScalar {
  readonly kind: 'scalar';
  readonly value: ScalarValue;
  /** Null if the command line or a framework's default gave it. */
  readonly written: { readonly scalar: DataScalar; readonly place: Place } | null;
  /** The framework's default that it is, if no file gives it. */
  readonly byDefault?: FrameworkDefault;
}

/** A column of a log or trace. */
export interface BoundColumn {
  readonly kind: 'column';
  readonly path: string;
  readonly table: DataTable;
  readonly column: DataColumn;
}

/** Where an input's value or values come from. */
export type BoundInput = BoundScalar | BoundColumn;

/** What the `from` of a column names. */
export interface ColumnPath {
  /** Null for a bare name, which may be in any table. */
  readonly table: string | null;
  readonly column: string;
}

/** `transfers.bytes` is the column `bytes` of the table `transfers`; `loss` and `Train/loss.mean` name no table. */
export function columnPath(from: string): ColumnPath {
  const table = /^[a-z_]+(?=\..)/.exec(from)?.[0] ?? null;
  return { table, column: table === null ? from : from.slice(table.length + 1) };
}
