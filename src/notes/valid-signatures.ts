/**
 * The signatures that were found valid last, with the key and the message that they were valid for. Proofs of many steps
 * come with one checkpoint, and its signature takes three times what the rest of a proof does.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { sameBytes } from '../merkle/hash.ts';

interface Valid {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
}

/** A bounded memory of successful verifications. Only valid signatures are ever added. */
export interface ValidSignatures {
  /** Whether this very signature of this very message by this very key was valid. */
  has(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
  add(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): void;
}

/** Remembers at most `capacity` signatures of messages of at most `longest` bytes. */
export function rememberValidSignatures(capacity = 64, longest = 4096): ValidSignatures {
  const known = new Map<string, Valid>();
  return {
    has: (publicKey, message, signature) => {
      const valid = known.get(bytesToHex(signature));
      return valid !== undefined && sameBytes(valid.publicKey, publicKey) && sameBytes(valid.message, message);
    },
    add: (publicKey, message, signature) => {
      if (message.length > longest) return;
      const oldest = known.keys().next();
      if (known.size >= capacity && oldest.done !== true) known.delete(oldest.value);
      // Copies: what the caller does to his bytes afterwards changes nothing here.
      known.set(bytesToHex(signature), { publicKey: Uint8Array.from(publicKey), message: Uint8Array.from(message) });
    },
  };
}
