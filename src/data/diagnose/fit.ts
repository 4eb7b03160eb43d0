/** Which files of a run a contract can be evaluated on, and which accompany them. */
import type { DataInputModel, DataModel, ElaboratedContract, Goal } from '../../contract/goal.ts';
import { freeVariables } from '../../math/term/traverse.ts';
import { columnPath } from '../judge/bound-input.ts';
import { logNames } from '../read/log-names.ts';
import type { DataScalar, DataSet, DataTable } from '../read/data-set.ts';
import type { Disagreement } from './diagnosis.ts';

/** A data set to evaluate a contract on, first, and the other files of the run. */
export type Fitting = readonly [DataSet, ...DataSet[]];

/**
 * The data sets that a contract can be evaluated on, each together with the rest of the run.
 *
 * Columns belong together: a file is used if it has all columns of some obligation that run over the same rows as its first. A
 * contract over values only takes them from all files, starting with the one that provides most. A file with different values
 * may be the config of another run, or of something else; if it provides enough, it is evaluated separately.
 */
export function fittingsOf({ data, dataGoals }: ElaboratedContract, sets: readonly DataSet[]): readonly Fitting[] {
  if (data === null) return [];
  const all = columnsOf(data);
  const needs = dataGoals.map(({ predicate }) => columnsIn(all, freeVariables(predicate)));
  const tables = needs.filter((columns) => columns.length > 0);
  if (tables.length === 0) return valueFittings({ data, dataGoals }, sets);
  const own = all.filter((column) => !isShared(column));
  return sets
    .filter((set) => tables.some((columns) => hasColumns(set, columns, own)))
    .map((first) => [first, ...sets.filter((set) => set !== first).map((set) => beside(data, first, set))]);
}

type OverValues = Pick<ElaboratedContract, 'dataGoals'> & { readonly data: DataModel };

function valueFittings({ data, dataGoals }: OverValues, sets: readonly DataSet[]): readonly Fitting[] {
  const [first, ...others] = mostGiving(data, sets);
  if (!first) return [];
  const alone = others.filter(
    (other) => differs(data, first, other) && dataGoals.some((goal) => says(data, goal, other)),
  );
  const rest = others.filter((other) => !alone.includes(other)).map((set) => beside(data, first, set));
  return [[first, ...rest], ...alone.map((set): Fitting => [set])];
}

function differs(model: DataModel, a: DataSet, b: DataSet): boolean {
  return model.inputs.some((input) => {
    const [one, other] = [valueOf(a, input), valueOf(b, input)];
    return one !== undefined && other !== undefined && !Object.is(one, other);
  });
}

/** Whether a file gives every input of a claim that has no default. */
function says({ inputs }: DataModel, { predicate }: Goal, set: DataSet): boolean {
  const names = freeVariables(predicate);
  return inputs.every((input) => input.fallback !== null || !names.has(input.name) || givesValue(set, input));
}

/** An input for which files have different values; the first is the one that was used. */
export function disagreementsOf(model: DataModel, [first, ...others]: Fitting): readonly Disagreement[] {
  return model.inputs.flatMap((input) => {
    const said = [first, ...others].flatMap((set) => {
      const value = valueOf(set, input);
      return value === undefined || value === null ? [] : [{ path: set.path, value }];
    });
    const [taken] = said;
    return taken && said.some(({ value }) => !Object.is(value, taken.value)) ? [{ name: input.name, said }] : [];
  });
}

/** The files of a run for a contract that none of them fits: only their values. */
export function valuesOf(sets: readonly DataSet[]): Fitting {
  const none: DataSet = { path: '.', format: 'none', values: new Map(), tables: new Map(), unused: [] };
  return [none, ...sets.map((set) => ({ ...set, tables: new Map<string, DataTable>() }))];
}

interface ColumnInput {
  readonly name: string;
  readonly from: string;
  /** The variable that counts its rows. */
  readonly size: string;
}

function columnsOf({ inputs }: DataModel): readonly ColumnInput[] {
  return inputs.flatMap(({ name, from, variable }) => {
    const [size] = variable.shape;
    return size?.kind === 'variable' ? [{ name, from, size: size.name }] : [];
  });
}

/** Those of the names that run over the same rows as the first of them. */
function columnsIn(all: readonly ColumnInput[], names: ReadonlySet<string>): readonly ColumnInput[] {
  const columns = all.filter(({ name }) => names.has(name));
  return columns.filter(({ size }) => size === columns[0]?.size);
}

function columnFits(table: DataTable, { from }: ColumnInput): boolean {
  const wanted = columnPath(from);
  return (wanted.table === null || wanted.table === table.name) && table.columns.has(wanted.column);
}

/** Steps and times are in tables of every kind, so they do not show what the rows are about. */
function isShared({ from }: ColumnInput): boolean {
  return logNames[columnPath(from).column]?.place === 'shared';
}

/** Whether one table has all of `columns`, and is of the kind of `own`, the columns that show what a contract is about. */
function hasColumns({ tables }: DataSet, columns: readonly ColumnInput[], own: readonly ColumnInput[]): boolean {
  return [...tables.values()].some(
    (table) =>
      columns.every((column) => columnFits(table, column)) &&
      (own.length === 0 || own.some((column) => columnFits(table, column))),
  );
}

function mostGiving(model: DataModel, sets: readonly DataSet[]): readonly DataSet[] {
  const counted = sets.map((set) => ({ set, given: model.inputs.filter((input) => givesValue(set, input)).length }));
  return counted
    .filter(({ given }) => given > 0)
    .toSorted((a, b) => b.given - a.given)
    .map(({ set }) => set);
}

function valueOf({ values, unused }: DataSet, { from }: DataInputModel): DataScalar['value'] | undefined {
  return (values.get(from) ?? unused.find(({ key }) => key === from))?.value;
}

/** Whether a file gives the value of an input. */
export function givesValue(set: DataSet, input: DataInputModel): boolean {
  return valueOf(set, input) !== undefined;
}

/**
 * An additional file provides values, and tables for rows for which the first file has no column: two files may both have a
 * column `step`, but their rows do not correspond.
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
  return columnsOf(model)
    .filter((column) => [...tables.values()].some((table) => columnFits(table, column)))
    .map(({ size }) => size);
}
