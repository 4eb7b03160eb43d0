import fc from 'fast-check';
import { expect, test } from 'vitest';
import { legacyPaths, legacyRoot, type LegacySibling } from '../../../src/trace/legacy/tree.ts';
import { hex, sha256 } from './traces.ts';

/** `MerkleTree::build` of the seed (EXECUTION_TRACE.md), loop for loop. */
function builtAsTheSeedDoes(leaves: readonly Uint8Array[]): string | null {
  let level = [...leaves];
  while (level.length > 1) {
    const next: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i] ?? new Uint8Array(0), level[i + 1]];
      next.push(right ? sha256(left, right) : left);
    }
    level = next;
  }
  return level[0] ? hex(level[0]) : null;
}

const leaves = Array.from({ length: 130 }, (_, i) => sha256(Buffer.from(`leaf ${i}`)));

const folded = (leaf: Uint8Array, path: readonly LegacySibling[]): string =>
  hex(path.reduce((hash, { hash: other, isRight }) => (isRight ? sha256(hash, other) : sha256(other, hash)), leaf));

test('roots of every size up to 130 equal those of the original loop, and an empty tree has no root', () => {
  expect(legacyRoot([])).toBeNull();
  for (let size = 1; size <= leaves.length; size++) {
    const prefix = leaves.slice(0, size);
    const root = legacyRoot(prefix);
    expect(root && hex(root)).toBe(builtAsTheSeedDoes(prefix));
  }
});

test('every leaf of every size up to 130 has a path to the root, of at most ⌈log₂ size⌉ hashes', () => {
  const wrong: string[] = [];
  for (let size = 1; size <= leaves.length; size++) {
    const prefix = leaves.slice(0, size);
    const root = builtAsTheSeedDoes(prefix);
    const pathOf = legacyPaths(prefix);
    for (const [index, leaf] of prefix.entries()) {
      const path = pathOf(index);
      if (folded(leaf, path) !== root || path.length > Math.ceil(Math.log2(size))) wrong.push(`${index} of ${size}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('a promoted leaf has a shorter path: leaf 2 of 3 has one sibling', () => {
  expect(legacyPaths(leaves.slice(0, 3))(2)).toEqual([{ hash: sha256(...leaves.slice(0, 2)), isRight: false }]);
});

test('one flipped bit of any leaf gives another root', () => {
  fc.assert(
    fc.property(fc.nat(12), fc.nat(255), (at, bit) => {
      const copies = leaves.slice(0, 13).map((leaf) => leaf.slice());
      const leaf = copies[at];
      if (leaf) leaf[bit >> 3] = (leaf[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(hex(legacyRoot(copies) ?? new Uint8Array(0))).not.toBe(builtAsTheSeedDoes(leaves.slice(0, 13)));
    }),
  );
});
