/** Logs with a line per value, which names the value and its step, such as exports of MLflow's metrics: joined into rows. */
import { normalKey } from '../log-names.ts';
import type { LogRows } from './log-rows.ts';
import type { Slot } from './slot.ts';

/** Where the parts of a value are. */
export interface ValueParts {
  readonly name: number;
  readonly value: number;
  readonly step: number;
}

/** The parts among the names of columns or keys: `run_id,key,value,step,timestamp`; null unless all three are there. */
export function valueParts(names: readonly string[]): ValueParts | null {
  const normal = names.map(normalKey);
  const at = (...spellings: readonly string[]): number => normal.findIndex((name) => spellings.includes(name));
  const parts = { name: at('key', 'metric', 'metric_name'), value: at('value'), step: at('step') };
  return Object.values(parts).includes(-1) ? null : parts;
}

/** Values are held until the log ends; this many are 300 MB. */
const MAX_VALUES = 2_000_000;

interface Joined {
  readonly step: number;
  readonly line: number;
  readonly cells: Map<Slot, number | null>;
}

/** Joins values into `rows`. */
export interface ValueRows {
  /** A value, null where the line has none; false when there are too many. */
  readonly put: (name: string, step: number, value: number | null, line: number) => boolean;
  /** Writes the rows, in the order of their steps if no name repeats one; false when there are too many. */
  readonly end: () => boolean;
}

/** A join without values. */
export function createValueRows(rows: LogRows): ValueRows {
  const joined: Joined[] = [];
  const rowOfStep = new Map<number, Joined>();
  let values = 0;
  let repeats = false;
  const stepSlot = rows.slot('step');
  const write = ({ step, line, cells }: Joined): boolean => {
    rows.put(stepSlot, step);
    for (const [slot, value] of cells) {
      if (value === null) rows.putMissing(slot);
      else rows.put(slot, value);
    }
    return rows.endRow(line);
  };
  return {
    put: (name, step, value, line) => {
      const slot = rows.slot(name);
      let row = rowOfStep.get(step);
      repeats ||= row?.cells.has(slot) === true;
      if (!row || row.cells.has(slot)) {
        row = { step, line, cells: new Map() };
        rowOfStep.set(step, row);
        joined.push(row);
      }
      row.cells.set(slot, value);
      values += 1;
      return values <= MAX_VALUES;
    },
    end: () => (repeats ? joined : joined.toSorted((a, b) => a.step - b.step)).every(write),
  };
}
