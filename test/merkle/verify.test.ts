import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMerkleTree } from '../../src/merkle/tree.ts';
import {
  verifyConsistency,
  verifyInclusion,
  verifySubtreeConsistency,
  verifySubtreeInclusion,
  type ConsistencyProof,
  type InclusionProof,
} from '../../src/merkle/verify.ts';
import { consistencyRoute, inclusionRoute, treeHeight } from '../../src/merkle/route.ts';
import { includes, isConsistent, numberedLeaf, numberedLeaves, rootByPath, rootsByPath } from './reference.ts';

const largest = 130;
const leaves = numberedLeaves(largest);
const tree = createMerkleTree(leaves);

function inclusion(index: number, size: number): InclusionProof {
  const leafHash = numberedLeaf(index);
  return { index, size, leafHash, path: tree.inclusionPath(index, size), root: tree.root(size) };
}

function consistency(size1: number, size2: number): ConsistencyProof {
  return { size1, size2, root1: tree.root(size1), root2: tree.root(size2), path: tree.consistencyPath(size1, size2) };
}

const codeOf = (result: ReturnType<typeof verifyInclusion>): string => (result.ok ? 'verified' : result.error.code);

/** `bytes` with one bit flipped. */
function flipped(bytes: Uint8Array, bit = 0): Uint8Array {
  const copy = bytes.slice();
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

describe('inclusion', () => {
  test('every leaf of every size up to 130 is proved, with at most ⌈log₂ size⌉ hashes', () => {
    const wrong: string[] = [];
    for (let size = 1; size <= largest; size++)
      for (let index = 0; index < size; index++) {
        const proof = inclusion(index, size);
        if (!verifyInclusion(proof).ok || proof.path.length > Math.ceil(Math.log2(size)))
          wrong.push(`${index} of ${size}`);
      }
    expect(wrong).toEqual([]);
  });

  test('a proof speaks for no other leaf of its tree', () => {
    const wrong: string[] = [];
    for (const size of [1, 2, 3, 7, 8, 9, 64, 65, 130])
      for (let index = 0; index < size; index++) {
        const proof = inclusion(index, size);
        for (let other = 0; other <= size; other++)
          if (verifyInclusion({ ...proof, index: other }).ok !== (other === index))
            wrong.push(`${index} as ${other} of ${size}`);
      }
    expect(wrong).toEqual([]);
  });

  // RFC 9162 binds a size no further than the shape of the path: as the last leaf of 2 and as leaf 1 of 2 are one path,
  // so are leaf 0 of 3 and of 4. The root, which a size stands beside in every checkpoint, is another.
  test('a proof speaks for another size only where its path has the same shape, as in the algorithm of the RFC', () => {
    const wrong: string[] = [];
    for (const size of [1, 2, 3, 5, 8, 13, 64, 130])
      for (let index = 0; index < size; index++)
        for (let other = 0; other <= 140; other++) {
          const proof = { ...inclusion(index, size), size: other };
          if (verifyInclusion(proof).ok !== includes(proof)) wrong.push(`${index} of ${size} as of ${other}`);
          if (other === size || other > largest) continue;
          const withItsRoot = { ...proof, root: tree.root(other) };
          if (verifyInclusion(withItsRoot).ok) wrong.push(`${index} of ${size} below the root of ${other}`);
        }
    expect(wrong).toEqual([]);
  });

  test('nor does it hold with a hash added, removed, exchanged or flipped in any bit', () => {
    for (const size of [2, 3, 6, 8, 100]) {
      const proof = inclusion(size >> 1, size);
      expect(codeOf(verifyInclusion({ ...proof, path: [...proof.path, proof.root] }))).toBe('PV-8017');
      expect(codeOf(verifyInclusion({ ...proof, path: [proof.root, ...proof.path] }))).toBe('PV-8017');
      for (const [i, hash] of proof.path.entries()) {
        expect(codeOf(verifyInclusion({ ...proof, path: proof.path.toSpliced(i, 1) }))).toBe('PV-8017');
        for (let bit = 0; bit < 256; bit++)
          expect(codeOf(verifyInclusion({ ...proof, path: proof.path.with(i, flipped(hash, bit)) }))).toBe('PV-8018');
      }
      for (let bit = 0; bit < 256; bit++) {
        expect(codeOf(verifyInclusion({ ...proof, leafHash: flipped(proof.leafHash, bit) }))).toBe('PV-8018');
        expect(codeOf(verifyInclusion({ ...proof, root: flipped(proof.root, bit) }))).toBe('PV-8018');
      }
    }
  });

  test('each refusal says which check failed, with what was expected and what was there', () => {
    const proof = inclusion(5, 9);
    const refusal = (changes: Partial<InclusionProof>): object => {
      const result = verifyInclusion({ ...proof, ...changes });
      return result.ok ? {} : result.error;
    };
    expect(refusal({ path: [] })).toEqual({
      code: 'PV-8017',
      check: 'inclusion path',
      message: 'The proof has 0 hashes, and its index and size ask for 4: it is too short.',
      expected: '4',
      actual: '0',
    });
    expect(refusal({ path: [...proof.path, proof.root] })).toMatchObject({
      message: expect.stringMatching(/too long/),
    });
    expect(refusal({ index: 9 })).toMatchObject({ code: 'PV-8016', check: 'leaf index' });
    expect(refusal({ leafHash: new Uint8Array(31) })).toMatchObject({ code: 'PV-8015', expected: '32', actual: '31' });
    expect(refusal({ path: proof.path.with(2, new Uint8Array(33)) })).toMatchObject({ code: 'PV-8015', actual: '33' });
    expect(refusal({ root: new Uint8Array(0) })).toMatchObject({ code: 'PV-8018', expected: '' });
    expect(refusal({ root: leaves[0] ?? proof.root })).toMatchObject({
      code: 'PV-8018',
      expected: Buffer.from(leaves[0] ?? []).toString('hex'),
      actual: Buffer.from(proof.root).toString('hex'),
    });
  });

  test.each([-1, 0.5, Number.NaN, Infinity, 2 ** 53, 2 ** 64])('%d is neither an index nor a size', (number) => {
    expect(codeOf(verifyInclusion({ ...inclusion(0, 1), index: number }))).toBe('PV-8016');
    expect(codeOf(verifyInclusion({ ...inclusion(0, 1), size: number }))).toBe('PV-8016');
  });

  test('agrees with the algorithm of the RFC on any proof', () => {
    const hash = fc.constantFrom(...leaves.slice(0, 4), tree.root(3), tree.root(4), tree.root(2));
    const claim = fc.record({
      index: fc.nat(9),
      size: fc.nat(9),
      leafHash: hash,
      path: fc.array(hash, { maxLength: 5 }),
      root: hash,
    });
    fc.assert(
      fc.property(claim, (proof) => verifyInclusion(proof).ok === includes(proof)),
      { numRuns: 3000 },
    );
  });
});

describe('consistency', () => {
  test('every pair of sizes up to 40 is proved, and no other pair by the same proof and roots', () => {
    const wrong: string[] = [];
    const judge = (proof: ConsistencyProof, holds: boolean): void => {
      if (verifyConsistency(proof).ok !== holds) wrong.push(`${proof.size1} to ${proof.size2}`);
    };
    for (let size2 = 1; size2 <= 40; size2++)
      for (let size1 = 1; size1 <= size2; size1++) {
        const proof = consistency(size1, size2);
        if (size1 < size2 && !isConsistent(proof)) wrong.push(`${size1} to ${size2} by the RFC`);
        for (let other = 1; other <= 40; other++) {
          judge({ ...proof, size1: other, root1: tree.root(other) }, other === size1);
          judge({ ...proof, size2: other, root2: tree.root(other) }, other === size2);
        }
      }
    expect(wrong).toEqual([]);
  });

  test('no proof holds with a hash added, removed or flipped, or with another root', () => {
    for (const [size1, size2] of [
      [1, 2],
      [3, 7],
      [4, 8],
      [6, 8],
      [33, 100],
      [100, 130],
    ] as const) {
      const proof = consistency(size1, size2);
      expect(codeOf(verifyConsistency({ ...proof, path: [...proof.path, proof.root1] }))).toBe('PV-8017');
      expect(codeOf(verifyConsistency({ ...proof, root1: proof.root2, root2: proof.root1 }))).toBe('PV-8018');
      for (const [i, hash] of proof.path.entries()) {
        expect(codeOf(verifyConsistency({ ...proof, path: proof.path.toSpliced(i, 1) }))).toBe('PV-8017');
        expect(codeOf(verifyConsistency({ ...proof, path: proof.path.with(i, flipped(hash, 77)) }))).toBe('PV-8018');
      }
      for (const root of ['root1', 'root2'] as const)
        expect(codeOf(verifyConsistency({ ...proof, [root]: flipped(proof[root], 200) }))).toBe('PV-8018');
    }
  });

  test('a tree that was written anew is not consistent with the old one', () => {
    const other = createMerkleTree(leaves.with(2, numberedLeaf(999)));
    for (let size = 4; size <= 20; size++) {
      const proof = { ...consistency(3, size), path: other.consistencyPath(3, size), root2: other.root(size) };
      expect(codeOf(verifyConsistency(proof))).toBe('PV-8018');
    }
  });

  test('no proof starts from an empty tree, ends before it starts, or counts beyond 2⁵³', () => {
    const [root1, root2, path] = [tree.root(0), tree.root(0), [] as const];
    for (const [size1, size2] of [
      [0, 0],
      [0, 1],
      [2, 1],
      [1, 2 ** 53],
      [0.5, 1],
      [-1, 1],
    ] as const)
      expect(codeOf(verifyConsistency({ size1, size2, root1, root2, path }))).toBe('PV-8016');
  });

  test('between trees of one size it compares the roots', () => {
    const proof = consistency(8, 8);
    expect(proof.path).toEqual([]);
    expect(codeOf(verifyConsistency({ ...proof, root2: tree.root(7) }))).toBe('PV-8018');
    expect(codeOf(verifyConsistency({ ...proof, path: [proof.root1] }))).toBe('PV-8017');
  });

  test('an earlier root of another length is refused where it would be hashed', () => {
    expect(codeOf(verifyConsistency({ ...consistency(4, 8), root1: new Uint8Array(31) }))).toBe('PV-8015');
    expect(codeOf(verifyConsistency({ ...consistency(3, 8), root1: new Uint8Array(31) }))).toBe('PV-8018');
  });

  test('agrees with the algorithm of the RFC on any proof', () => {
    const hash = fc.constantFrom(...leaves.slice(0, 3), tree.root(2), tree.root(3), tree.root(4), tree.root(5));
    const claim = fc.record({
      size1: fc.integer({ min: 1, max: 5 }),
      size2: fc.integer({ min: 6, max: 9 }),
      root1: hash,
      root2: hash,
      path: fc.array(hash, { maxLength: 5 }),
    });
    fc.assert(
      fc.property(claim, (proof) => verifyConsistency(proof).ok === isConsistent(proof)),
      { numRuns: 3000 },
    );
  });
});

describe('subtrees', () => {
  const subtrees = [
    [0, 1],
    [1, 2],
    [2, 4],
    [4, 7],
    [8, 13],
    [8, 16],
    [0, 9],
    [16, 20],
  ] as const;

  test.each(subtrees)('[%i, %i) is proved to be part of any tree that has it', (start, end) => {
    const sub = createMerkleTree(leaves.slice(start, end));
    for (let size = end; size <= 24; size++) {
      const route = consistencyRoute(start, end, size);
      const whole = createMerkleTree(leaves.slice(0, size));
      const nodes = [...(route.start ? [{ ...route.start }] : []), ...route.siblings];
      // Siblings are nodes of the tree: a node's root is that of the leaves that it covers.
      const path = nodes.map(({ level, index }) =>
        createMerkleTree(leaves.slice(index * 2 ** level, Math.min(size, (index + 1) * 2 ** level))).root(),
      );
      const proof = { start, end, size, root1: sub.root(), root2: whole.root(), path };
      expect(codeOf(verifySubtreeConsistency(proof)), `of ${size}`).toBe('verified');
      expect(codeOf(verifySubtreeConsistency({ ...proof, root2: sub.root() }))).toBe(
        size === end && start === 0 ? 'verified' : 'PV-8018',
      );
      for (const [i, hash] of path.entries())
        expect(verifySubtreeConsistency({ ...proof, path: path.with(i, flipped(hash)) }).ok).toBe(false);
    }
    for (let index = start; index < end; index++) {
      const proof = { start, end, index, leafHash: numberedLeaf(index), path: sub.inclusionPath(index - start) };
      expect(codeOf(verifySubtreeInclusion({ ...proof, root: sub.root() }))).toBe('verified');
      expect(verifySubtreeInclusion({ ...proof, root: tree.root(24) }).ok).toBe(false);
    }
  });

  test.each([
    [1, 3],
    [2, 5],
    [4, 9],
    [3, 2],
  ] as const)('[%i, %i) is no subtree', (start, end) => {
    const none = { path: [], root1: leaves[0] ?? tree.root(), root2: tree.root(24) };
    expect(codeOf(verifySubtreeConsistency({ ...none, start, end, size: 24 }))).toBe('PV-8016');
    const leaf = { index: start, leafHash: numberedLeaf(start), path: [], root: numberedLeaf(start) };
    expect(codeOf(verifySubtreeInclusion({ ...leaf, start, end }))).toBe('PV-8016');
  });

  test('the empty subtree is part of every tree, has the root of nothing, and holds no leaf', () => {
    const proof = { start: 3, end: 3, size: 5, root1: tree.root(0), root2: tree.root(5), path: [] };
    expect(codeOf(verifySubtreeConsistency(proof))).toBe('verified');
    expect(codeOf(verifySubtreeConsistency({ ...proof, root1: tree.root(1) }))).toBe('PV-8018');
    expect(codeOf(verifySubtreeConsistency({ ...proof, path: [tree.root(1)] }))).toBe('PV-8017');
    const leaf = { index: 3, leafHash: numberedLeaf(3), path: [], root: numberedLeaf(3) };
    expect(codeOf(verifySubtreeInclusion({ ...leaf, start: 3, end: 3 }))).toBe('PV-8016');
    expect(codeOf(verifySubtreeInclusion({ ...leaf, start: 4, end: 5 }))).toBe('PV-8016');
  });
});

describe('trees of up to 2⁵³ − 1 leaves, which are never built', () => {
  const counts = fc
    .integer({ min: 1, max: 53 })
    .chain((bits) => fc.maxSafeInteger().map((n) => Math.abs(n) % 2 ** bits));
  const other = (i: number): Uint8Array => leaves[i % largest] ?? tree.root();

  test('inclusion is that of the algorithm of the RFC', () => {
    fc.assert(
      fc.property(counts, counts, (n, m) => {
        const [index, size] = [Math.min(n, m), Math.max(n, m) + 1];
        const path = inclusionRoute(index, size).map((_, i) => other(i));
        const proof = { index, size: Math.min(size, Number.MAX_SAFE_INTEGER), leafHash: other(99), path };
        const root = rootByPath(proof);
        return index >= proof.size || (root !== null && verifyInclusion({ ...proof, root }).ok);
      }),
      { numRuns: 2000 },
    );
  });

  test('consistency is that of the algorithm of the RFC', () => {
    fc.assert(
      fc.property(counts, counts, (n, m) => {
        const [size1, size2] = [Math.min(n, m) + 1, Math.max(n, m) + 2];
        if (size1 >= size2 || size2 > Number.MAX_SAFE_INTEGER) return true;
        const { start, siblings } = consistencyRoute(0, size1, size2);
        const path = [...(start ? [other(98)] : []), ...siblings.map((_, i) => other(i))];
        const roots = rootsByPath({ size1, size2, root1: other(99), path });
        if (roots === null) return false;
        const [root1, root2] = roots;
        return (
          verifyConsistency({ size1, size2, root1, root2, path }).ok &&
          !verifyConsistency({ size1, size2, root1, root2: root1, path }).ok
        );
      }),
      { numRuns: 2000 },
    );
  });
});

test('routes of the largest trees are walked in full precision', () => {
  const size = Number.MAX_SAFE_INTEGER;
  expect(treeHeight(size)).toBe(53);
  expect(inclusionRoute(size - 1, size)).toHaveLength(52);
  expect(inclusionRoute(0, size)).toHaveLength(53);
  expect(inclusionRoute(2 ** 40, 2 ** 40 + 1).map(({ level }) => level)).toEqual([40]);
  expect(consistencyRoute(0, 2 ** 52, size).start).toBeNull();
});
