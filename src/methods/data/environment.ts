/** The values that one claim is evaluated on: scalars, and the columns over the rows that have all of them. */
import type { DataInputModel, DataModel } from '../../contract/goal.ts';
import { float64 } from '../../math/evaluate/floats.ts';
import { interpret } from '../../math/evaluate/interpret.ts';
import type { Binding } from '../../math/evaluate/value.ts';
import type { InputVariable } from '../../math/domain.ts';
import type { Term } from '../../math/term.ts';
import { freeVariables } from '../../math/traverse.ts';
import type { MissingInput } from './data-check.ts';
import type { BoundColumn } from './bound-input.ts';
import type { BoundInputs } from './inputs.ts';

export interface ClaimColumns {
  readonly path: string;
  readonly table: BoundColumn['table'];
  /** Rows of the table that have a value in every column of the claim; null when all have. */
  readonly rows: Int32Array | null;
  readonly count: number;
  /** By input. */
  readonly values: ReadonlyMap<string, Float64Array>;
}

export interface Environment {
  readonly scalars: ReadonlyMap<string, number | boolean | string>;
  /** By size variable. */
  readonly columns: ReadonlyMap<string, ClaimColumns>;
}

export type EnvironmentResult =
  | { readonly ok: true; readonly value: Environment }
  | { readonly ok: false; readonly reason: string; readonly missing: readonly MissingInput[] };

/** Gathers what `terms` mention; defaults fill in what the data do not say. */
export function environmentFor(model: DataModel, bound: BoundInputs, terms: readonly Term[]): EnvironmentResult {
  const gathering: Gathering = { model, bound, scalars: new Map(), columns: new Map(), missing: [], active: new Set() };
  const mentioned = new Set(terms.flatMap((term) => [...freeVariables(term)]));
  for (const name of mentioned) gather(gathering, name);
  const { missing } = gathering;
  if (missing.length > 0) return { ok: false, reason: `needs ${missing.map(described).join(', ')}`, missing };
  if (gathering.problem !== undefined) return { ok: false, reason: gathering.problem, missing: [] };
  return alignColumns(gathering);
}

function described({ name, meaning }: MissingInput): string {
  return meaning === null ? name : `${name} (${meaning})`;
}

interface Gathering {
  readonly model: DataModel;
  readonly bound: BoundInputs;
  readonly scalars: Map<string, number | boolean | string>;
  readonly columns: Map<string, { readonly size: string; readonly found: BoundColumn }>;
  readonly missing: MissingInput[];
  /** Defaults being computed, to find circles. */
  readonly active: Set<string>;
  problem?: string;
}

function gather(state: Gathering, name: string): void {
  const input = state.model.inputs.find((one) => one.name === name);
  const variable = state.model.domain.variables.find((one) => one.name === name);
  if (!input || !variable || state.scalars.has(name) || state.columns.has(name)) return;
  const unusable = state.bound.unusable.get(name);
  if (unusable !== undefined) {
    state.problem ??= `${name} ${unusable}`;
    return;
  }
  const found = state.bound.given.get(name);
  if (found?.kind === 'scalar') state.scalars.set(name, found.value);
  else if (found) gatherColumn(state, variable, found);
  else if (input.fallback) fallBack(state, input, input.fallback);
  else if (!state.missing.some((one) => one.name === name))
    state.missing.push({ name, from: input.from, meaning: input.meaning });
}

function gatherColumn(state: Gathering, variable: InputVariable, found: BoundColumn): void {
  const [size, second] = variable.shape;
  if (size?.kind === 'variable' && !second) state.columns.set(variable.name, { size: size.name, found });
  else state.problem ??= `${variable.name} is declared with a shape that a table does not have`;
}

function fallBack(state: Gathering, { name, from, meaning }: DataInputModel, fallback: Term): void {
  if (state.active.has(name)) {
    state.missing.push({ name, from, meaning });
    return;
  }
  state.active.add(name);
  const needed = [...freeVariables(fallback)];
  for (const one of needed) gather(state, one);
  state.active.delete(name);
  if (needed.some((one) => !state.scalars.has(one))) return;
  const result = interpret(fallback, state.scalars as ReadonlyMap<string, Binding>, float64);
  if (
    result.ok &&
    (typeof result.value === 'number' || typeof result.value === 'boolean' || typeof result.value === 'string')
  )
    state.scalars.set(name, result.value);
  else state.problem ??= `the default of ${name} could not be computed`;
}

/** Columns of one size come from one table, and are taken over the rows that have all of them. */
function alignColumns(state: Gathering): EnvironmentResult {
  const groups = new Map<string, [string, BoundColumn][]>();
  for (const [name, { size, found }] of state.columns) groups.set(size, [...(groups.get(size) ?? []), [name, found]]);
  const columns = new Map<string, ClaimColumns>();
  for (const [size, members] of groups) {
    const [first] = members;
    if (!first) continue;
    const { table, path } = first[1];
    const stranger = members.find(([, found]) => found.table !== table);
    if (stranger)
      return {
        ok: false,
        reason: `${first[0]} and ${stranger[0]} stand in different tables (${table.name}, ${stranger[1].table.name})`,
        missing: [],
      };
    const rows = completeRows(members.map(([, found]) => found));
    const count = rows?.length ?? table.rows;
    if (count === 0)
      return { ok: false, reason: `no row has ${members.map(([name]) => name).join(' and ')}`, missing: [] };
    columns.set(size, {
      path,
      table,
      rows,
      count,
      values: new Map(members.map(([name, { column }]) => [name, taken(column.values, rows, table.rows)])),
    });
  }
  return { ok: true, value: { scalars: state.scalars, columns } };
}

function completeRows(columns: readonly BoundColumn[]): Int32Array | null {
  const masks = columns.flatMap(({ column }) => (column.present ? [column.present] : []));
  const [first] = columns;
  if (masks.length === 0 || !first) return null;
  const rows = new Int32Array(first.table.rows);
  let count = 0;
  for (let row = 0; row < first.table.rows; row++) if (masks.every((mask) => mask[row] === 1)) rows[count++] = row;
  return rows.subarray(0, count);
}

function taken(values: Float64Array, rows: Int32Array | null, length: number): Float64Array {
  if (rows === null) return values.length === length ? values : values.subarray(0, length);
  return Float64Array.from(rows, (row) => values[row] ?? Number.NaN);
}
