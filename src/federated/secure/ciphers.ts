/**
 * The primitives of secure aggregation, as one interface: X25519 (RFC 7748), HKDF-SHA-256 (RFC 5869), AES-256-GCM and AES-256-CTR
 * (NIST SP 800-38D, 800-38A).
 *
 * `node:crypto` is looked up while the code runs, so that browsers can load what imports this (as in ../../notes/ed25519.ts). It runs
 * AES on the processor's own instructions, which is ten times as fast as JavaScript.
 */
import type * as nodeCrypto from 'node:crypto';
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { invariant } from '../../base/invariant.ts';

/** Keys, seeds and shared secrets all have this many bytes: nothing here has less than 256 bits. */
export const secretBytes = 32;

/** What AES-GCM adds to a plaintext. */
export const sealBytes = 16;

/** The primitives. Secrets, keys and seeds have 32 bytes. */
export interface Ciphers {
  /** From the system's source. */
  readonly randomSecret: () => Uint8Array;
  readonly publicKeyOf: (secret: Uint8Array) => Uint8Array;
  /** X25519; null where the result would be zero, as it is for every key of small order (RFC 7748, section 6.1). */
  readonly agree: (secret: Uint8Array, publicKey: Uint8Array) => Uint8Array | null;
  /** 32 bytes of HKDF-SHA-256. */
  readonly derive: (secret: Uint8Array, salt: Uint8Array, info: Uint8Array) => Uint8Array;
  /** AES-256-GCM under a key that is used for this one text, hence with a nonce of zero; the tag is at the end. */
  readonly seal: (key: Uint8Array, text: Uint8Array) => Uint8Array;
  /** The text; null if it was not sealed with this key. */
  readonly open: (key: Uint8Array, sealed: Uint8Array) => Uint8Array | null;
  /** The next bytes of AES-256-CTR, from counter 0. What it returns may be overwritten by the next call. */
  readonly keystream: (seed: Uint8Array) => (bytes: number) => Uint8Array;
}

// RFC 8410: the prefix of the 32 bytes in the DER form of a private key.
const pkcs8Prefix = hexToBytes('302e020100300506032b656e04220420');
const gcmNonce = new Uint8Array(12);
const firstCounter = new Uint8Array(16);

type NodeCrypto = typeof nodeCrypto;

const agreement = (crypto: NodeCrypto): Pick<Ciphers, 'publicKeyOf' | 'agree'> => {
  const privateKey = (secret: Uint8Array) => {
    const key = Buffer.from(concatBytes(pkcs8Prefix, secret));
    const read = crypto.createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    key.fill(0);
    return read;
  };
  const publicKey = (bytes: Uint8Array) => {
    const x = Buffer.from(bytes).toString('base64url');
    return crypto.createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
  };
  return {
    publicKeyOf: (secret) => {
      const spki = crypto.createPublicKey(privateKey(secret)).export({ format: 'der', type: 'spki' });
      return Uint8Array.from(spki.subarray(-secretBytes));
    },
    agree(secret, other) {
      invariant(secret.length === secretBytes && other.length === secretBytes, 'keys have 32 bytes');
      const keys = { privateKey: privateKey(secret), publicKey: publicKey(other) };
      try {
        const shared = Uint8Array.from(crypto.diffieHellman(keys));
        return shared.every((byte) => byte === 0) ? null : shared;
      } catch {
        // With keys of the right form, OpenSSL refuses a result of zero and nothing else.
        return null;
      }
    },
  };
};

const encryption = (crypto: NodeCrypto): Pick<Ciphers, 'seal' | 'open' | 'keystream'> => ({
  seal(key, text) {
    const cipher = crypto.createCipheriv('aes-256-gcm', key, gcmNonce);
    return concatBytes(cipher.update(text), cipher.final(), cipher.getAuthTag());
  },
  open(key, sealed) {
    if (sealed.length < sealBytes) return null;
    const cipher = crypto.createDecipheriv('aes-256-gcm', key, gcmNonce, { authTagLength: sealBytes });
    cipher.setAuthTag(sealed.subarray(-sealBytes));
    const text = cipher.update(sealed.subarray(0, -sealBytes));
    try {
      return concatBytes(text, cipher.final());
    } catch {
      // `final` fails for a wrong tag alone.
      return null;
    }
  },
  keystream(seed) {
    invariant(seed.length === secretBytes, 'a seed has 32 bytes');
    const cipher = crypto.createCipheriv('aes-256-ctr', seed, firstCounter);
    let zeros = new Uint8Array(0);
    return (bytes) => {
      if (zeros.length < bytes) zeros = new Uint8Array(bytes);
      return cipher.update(zeros.subarray(0, bytes));
    };
  },
});

const node = globalThis.process?.getBuiltinModule?.('node:crypto');

/** The primitives of Node; a page can load this, and cannot call it. */
export function nodeCiphers(): Ciphers {
  invariant(node !== undefined, 'secure aggregation runs in Node alone, as signing does');
  return {
    randomSecret: () => globalThis.crypto.getRandomValues(new Uint8Array(secretBytes)),
    derive: (secret, salt, info) => new Uint8Array(node.hkdfSync('sha256', secret, salt, info, secretBytes)),
    ...agreement(node),
    ...encryption(node),
  };
}
