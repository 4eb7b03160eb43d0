/**
 * How far a run is in each row of its log. Most logs count optimizer steps. Some count batches that start again in each
 * epoch, and some name the epoch only.
 */
import type { DataColumn, DataTable } from './data-set.ts';
import { stepOrderOf } from './stream/table-builder.ts';

/**
 * The steps of a log whose counter starts again in each epoch (`epoch 2, iter 10`), counted through; null if the counter
 * does not do so. The steps of an epoch are taken as those of its last row.
 */
export function countedThrough(table: DataTable): DataTable | null {
  const [epoch, step] = [table.columns.get('epoch'), table.columns.get('step')];
  if (!epoch || !step || epoch.present || step.present) return null;
  const starts = epochStarts(epoch.values, step.values);
  if (starts === null) return null;
  const values = step.values.slice();
  const first = starts.some((row) => step.values[row] === 0) ? 1 : 0;
  let before = 0;
  for (const [i, row] of starts.entries()) {
    const end = starts[i + 1] ?? table.rows;
    for (let at = row; at < end; at++) values[at] = before + (step.values[at] ?? 0);
    before = (values[end - 1] ?? 0) + first;
  }
  const through = { ...step, values };
  return {
    ...table,
    columns: new Map([...table.columns, ['step', through], ['batch', step]]),
    stepOrder: stepOrderOf(through),
  };
}

/**
 * The log with an epoch for each row, where only lines between its rows name one (`Epoch 1 finished, avg loss 0.9`); null if those
 * lines do not count the epochs up.
 */
export function withEpochsBetween(log: DataTable, marks: DataTable): DataTable | null {
  const epoch = marks.columns.get('epoch');
  if (!epoch || epoch.present || log.columns.has('epoch') || !log.columns.has('step')) return null;
  const values = new Float64Array(log.rows);
  let mark = 0;
  for (let row = 0; row < log.rows; row++) {
    while (mark < marks.rows && marks.lineOf(mark) < log.lineOf(row)) mark += 1;
    values[row] = mark < marks.rows ? (epoch.values[mark] ?? NaN) : (epoch.values.at(-1) ?? NaN) + 1;
    if (row > 0 && !((values[row] ?? NaN) >= (values[row - 1] ?? NaN))) return null;
  }
  return { ...log, columns: new Map([...log.columns, ['epoch', { values, present: null, key: epoch.key }]]) };
}

/**
 * The first row of each epoch, if every epoch begins within a stride of zero, below the step that the epoch before ended
 * with, and steps increase within it. Anything else is a restart or a mistake, and is left for the contract.
 */
function epochStarts(epochs: Float64Array, steps: Float64Array): readonly number[] | null {
  const starts = [0];
  let stride = 0;
  for (let row = 1; row < steps.length; row++) {
    const [now, before] = [epochs[row] ?? NaN, epochs[row - 1] ?? NaN];
    const taken = (steps[row] ?? NaN) - (steps[row - 1] ?? NaN);
    if (now === before && taken > 0) stride = Math.max(stride, taken);
    else if (now > before && Number.isInteger(now) && taken <= 0) starts.push(row);
    else return null;
  }
  const isNearZero = (row: number): boolean => (steps[row] ?? NaN) <= Math.max(1, stride);
  return starts.length > 1 && starts.slice(1).every(isNearZero) ? starts : null;
}

/**
 * Steps of a log that names its epochs only, for claims about the order of rows: each row is one step more than the row
 * before. Where epochs go back, so do the steps. A log that starts after its first epoch is continued, and so is the count.
 */
export function rowsAsSteps({ columns, rows }: DataTable): DataColumn | null {
  const epoch = columns.get('epoch');
  if (!epoch) return null;
  const values = new Float64Array(rows);
  const [epochs, steps]: [number[], number[]] = [[], []];
  let step = rowsBefore(epoch) - 1;
  for (let row = 0; row < rows; row++) {
    const now = epoch.present?.[row] === 0 ? NaN : (epoch.values[row] ?? NaN);
    values[row] = NaN;
    if (Number.isNaN(now)) continue;
    const goesBack = (epochs.at(-1) ?? now) > now;
    while (goesBack && (epochs.at(-1) ?? NaN) >= now) {
      epochs.pop();
      step = (steps.pop() ?? step) - 1;
    }
    values[row] = step += 1;
    epochs.push(now);
    steps.push(step);
  }
  return { values, present: epoch.present, key: epoch.key };
}

/** The number of the first row, if rows were as frequent before the log begins as they are in it. */
function rowsBefore({ values, present }: DataColumn): number {
  const given = values.filter((_, row) => present?.[row] !== 0);
  const [first = 0, last = 0] = [given[0], given.at(-1)];
  const perEpoch = last > first ? (given.length - 1) / (last - first) : 1;
  return first > 1 && Number.isFinite(first * perEpoch) ? Math.round(first * perEpoch) : 1;
}
