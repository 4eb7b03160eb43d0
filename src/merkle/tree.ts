/** A Merkle tree that grows leaf by leaf and proves any of its sizes to any later one (RFC 9162 §2.1). */
import { invariant } from '../base/invariant.ts';
import { emptyRoot, hashBytes, nodeHash, type Hash } from './hash.ts';
import { consistencyRoute, inclusionRoute, treeHeight } from './route.ts';

/** A tree that proves its leaves and its growth. */
export interface MerkleTree {
  /** Leaves so far. */
  readonly size: number;
  /** Takes the hash of the next leaf, and keeps a copy. */
  readonly append: (leafHash: Hash) => void;
  /** The root of the first `size` leaves, by default all. */
  readonly root: (size?: number) => Hash;
  /** The siblings of leaf `index` < `size` from the leaf up; at most ⌈log₂ size⌉ hashes. */
  readonly inclusionPath: (index: number, size?: number) => readonly Hash[];
  /** Shows that the first `size1` ≥ 1 leaves are part of the first `size2`. */
  readonly consistencyPath: (size1: number, size2?: number) => readonly Hash[];
}

/** In memory, 64 bytes a leaf: every node whose leaves are all there. Appending hashes once on average. */
export function createMerkleTree(leaves: Iterable<Hash> = []): MerkleTree {
  const levels: HashList[] = [hashList()];
  const list = (level: number): HashList => (levels[level] ??= hashList());

  /** The node `index` of a level in the tree of the first `size` leaves. */
  function node(level: number, index: number, size: number): Hash {
    const width = 2 ** level;
    if ((index + 1) * width <= size) return list(level).at(index);
    const left = node(level - 1, 2 * index, size);
    const rightStart = index * width + width / 2;
    return rightStart >= size ? left : nodeHash(left, node(level - 1, 2 * index + 1, size));
  }

  function append(leafHash: Hash): void {
    let hash = leafHash;
    let level = 0;
    list(0).push(hash);
    for (let count = list(0).length; count % 2 === 0; count /= 2) {
      hash = nodeHash(list(level).at(count - 2), hash);
      list(++level).push(hash);
    }
  }

  const size = (): number => list(0).length;
  const checked = (prefix: number): number => {
    invariant(Number.isInteger(prefix) && prefix >= 0 && prefix <= size(), 'a prefix lies within the tree');
    return prefix;
  };
  for (const leaf of leaves) append(leaf);

  return {
    get size() {
      return size();
    },
    append,
    root(prefix = size()) {
      return checked(prefix) === 0 ? emptyRoot : node(treeHeight(prefix), 0, prefix);
    },
    inclusionPath(index, prefix = size()) {
      invariant(index >= 0 && index < checked(prefix), 'a leaf lies within its tree');
      return inclusionRoute(index, prefix).map((sibling) => node(sibling.level, sibling.index, prefix));
    },
    consistencyPath(size1, size2 = size()) {
      invariant(size1 >= 1 && checked(size1) <= checked(size2), 'a tree grows, from its first leaf on');
      const { start, siblings } = consistencyRoute(0, size1, size2);
      const first = start === null ? [] : [node(start.level, start.index, size1)];
      return [...first, ...siblings.map(({ level, index }) => node(level, index, size2))];
    },
  };
}

interface HashList {
  readonly length: number;
  readonly push: (hash: Hash) => void;
  readonly at: (index: number) => Hash;
}

/** Hashes one after the other in one growing array: as objects they would take six times the memory. */
function hashList(): HashList {
  let bytes = new Uint8Array(8 * hashBytes);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(hash) {
      invariant(hash.length === hashBytes, 'a hash has 32 bytes');
      if (length * hashBytes === bytes.length) {
        const larger = new Uint8Array(2 * bytes.length);
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(hash, length++ * hashBytes);
    },
    at: (index) => bytes.slice(index * hashBytes, (index + 1) * hashBytes),
  };
}
