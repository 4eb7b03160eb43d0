/** The values that one claim is evaluated on: scalars, and the columns over the rows that have all of them. */
import { gapSentence } from '../read/log-findings.ts';
import type { DataModel } from '../../contract/goal.ts';
import type { Term } from '../../math/term/term.ts';
import type { BoundColumn } from './bound-input.ts';
import type { MissingInput } from './data-check.ts';
import { gatherInputs } from './gather.ts';
import type { Gathered } from './gathered.ts';
import type { BoundInputs } from './inputs.ts';

/** The columns of a claim along one size, reduced to the rows where all of them have values. */
export interface ClaimColumns {
  readonly path: string;
  readonly table: BoundColumn['table'];
  /** Rows of the table that have a value in every column of the claim; null if all have. */
  readonly rows: Int32Array | null;
  readonly count: number;
  /** Why rows that were left out may matter. */
  readonly doubt: string | null;
  /** By input. */
  readonly values: ReadonlyMap<string, Float64Array>;
}

/** The values of every input that a claim mentions. */
export interface Environment {
  readonly scalars: ReadonlyMap<string, number | boolean | string>;
  /** The numbers among them that float64 may have rounded, as written. */
  readonly written: ReadonlyMap<string, Term>;
  /** Scalars that were not given: their value is the contract's default. */
  readonly assumed: ReadonlySet<string>;
  /** By size variable. */
  readonly columns: ReadonlyMap<string, ClaimColumns>;
}

/** The environment, or why the claim cannot be evaluated. */
export type EnvironmentResult =
  | { readonly ok: true; readonly value: Environment }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly missing: readonly MissingInput[];
      /** Whether something given cannot be used. */
      readonly unusable: boolean;
      /** Inputs that are given, or may be, and cannot be used. */
      readonly unclear: ReadonlySet<string>;
    };

/** Gathers what `terms` mention; defaults fill in what the data do not give. */
export function environmentFor(model: DataModel, bound: BoundInputs, terms: readonly Term[]): EnvironmentResult {
  const gathered = gatherInputs(model, bound, terms);
  const { missing, problem, unclear } = gathered;
  if (problem !== null) return { ok: false, reason: problem, missing, unusable: true, unclear };
  if (missing.length > 0)
    return { ok: false, reason: `needs ${missing.map(described).join(', ')}`, missing, unusable: false, unclear };
  return alignColumns(gathered);
}

function described({ name, meaning }: MissingInput): string {
  return meaning === null ? name : `${name} (${meaning})`;
}

type Member = readonly [name: string, found: BoundColumn];

/** Columns of one size come from one table, and are taken over the rows that have all of them. */
function alignColumns(state: Gathered): EnvironmentResult {
  const groups = new Map<string, readonly [Member, ...Member[]]>();
  for (const [name, { size, found }] of state.columns) {
    const group = groups.get(size);
    groups.set(size, group ? [...group, [name, found]] : [[name, found]]);
  }
  const columns = new Map<string, ClaimColumns>();
  for (const [size, members] of groups) {
    const [first] = members;
    const { table, path } = first[1];
    const stranger = members.find(([, found]) => found.table !== table);
    if (stranger)
      return {
        ok: false,
        reason: `${first[0]} and ${stranger[0]} are in different tables (${table.name}, ${stranger[1].table.name})`,
        missing: [],
        unusable: false,
        unclear: state.unclear,
      };
    const rows = completeRows(table, members);
    const length = rows?.length ?? table.rows;
    if (length === 0 && !(table.isWhole === true && table.rows === 0))
      return {
        ok: false,
        reason: `no row has ${members.map(([name]) => name).join(' and ')}`,
        missing: [],
        unusable: true,
        unclear: state.unclear,
      };
    columns.set(size, {
      path,
      table,
      rows,
      count: length,
      doubt: doubtOf(members),
      values: new Map(members.map(([name, { column }]) => [name, taken(column.values, rows, table.rows)])),
    });
  }
  return { ok: true, value: { scalars: state.scalars, written: state.written, assumed: state.assumed, columns } };
}

/** A column without a value in rows where similar rows have one. */
function doubtOf(members: readonly Member[]): string | null {
  for (const [name, { column, table }] of members) {
    if (column.gap) return gapSentence(name, column.gap, table.position);
  }
  return null;
}

/** The rows that have all of the columns; null if every row does. */
function completeRows(table: BoundColumn['table'], members: readonly Member[]): Int32Array | null {
  const masks = members.flatMap(([, { column }]) => (column.present ? [column.present] : []));
  if (masks.length === 0) return null;
  const rows = new Int32Array(table.rows);
  let count = 0;
  for (let row = 0; row < table.rows; row++) if (masks.every((mask) => mask[row] === 1)) rows[count++] = row;
  return rows.subarray(0, count);
}

function taken(values: Float64Array, rows: Int32Array | null, length: number): Float64Array {
  if (rows === null) return values.subarray(0, length);
  return Float64Array.from(rows, (row) => values[row] ?? Number.NaN);
}
