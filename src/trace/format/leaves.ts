/**
 * The tree over a trace: RFC 6962 hashes of the manifest and of every entry, in order.
 */
import { invariant } from '../../base/invariant.ts';
import { ok, type Result } from '../../base/result.ts';
import { leafHash } from '../../merkle/hash.ts';
import { createMerkleTree, type MerkleTree } from '../../merkle/tree.ts';
import type { ConsistencyProof } from '../../merkle/verify.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { positionsOf } from './entry.ts';
import { entryLeaf, manifestLeaf } from './leaf.ts';
import { encodeManifest } from './manifest.ts';
import type { Trace } from './trace.ts';

/** The bytes that leaf `index` commits to: the manifest for 0, entry `index` − 1 for others below 1 + their number. */
export function leafBytes(trace: Trace, index: number): Uint8Array {
  if (index === 0) return manifestLeaf(encodeManifest(trace.manifest));
  const entry = trace.entries[index - 1];
  invariant(entry !== undefined, 'a leaf lies within the trace');
  return entryLeaf(entry);
}

/** The tree of all leaves, which proves any of them and any earlier size; `json` is the manifest's encoding. */
export function treeOf({ manifest, entries }: Trace, json: Uint8Array = encodeManifest(manifest)): MerkleTree {
  return createMerkleTree([manifestLeaf(json), ...entries.map(entryLeaf)].map(leafHash));
}

/** The leaf that covers `position`: a step's own, or that of the gap around it; null after the end. */
export function leafIndexAt({ entries }: Trace, position: number): number | null {
  // A challenge may request each of a million, so use that entries are sorted by position.
  let [first, end] = [0, entries.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    const entry = entries[middle];
    invariant(entry !== undefined, 'the middle of a range lies within it');
    if (position >= entry.position + positionsOf(entry)) first = middle + 1;
    else if (position >= entry.position) return middle + 1;
    else end = middle;
  }
  return null;
}

/**
 * The consistency proof between two sizes of a growing trace; sizes count leaves, so that the manifest alone has 1.
 *
 * Whoever kept the root of the smaller size compares it with `root1`, and has `verifyConsistency` check the rest.
 */
export function consistency(trace: Trace, fromSize: number, toSize: number): Result<ConsistencyProof, Problem> {
  const size = trace.entries.length + 1;
  const inOrder = Number.isInteger(fromSize) && Number.isInteger(toSize) && 1 <= fromSize && fromSize <= toSize;
  if (!inOrder || toSize > size) {
    return wrong('PV-8016', 'tree sizes', `No consistency proof leads from size ${fromSize} to ${toSize}.`, {
      expected: `two sizes from 1 to ${size}, the smaller first`,
      actual: `${fromSize} and ${toSize}`,
    });
  }
  const tree = treeOf(trace);
  return ok({
    size1: fromSize,
    size2: toSize,
    root1: tree.root(fromSize),
    root2: tree.root(toSize),
    path: tree.consistencyPath(fromSize, toSize),
  });
}
