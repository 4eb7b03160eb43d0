/** Keys that sign: generating, parsing and using them. The secret stays in a closure and appears in no message. */
import { concatBytes } from '@noble/hashes/utils.js';
import { invariant } from '../base/invariant.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { Problem } from '../base/problem.ts';
import { parseCheckpoint } from './checkpoint.ts';
import { cosignedMessage, looksCosigned, timestampBytes } from './cosignature.ts';
import { ed25519FromSeed, randomSeed } from './ed25519.ts';
import { formatSignerKey, formatVerifierKey, readKeyText, unknownAlgorithm, verifierKey } from './key.ts';
import type { KeyType, VerifierKey } from './key.ts';
import { formatNote, labelOf, isKeyName, noteBytes, type Note, type NoteSignature } from './note.ts';

/** A secret key that signs and cannot be read out. */
export interface Signer {
  /** The key that others verify with. */
  readonly key: VerifierKey;
  /** The raw Ed25519 signature of `message`. */
  readonly sign: (message: Uint8Array) => Uint8Array;
}

function signerOf(name: string, type: KeyType, seed: Uint8Array): Signer {
  const { publicKey, sign } = ed25519FromSeed(seed);
  return { key: verifierKey(name, type, publicKey), sign };
}

/** The two texts of a new key; `signerKey` is secret (a file with mode 0600). PV-8052 where `name` cannot be a key's. */
export function generateSigner(
  name: string,
  type: KeyType = 'ed25519',
  seed: Uint8Array = randomSeed(),
): Result<{ readonly signerKey: string; readonly verifierKey: string }, Problem> {
  if (!isKeyName(name)) {
    const message =
      'The name of a key must not be empty, nor contain white space or "+"; a URL without its scheme is customary.';
    return err({ code: 'PV-8052', check: 'key name', message });
  }
  const { key } = signerOf(name, type, seed);
  return ok({ signerKey: formatSignerKey(key, seed), verifierKey: formatVerifierKey(key) });
}

/**
 * Reads a `PRIVATE+KEY+…` text: PV-8052 where it is malformed or its ID is not that of its key, PV-8053 of another
 * algorithm.
 */
export function parseSignerKey(text: string): Result<Signer, Problem> {
  const prefix = 'PRIVATE+KEY+';
  const line = text.trim();
  const read = line.startsWith(prefix) ? readKeyText(line.slice(prefix.length)) : null;
  if (read === null) {
    const message =
      'A signer key is one line PRIVATE+KEY+NAME+KEYID+BASE64, the base64 of 0x01 or 0x04 and 32 bytes; this line is not.';
    return err({ code: 'PV-8052', check: 'signer key', message });
  }
  if ('unknownType' in read) return err(unknownAlgorithm(read.unknownType));
  const signer = signerOf(read.name, read.type, read.material);
  if (signer.key.keyId !== read.keyId) {
    const message = `The signer key of ${read.name} does not have the ID that its name and bytes give: it was damaged or renamed.`;
    // IDs are hashes of the public key and the name: they may be shown.
    return err({ code: 'PV-8052', check: 'key ID', message, expected: signer.key.keyId, actual: read.keyId });
  }
  return ok(signer);
}

function signatureOf(note: Note, signer: Signer, time: number): NoteSignature {
  const { name, keyId, type } = signer.key;
  if (type === 'ed25519') return { name, keyId, bytes: signer.sign(noteBytes(note)) };
  const signature = signer.sign(cosignedMessage(note.text, BigInt(time)));
  return { name, keyId, bytes: concatBytes(timestampBytes(time), signature) };
}

/**
 * What a key of a type must not sign: cosigners state something about checkpoints, and no one else may state it for them.
 */
function misused(text: string, signers: readonly Signer[]): Problem | null {
  if (signers.some((signer) => signer.key.type === 'cosignature/v1')) {
    const checkpoint = parseCheckpoint(text);
    if (!checkpoint.ok) return checkpoint.error;
  }
  if (!looksCosigned(text)) return null;
  return { code: 'PV-8050', check: 'signed note', message: 'A text that reads like a cosignature is not signed.' };
}

/**
 * `note` with the signatures of `signers` appended, one for each key; earlier signatures of the same keys are replaced.
 *
 * `time` (whole POSIX seconds, ≥ 0) is what cosigning keys state in addition to the text. PV-8050 if the text cannot be signed.
 */
export function signNote(note: Note, signers: readonly Signer[], time: number): Result<string, Problem> {
  invariant(Number.isSafeInteger(time) && time >= 0, 'the time is in whole POSIX seconds');
  const fault = misused(note.text, signers);
  if (fault !== null) return err(fault);
  const once = new Map(signers.map((signer) => [labelOf(signer.key), signer]));
  const added = [...once.values()].map((signer) => signatureOf(note, signer, time));
  const others = note.signatures.filter((old) => !once.has(labelOf(old)));
  return formatNote({ text: note.text, signatures: [...others, ...added] });
}

/** Signs `text`, which must end with a newline, as a new note. */
export const signText = (text: string, signers: readonly Signer[], time: number): Result<string, Problem> =>
  signNote({ text, signatures: [] }, signers, time);
