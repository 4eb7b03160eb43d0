/** The MerkleProof of llama2-rs, in its bincode form, and what can be said by it. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { invariant } from '../../base/invariant.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { hashBytes, sameBytes, type Hash } from '../../merkle/hash.ts';
import type { Problem } from '../../base/problem.ts';
import { bincodeReader } from './read-bincode.ts';
import type { LegacyTrace } from './trace.ts';
import { legacyNodeHash, legacyPaths, type LegacySibling } from './tree.ts';
import { concatenated, flag, u64 } from './write-bincode.ts';

/** A MerkleProof of llama2-rs, as its file says it. */
export interface LegacyProof {
  /** As the prover says; nothing binds it. */
  readonly index: number;
  readonly leafHash: Hash;
  /** From the leaf up. */
  readonly siblings: readonly LegacySibling[];
  /** As the prover says; to be compared with one that the verifier has from elsewhere. */
  readonly root: Hash;
}

/** What a verified legacy proof leaves open, one sentence each; shown with every verdict. */
export const legacyProofWarnings: readonly string[] = [
  'The legacy format binds neither the index nor the number of entries: the same hashes prove the leaf at any index.',
  'The legacy tree hashes leaves and inner nodes alike, so the leaf may be an inner node that commits to no step.',
];

/** The proof for entry `index` of `trace`, the one that llama2-rs makes. */
export function legacyProof(trace: LegacyTrace, index: number): LegacyProof {
  return legacyProofs(trace)(index);
}

/** The proof for each entry, by its index: for many of them, since the tree is hashed once. */
export function legacyProofs({ leaves, root }: LegacyTrace): (index: number) => LegacyProof {
  const pathOf = legacyPaths(leaves);
  return (index) => {
    const leafHash = leaves[index];
    invariant(leafHash, 'an entry lies within its trace');
    return { index, leafHash, siblings: pathOf(index), root };
  };
}

/** An index is below 2⁵³, and so is the number of leaves: which bounds the paths that are checked or drawn. */
const longestPath = 53;

/** Problems: PV-8019, PV-8020, PV-8021, PV-8023 and PV-8029, with the byte offset. */
export function readLegacyProof(bytes: Uint8Array): Result<LegacyProof, Problem> {
  const reader = bincodeReader(bytes);
  const index = reader.u64('leaf index');
  const leafHash = reader.hash('leaf hash');
  const count = reader.count('number of siblings', hashBytes + 1, longestPath);
  const siblings = Array.from({ length: count }, (_, i) => ({
    hash: reader.hash(`sibling ${i}`),
    isRight: reader.flag(`side of sibling ${i}`),
  }));
  const root = reader.hash('root');
  reader.end('the root');
  return reader.problem ? err(reader.problem) : ok({ index, leafHash, siblings, root });
}

/** The bytes that llama2-rs writes for this proof. */
export function writeLegacyProof({ index, leafHash, siblings, root }: LegacyProof): Uint8Array {
  const path = siblings.flatMap(({ hash, isRight }) => [hash, flag(isRight)]);
  return concatenated([u64(index), leafHash, u64(siblings.length), ...path, root]);
}

/**
 * Whether the proof leads from its leaf to `root`, which the verifier has from elsewhere: a root that comes with the
 * proof proves nothing.
 *
 * The value are the warnings that belong to the verdict. Problem: PV-8018, for the declared and for the computed root.
 */
export function verifyLegacyProof(proof: LegacyProof, root: Hash): Result<readonly string[], Problem> {
  if (!sameBytes(proof.root, root)) return otherRoot('declared root', 'The proof names another root', root, proof.root);
  const computed = proof.siblings.reduce(
    (hash, sibling) => (sibling.isRight ? legacyNodeHash(hash, sibling.hash) : legacyNodeHash(sibling.hash, hash)),
    proof.leafHash,
  );
  if (sameBytes(computed, root)) return ok(legacyProofWarnings);
  return otherRoot('legacy path', 'The proof leads to another root', root, computed);
}

function otherRoot(check: string, what: string, root: Hash, found: Hash): Result<never, Problem> {
  const [expected, actual] = [bytesToHex(root), bytesToHex(found)];
  return err({ code: 'PV-8018', check, message: `${what}: ${actual} instead of ${expected}.`, expected, actual });
}
