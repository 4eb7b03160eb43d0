/** Nodes by their public keys: an ID is the verifier key `NAME+KEYID+BASE64`, so that it needs no directory. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { err, ok } from '../base/result.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import { sha256 } from '../merkle/sha256.ts';
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '../notes/key.ts';
import type { Codec } from './wire/codec.ts';

declare const nodeId: unique symbol;
/** The verifier key of a node, in its one spelling. */
export type NodeId = string & { readonly [nodeId]: true };

/** Whether this node trusts an identity. A signature by any other counts as invalid. */
export type Roster = (node: NodeId) => boolean;

const maxLength = 200;

/** The ID of a key. */
export const nodeIdOf = (key: VerifierKey): NodeId => formatVerifierKey(key) as NodeId; // the text that parseNodeId accepts

/** The key of an ID; null for any text that is not a sound Ed25519 key in its one spelling. */
export function keyOfNode(text: string): VerifierKey | null {
  if (text.length > maxLength) return null;
  const key = parseVerifierKey(text);
  return key.ok && key.value.type === 'ed25519' && formatVerifierKey(key.value) === text ? key.value : null;
}

/** The text as an ID; null if it is not one. */
export const parseNodeId = (text: string): NodeId | null => (keyOfNode(text) === null ? null : (text as NodeId)); // checked just now

/** 128 bits of the ID's SHA-256 in hexadecimal: an address that every bus takes. */
export const addressOf = (node: NodeId): string => bytesToHex(sha256(encodeUtf8(node)).subarray(0, 16));

/** The ID on the wire. */
export const nodeIdCodec: Codec<NodeId> = {
  decode: (value, at) => {
    const node = typeof value === 'string' ? parseNodeId(value) : null;
    return node === null ? err(`${at} is not the verifier key of a node`) : ok(node);
  },
  encode: (node) => node,
};
