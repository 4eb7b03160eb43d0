/**
 * Rows that arrive one value at a time, in any set of columns, become a {@link DataTable}.
 */
import type { DataColumn, DataTable, StepOrder, ValueGap } from '../data-set.ts';
import { createNumbers, grownCapacity, type Numbers } from './growable.ts';

/** A column while rows arrive: it is only as long as its last value needs. */
export interface ColumnBuilder {
  readonly name: string;
  readonly key: string;
  values: Float64Array;
  present: Uint8Array;
  /** Rows that have a value. */
  filled: number;
}

/** A table that grows row by row and column by column. */
export interface TableBuilder {
  readonly name: string;
  /** Opens a row at a place of the file; `set` fills it. Returns its index. */
  readonly addRow: (place: number) => number;
  /** The column of a name, made when it is new. */
  readonly column: (name: string, key: string) => ColumnBuilder;
  readonly rows: () => number;
  /** Whether it is large and nearly every cell of it is empty: each column takes memory for all rows. */
  readonly isHollow: () => boolean;
  /** A key whose value is not a number. */
  readonly notNumber: (key: string) => void;
  /** Columns that also have a second name. */
  readonly finish: (
    position: DataTable['position'],
    alsoAs?: ReadonlyMap<string, string>,
    gaps?: ReadonlyMap<string, ValueGap>,
  ) => DataTable;
}

/** Keys of texts that are listed; a log of free text could have any number. */
const NOT_NUMERIC_LIMIT = 1000;

/** Cells; a million rows of thirty columns are fewer. */
const LARGE = 50_000_000;
/** Cells to one with a value, in a table with keys that differ from row to row. */
const HOLLOW = 100;

/** An empty table; cells that are never set are missing. */
export function createTable(name: string): TableBuilder {
  const columns = new Map<string, ColumnBuilder>();
  const places: Numbers = createNumbers();
  const notNumeric = new Set<string>();
  return {
    name,
    rows: places.length,
    isHollow: () => {
      const cells = places.length() * columns.size;
      if (cells < LARGE) return false;
      let filled = 0;
      for (const column of columns.values()) filled += column.filled;
      return filled * HOLLOW < cells;
    },
    addRow: (place) => {
      places.push(place);
      return places.length() - 1;
    },
    column: (columnName, key) => {
      let column = columns.get(columnName);
      if (!column) {
        column = { name: columnName, key, values: new Float64Array(0), present: new Uint8Array(0), filled: 0 };
        columns.set(columnName, column);
      }
      return column;
    },
    notNumber: (key) => {
      if (notNumeric.size < NOT_NUMERIC_LIMIT) notNumeric.add(key);
    },
    finish: (position, alsoAs, gaps) => {
      const rows = places.length();
      const done = new Map(
        [...columns].map(([key, column]) => [key, { ...finishColumn(column, rows), ...gapOf(gaps, key) }] as const),
      );
      for (const [from, to] of alsoAs ?? []) {
        const column = done.get(from);
        if (column && !done.has(to)) done.set(to, column);
      }
      const lines = places.view();
      const numeric = new Set([...columns.values()].map((column) => column.key));
      return {
        name,
        rows,
        columns: done,
        lineOf: (row) => lines[row] ?? 0,
        position,
        stepOrder: stepOrderOf(done.get('step') ?? null),
        notNumeric: [...notNumeric].filter((key) => !numeric.has(key)),
      };
    },
  };
}

/** Sets the cell of a row; a second value of the same row replaces the first. */
export function setCell(column: ColumnBuilder, row: number, value: number): void {
  if (row >= column.values.length) growColumn(column, row + 1);
  if (column.present[row] === 0) column.filled += 1;
  column.values[row] = value;
  column.present[row] = 1;
}

/** Whether the column has a value in the row, as opposed to a missing one. */
export function hasCell(column: ColumnBuilder, row: number): boolean {
  return column.present[row] === 1;
}

function growColumn(column: ColumnBuilder, needed: number): void {
  const capacity = grownCapacity(column.values.length, needed);
  const values = new Float64Array(capacity);
  const present = new Uint8Array(capacity);
  values.set(column.values);
  present.set(column.present);
  column.values = values;
  column.present = present;
}

function gapOf(gaps: ReadonlyMap<string, ValueGap> | undefined, name: string): Pick<DataColumn, 'gap'> {
  const gap = gaps?.get(name);
  return gap ? { gap } : {};
}

function finishColumn(column: ColumnBuilder, rows: number): DataColumn {
  if (column.values.length < rows) growColumn(column, rows);
  const present = column.filled === rows ? null : column.present.subarray(0, rows);
  return { values: column.values.subarray(0, rows), present, key: column.key };
}

/** How the steps of a column run; null without one. */
export function stepOrderOf(step: DataColumn | null): StepOrder | null {
  if (!step) return null;
  let repeated = 0;
  let decreasing = 0;
  let firstRow = -1;
  let last = -Infinity;
  for (let row = 0; row < step.values.length; row++) {
    if (step.present && step.present[row] === 0) continue;
    const value = step.values[row] ?? 0;
    if (value === last) repeated += 1;
    else if (value < last) decreasing += 1;
    if (value <= last && firstRow < 0) firstRow = row;
    last = value;
  }
  return { repeated, decreasing, firstRow };
}
