/**
 * Reads llama2.c's tokenizer.bin (karpathy/llama2.c, `run.c`: `build_tokenizer`; `tokenizer.py`: `export`): an int32 with
 * the longest token's length, then for each token a float32 score, an int32 length and that many bytes.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { err, ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { sha256 } from '../../merkle/sha256.ts';
import type { Problem } from '../../base/problem.ts';
import { bytePairEncoder } from './encode.ts';
import type { Tokenizer } from './model.ts';

/** Ids that llama2.c gives a meaning: before every text, and the end of a generation. */
export const beginOfSequence = 1;

/** One token: its bytes as one character each (Latin-1), so that they compare and join fast. */
interface Piece {
  readonly text: string;
  readonly score: number;
}

/**
 * The tokenizer in the bytes of a file: with `vocabSize` tokens if the model gives their number, otherwise all in the file.
 * Problems: PV-8010 (the file is truncated, too long, or has an impossible length), PV-8011 (a score is NaN).
 */
export function readTokenizer(bytes: Uint8Array, vocabSize?: number): Result<Tokenizer, Problem> {
  const pieces = readPieces(bytes, vocabSize);
  if (!pieces.ok) return pieces;
  const texts = pieces.value.map(({ text }) => text);
  return ok({
    vocabSize: texts.length,
    digest: `sha256:${bytesToHex(sha256(bytes))}`,
    encode: bytePairEncoder(
      texts,
      pieces.value.map(({ score }) => score),
    ),
    decode: (previous, token) => decodePiece(previous, texts[token] ?? ''),
  });
}

/** Whether `bytes` start as a tokenizer: the length of the longest token, and three tokens that are no longer. */
export function isTokenizerStart(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const longest = bytes.length < 4 ? 0 : view.getInt32(0, true);
  if (longest < 1 || longest > 0xffff) return false;
  let offset = 4;
  for (let token = 0; token < 3; token++) {
    if (bytes.length - offset < 8) return false;
    const length = view.getInt32(offset + 4, true);
    if (Number.isNaN(view.getFloat32(offset, true)) || length < 0 || length > longest) return false;
    offset += 8 + length;
  }
  return offset <= bytes.length;
}

/** Four times as many as the largest vocabularies have; a file of zeros is one of empty tokens. */
const mostTokens = 2 ** 20;

function readPieces(bytes: Uint8Array, vocabSize: number | undefined): Result<readonly Piece[], Problem> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4) return err(cut(0, 4, bytes.length));
  const longest = view.getInt32(0, true);
  const pieces: Piece[] = [];
  let offset = 4;
  while (vocabSize === undefined ? offset < bytes.length : pieces.length < vocabSize) {
    if (pieces.length === mostTokens) return err(tooMany(offset));
    if (bytes.length - offset < 8) return err(cut(offset, 8, bytes.length, pieces.length, vocabSize));
    const score = view.getFloat32(offset, true);
    const length = view.getInt32(offset + 4, true);
    if (Number.isNaN(score)) return err(scoreProblem(pieces.length, offset));
    if (length < 0 || length > longest) return err(lengthProblem(pieces.length, offset + 4, length, longest));
    const start = offset + 8;
    if (bytes.length - start < length) return err(cut(start, length, bytes.length, pieces.length, vocabSize));
    pieces.push({ text: latin1(bytes.subarray(start, start + length)), score });
    offset = start + length;
  }
  if (pieces.length === 0) return err(cut(4, 8, bytes.length));
  if (offset < bytes.length) return err(trailing(offset, bytes.length, pieces.length));
  return ok(pieces);
}

/** A token in place: the text between the brackets of `<0x0A>`. */
const rawByte = /^<0x([0-9A-Fa-f]{2})>$/;

function decodePiece(previous: number, text: string): Uint8Array {
  const piece = previous === beginOfSequence && text.startsWith(' ') ? text.slice(1) : text;
  const raw = rawByte.exec(piece)?.[1];
  return raw === undefined
    ? Uint8Array.from(piece, (character) => character.charCodeAt(0))
    : Uint8Array.of(Number.parseInt(raw, 16));
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function cut(offset: number, needed: number, length: number, token = 0, of?: number): Problem {
  return {
    code: 'PV-8010',
    check: 'tokenizer length',
    message: `The tokenizer ends inside token ${token}${of === undefined ? '' : ` of ${of}`}. Is it the one of this model, and copied whole?`,
    offset,
    expected: `${count(needed, 'byte')} more`,
    actual: count(length - offset, 'byte'),
  };
}

function tooMany(offset: number): Problem {
  const message = `The tokenizer continues after ${mostTokens} tokens, and no vocabulary is that large.`;
  return {
    code: 'PV-8010',
    check: 'number of tokens',
    message,
    offset,
    expected: `at most ${mostTokens}`,
    actual: 'more',
  };
}

function trailing(offset: number, length: number, tokens: number): Problem {
  return {
    code: 'PV-8010',
    check: 'tokenizer length',
    message: `The file continues for ${count(length - offset, 'byte')} after the last of ${count(tokens, 'token')}. Is this the tokenizer of this model?`,
    offset,
    expected: count(offset, 'byte'),
    actual: count(length, 'byte'),
  };
}

function lengthProblem(token: number, offset: number, length: number, longest: number): Problem {
  return {
    code: 'PV-8010',
    check: 'token length',
    message: `Token ${token} claims ${count(length, 'byte')}, but the longest token of this file has ${longest}.`,
    offset,
    expected: `0 to ${longest}`,
    actual: `${length}`,
  };
}

function scoreProblem(token: number, offset: number): Problem {
  return {
    code: 'PV-8011',
    check: 'token score',
    message: `The score of token ${token} is NaN: merges cannot be ordered by it.`,
    offset,
    expected: 'a number',
    actual: 'NaN',
  };
}
