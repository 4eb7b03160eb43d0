/**
 * Rows that leave out a loss or a norm which the rows of their kind before them have: JSON has no NaN, and many writers put
 * `null` for it. A row is of that kind when it holds nothing else than the last row with the value; rows of evaluations are not.
 */
import type { ValueGap } from '../data-set.ts';

/** A key of the log, the same object in every row. */
interface Named {
  readonly name: string;
}

/** Detects rows without a value that earlier rows of their kind had. */
export interface ValueGaps {
  /** A row with these values, and these keys that say they have none. */
  readonly row: (values: readonly Named[], empty: readonly Named[], place: number) => void;
  /** By name; after the last row. */
  readonly found: () => ReadonlyMap<string, ValueGap>;
}

interface Open {
  rows: number;
  /** Of them, those that have the key. */
  said: number;
  readonly first: number;
  last: number;
}

interface Tracked {
  /** Values of the last row with this one. */
  like: readonly Named[];
  seenIn: number;
  /** Rows with the value, one after the other. */
  run: number;
  longest: number;
  open: Open | null;
  gap: ValueGap | null;
}

/** What stops being a number when a run diverges. */
export const diverges =
  /^(?:loss|eval_loss|policy_loss|value_loss|perplexity|eval_perplexity|grad_norm(?:_before_clip|_after_clip)?)$/;
/** A value that is logged every few rows comes alone; one that every row has comes at least twice in a row. */
const DENSE = 2;

/** A detector that has seen no rows. */
export function createValueGaps(): ValueGaps {
  const tracked = new Map<string, Tracked>();
  let rows = 0;

  const putValues = (values: readonly Named[]): void => {
    const like = values.slice();
    for (const { name } of values) {
      if (!diverges.test(name)) continue;
      let one = tracked.get(name);
      if (!one) tracked.set(name, (one = { like, seenIn: 0, run: 0, longest: 0, open: null, gap: null }));
      close(one);
      one.like = like;
      one.seenIn = rows;
      one.run += 1;
    }
  };
  return {
    row: (values, empty, place) => {
      rows += 1;
      putValues(values);
      for (const [name, one] of tracked) {
        if (one.seenIn === rows || !isWithin(values, one.like)) continue;
        one.open ??= { rows: 0, said: 0, first: place, last: place };
        one.open.rows += 1;
        one.open.said += Number(empty.some((slot) => slot.name === name));
        one.open.last = place;
      }
    },
    found: () => {
      const gaps = new Map<string, ValueGap>();
      for (const [name, one] of tracked) {
        const gap = one.open && isDoubtfulEnd(name, one, one.open) ? joined(one.gap, one.open) : one.gap;
        if (gap) gaps.set(name, gap);
      }
      return gaps;
    },
  };
}

/** Values come again after the gap: it counts when every row of it says that it has none. */
function close(one: Tracked): void {
  const { open } = one;
  if (!open) return;
  if (one.run >= DENSE && open.said === open.rows) one.gap = joined(one.gap, open);
  one.longest = Math.max(one.longest, open.rows);
  one.run = 0;
  one.open = null;
}

/** The log continues without the value. A loss may also be left out silently, if not in a single last row. */
function isDoubtfulEnd(name: string, { run, longest }: Tracked, { rows, said }: Open): boolean {
  if (run < DENSE && rows <= Math.max(1, 2 * longest)) return false;
  return said > 0 || (name === 'loss' && rows > 1);
}

function joined(before: ValueGap | null, { rows, first, last }: Open): ValueGap {
  return { rows: (before?.rows ?? 0) + rows, first: before?.first ?? first, last };
}

function isWithin(values: readonly Named[], others: readonly Named[]): boolean {
  if (values.length > others.length) return false;
  const names = values.length > 16 ? new Set(others) : null;
  return values.every((slot) => (names ? names.has(slot) : others.includes(slot)));
}
