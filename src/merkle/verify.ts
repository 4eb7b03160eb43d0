/**
 * Verification of inclusion and consistency proofs (RFC 9162 §2.1.3.2 and §2.1.4.2), and of proofs for subtrees
 * (draft-ietf-plants-merkle-tree-certs §4.3 and §4.4).
 *
 * Sizes are whole numbers below 2⁵³. What is hashed must have 32 bytes; a root that no hash can equal is distinguished by
 * comparison. No proof starts from an empty tree: it would say nothing, and sources disagree on its form.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { invariant } from '../base/invariant.ts';
import { err, ok, type Result } from '../base/result.ts';
import { count } from '../base/text.ts';
import type { Problem } from '../base/problem.ts';
import { emptyRoot, hashBytes, nodeHash, sameBytes, type Hash } from './hash.ts';
import { consistencyRoute, inclusionRoute, treeHeight } from './route.ts';

type Verified = Result<void, Problem>;

/** Verifies that the leaf with this hash is number `index` of the `size` leaves below `root`. */
export interface InclusionProof {
  readonly index: number;
  readonly size: number;
  readonly leafHash: Hash;
  /** Siblings from the leaf up. */
  readonly path: readonly Hash[];
  readonly root: Hash;
}

/** Verifies that the first `size1` leaves below `root2` are those below `root1`. */
export interface ConsistencyProof {
  readonly size1: number;
  readonly size2: number;
  readonly root1: Hash;
  readonly root2: Hash;
  readonly path: readonly Hash[];
}

/** Leaf `index` of the tree is below the root of the subtree [start, end). */
export interface SubtreeInclusionProof extends Omit<InclusionProof, 'size'> {
  readonly start: number;
  readonly end: number;
}

/** The leaves `start` to `end` below `root2`, which has `size` of them, are those below `root1`. */
export interface SubtreeConsistencyProof extends Omit<ConsistencyProof, 'size1' | 'size2'> {
  readonly start: number;
  readonly end: number;
  readonly size: number;
}

/**
 * Whether the leaf is below the root where the proof says.
 *
 * Problems: PV-8016 (no such leaf), PV-8017 (number of hashes), PV-8015 (a hash of another length), PV-8018 (another
 * root).
 */
export function verifyInclusion({ index, size, leafHash, path, root }: InclusionProof): Verified {
  if (!isCount(index) || !isCount(size) || index >= size)
    return outOfRange('leaf index', `leaf ${index} of a tree of ${count(size, 'leaf', 'leaves')}`);
  const route = inclusionRoute(index, size);
  const shape = checkShape('inclusion path', path, route.length, [leafHash]);
  if (!shape.ok) return shape;
  let hash = leafHash;
  for (const [i, { side }] of route.entries()) hash = joined(hash, path[i], side);
  return compareRoots('inclusion path', root, hash);
}

/** The same for the subtree [start, end); its problems are those of {@link verifyInclusion}. */
export function verifySubtreeInclusion({ start, end, index, ...proof }: SubtreeInclusionProof): Verified {
  if (!isSubtree(start, end, end)) return outOfRange('subtree', `a tree of the leaves ${start} to ${end}`);
  return verifyInclusion({ ...proof, index: index - start, size: end - start });
}

/**
 * Whether the larger tree begins with the smaller.
 *
 * Problems: PV-8016 (sizes), PV-8017 (number of hashes), PV-8015 (a hash of another length), PV-8018 (another root, of
 * which tree).
 */
export function verifyConsistency({ size1, size2, ...proof }: ConsistencyProof): Verified {
  if (size1 === 0) return outOfRange('tree sizes', 'nothing precedes the first leaf, so a proof from size 0');
  return verifySubtreeConsistency({ ...proof, start: 0, end: size1, size: size2 });
}

/** The same for the subtree [start, end); its problems are those of {@link verifyConsistency}. */
export function verifySubtreeConsistency(proof: SubtreeConsistencyProof): Verified {
  const { start, end, size, root1, root2, path } = proof;
  if (!isSubtree(start, end, size)) {
    const what = start === 0 ? `the first ${end}` : `the leaves ${start} to ${end}`;
    return outOfRange('tree sizes', `${what} of ${count(size, 'leaf', 'leaves')}`);
  }
  // Any tree holds the empty subtree.
  const route = start === end ? { start: null, siblings: [] } : consistencyRoute(start, end, size);
  const given = route.start === null ? 0 : 1;
  // For two trees of one size, only the roots are compared, and nothing is hashed.
  const hashed = route.start === null && route.siblings.length > 0 ? [root1] : [];
  const shape = checkShape('consistency path', path, given + route.siblings.length, hashed);
  if (!shape.ok) return shape;
  if (start === end) return compareRoots('smaller tree', root1, emptyRoot);
  let smaller = path[given - 1] ?? root1;
  let larger = smaller;
  for (const [i, { side, shared }] of route.siblings.entries()) {
    const sibling = path[given + i];
    if (shared) smaller = joined(smaller, sibling, side);
    larger = joined(larger, sibling, side);
  }
  const first = compareRoots('smaller tree', root1, smaller);
  return first.ok ? compareRoots('larger tree', root2, larger) : first;
}

const isCount = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;

/** Whether one node covers exactly the leaves `start` to `end` of `size`: see consistencyRoute. */
function isSubtree(start: number, end: number, size: number): boolean {
  if (![start, end, size].every(isCount) || start > end || end > size) return false;
  return start % 2 ** treeHeight(end - start) === 0;
}

function joined(hash: Hash, sibling: Hash | undefined, side: 'left' | 'right'): Hash {
  invariant(sibling !== undefined, 'the path has been measured');
  return side === 'left' ? nodeHash(sibling, hash) : nodeHash(hash, sibling);
}

function checkShape(check: string, path: readonly Hash[], length: number, others: readonly Hash[]): Verified {
  if (path.length !== length) {
    const message = `The proof has ${count(path.length, 'hash', 'hashes')}, and its index and size ask for ${length}: it is ${path.length < length ? 'too short' : 'too long'}.`;
    return err({ code: 'PV-8017', check, message, expected: String(length), actual: String(path.length) });
  }
  const wrong = [...others, ...path].find((hash) => hash.length !== hashBytes);
  if (wrong === undefined) return ok(undefined);
  const message = `A hash has ${count(wrong.length, 'byte')} instead of ${hashBytes}.`;
  return err({ code: 'PV-8015', check, message, expected: String(hashBytes), actual: String(wrong.length) });
}

function compareRoots(check: string, root: Hash, computed: Hash): Verified {
  if (sameBytes(root, computed)) return ok(undefined);
  const [expected, actual] = [bytesToHex(root), bytesToHex(computed)];
  const message = `The proof leads to another root: it gives ${actual}, and the root is ${expected}.`;
  return err({ code: 'PV-8018', check, message, expected, actual });
}

function outOfRange(check: string, what: string): Verified {
  return err({ code: 'PV-8016', check, message: `There is no such proof: ${what}.` });
}
