import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeCiphers } from '../../../src/federated/secure/ciphers.ts';
import { addVector, applyMask, pairSign, wordsOf } from '../../../src/federated/secure/mask.ts';
import { nobleCiphers } from './noble-ciphers.ts';

const { keystream } = nodeCiphers();
const seed = new Uint8Array(32).fill(7);

describe('masks', () => {
  it('are the keystream as little-endian numbers, by both implementations, across pieces', () => {
    for (const length of [1, 3, 5, 32_768, 32_769, 70_001]) {
      const [ours, theirs] = [new Int32Array(length), new Int32Array(length)];
      applyMask(keystream, ours, seed, 1);
      applyMask(nobleCiphers.keystream, theirs, seed, 1);
      expect(ours).toEqual(theirs);
      const whole = nobleCiphers.keystream(seed)(4 * length);
      expect(ours).toEqual(wordsOf(whole));
    }
  });

  it('are taken off by subtracting them, whatever wraps around', () => {
    fc.assert(
      fc.property(fc.int32Array({ minLength: 1, maxLength: 50 }), (vector) => {
        const copy = Int32Array.from(vector);
        applyMask(keystream, copy, seed, 1);
        applyMask(keystream, copy, seed, -1);
        expect(copy).toEqual(vector);
      }),
    );
  });

  it('reads numbers of bytes that are not aligned', () => {
    const bytes = Uint8Array.of(9, 1, 0, 0, 0, 255, 255, 255, 255).subarray(1);
    expect([...wordsOf(bytes)]).toEqual([1, -1]);
    const sum = Int32Array.of(2 ** 31 - 1, 0);
    addVector(sum, bytes);
    expect([...sum]).toEqual([-(2 ** 31), -1]);
    expect(() => wordsOf(Uint8Array.of(1))).toThrow('numbers have four bytes');
  });

  it('is added by one of two participants and subtracted by the other', () => {
    expect([pairSign('a', 'b'), pairSign('b', 'a')]).toEqual([1, -1]);
  });
});
