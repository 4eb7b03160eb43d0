/** Masks: keystreams read as numbers modulo 2³², little-endian. */
import { invariant } from '../../base/invariant.ts';
import { littleEndianHost } from '../../tensors/float32-bytes.ts';
import type { Ciphers } from './ciphers.ts';

/** Small enough to stay in the processor's cache between the cipher and the sum. */
const pieceBytes = 128 * 1024;

/** Adds the mask of a seed (32 bytes, used for nothing else) to `vector` modulo 2³², or subtracts it. */
export function applyMask(keystream: Ciphers['keystream'], vector: Int32Array, seed: Uint8Array, sign: 1 | -1): void {
  invariant(littleEndianHost, 'masks are little-endian, and so must be the processor');
  const next = keystream(seed);
  for (let start = 0; start < vector.length; start += pieceBytes / 4) {
    const piece = vector.subarray(start, start + pieceBytes / 4);
    const bytes = next(4 * piece.length);
    addWords(piece, wordsOf(bytes), sign);
  }
}

function addWords(piece: Int32Array, words: Int32Array, sign: 1 | -1): void {
  if (sign === 1) for (let i = 0; i < piece.length; i++) piece[i] = (piece[i] ?? 0) + (words[i] ?? 0);
  else for (let i = 0; i < piece.length; i++) piece[i] = (piece[i] ?? 0) - (words[i] ?? 0);
}

/** The numbers of little-endian bytes, without copying them where they are aligned. */
export function wordsOf(bytes: Uint8Array): Int32Array {
  invariant(bytes.length % 4 === 0, 'numbers have four bytes');
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

/** Adds the numbers of a vector's bytes to `sum` modulo 2³². */
export const addVector = (sum: Int32Array, bytes: Uint8Array): void => addWords(sum, wordsOf(bytes), 1);

/** Which of two participants adds the mask that they share, and which subtracts it. */
export const pairSign = (participant: string, other: string): 1 | -1 => (participant < other ? 1 : -1);

/** Applies the masks that a participant shares with others, each by the seed of the pair: over all participants they sum to zero. */
export function applyPairMasks(
  keystream: Ciphers['keystream'],
  vector: Int32Array,
  participant: string,
  seeds: ReadonlyMap<string, Uint8Array>,
): void {
  for (const [other, seed] of seeds) applyMask(keystream, vector, seed, pairSign(participant, other));
}
