/**
 * Ed25519 (RFC 8032) by what the platform has: `node:crypto` in Node, WebCrypto in browsers, each found while the code
 * runs so that bundlers need not be taught (as in ../hash/sha256.ts).
 */
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { invariant } from '../base/invariant.ts';
import { rememberValidSignatures } from './valid-signatures.ts';
import { weaknessOf } from './weak-key.ts';

const node = globalThis.process?.getBuiltinModule?.('node:crypto');
type NodeCrypto = NonNullable<typeof node>;
type NodeKey = ReturnType<NodeCrypto['createPublicKey']>;

/** Length of a public key. */
export const publicKeyBytes = 32;
/** Length of a signature. */
export const signatureBytes = 64;
/** The secret of RFC 8032: 32 random bytes that the key pair is derived from. */
const seedBytes = 32;

// RFC 8410: the prefix of the 32 bytes in the DER forms of a public and a private key.
const spkiPrefix = hexToBytes('302a300506032b6570032100');
const pkcs8Prefix = hexToBytes('302e020100300506032b657004220420');

/** Importing a key takes a tenth as long as checking a signature, and verdicts use the same few keys. */
const nodeKeys = new WeakMap<Uint8Array, NodeKey>();

function nodeKey(crypto: NodeCrypto, publicKey: Uint8Array): NodeKey {
  const known = nodeKeys.get(publicKey);
  if (known !== undefined) return known;
  // OpenSSL's DER readers take 90 µs for what takes 4 µs as a JWK (RFC 8037).
  const x = Buffer.from(publicKey).toString('base64url');
  const key = crypto.createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  nodeKeys.set(publicKey, key);
  return key;
}

function verifyByNode(
  crypto: NodeCrypto,
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): SignatureState {
  return crypto.verify(null, message, nodeKey(crypto, publicKey), signature) ? 'valid' : 'invalid';
}

/** `unsupported` where the platform has no Ed25519, which must never be read as either of the others. */
export type SignatureState = 'valid' | 'invalid' | 'unsupported';

const knownToBeValid = rememberValidSignatures();

/** Whether `signature` (64 bytes) is one of `message` by `publicKey` (32 bytes); by a weak key none is (`weaknessOf`). */
export async function verifyEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<SignatureState> {
  if (signature.length !== signatureBytes || publicKey.length !== publicKeyBytes) return 'invalid';
  if (weaknessOf(publicKey) !== null) return 'invalid';
  if (knownToBeValid.has(publicKey, message, signature)) return 'valid';
  const state =
    node === undefined
      ? await verifyByWebCrypto(globalThis.crypto.subtle, publicKey, message, signature)
      : verifyByNode(node, publicKey, message, signature);
  if (state === 'valid') knownToBeValid.add(publicKey, message, signature);
  return state;
}

/** The part of the browser API that is used. */
export type WebCrypto = Pick<typeof globalThis.crypto.subtle, 'importKey' | 'verify'>;

/** The same with WebCrypto, outside Node. */
export async function verifyByWebCrypto(
  subtle: WebCrypto | undefined,
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<SignatureState> {
  // Pages that came over plain HTTP have none.
  if (subtle === undefined) return 'unsupported';
  const name = 'Ed25519';
  // Copies, since WebCrypto takes no view of shared memory.
  const key = await subtle.importKey('raw', Uint8Array.from(publicKey), name, false, ['verify']).catch(() => null);
  if (key === null) return 'unsupported';
  const valid = await subtle.verify(name, key, Uint8Array.from(signature), Uint8Array.from(message));
  return valid ? 'valid' : 'invalid';
}

/** Signs with `seed`, which stays inside the returned object. Only in Node: pages check but do not sign. */
export function ed25519FromSeed(seed: Uint8Array): {
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
} {
  invariant(node !== undefined, 'keys sign in Node alone');
  invariant(seed.length === seedBytes, 'a seed has 32 bytes');
  const der = Buffer.from(concatBytes(pkcs8Prefix, seed));
  const secret = node.createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  const spki = node.createPublicKey(secret).export({ format: 'der', type: 'spki' });
  return {
    publicKey: Uint8Array.from(spki.subarray(spkiPrefix.length)),
    sign: (message) => Uint8Array.from(node.sign(null, message, secret)),
  };
}

/** 32 random bytes from the system's source. */
export const randomSeed = (): Uint8Array => globalThis.crypto.getRandomValues(new Uint8Array(seedBytes));
