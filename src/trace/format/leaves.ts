/**
 * The tree over a trace: RFC 6962 hashes of the manifest and of every entry, in order.
 */
import { invariant } from '../../base/invariant.ts';
import { ok, type Result } from '../../base/result.ts';
import { leafHash, type Hash } from '../merkle/hash.ts';
import { createMerkleTree, type MerkleTree } from '../merkle/tree.ts';
import type { TraceProblem } from '../problem.ts';
import { positionsOf } from './entry.ts';
import { entryLeaf, manifestLeaf } from './leaf.ts';
import type { Trace } from './trace.ts';
import { wrong } from './wrong.ts';

/** The bytes that leaf `index` commits to: the manifest for 0, entry `index` − 1 for others below 1 + their number. */
export function leafBytes(trace: Trace, index: number): Uint8Array {
  if (index === 0) return manifestLeaf(trace.manifest);
  const entry = trace.entries[index - 1];
  invariant(entry !== undefined, 'a leaf lies within the trace');
  return entryLeaf(entry);
}

/** The tree of all leaves, which proves any of them and any earlier size. */
export function treeOf(trace: Trace): MerkleTree {
  const leaves = Array.from({ length: trace.entries.length + 1 }, (_, index) => leafHash(leafBytes(trace, index)));
  return createMerkleTree(leaves);
}

/** The leaf that covers `position`: a step's own, or that of the gap around it; null behind the end. */
export function leafIndexAt(trace: Trace, position: number): number | null {
  const found = trace.entries.findIndex(
    (entry) => entry.position <= position && position < entry.position + positionsOf(entry),
  );
  return found < 0 ? null : found + 1;
}

/** Shows that a trace of `fromSize` leaves is the beginning of the one of `toSize`, to whoever kept both roots. */
export interface Consistency {
  readonly fromSize: number;
  readonly toSize: number;
  readonly fromRoot: Hash;
  readonly toRoot: Hash;
  /** RFC 9162 §2.1.4.1. */
  readonly path: readonly Hash[];
}

/**
 * The consistency proof between two sizes of a growing trace; sizes count leaves, so that the manifest alone has 1.
 *
 * What checks it is `verifyConsistency` of the tree, from the two sizes and roots and this path.
 */
export function consistency(trace: Trace, fromSize: number, toSize: number): Result<Consistency, TraceProblem> {
  const size = trace.entries.length + 1;
  const inOrder = Number.isInteger(fromSize) && Number.isInteger(toSize) && 1 <= fromSize && fromSize <= toSize;
  if (!inOrder || toSize > size) {
    return wrong('PV-8047', 'tree sizes', `No consistency proof leads from size ${fromSize} to ${toSize}.`, {
      expected: `two sizes from 1 to ${size}, the smaller first`,
      actual: `${fromSize} and ${toSize}`,
    });
  }
  const tree = treeOf(trace);
  return ok({
    fromSize,
    toSize,
    fromRoot: tree.root(fromSize),
    toRoot: tree.root(toSize),
    path: tree.consistencyPath(fromSize, toSize),
  });
}
