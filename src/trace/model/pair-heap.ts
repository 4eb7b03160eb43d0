/** Neighbouring tokens that can be merged, the best first: a binary heap in an array (Williams, CACM 7(6), 1964). */

/** Tokens `a` and `b` at the places `left` and `right` together are the token `into`. */
export interface Pair {
  readonly left: number;
  readonly right: number;
  readonly a: number;
  readonly b: number;
  readonly into: number;
  readonly score: number;
}

/** The higher score first, of equal ones the place further to the left. */
const isBetter = (a: Pair, b: Pair): boolean => a.score > b.score || (a.score === b.score && a.left < b.left);

/** Adds a pair, in log n steps. */
export function insertPair(heap: Pair[], pair: Pair): void {
  let place = heap.push(pair) - 1;
  while (place > 0) {
    const above = (place - 1) >> 1;
    const parent = heap[above];
    if (!parent || !isBetter(pair, parent)) break;
    heap[place] = parent;
    place = above;
  }
  heap[place] = pair;
}

/** Takes the best pair out; undefined when none is left. */
export function nextPair(heap: Pair[]): Pair | undefined {
  const best = heap[0];
  const last = heap.pop();
  if (heap.length === 0 || last === undefined) return best;
  let place = 0;
  for (;;) {
    let below = 2 * place + 1;
    let child = heap[below];
    if (!child) break;
    const right = heap[below + 1];
    if (right && isBetter(right, child)) {
      child = right;
      below += 1;
    }
    if (!isBetter(child, last)) break;
    heap[place] = child;
    place = below;
  }
  heap[place] = last;
  return best;
}
