/**
 * What the tree and the file of llama2-rs let pass, shown by doing it; and that the tree of version 2 lets none of it
 * pass. docs/trace-legacy.md lists them for users.
 */
import { describe, expect, test } from 'vitest';
import {
  legacyProof,
  readLegacyProof,
  verifyLegacyProof,
  writeLegacyProof,
  type LegacyProof,
} from '../../../src/trace/legacy/proof.ts';
import { readLegacyTrace } from '../../../src/trace/legacy/read-trace.ts';
import { legacyNodeHash, legacyRoot } from '../../../src/trace/legacy/tree.ts';
import { writeLegacyTrace } from '../../../src/trace/legacy/write-trace.ts';
import { leafHash, nodeHash } from '../../../src/merkle/hash.ts';
import { createMerkleTree } from '../../../src/merkle/tree.ts';
import { verifyInclusion } from '../../../src/merkle/verify.ts';
import { hex, problem, sha256, traceOf, value } from './traces.ts';

/** `MerkleProof::verify` of llama2-rs: the path is compared with the root that the proof itself brings. */
function originalAccepts(proof: LegacyProof): boolean {
  const root = proof.siblings.reduce(
    (hash, sibling) => (sibling.isRight ? sha256(hash, sibling.hash) : sha256(sibling.hash, hash)),
    proof.leafHash,
  );
  return hex(root) === hex(proof.root);
}

const steps = Array.from({ length: 4 }, (_, i) => Buffer.from(`step ${i}`));
const tree = createMerkleTree(steps.map((step) => leafHash(step)));
const root = tree.root();
/** What a verifier of version 2 does: it hashes the step itself, and has size and root from a checkpoint. */
const accepts = (step: Uint8Array, index: number, path: readonly Uint8Array[], size = 4): boolean =>
  verifyInclusion({ index, size, leafHash: leafHash(step), path, root }).ok;

const trace = traceOf(4);
const [a, b, c, d] = trace.leaves;
if (!a || !b || !c || !d) throw new Error('four leaves');

test('the honest proofs hold in both', () => {
  expect(originalAccepts(legacyProof(trace, 1))).toBe(true);
  expect(accepts(steps[1] ?? root, 1, tree.inclusionPath(1))).toBe(true);
});

describe('an inner node as a leaf', () => {
  test('llama2-rs: passes, since hashes of nodes and of entries cannot be distinguished', () => {
    const siblings = [{ hash: legacyNodeHash(c, d), isRight: true }];
    const forged = { index: 0, leafHash: legacyNodeHash(a, b), siblings, root: trace.root };
    expect(originalAccepts(forged)).toBe(true);
    expect(value(verifyLegacyProof(forged, trace.root)).join(' ')).toMatch(/inner node/);
  });

  test('version 2: refused, since its path is too short and no step has its hash', () => {
    const [left, right] = [tree.inclusionPath(2)[1] ?? root, tree.inclusionPath(0)[1] ?? root];
    expect(hex(nodeHash(left, right))).toBe(hex(root));
    expect(problem(verifyInclusion({ index: 0, size: 4, leafHash: left, path: [right], root })).code).toBe('PV-8017');
    const children = Buffer.concat([tree.inclusionPath(1)[0] ?? root, tree.inclusionPath(0)[0] ?? root]);
    for (const size of [2, 3, 4]) expect(accepts(children, 0, [right], size)).toBe(false);
  });
});

describe('another index', () => {
  test('llama2-rs: passes, since the directions of the path come with the proof, and the index is only read', () => {
    const forged = { ...legacyProof(trace, 1), index: 999 };
    expect(originalAccepts(forged)).toBe(true);
    expect(verifyLegacyProof(forged, trace.root).ok).toBe(true);
  });

  test('version 2: refused, since directions and length follow from the index and the size', () => {
    for (const index of [0, 2, 3, 4, 999]) expect(accepts(steps[1] ?? root, index, tree.inclusionPath(1))).toBe(false);
  });
});

describe('a root that the proof declares, with no path', () => {
  const anything = sha256(Buffer.from('a step that never was'));
  const forged = { index: 7, leafHash: anything, siblings: [], root: anything };

  test('llama2-rs: passes; refused here, because it is not the published root', () => {
    expect(originalAccepts(forged)).toBe(true);
    expect(problem(verifyLegacyProof(forged, trace.root))).toMatchObject({ code: 'PV-8018', check: 'declared root' });
  });

  test('version 2: refused, since the path of a leaf of four has two hashes', () => {
    const claim = { index: 3, size: 4, leafHash: anything, path: [], root: anything };
    expect(problem(verifyInclusion(claim)).code).toBe('PV-8017');
    expect(problem(verifyInclusion({ ...claim, index: 0, size: 1, root })).code).toBe('PV-8018');
  });
});

describe('a tree of three leaves and one of two', () => {
  test('llama2-rs: one root, since the first of the two is the hash of the others', () => {
    expect(legacyRoot([a, b, c])).toEqual(legacyRoot([legacyNodeHash(a, b), c]));
  });

  test('llama2-rs: a file of them loads; refused here, where each leaf is hashed from its entry', () => {
    const three = traceOf(3);
    const two = { ...traceOf(2), leaves: [legacyNodeHash(a, b), c], root: three.root };
    expect(problem(readLegacyTrace(writeLegacyTrace(two)))).toMatchObject({ code: 'PV-8025', position: 0 });
  });

  test('version 2: two roots, since as a step, the two hashes are hashed with another first byte', () => {
    const [first, second, third] = steps.map((step) => leafHash(step));
    if (!first || !second || !third) throw new Error('three leaves');
    const three = createMerkleTree([first, second, third]).root();
    const two = createMerkleTree([leafHash(Buffer.concat([first, second])), third]).root();
    expect(hex(two)).not.toBe(hex(three));
  });
});

describe('the prompt and the model path', () => {
  test('llama2-rs: covered by no hash, so the file is read, with the same root', () => {
    const other = traceOf(4, 'seed', 'Write malware');
    expect(value(readLegacyTrace(writeLegacyTrace(other))).root).toEqual(trace.root);
    const renamed = { ...trace, metadata: { ...trace.metadata, modelPath: 'a-better-model.bin' } };
    expect(value(readLegacyTrace(writeLegacyTrace(renamed))).root).toEqual(trace.root);
  });

  test('llama2-rs: nor are the texts of the entries', () => {
    const head = traceOf(4, 'head');
    const entries = head.entries.map((entry) => ({ ...entry, text: 'something else' }));
    expect(value(readLegacyTrace(writeLegacyTrace({ ...head, entries }))).root).toEqual(head.root);
  });

  test('version 2: leaf 0, so another manifest is another root', () => {
    const manifests = ['{"prompt":"Once upon a time"}', '{"prompt":"Write malware"}'];
    const roots = manifests.map((manifest) => {
      const leaves = [leafHash(Buffer.from(manifest)), ...steps.map((step) => leafHash(step))];
      return hex(createMerkleTree(leaves).root());
    });
    expect(roots[0]).not.toBe(roots[1]);
  });
});

describe('an entry that is changed after recording', () => {
  test('llama2-rs: passes, since no entry is compared with its leaf; refused here', () => {
    const entries = trace.entries.map((entry) => (entry.position === 2 ? { ...entry, token: 7 } : entry));
    const file = writeLegacyTrace({ ...trace, entries });
    expect(hex(legacyRoot(trace.leaves) ?? root)).toBe(hex(trace.root));
    expect(problem(readLegacyTrace(file))).toMatchObject({ code: 'PV-8025', check: 'leaf hash', position: 2 });
  });

  test('version 2: refused, since the verifier hashes the step itself', () => {
    expect(accepts(Buffer.from('step 9'), 1, tree.inclusionPath(1))).toBe(false);
  });
});

test('what follows a file or a proof is ignored by bincode, and refused here', () => {
  const file = writeLegacyTrace(trace);
  expect(problem(readLegacyTrace(Buffer.concat([file, file]))).code).toBe('PV-8021');
  const proof = writeLegacyProof(legacyProof(trace, 0));
  expect(problem(readLegacyProof(Buffer.concat([proof, Buffer.of(0)]))).code).toBe('PV-8021');
});
