/**
 * The tree of RFC 9162 as `contracts/trace-tree-v1.yaml` binds it: bytes, hashes and proofs as whole numbers in flat
 * arrays.
 *
 * `X` is a matrix of bytes, one row for the data of each leaf; a path is its hashes one after the other.
 */
import { createCompactRange } from '../../merkle/compact-range.ts';
import { hashBytes, leafHash, nodeHash } from '../../merkle/hash.ts';
import { createMerkleTree, type MerkleTree } from '../../merkle/tree.ts';
import { verifyConsistency, verifyInclusion } from '../../merkle/verify.ts';
import { bytesOf, numbersOf, rowsOf } from './bytes.ts';

/** The hash of a leaf with the data `d`. */
export function leaf(d: Int32Array): Int32Array {
  return numbersOf(leafHash(bytesOf(d)));
}

/** The hash of an inner node; `l` and `r` have 32 bytes each. */
export function inner(l: Int32Array, r: Int32Array): Int32Array {
  return numbersOf(nodeHash(bytesOf(l), bytesOf(r)));
}

/** The root of the first `m` rows of `X`, from a tree that keeps every leaf. */
export function root(X: Int32Array, m: number, n: number, w: number): Int32Array {
  return numbersOf(treeOf(X, n, w).root(m));
}

/** The root of all rows of `X`, as a recorder has it: from the roots of whole subtrees, no leaf kept. */
export function recordedRoot(X: Int32Array, n: number, w: number): Int32Array {
  return numbersOf(recordedRange(X, n, w).root());
}

/** How many hashes a recorder keeps after the rows of `X`. */
export function recordedHashes(X: Int32Array, n: number, w: number): number {
  return recordedRange(X, n, w).hashes.length;
}

/** The inclusion path of row `i`. */
export function inclusionPath(X: Int32Array, i: number, n: number, w: number): Int32Array {
  return numbersOf(...treeOf(X, n, w).inclusionPath(i));
}

/** The path that shows the first `m` rows to be the beginning of all. */
export function growthPath(X: Int32Array, m: number, n: number, w: number): Int32Array {
  return numbersOf(...treeOf(X, n, w).consistencyPath(m));
}

/** 1 where `p` leads from a leaf with the data `d`, number `i` of `k`, to the root `r`; 0 where it does not. */
export function included(d: Int32Array, i: number, k: number, p: Int32Array, r: Int32Array): number {
  const proof = { index: i, size: k, leafHash: leafHash(bytesOf(d)), path: hashesOf(p), root: bytesOf(r) };
  return verifyInclusion(proof).ok ? 1 : 0;
}

/** 1 where `p` shows that `k` leaves below `r` are the first of `l` leaves below `s`; 0 where it does not. */
export function grown(k: number, l: number, r: Int32Array, s: Int32Array, p: Int32Array): number {
  const proof = { size1: k, size2: l, root1: bytesOf(r), root2: bytesOf(s), path: hashesOf(p) };
  return verifyConsistency(proof).ok ? 1 : 0;
}

function treeOf(X: Int32Array, n: number, w: number): MerkleTree {
  return createMerkleTree(leavesOf(X, n, w));
}

function recordedRange(X: Int32Array, n: number, w: number): ReturnType<typeof createCompactRange> {
  const range = createCompactRange();
  for (const hash of leavesOf(X, n, w)) range.append(hash);
  return range;
}

function leavesOf(X: Int32Array, n: number, w: number): readonly Uint8Array[] {
  return rowsOf(bytesOf(X), w).slice(0, n).map(leafHash);
}

/** The last one may be shorter: that is for the verifier to refuse. */
function hashesOf(path: Int32Array): readonly Uint8Array[] {
  const bytes = bytesOf(path);
  const count = Math.ceil(bytes.length / hashBytes);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * hashBytes, (i + 1) * hashBytes));
}
