/**
 * Typed arrays that grow: a column of millions of numbers without an object per number.
 */
/** A log of few rows may have tens of thousands of columns. */
const FIRST_CAPACITY = 16;

/** Doubling copies every number once on average; growing by half would save memory and copy twice as much. */
export function grownCapacity(current: number, needed: number): number {
  return Math.max(FIRST_CAPACITY, current * 2, needed);
}

/** Appended float64 values. */
export interface Numbers {
  readonly push: (value: number) => void;
  readonly at: (index: number) => number;
  readonly length: () => number;
  /** A view of what was appended; later appends may not show in it. */
  readonly view: () => Float64Array;
}

/** An empty array of float64, which doubles its memory when it is full. */
export function createNumbers(): Numbers {
  let values = new Float64Array(FIRST_CAPACITY);
  let length = 0;
  return {
    push: (value) => {
      if (length === values.length) {
        const grown = new Float64Array(grownCapacity(values.length, length + 1));
        grown.set(values);
        values = grown;
      }
      values[length++] = value;
    },
    at: (index) => values[index] ?? 0,
    length: () => length,
    view: () => values.subarray(0, length),
  };
}
