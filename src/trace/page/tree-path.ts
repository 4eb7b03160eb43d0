/** The path from a leaf to the root, as drawn: each node on it, and the sibling that it is hashed with. */

import { bytesToHex } from '@noble/hashes/utils.js';
import { legacyNodeHash, type LegacySibling } from '../legacy/tree.ts';
import { nodeHash, type Hash } from '../../merkle/hash.ts';
import { inclusionRoute } from '../../merkle/route.ts';

/** One step up the tree. Hashes are hexadecimal. */
interface PathLevel {
  /** The node above, computed from the two below. */
  readonly parent: string;
  readonly sibling: string;
  readonly side: 'left' | 'right';
}

/** What is drawn. */
export interface TreePath {
  readonly leaf: string;
  /** From the leaf up; the last parent is the root, and of no levels the leaf is. */
  readonly levels: readonly PathLevel[];
}

/** Which leaf, of how many, and the sibling hashes on its path. */
export interface PathClaim {
  readonly index: number;
  readonly size: number;
  readonly leafHash: Hash;
  readonly path: readonly Hash[];
}

/** For an RFC 6962 tree; `path` must have been verified, or come from the tree itself. */
export function treePath({ index, size, leafHash, path }: PathClaim): TreePath {
  const sides = inclusionRoute(index, size).map(({ side }) => side);
  return climb(
    leafHash,
    path.map((hash, i) => ({ hash, isRight: sides[i] === 'right' })),
    nodeHash,
  );
}

/** For a llama2-rs tree, whose proofs state the sides. */
export function legacyTreePath(leafHash: Hash, siblings: readonly LegacySibling[]): TreePath {
  return climb(leafHash, siblings, legacyNodeHash);
}

function climb(leaf: Hash, siblings: readonly LegacySibling[], join: (left: Hash, right: Hash) => Hash): TreePath {
  let node = leaf;
  const levels = siblings.map(({ hash, isRight }): PathLevel => {
    node = isRight ? join(node, hash) : join(hash, node);
    return { parent: bytesToHex(node), sibling: bytesToHex(hash), side: isRight ? 'right' : 'left' };
  });
  return { leaf: bytesToHex(leaf), levels };
}
