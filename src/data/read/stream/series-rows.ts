/**
 * Values that come one series at a time, each with its step, joined into rows: TensorBoard writes a record per tag.
 */
import type { DataColumn, DataTable } from '../data-set.ts';
import { knownKey, type KnownKey } from '../log-names.ts';
import { createTable, hasCell, setCell, type ColumnBuilder, type TableBuilder } from './table-builder.ts';
import { createValueGaps } from './value-gaps.ts';

/** Joins series that arrive one after another into rows by their steps. */
export interface SeriesRows {
  /** False when there are too many rows. */
  readonly put: (tag: string, step: number, value: number, wallTime: number, place: number) => boolean;
  /** A tag whose values are not numbers. */
  readonly putText: (tag: string) => void;
  readonly finish: () => ReadonlyMap<string, DataTable>;
}

interface Joined {
  readonly table: TableBuilder;
  readonly step: ColumnBuilder;
  readonly wallTime: ColumnBuilder;
  /** The last row of each step: after a restart the same step comes again, and begins a new row. */
  readonly rowOfStep: Map<number, number>;
}

interface Series extends KnownKey {
  readonly key: string;
  readonly joined: Joined;
  readonly column: ColumnBuilder;
}

/** An empty join of at most `maxRows` rows. `mapping` renames tags. */
export function createSeriesRows(maxRows: number, mapping: ReadonlyMap<string, string>): SeriesRows {
  const tables = new Map<string, Joined>();
  const series = new Map<string, Series>();
  const taken = new Map<string, string>();

  const tableOf = (name: string): Joined => {
    let joined = tables.get(name);
    if (!joined) {
      const table = createTable(name);
      const [step, wallTime] = [table.column('step', 'step'), table.column('wall_time', 'wall_time')];
      tables.set(name, (joined = { table, step, wallTime, rowOfStep: new Map() }));
    }
    return joined;
  };
  const seriesOf = (tag: string): Series => {
    const found = series.get(tag);
    if (found) return found;
    const known = knownKey(mapping.get(tag) ?? tag);
    const joined = tableOf(known.place === 'eval' ? 'eval' : 'log');
    // Two tags of one meaning keep apart: the first has the name.
    const owner = taken.get(known.name) ?? tag;
    taken.set(known.name, owner);
    const name = owner === tag && known.name !== 'step' && known.name !== 'wall_time' ? known.name : tag;
    const made = { ...known, key: tag, joined, column: joined.table.column(name, tag) };
    series.set(tag, made);
    return made;
  };
  return {
    put: (tag, step, value, wallTime, place) => {
      const { joined, column, scale } = seriesOf(tag);
      const { table, rowOfStep } = joined;
      let row = rowOfStep.get(step);
      if (row === undefined || hasCell(column, row)) {
        if (table.rows() >= maxRows) return false;
        row = table.addRow(place);
        rowOfStep.set(step, row);
        setCell(joined.step, row, step);
        if (!Number.isNaN(wallTime)) setCell(joined.wallTime, row, wallTime);
      }
      setCell(column, row, value * scale);
      return true;
    },
    putText: (tag) => tableOf('log').table.notNumber(tag),
    finish: () => new Map([...tables].map(([name, { table }]) => [name, withGaps(table.finish('byte'))])),
  };
}

/** A tag that stops while the others continue: the value of these rows is not known. */
function withGaps(table: DataTable): DataTable {
  const columns = [...table.columns].map(([name, { present }]) => ({ name, present }));
  const gaps = createValueGaps();
  for (let row = 0; row < table.rows; row++)
    gaps.row(
      columns.filter(({ present }) => present?.[row] !== 0),
      [],
      table.lineOf(row),
    );
  const found = gaps.found();
  if (found.size === 0) return table;
  const known = [...table.columns].map(([name, column]): [string, DataColumn] => {
    const gap = found.get(name);
    return [name, gap ? { ...column, gap } : column];
  });
  return { ...table, columns: new Map(known) };
}
