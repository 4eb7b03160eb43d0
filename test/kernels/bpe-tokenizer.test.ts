import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeCount, trainingText } from '../../scripts/bpe-training-text.ts';
import { decode, encode, merges, tokenBytes, trainMerges, vocabularySize } from '../../src/kernels/bpe-tokenizer.ts';

const strings = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'the token é中😀\n'), maxLength: 40 }),
);

describe('the merges', () => {
  it('are those that training on the text gives', () => {
    expect(trainMerges(trainingText, mergeCount)).toEqual(merges);
    expect(vocabularySize).toBe(256 + mergeCount);
  });

  it('end where no pair occurs twice', () => {
    expect(trainMerges('abab', 8)).toEqual([[97, 98]]);
    expect(trainMerges('abc', 8)).toEqual([]);
    expect(trainMerges('', 8)).toEqual([]);
  });
});

describe('the tokenizer', () => {
  it.each([
    ['', []],
    ['q', [113]],
    ['the theory', [271, 101, 258, 111, 114, 121]],
    [' the the', [258, 258]],
  ])('encodes %j', (text, ids) => {
    expect([...encode(text)]).toEqual(ids);
  });

  it('gives every string back, from ids of the vocabulary that have its bytes', () => {
    fc.assert(
      fc.property(strings, (text) => {
        const ids = encode(text);
        expect(decode(ids)).toBe(text);
        expect(ids.every((id) => id >= 0 && id < vocabularySize)).toBe(true);
        expect(tokenBytes(ids).reduce((sum, count) => sum + count, 0)).toBe(new TextEncoder().encode(text).length);
      }),
    );
  });

  it('leaves no pair that a merge joins', () => {
    const pairs = new Set(merges.map((pair) => pair.join()));
    fc.assert(
      fc.property(strings, (text) => {
        const ids = [...encode(text)];
        expect(ids.slice(1).some((right, i) => pairs.has(`${ids[i]},${right}`))).toBe(false);
      }),
    );
  });

  it('decodes what is not UTF-8 to U+FFFD, keeps a byte order mark, and ignores ids that it does not have', () => {
    expect(decode(Int32Array.of(255))).toBe('\ufffd');
    expect(decode(encode('\ufeffa'))).toBe('\ufeffa');
    expect(decode(Int32Array.of(97, 320, -1, 98))).toBe('ab');
    expect([...tokenBytes(Int32Array.of(97, 320))]).toEqual([1, 0]);
  });
});
