import { expect, test } from 'vitest';
import { bytesToHex } from '@noble/hashes/utils.js';
import { legacyProof } from '../../../src/trace/legacy/proof.ts';
import { legacyTrace } from '../../../src/trace/legacy/trace.ts';
import { leafHash } from '../../../src/merkle/hash.ts';
import { createMerkleTree } from '../../../src/merkle/tree.ts';
import { legacyTreePath, treePath } from '../../../src/trace/page/tree-path.ts';
import { valueOf } from '../../notes/signers.ts';

const leaves = (size: number): readonly Uint8Array[] =>
  Array.from({ length: size }, (_, i) => leafHash(Uint8Array.of(i)));

test('the path of every leaf of every small tree ends at its root', () => {
  for (let size = 1; size <= 33; size++) {
    const hashes = leaves(size);
    const tree = createMerkleTree(hashes);
    for (const [index, leaf] of hashes.entries()) {
      const { levels } = treePath({ index, size, leafHash: leaf, path: tree.inclusionPath(index) });
      expect(levels.at(-1)?.parent ?? bytesToHex(leaf)).toBe(bytesToHex(tree.root()));
    }
  }
});

test('a path with one hash changed ends elsewhere', () => {
  const [leaf = new Uint8Array(), ...rest] = leaves(9);
  const tree = createMerkleTree([leaf, ...rest]);
  const path = tree.inclusionPath(0).map((hash, i) => (i === 1 ? leaf : hash));
  expect(treePath({ index: 0, size: 9, leafHash: leaf, path }).levels.at(-1)?.parent).not.toBe(bytesToHex(tree.root()));
});

test('the path of every entry of a trace of llama2-rs ends at its root', () => {
  const entries = Array.from({ length: 7 }, (_, position) => ({
    position,
    token: 1,
    text: null,
    logitsHash: new Uint8Array(32).fill(position),
  }));
  const trace = valueOf(legacyTrace(entries, { modelPath: 'm', prompt: 'p', steps: 7 }));
  for (let i = 0; i < 7; i++) {
    const { leafHash: leaf, siblings } = legacyProof(trace, i);
    expect(legacyTreePath(leaf, siblings).levels.at(-1)?.parent).toBe(bytesToHex(trace.root));
  }
});
