/**
 * Records of a log, one value at a time, sorted into tables: `log` for training rows, `eval` for evaluations, `other`
 * for rows with neither (they are the log when there is no better), `summary` for what a run says about itself at its end,
 * and tables of events that a reader names.
 */
import type { DataTable, ValueGap } from '../data-set.ts';
import { knownKey, logNames, objectives } from '../log-names.ts';
import { createRowGaps } from './row-gaps.ts';
import type { Slot } from './slot.ts';
import { createTable, hasCell, setCell, type ColumnBuilder, type TableBuilder } from './table-builder.ts';

/** Receives a log value by value and sorts it into rows of tables. */
export interface LogRows {
  readonly slot: (key: string) => Slot;
  /** A value of the row that is being read. */
  readonly put: (slot: Slot, value: number) => void;
  /** A key of the row whose value is not a number: the row counts as one that should have it. */
  readonly putText: (slot: Slot) => void;
  /** A key of the row that says it has no value. */
  readonly putMissing: (slot: Slot) => void;
  /** A field of the row with nothing in it. */
  readonly putNothing: (slot: Slot) => void;
  /** Ends the row; false when there are too many. `event` names a table of events, `eval` an evaluation. */
  readonly endRow: (place: number, event?: string) => boolean;
  /** Drops the values of the row that is being read. */
  readonly dropRow: () => void;
  /** Whether the row that is being read has a value of one of these names. */
  readonly has: (...names: readonly string[]) => boolean;
  /** Whether it has a value of a key of a kind. */
  readonly hasKey: (isOfKind: (key: string) => boolean) => boolean;
  readonly finish: (
    position: DataTable['position'],
    alsoAs?: ReadonlyMap<string, string>,
  ) => ReadonlyMap<string, DataTable>;
}

/** Tables of events; a log that tags its lines with anything could name any number. */
const MAX_TABLES = 32;

/** What a row holds, as bits. */
const EVAL = 1;
const SUMMARY = 2;
const LOSS = 4;
const EVAL_LOSS = 8;
const TRAINING = 16;

const objectiveNames: ReadonlySet<string> = new Set(objectives);

function bitsOf({ name, place }: { readonly name: string; readonly place: Slot['place'] }): number {
  if (place === 'summary') return SUMMARY;
  if (place === 'eval') return name === 'eval_loss' ? EVAL | EVAL_LOSS : EVAL;
  return objectiveNames.has(name) ? LOSS | TRAINING : place === 'log' ? TRAINING : 0;
}

/** In a row that says it is an evaluation, the loss is the held-out one. */
const evaluatedAs: ReadonlyMap<string, string> = new Map([
  ['loss', 'eval_loss'],
  ['perplexity', 'eval_perplexity'],
]);

/** The limits and the user's names for a log. */
export interface LogRowsOptions {
  readonly maxRows: number;
  /**
   * Text for people. Rows with both losses are evaluations when other rows train (nanoGPT's `step 250: train loss …, val loss …`), and
   * several processes or handlers may print one record (torchrun without ranks, two handlers of Python's logging).
   */
  readonly isText: boolean;
  /** Key → name, from the user. */
  readonly mapping: ReadonlyMap<string, string>;
}

/** An empty log. */
export function createLogRows({ maxRows, isText, mapping }: LogRowsOptions): LogRows {
  const slots = new Map<string, Slot>();
  /** Further slots of a name are contested from the start. */
  const firstOfName = new Map<string, Slot>();
  const tables = new Map<string, TableBuilder>();
  const pending: Slot[] = [];
  const values: number[] = [];
  const texts: Slot[] = [];
  const empty: Slot[] = [];
  const gaps = createRowGaps();
  let bits = 0;
  /** A row of training has no loss but the held-out one. */
  let lacksLoss = false;
  const table = (name: string): TableBuilder => {
    let found = tables.get(name);
    if (!found) tables.set(name, (found = createTable(name)));
    return found;
  };
  const dropRow = (): void => {
    for (const list of [pending, values, texts, empty]) list.length = 0;
    bits = 0;
  };
  const lastRows = new Map<TableBuilder, LastRow>();
  const write = (target: TableBuilder, place: number, without: Slot['place'] | null, held: boolean): boolean => {
    const last = lastRows.get(target);
    const given = stepOf(pending, values);
    const step = (bits & LOSS) !== 0 && last?.hasLoss !== false ? null : given;
    const best = bestRanks(pending);
    const columns = pending.map((slot) => (slot.place === without ? null : columnOf(target, slot, best, held)));
    if (isText && saysAgain(last, given, pending, values, columns)) return true;
    const repeats = isOfAnother(last, given, pending, values);
    const joins = last !== undefined && (repeats || (step !== null && completes(last, step, pending, columns)));
    if (!joins && (target.rows() >= maxRows || target.isHollow())) return false;
    const row = joins ? last.row : target.addRow(place);
    writeCells(columns, values, row, repeats);
    for (const slot of texts) target.notNumber(slot.key);
    lastRows.set(target, {
      row,
      step: given,
      hasLoss: (joins && last.hasLoss) || (bits & LOSS) !== 0,
      isOther: isOther(pending, values),
    });
    return true;
  };
  const writeRow = (event: string | null, place: number): boolean => {
    if (event === 'eval') return write(table('eval'), place, null, (bits & EVAL_LOSS) === 0);
    if (event !== null && event !== 'epochs')
      return (!tables.has(event) && tables.size >= MAX_TABLES) || write(table(event), place, null, false);
    if ((bits & SUMMARY) !== 0 && !pending.some(isOfStep)) return write(table('summary'), place, null, false);
    const training = event ?? ((bits & TRAINING) === 0 ? 'other' : 'log');
    const evaluates = (bits & EVAL) !== 0;
    const fits = !evaluates || write(table('eval'), place, 'log', false);
    lacksLoss ||= evaluates && (bits & (LOSS | TRAINING)) === TRAINING;
    if (evaluates && (bits & LOSS) === 0) return fits;
    const isMixed = (bits & EVAL_LOSS) !== 0 && isText && event !== 'epochs';
    return write(table(isMixed ? 'mixed' : training), place, 'eval', false) && fits;
  };
  return {
    slot: (key) => {
      let slot = slots.get(key);
      if (!slot) {
        const mapped = mapping.get(key);
        const known = { ...knownKey(mapped ?? key), ...(mapped === undefined ? {} : { rank: -1, scale: 1 }) };
        const first = firstOfName.get(known.name);
        if (first) first.isContested = true;
        const empty = { columns: new Map(), ownColumns: new Map(), lastTable: null, lastColumn: null };
        slot = { key, ...known, bits: bitsOf(known), ...empty, isContested: first !== undefined };
        slots.set(key, slot);
        if (!first) firstOfName.set(known.name, slot);
      }
      return slot;
    },
    put: (slot, value) => {
      pending.push(slot);
      values.push(value * slot.scale);
      bits |= slot.bits;
    },
    putText: (slot) => {
      texts.push(slot);
      empty.push(slot);
      bits |= slot.bits & TRAINING;
    },
    putMissing: (slot) => {
      empty.push(slot);
      bits |= slot.bits & TRAINING;
    },
    putNothing: (slot) => void (bits |= slot.bits & TRAINING),
    dropRow,
    has: (...names) => pending.some((slot) => names.includes(slot.name)),
    hasKey: (isOfKind) => pending.some((slot) => isOfKind(slot.key)),
    endRow: (place, event) => {
      if (event === undefined || event === 'epochs') gaps.row(pending, values, empty, place);
      const fits = (pending.length === 0 && texts.length === 0) || writeRow(event ?? null, place);
      dropRow();
      return fits;
    },
    finish: (position, alsoAs) => {
      const done = finishTables(tables, gaps.found(), position, alsoAs);
      // The log is there, and its loss is not.
      return lacksLoss && !done.has('log') ? new Map([...done, ['log', createTable('log').finish(position)]]) : done;
    },
  };
}

function finishTables(
  tables: Map<string, TableBuilder>,
  gaps: ReadonlyMap<string, ValueGap>,
  position: DataTable['position'],
  alsoAs?: ReadonlyMap<string, string>,
): ReadonlyMap<string, DataTable> {
  const mixed = tables.get('mixed');
  if (mixed && !tables.has('log')) tables.set('log', mixed);
  tables.delete('mixed');
  for (const name of ['epochs', 'other']) {
    const instead = tables.get(name);
    if (!instead || tables.has('log')) continue;
    tables.set('log', instead);
    tables.delete(name);
  }
  const done = [...tables].map(([name, builder]): [string, DataTable] => {
    const finished = builder.finish(position, name === 'log' ? alsoAs : undefined, gapsIn(name, gaps));
    return [name, { ...finished, name }];
  });
  return new Map(done);
}

/** Rows of other tables have no training loss, and say so in some logs. */
function gapsIn(table: string, gaps: ReadonlyMap<string, ValueGap>): ReadonlyMap<string, ValueGap> {
  return new Map([...gaps].filter(([name]) => logNames[name]?.place === table));
}

interface LastRow {
  readonly row: number;
  readonly step: number | null;
  readonly hasLoss: boolean;
  /** Of a process other than the first. */
  readonly isOther: boolean;
}

function isOther(pending: readonly Slot[], values: readonly number[]): boolean {
  return pending.some(({ key }, i) => key === 'rank' && (values[i] ?? 0) > 0);
}

/** What one process says of a step does not hide that the loss of another is not a number. */
function writeCells(
  columns: readonly (ColumnBuilder | null)[],
  values: readonly number[],
  row: number,
  repeats: boolean,
): void {
  for (const [i, column] of columns.entries()) {
    const isLost = repeats && column !== null && hasCell(column, row) && !Number.isFinite(column.values[row]);
    if (column !== null && !isLost) setCell(column, row, values[i] ?? 0);
  }
}

/** Unsloth Studio writes the time so far into each row; the sum of a run at its end has neither of these. */
const isOfStep = ({ name }: Slot): boolean => name === 'learning_rate' || name === 'grad_norm';

function stepOf(pending: readonly Slot[], values: readonly number[]): number | null {
  for (let i = 0; i < pending.length; i++) if (pending[i]?.name === 'step') return values[i] ?? null;
  return null;
}

/**
 * Lightning and others write the learning rate and the loss of one step in rows of their own. Such a row completes the one
 * before when the step is the same and they have only shared columns in common.
 */
function completes(
  last: LastRow,
  step: number,
  pending: readonly Slot[],
  columns: readonly (ColumnBuilder | null)[],
): boolean {
  if (last.step !== step) return false;
  const own = columns.filter((column, i) => column !== null && pending[i]?.place !== 'shared');
  return own.length > 0 && own.every((column) => column !== null && !hasCell(column, last.row));
}

/** Whether a record with a loss has the step and the values of the row before, apart from times and speeds. */
function saysAgain(
  last: LastRow | undefined,
  step: number | null,
  pending: readonly Slot[],
  values: readonly number[],
  columns: readonly (ColumnBuilder | null)[],
): boolean {
  if (last === undefined || step === null || last.step !== step) return false;
  let hasLoss = false;
  for (const [i, column] of columns.entries()) {
    const slot = pending[i];
    if (column === null || slot === undefined || (slot.place !== 'log' && slot.name !== 'epoch')) continue;
    if (!hasCell(column, last.row) || !Object.is(column.values[last.row], values[i])) return false;
    hasLoss ||= slot.name === 'loss';
  }
  return hasLoss;
}

/** Whether the row and the one before are what two processes say of one step. */
function isOfAnother(
  last: LastRow | undefined,
  step: number | null,
  pending: readonly Slot[],
  values: readonly number[],
): boolean {
  return last?.step === step && (last.isOther || isOther(pending, values));
}

/** The name of a key in rows where a better key takes its name: a mapping may give `loss` to another key. */
function ownName({ key, name }: Slot): string {
  return key === name ? `${key} (another key is mapped to it)` : key;
}

/** For each name that several keys of the log have, the lowest rank in the row. */
function bestRanks(row: readonly Slot[]): ReadonlyMap<string, number> {
  const best = new Map<string, number>();
  for (const { name, rank, isContested } of row)
    if (isContested) best.set(name, Math.min(rank, best.get(name) ?? rank));
  return best;
}

/** The slot's column in a table: under its name, or under its own key in rows where a better key takes the name. */
function columnOf(target: TableBuilder, slot: Slot, best: ReadonlyMap<string, number>, held: boolean): ColumnBuilder {
  if (!slot.isContested && !held && slot.lastTable === target && slot.lastColumn) return slot.lastColumn;
  const beaten = (best.get(slot.name) ?? slot.rank) < slot.rank;
  const name = beaten ? ownName(slot) : held ? (evaluatedAs.get(slot.name) ?? slot.name) : slot.name;
  const cache = name === slot.name ? slot.columns : slot.ownColumns;
  let column = cache.get(target);
  if (!column || column.name !== name) cache.set(target, (column = target.column(name, slot.key)));
  slot.lastTable = name === slot.name ? target : null;
  slot.lastColumn = column;
  return column;
}
