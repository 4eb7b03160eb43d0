/**
 * The keys of signed notes as texts: `NAME+KEYID+BASE64` for those who verify, `PRIVATE+KEY+NAME+KEYID+BASE64` for those
 * who sign (C2SP signed-note, "Verifier keys"; Go's sumdb/note for the secret form).
 */
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { err, ok, type Result } from '../base/result.ts';
import { count } from '../base/text.ts';
import { sha256 } from '../merkle/sha256.ts';
import type { Problem } from '../base/problem.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { publicKeyBytes } from './ed25519.ts';
import { isKeyName } from './note.ts';
import { weaknessOf } from './weak-key.ts';

/**
 * What a key's signatures state: `ed25519` signs the text of a note, `cosignature/v1` signs that text and a time
 * (C2SP tlog-cosignature).
 */
export type KeyType = 'ed25519' | 'cosignature/v1';

/** The signature types of C2SP signed-note by their bytes; only two of them are verified here. */
const typeBytes: Readonly<Record<KeyType, number>> = { ed25519: 0x01, 'cosignature/v1': 0x04 };
const otherTypes: Readonly<Record<number, string>> = {
  0x02: 'ECDSA',
  0x05: 'RFC 6962 TreeHeadSignature',
  0x06: 'ML-DSA-44 cosignature',
};

/** A public key with the name of its owner. */
export interface VerifierKey {
  readonly name: string;
  /** Four bytes as hexadecimal. Name and ID together say which key signed; neither is a secret or a proof. */
  readonly keyId: string;
  readonly type: KeyType;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** SHA-256(name ‖ "\n" ‖ type ‖ public key)[:4] as hexadecimal. */
function keyIdOf(name: string, typeAndKey: Uint8Array): string {
  return bytesToHex(sha256(utf8ToBytes(`${name}\n`), typeAndKey).subarray(0, 4));
}

const typed = (type: KeyType, bytes: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(typeBytes[type]), bytes);

/** A key with its id, which is derived from name, type and key bytes. */
export function verifierKey(name: string, type: KeyType, publicKey: Uint8Array): VerifierKey {
  return { name, type, publicKey, keyId: keyIdOf(name, typed(type, publicKey)) };
}

/** The key as `NAME+KEYID+BASE64`. */
export const formatVerifierKey = (key: VerifierKey): string =>
  `${key.name}+${key.keyId}+${encodeBase64(typed(key.type, key.publicKey))}`;

/** The secret form for a key file. Whoever has it can sign: it belongs in a file with mode 0600 and nowhere else. */
export const formatSignerKey = (key: VerifierKey, seed: Uint8Array): string =>
  `PRIVATE+KEY+${key.name}+${key.keyId}+${encodeBase64(typed(key.type, seed))}`;

/** The content of a key's text, secret or public. */
export interface KeyText {
  readonly name: string;
  readonly keyId: string;
  readonly type: KeyType;
  readonly material: Uint8Array;
}

/**
 * Reads `NAME+KEYID+BASE64`; null if the form is wrong, the byte where the algorithm is one that nothing here
 * verifies.
 */
export function readKeyText(text: string): KeyText | { readonly unknownType: number } | null {
  // The name and the ID have no "+", and base64 has: the first two separate.
  const [name, keyId] = text.split('+', 2);
  if (name === undefined || keyId === undefined || !isKeyName(name) || !/^[0-9a-f]{8}$/i.test(keyId)) return null;
  const bytes = decodeBase64(text.slice(name.length + keyId.length + 2));
  const first = bytes?.[0];
  if (bytes === null || first === undefined) return null;
  const type = (Object.keys(typeBytes) as KeyType[]).find((candidate) => typeBytes[candidate] === first);
  if (type === undefined) return { unknownType: first };
  const material = bytes.subarray(1);
  // Seeds and public keys are of one length.
  if (material.length !== publicKeyBytes) return null;
  return { name, keyId: keyId.toLowerCase(), type, material };
}

/** PV-8053: `type` is the first byte of the key. */
export function unknownAlgorithm(type: number): Problem {
  const byte = `0x${type.toString(16).padStart(2, '0')}`;
  const name = otherTypes[type];
  return {
    code: 'PV-8053',
    check: 'key algorithm',
    message: `The key is of the unknown algorithm ${byte}${name === undefined ? '' : ` (${name})`}: Ed25519 (0x01) and its cosignatures (0x04) can be verified.`,
    expected: '0x01 or 0x04',
    actual: byte,
  };
}

/**
 * Reads a verifier key: PV-8051 where it is malformed, weak, or its ID is not that of its bytes, PV-8053 of another
 * algorithm.
 */
export function parseVerifierKey(text: string): Result<VerifierKey, Problem> {
  const read = text.startsWith('PRIVATE+KEY+') ? null : readKeyText(text.trim());
  if (read === null) {
    const message =
      'A verifier key is one line NAME+KEYID+BASE64, the base64 of 0x01 or 0x04 and 32 bytes; this line is not.';
    // Without the text itself, which may be part of a secret key.
    const actual = count(text.trim().length, 'character');
    return err({ code: 'PV-8051', check: 'verifier key', message, expected: 'NAME+KEYID+BASE64', actual });
  }
  if ('unknownType' in read) return err(unknownAlgorithm(read.unknownType));
  const key = verifierKey(read.name, read.type, read.material);
  if (key.keyId !== read.keyId) {
    const message = `The verifier key of ${key.name} does not have the ID that its name and bytes give: it was mistyped or renamed.`;
    return err({ code: 'PV-8051', check: 'key ID', message, expected: key.keyId, actual: read.keyId });
  }
  const weakness = weaknessOf(key.publicKey);
  if (weakness !== null) {
    const message = `The verifier key of ${key.name} cannot be trusted: ${weakness}. No honest program makes such a key.`;
    return err({ code: 'PV-8051', check: 'key strength', message, actual: bytesToHex(key.publicKey) });
  }
  return ok(key);
}
