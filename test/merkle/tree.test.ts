/** Holds src/merkle/compact-range.ts, src/merkle/route.ts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCompactRange } from '../../src/merkle/compact-range.ts';
import { emptyRoot, leafHash } from '../../src/merkle/hash.ts';
import { createMerkleTree } from '../../src/merkle/tree.ts';
import { consistencyOf, numberedLeaves, pathOf, rootOf } from './reference.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const all = (paths: readonly Uint8Array[]): readonly string[] => paths.map(hex);

test('the published roots of RFC 6962 trees: no leaf, and the empty leaf', () => {
  // certificate-transparency-go and transparency-dev/merkle pin both.
  expect(hex(createMerkleTree().root())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(hex(leafHash(new Uint8Array(0)))).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
});

test('the eight leaves of the certificate transparency test suite, at every size', () => {
  const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
  const tree = createMerkleTree(inputs.map((input) => leafHash(Buffer.from(input, 'hex'))));
  expect(Array.from({ length: 9 }, (_, size) => hex(tree.root(size)))).toEqual([
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]);
});

test('roots, inclusion paths and consistency paths of every size up to 130 are those of the definitions', () => {
  const leaves = numberedLeaves(130);
  const tree = createMerkleTree();
  const range = createCompactRange();
  for (let size = 1; size <= leaves.length; size++) {
    const leaf = leaves[size - 1];
    if (!leaf) throw new Error('no leaf');
    tree.append(leaf);
    range.append(leaf);
    const prefix = leaves.slice(0, size);
    expect(hex(tree.root())).toBe(hex(rootOf(prefix)));
    expect(hex(range.root())).toBe(hex(tree.root()));
    expect([tree.size, range.size, range.hashes.length]).toEqual([
      size,
      size,
      size.toString(2).replaceAll('0', '').length,
    ]);
    for (const index of new Set([0, 1, size >> 1, size - 2, size - 1].filter((i) => i >= 0 && i < size)))
      expect(all(tree.inclusionPath(index))).toEqual(all(pathOf(index, prefix)));
    for (const earlier of new Set([1, size >> 1, size - 1, size].filter((i) => i >= 1)))
      expect(all(tree.consistencyPath(earlier))).toEqual(all(consistencyOf(earlier, prefix)));
  }
});

test('what a tree says of an earlier size does not change as it grows', () => {
  const leaves = numberedLeaves(40);
  const tree = createMerkleTree(leaves);
  for (let size = 1; size <= 40; size++) {
    const small = createMerkleTree(leaves.slice(0, size));
    expect(hex(tree.root(size))).toBe(hex(small.root()));
    expect(all(tree.inclusionPath(size - 1, size))).toEqual(all(small.inclusionPath(size - 1)));
    expect(all(tree.consistencyPath(1, size))).toEqual(all(small.consistencyPath(1)));
  }
});

test('appending leaf by leaf is building at once, whatever the leaves', () => {
  const leaf = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(fc.array(leaf, { maxLength: 70 }), (leaves) => {
      const tree = createMerkleTree();
      const range = createCompactRange();
      for (const one of leaves) {
        tree.append(one);
        range.append(one);
      }
      expect(hex(tree.root())).toBe(hex(rootOf(leaves)));
      expect(hex(range.root())).toBe(hex(rootOf(leaves)));
    }),
  );
});

test('one flipped bit in any leaf, and any exchange, loss or repetition of leaves, gives another root', () => {
  const leaves = numberedLeaves(21);
  const root = hex(rootOf(leaves));
  fc.assert(
    fc.property(fc.nat(20), fc.nat(255), (at, bit) => {
      const flipped = leaves.map((leaf) => leaf.slice());
      const leaf = flipped[at];
      if (leaf) leaf[bit >> 3] = (leaf[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(hex(createMerkleTree(flipped).root())).not.toBe(root);
    }),
  );
  for (let i = 0; i < 21; i++) {
    expect(hex(createMerkleTree(leaves.toSpliced(i, 1)).root())).not.toBe(root);
    expect(hex(createMerkleTree([...leaves.slice(0, i + 1), ...leaves.slice(i)]).root())).not.toBe(root);
    if (i > 0) expect(hex(createMerkleTree([...leaves.slice(i), ...leaves.slice(0, i)]).root())).not.toBe(root);
  }
});

test('a tree keeps copies: neither a leaf changed afterwards nor a root written to changes it', () => {
  const leaf = new Uint8Array(32);
  const tree = createMerkleTree([leaf]);
  leaf.fill(1);
  tree.root().fill(2);
  expect(tree.root()).toEqual(new Uint8Array(32));
});

test('a compact range of 1,000 leaves holds six hashes, one for each binary one of its size', () => {
  const range = createCompactRange();
  for (let i = 0; i < 1000; i++) range.append(emptyRoot);
  expect(range.hashes).toHaveLength(6);
});

test('questions beyond the tree are defects of the caller', () => {
  const tree = createMerkleTree(numberedLeaves(5));
  expect(() => tree.root(6)).toThrow(/within the tree/);
  expect(() => tree.inclusionPath(5)).toThrow(/within its tree/);
  expect(() => tree.inclusionPath(3, 3)).toThrow(/within its tree/);
  expect(() => tree.consistencyPath(0)).toThrow(/grows/);
  expect(() => tree.consistencyPath(4, 3)).toThrow(/grows/);
  expect(() => tree.append(new Uint8Array(31))).toThrow(/32 bytes/);
});
