/** The hashes of leaves and nodes, held to their definition at every length that is written differently. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { emptyRoot, leafHash, nodeHash, sameBytes } from '../../src/merkle/hash.ts';

const sha256 = (...parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(createHash('sha256').update(Buffer.concat(parts)).digest());
const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 0xff);

it.each([0, 1, 51, 1022, 1023, 1024, 1025, 5000])('a leaf of %i bytes has a zero before them', (length) => {
  const data = bytesOf(length);
  expect(leafHash(data)).toEqual(sha256(Uint8Array.of(0), data));
  // A longer leaf before it leaves nothing behind.
  leafHash(new Uint8Array(1000).fill(0xff));
  expect(leafHash(data)).toEqual(sha256(Uint8Array.of(0), data));
});

it('a node has a one before its two halves, in their order', () => {
  const [left, right] = [leafHash(bytesOf(1)), leafHash(bytesOf(2))];
  expect(nodeHash(left, right)).toEqual(sha256(Uint8Array.of(1), left, right));
  expect(nodeHash(right, left)).toEqual(sha256(Uint8Array.of(1), right, left));
  expect(emptyRoot).toEqual(sha256());
});

it('bytes are equal if they have the same length and every one is equal', () => {
  for (const length of [0, 1, 32]) {
    const bytes = bytesOf(length);
    expect(sameBytes(bytes, bytes.slice())).toBe(true);
    expect(sameBytes(bytes, Uint8Array.of(...bytes, 0))).toBe(false);
    expect(sameBytes(Uint8Array.of(...bytes, 0), bytes)).toBe(false);
    for (const at of bytes.keys()) expect(sameBytes(bytes, bytes.with(at, (bytes[at] ?? 0) ^ 1)), `${at}`).toBe(false);
  }
});
