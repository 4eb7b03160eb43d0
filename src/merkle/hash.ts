/**
 * The hashes of RFC 6962 and RFC 9162 (§2.1.1 of both): a leaf and an inner node start with different bytes, so that
 * neither passes for the other.
 */
import { sha256 } from './sha256.ts';

/** SHA-256 digests as raw bytes: 32 of them, never written to. */
export type Hash = Uint8Array;

/** Bytes of a digest of SHA-256. */
export const hashBytes = 32;

/** The root of a tree without leaves: the digest of nothing. */
export const emptyRoot: Hash = sha256();

// One buffer for all short leaves, and one for all nodes: hashing is synchronous, and no digest refers to them.
const shortLeaf = new Uint8Array(1024);

/** SHA-256(0x00 ‖ data). */
export function leafHash(data: Uint8Array): Hash {
  if (data.length >= shortLeaf.length) return sha256(Uint8Array.of(0), data);
  shortLeaf.set(data, 1);
  return sha256(shortLeaf.subarray(0, 1 + data.length));
}

const node = new Uint8Array(1 + 2 * hashBytes);
node[0] = 1;

/** SHA-256(0x01 ‖ left ‖ right); both have 32 bytes. */
export function nodeHash(left: Hash, right: Hash): Hash {
  node.set(left, 1);
  node.set(right, 1 + hashBytes);
  return sha256(node);
}

/** Whether both are equal, byte by byte. Nothing secret is compared, so the time may reveal where they differ. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false;
  return true;
}
