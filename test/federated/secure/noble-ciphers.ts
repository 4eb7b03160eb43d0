/** The same primitives by another implementation, in JavaScript: Noble's. */
import { ctr, gcm } from '@noble/ciphers/aes.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Ciphers } from '../../../src/federated/secure/ciphers.ts';

/** The value of a function that throws for what it refuses. */
function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

export const nobleCiphers: Ciphers = {
  randomSecret: () => x25519.utils.randomSecretKey(),
  publicKeyOf: (secret) => x25519.getPublicKey(secret),
  agree: (secret, publicKey) => orNull(() => x25519.getSharedSecret(secret, publicKey)),
  derive: (secret, salt, info) => hkdf(sha256, secret, salt, info, 32),
  seal: (key, text) => gcm(key, new Uint8Array(12)).encrypt(text),
  open: (key, sealed) => orNull(() => gcm(key, new Uint8Array(12)).decrypt(sealed)),
  keystream(seed) {
    let block = 0n;
    return (bytes) => {
      const counter = new Uint8Array(16);
      new DataView(counter.buffer).setBigUint64(8, block);
      const stream = ctr(seed, counter).encrypt(new Uint8Array(bytes));
      block += BigInt(Math.ceil(bytes / 16)); // only the last piece is not of whole blocks
      return stream;
    };
  },
};
