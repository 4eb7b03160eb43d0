import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePointAt, codePointCount, utf8At, utf8Length } from '../../src/numeric/text-units.ts';

const texts = fc.string({ unit: 'binary', maxLength: 20 });

it('takes strings apart as the iterator and the encoder of the platform do', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const characters = [...text];
      const bytes = new TextEncoder().encode(text);
      expect(codePointCount(text)).toBe(characters.length);
      expect(characters.map((_, i) => codePointAt(text, i))).toEqual(characters.map((one) => one.codePointAt(0)));
      expect(utf8Length(text)).toBe(bytes.length);
      expect([...bytes].map((_, i) => utf8At(text, i))).toEqual([...bytes]);
    }),
  );
});

it('has no number outside of a string', () => {
  expect([codePointAt('a', 1), codePointAt('a', -1), utf8At('é', 2), utf8At('', 0), utf8At('a', 0.5)]).toEqual([
    NaN,
    NaN,
    NaN,
    NaN,
    NaN,
  ]);
});

it('counts a lone surrogate as one character and three bytes', () => {
  expect([codePointCount('\ud800a'), utf8Length('\ud800a'), codePointCount('😀')]).toEqual([2, 4, 1]);
});
