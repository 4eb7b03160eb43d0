/**
 * Signed notes: a text, a blank line, and one line for each signature.
 *
 * Source: C2SP signed-note (c2sp.org/signed-note), which Go's sumdb/note introduced. Reading a note verifies nothing:
 * `openNote` (open.ts) does.
 */
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { err, ok, type Result } from '../base/result.ts';
import type { Problem } from '../base/problem.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { changedLineEnds } from './line-ends.ts';

/** One signature line, of whichever algorithm: the line does not say. */
export interface NoteSignature {
  readonly name: string;
  /** Four bytes as hexadecimal. */
  readonly keyId: string;
  /** What follows the key ID. */
  readonly bytes: Uint8Array;
}

/** What distinguishes keys in a note: two signatures of one label are of one key. */
export const labelOf = ({ name, keyId }: Pick<NoteSignature, 'name' | 'keyId'>): string => `${name}+${keyId}`;

/** A text and its unverified signature lines. */
export interface Note {
  /** The signed text, including its last newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Far above what a note needs; one of 100 post-quantum signatures has 500 KB. */
const maxNoteBytes = 1 << 20;
/** As Go has it; the specification demands 16 at least. */
const maxSignatures = 100;

const linePrefix = '— ';

/** Whether a key may be called `name`: not empty, without white space, `+` and control characters. */
export const isKeyName = (name: string): boolean => name !== '' && !/[\p{White_Space}\p{Cc}\p{Cs}+]/u.test(name);

const malformed = (message: string): Result<never, Problem> => err({ code: 'PV-8050', check: 'signed note', message });

/** Why `text` cannot be a note's text: invalid UTF-8, visible as lone surrogates, or control characters. */
function textFault(text: string): string | null {
  if (/\p{Surrogate}/u.test(text)) return 'it is not valid UTF-8';
  const control = /[\u0000-\u0009\u000B-\u001F]/.exec(text);
  if (control === null) return null;
  return `control character U+${control[0].charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()} at character ${control.index}`;
}

function parseSignature(line: string): NoteSignature | null {
  if (!line.startsWith(linePrefix)) return null;
  const space = line.indexOf(' ', linePrefix.length);
  if (space < 0) return null;
  const name = line.slice(linePrefix.length, space);
  const bytes = decodeBase64(line.slice(space + 1));
  if (!isKeyName(name) || bytes === null || bytes.length < 5) return null;
  return { name, keyId: bytesToHex(bytes.subarray(0, 4)), bytes: bytes.subarray(4) };
}

/**
 * Reads a signed note: PV-8050 with the reason if it is malformed, PV-8084 if its line ends were changed. It must have at least
 * one signature line.
 */
export function parseNote(input: string | Uint8Array): Result<Note, Problem> {
  if (input.length > maxNoteBytes) return malformed(`The note has more than ${maxNoteBytes} bytes.`);
  const whole = typeof input === 'string' ? input : decodeUtf8(input);
  if (whole === null) return malformed('The note is not valid UTF-8.');
  const changed = changedLineEnds('note', whole);
  if (changed !== null) return err(changed);
  const fault = textFault(whole);
  if (fault !== null) return malformed(`The note is not text: ${fault}.`);
  const split = whole.lastIndexOf('\n\n');
  if (split < 0) return malformed('The note has no blank line between its text and its signatures.');
  const block = whole.slice(split + 2);
  if (block === '') {
    return malformed('The note ends with an empty line: a line ending was added, or its signatures were lost.');
  }
  if (!block.endsWith('\n')) return malformed('The note does not end with a signature line and a newline.');
  const lines = block.slice(0, -1).split('\n');
  if (lines.length > maxSignatures) return malformed(`The note has more than ${maxSignatures} signatures.`);
  const signatures: NoteSignature[] = [];
  for (const [index, line] of lines.entries()) {
    const signature = parseSignature(line);
    if (signature === null) {
      return malformed(
        `Signature line ${index + 1} of the note is malformed: it should be "— NAME BASE64", the base64 of a key ID (4 bytes) and a signature.`,
      );
    }
    signatures.push(signature);
  }
  return ok({ text: whole.slice(0, split + 1), signatures });
}

/** The note as a text that `parseNote` reads; PV-8050 where `text` cannot be signed. */
export function formatNote(note: Note): Result<string, Problem> {
  const fault = textFault(note.text);
  if (fault !== null) return malformed(`The text cannot be signed: ${fault}.`);
  if (!note.text.endsWith('\n')) return malformed('The text cannot be signed: it does not end with a newline.');
  const lines = note.signatures.map(
    ({ name, keyId, bytes }) => `${linePrefix}${name} ${encodeBase64(concatBytes(hexToBytes(keyId), bytes))}\n`,
  );
  return ok(`${note.text}\n${lines.join('')}`);
}

/** The bytes that Ed25519 signs of a note. */
export const noteBytes = (note: Note): Uint8Array => utf8ToBytes(note.text);
