/**
 * Values that the rows of a log leave open: those that are not there, and those of which another key with the same meaning says that
 * they are not numbers.
 */
import type { ValueGap } from '../data-set.ts';
import type { Slot } from './slot.ts';
import { createValueGaps, diverges } from './value-gaps.ts';

/** Detects rows that leave a value open; what the user mapped is not disputed. */
export interface RowGaps {
  readonly row: (slots: readonly Slot[], values: readonly number[], empty: readonly Slot[], place: number) => void;
  /** By name; after the last row. */
  readonly found: () => ReadonlyMap<string, ValueGap>;
}

/** A detector that has seen no rows. */
export function createRowGaps(): RowGaps {
  const missing = createValueGaps();
  const disputed = new Map<string, ValueGap>();
  return {
    row: (slots, values, empty, place) => {
      missing.row(slots, empty, place);
      for (const [i, slot] of slots.entries()) {
        if (Number.isFinite(values[i]) || !slot.isContested || !diverges.test(slot.name)) continue;
        const read = slots.find(
          ({ name, rank }, k) => name === slot.name && rank < slot.rank && Number.isFinite(values[k]),
        );
        if (!read || read.rank < 0) continue;
        const before = disputed.get(slot.name) ?? { rows: 0, first: place, disputedBy: slot.key };
        disputed.set(slot.name, { ...before, rows: before.rows + 1, last: place });
      }
    },
    found: () => new Map([...disputed, ...missing.found()]),
  };
}
