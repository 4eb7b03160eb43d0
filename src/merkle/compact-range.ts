/**
 * The state that a recorder needs for the root of all leaves so far: the roots of its whole subtrees, at most one a
 * size.
 */
import { invariant } from '../base/invariant.ts';
import { emptyRoot, nodeHash, type Hash } from './hash.ts';

/** A tree that grows and forgets its leaves. */
export interface CompactRange {
  readonly size: number;
  /** From the largest subtree to the smallest: as many as `size` has binary ones. */
  readonly hashes: readonly Hash[];
  readonly append: (leafHash: Hash) => void;
  readonly root: () => Hash;
}

/**
 * A tree that forgets its leaves: O(log n) memory, and the same root as {@link MerkleTree}.
 *
 * "Compact range" is the term of transparency-dev/merkle (docs/compact_ranges.md); ranges start at 0 here.
 */
export function createCompactRange(): CompactRange {
  const hashes: Hash[] = [];
  let size = 0;
  return {
    get size() {
      return size;
    },
    get hashes() {
      return [...hashes];
    },
    append(leafHash) {
      let hash = leafHash;
      // As a binary counter carries: every one at the end of the size is a subtree that is complete with this leaf.
      for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
        const left = hashes.pop();
        invariant(left !== undefined, 'every one of the size has its subtree');
        hash = nodeHash(left, hash);
      }
      hashes.push(hash);
      size++;
    },
    root: () => (hashes.length === 0 ? emptyRoot : hashes.reduceRight((right, left) => nodeHash(left, right))),
  };
}
