/**
 * The tree of llama2-rs: SHA-256 of two nodes without a prefix, an odd node promoted unchanged, leaves not hashed again.
 *
 * Its shape is that of RFC 9162, so the routes of proofs are too; it lacks the prefixes, and so the distinction between leaves
 * and nodes (docs/trace-legacy.md).
 */
import { invariant } from '../../base/invariant.ts';
import { sha256 } from '../../merkle/sha256.ts';
import type { Hash } from '../../merkle/hash.ts';
import { inclusionRoute } from '../../merkle/route.ts';

/** SHA-256(left ‖ right). */
export function legacyNodeHash(left: Hash, right: Hash): Hash {
  return sha256(left, right);
}

/** A sibling on the path to the root; `isRight` says that it is on the right. */
export interface LegacySibling {
  readonly hash: Hash;
  readonly isRight: boolean;
}

/** Null for no leaves. */
export function legacyRoot(leaves: readonly Hash[]): Hash | null {
  return levelsOf(leaves).at(-1)?.[0] ?? null;
}

/** The siblings of each leaf, by its index, from the leaf up; the tree is hashed once for all of them. */
export function legacyPaths(leaves: readonly Hash[]): (index: number) => readonly LegacySibling[] {
  const levels = levelsOf(leaves);
  return (index) =>
    inclusionRoute(index, leaves.length).map((sibling) => {
      const hash = levels[sibling.level]?.[sibling.index];
      invariant(hash, 'a route leads through nodes of the tree');
      return { hash, isRight: sibling.side === 'right' };
    });
}

/** Leaves first, the root alone last. */
function levelsOf(leaves: readonly Hash[]): readonly (readonly Hash[])[] {
  const levels = [leaves];
  for (let level = leaves; level.length > 1; levels.push(level)) level = parents(level);
  return levels;
}

function parents(level: readonly Hash[]): readonly Hash[] {
  const above: Hash[] = [];
  let left: Hash | null = null;
  for (const node of level) {
    if (left) above.push(legacyNodeHash(left, node));
    left = left ? null : node;
  }
  return left ? [...above, left] : above;
}
