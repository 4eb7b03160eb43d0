/** A priority queue: smallest key first, and first in, first out among equal keys. */
export interface Queue<T> {
  readonly push: (key: number, value: T) => void;
  readonly pop: () => T | undefined;
  /** What is left, in no order. */
  readonly values: () => readonly T[];
  readonly size: () => number;
}

interface Entry<T> {
  readonly key: number;
  readonly order: number;
  readonly value: T;
}

const isBefore = <T>(a: Entry<T>, b: Entry<T>): boolean => a.key < b.key || (a.key === b.key && a.order < b.order);

/** An empty queue, as a binary heap. */
export function createQueue<T>(): Queue<T> {
  const heap: Entry<T>[] = [];
  let order = 0;
  const swap = (i: number, j: number): void => {
    const [a, b] = [heap[i], heap[j]];
    if (a === undefined || b === undefined) return;
    heap[i] = b;
    heap[j] = a;
  };
  const comesFirst = (i: number, j: number): boolean => {
    const [a, b] = [heap[i], heap[j]];
    return a !== undefined && b !== undefined && isBefore(a, b);
  };
  return {
    push: (key, value) => {
      let i = heap.push({ key, order: order++, value }) - 1;
      for (let parent = (i - 1) >> 1; i > 0 && comesFirst(i, parent); parent = (i - 1) >> 1) {
        swap(i, parent);
        i = parent;
      }
    },
    pop: () => {
      const [first] = heap;
      const last = heap.pop();
      if (first === undefined || last === undefined || heap.length === 0) return first?.value;
      heap[0] = last;
      for (let i = 0; ;) {
        const [left, right] = [2 * i + 1, 2 * i + 2];
        const least = comesFirst(right, left) ? right : left;
        if (!comesFirst(least, i)) return first.value;
        swap(i, least);
        i = least;
      }
    },
    values: () => heap.map(({ value }) => value),
    size: () => heap.length,
  };
}
