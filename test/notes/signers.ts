/** Keys and notes that tests sign with; what fails to be made fails the test. */
import type { Result } from '../../src/base/result.ts';
import type { Problem } from '../../src/base/problem.ts';
import { parseVerifierKey, type KeyType, type VerifierKey } from '../../src/notes/key.ts';
import { parseNote, type Note, type NoteSignature } from '../../src/notes/note.ts';
import { generateSigner, parseSignerKey, type Signer } from '../../src/notes/signer.ts';

/** The value of `result`; throws what went wrong. */
export function valueOf<T>(result: Result<T, Problem>): T {
  if (!result.ok) throw new Error(`${result.error.code} ${result.error.message}`);
  return result.value;
}

/** The code of what went wrong, null where nothing did. */
export const codeOf = (result: Result<unknown, Problem>): string | null => (result.ok ? null : result.error.code);

export const generated = (
  name: string,
  type?: KeyType,
  seed?: Uint8Array,
): { readonly signerKey: string; readonly verifierKey: string } => valueOf(generateSigner(name, type, seed));

export const signerOf = (signerKey: string): Signer => valueOf(parseSignerKey(signerKey));
export const verifierOf = (verifierKey: string): VerifierKey => valueOf(parseVerifierKey(verifierKey));
export const noteOf = (text: string): Note => valueOf(parseNote(text));

/** A signer whose secret is made of `fill`: the same in every run. */
export const seededSigner = (name: string, fill: number, type: KeyType = 'ed25519'): Signer =>
  signerOf(generated(name, type, new Uint8Array(32).fill(fill)).signerKey);

/** `bytes` with one bit changed; bit 0 is the lowest of the first byte. */
export const flipped = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

/** The signature line at `index`. */
export function lineOf(note: Note, index: number): NoteSignature {
  const line = note.signatures[index];
  if (line === undefined) throw new Error(`no signature ${index}`);
  return line;
}
