/** Which files of a run a contract can be evaluated on, and which stand beside them. */
import type { DataInputModel, DataModel, ElaboratedContract } from '../contract/goal.ts';
import { freeVariables } from '../math/traverse.ts';
import type { DataSet, DataTable } from '../subject/data/data-set.ts';

/** A data set to evaluate a contract on, first, and the other files of the run. */
export type Fitting = readonly [DataSet, ...DataSet[]];

/**
 * The data sets that a contract can be evaluated on, each with the rest of the run beside it.
 *
 * Columns belong together: a file is looked at when it has all columns of some obligation that run over the same rows
 * as its first. A contract over values alone takes them from all files, first from the one that gives most.
 */
export function fittingsOf({ data, dataGoals }: ElaboratedContract, sets: readonly DataSet[]): readonly Fitting[] {
  if (data === null) return [];
  const needs = dataGoals.map(({ predicate }) => columnsIn(data, freeVariables(predicate)));
  const tables = needs.filter((columns) => columns.length > 0);
  const primaries =
    tables.length > 0
      ? sets.filter((set) => tables.some((columns) => hasColumns(set, columns)))
      : mostGiving(data, sets).slice(0, 1);
  return primaries.map((first) => [
    first,
    ...sets.filter((set) => set !== first).map((set) => beside(data, first, set)),
  ]);
}

/** The files of a run for a contract that none of them fits: their values alone. */
export function valuesOf(sets: readonly DataSet[]): Fitting {
  const none: DataSet = { path: '.', format: 'none', values: new Map(), tables: new Map(), unused: [] };
  return [none, ...sets.map((set) => ({ ...set, tables: new Map<string, DataTable>() }))];
}

/** Inputs over the rows of the first of them, as far as they have no default. */
function columnsIn(model: DataModel, names: ReadonlySet<string>): readonly DataInputModel[] {
  const columns = model.inputs.filter(({ name, fallback }) => fallback === null && names.has(name));
  const sizes = columns.flatMap((input) => sizeOf(model, input) ?? []);
  return columns.filter((input) => sizeOf(model, input) === sizes[0] && sizes.length > 0);
}

/** The size variable of a column; null for a value. */
function sizeOf({ domain }: DataModel, input: DataInputModel): string | null {
  const [size] = domain.variables.find(({ name }) => name === input.name)?.shape ?? [];
  return size?.kind === 'variable' ? size.name : null;
}

const tableName = /^([a-z_]+)\.(.+)$/;

function columnFits(table: DataTable, { from }: DataInputModel): boolean {
  const [, wanted = table.name, column = from] = tableName.exec(from) ?? [];
  return wanted === table.name && table.columns.has(column);
}

function hasColumns({ tables }: DataSet, columns: readonly DataInputModel[]): boolean {
  return [...tables.values()].some((table) => columns.every((column) => columnFits(table, column)));
}

function mostGiving(model: DataModel, sets: readonly DataSet[]): readonly DataSet[] {
  const counted = sets.map((set) => ({ set, given: model.inputs.filter((input) => givesValue(set, input)).length }));
  return counted
    .filter(({ given }) => given > 0)
    .toSorted((a, b) => b.given - a.given)
    .map(({ set }) => set);
}

/** Whether a file says the value of an input. */
export function givesValue({ values, unused }: DataSet, { from }: DataInputModel): boolean {
  return values.has(from) || unused.some(({ key }) => key === from);
}

/**
 * A file beside the one that is looked at gives values, and tables for rows of which the first has no column: two files
 * may both have a column `step`, and their rows are not the same rows.
 */
function beside(model: DataModel, first: DataSet, other: DataSet): DataSet {
  const rowsOfFirst = new Set(sizesIn(model, first));
  const tables = [...other.tables].filter(([, table]) => {
    const sizes = sizesIn(model, { ...other, tables: new Map([[table.name, table]]) });
    return sizes.length > 0 && !sizes.some((size) => rowsOfFirst.has(size));
  });
  return { ...other, tables: new Map(tables) };
}

/** The size variables of the columns that a file has. */
function sizesIn(model: DataModel, { tables }: DataSet): readonly string[] {
  return model.inputs.flatMap((input) =>
    [...tables.values()].some((table) => columnFits(table, input)) ? (sizeOf(model, input) ?? []) : [],
  );
}
