/**
 * Which nodes a proof consists of: they follow from indices and sizes alone, so prover and verifier derive them by the same
 * walk, and a proof contains no directions.
 *
 * Node (level, i) covers the leaves i·2^level to (i+1)·2^level, as far as the tree has them; if it has none in the right half,
 * the node is its left child (an odd node is promoted, as RFC 9162 §2.1.1 splits at powers of two). Numbers reach 2⁵³ − 1, so
 * halving is arithmetic: shifts would cut at 32 bits.
 */

/** A node, and its side of the path from the leaves to the root. */
export interface Sibling {
  readonly side: 'left' | 'right';
  readonly level: number;
  readonly index: number;
  /** Whether it belongs to the smaller tree too; always false in an inclusion proof. */
  readonly shared: boolean;
}

/** The nodes that a consistency proof consists of. */
export interface ConsistencyRoute {
  /** The node that the path starts from; null if the smaller tree itself is that node, and no proof repeats it. */
  readonly start: { readonly level: number; readonly index: number } | null;
  readonly siblings: readonly Sibling[];
}

const isOdd = (n: number): boolean => n % 2 === 1;
const half = (n: number): number => Math.floor(n / 2);

/** ⌈log₂ size⌉: the level of the root, and the longest inclusion path. */
export function treeHeight(size: number): number {
  let height = 0;
  for (let width = 1; width < size; width *= 2) height++;
  return height;
}

/** The siblings from leaf `index` up to the root of `size` leaves (RFC 9162 §2.1.3.2); 0 ≤ index < size. */
export function inclusionRoute(index: number, size: number): readonly Sibling[] {
  return siblingsAbove({ level: 0, first: index, last: index }, size - 1).map((one) => ({ ...one, shared: false }));
}

/**
 * The nodes that show the leaves `start` to `end` to be part of a tree of `size` leaves, unchanged
 * (draft-ietf-plants-merkle-tree-certs §4.4.3; with `start` 0 it is RFC 9162 §2.1.4.2).
 *
 * [start, end) is a subtree: it is not empty, lies within the tree, and `start` is a multiple of the least power of two
 * ≥ end − start.
 */
export function consistencyRoute(start: number, end: number, size: number): ConsistencyRoute {
  let level = 0;
  let [first, last, treeLast] = [start, end - 1, size - 1];
  // The largest node that ends where the subtree does, and that both trees hold whole.
  while (first !== last && (isOdd(last) || last === treeLast)) {
    [first, last, treeLast] = [half(first), half(last), half(treeLast)];
    level++;
  }
  return {
    start: first === last ? null : { level, index: last },
    siblings: siblingsAbove({ level, first, last }, treeLast),
  };
}

/**
 * Upwards from the node `last`; `first` is the first node of the smaller tree and `treeLast` the last of the whole, on
 * the same level.
 */
function siblingsAbove(from: { level: number; first: number; last: number }, treeLast: number): readonly Sibling[] {
  const siblings: Sibling[] = [];
  let { level, first, last } = from;
  for (let end = treeLast; end > 0; level++) {
    if (isOdd(last)) siblings.push({ side: 'left', level, index: last - 1, shared: first < last });
    else if (last < end) siblings.push({ side: 'right', level, index: last + 1, shared: false });
    [first, last, end] = [half(first), half(last), half(end)];
  }
  return siblings;
}
