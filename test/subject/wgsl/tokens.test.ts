import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shaderTokens, wholeNumber } from '../../../src/subject/wgsl/tokens.ts';

describe('tokens of WGSL', () => {
  it('have their places, without comments, which may be nested', () => {
    const found = shaderTokens('a /* b /* c */\n d */ += 0x1Fu; // e\n  x.y >>= 1.5e-3f');
    expect(found.map(({ text, line, column }) => `${line}:${column} ${text}`)).toEqual([
      '1:1 a',
      '2:7 +=',
      '2:10 0x1Fu',
      '2:15 ;',
      '3:3 x',
      '3:4 .',
      '3:5 y',
      '3:7 >>=',
      '3:11 1.5e-3f',
    ]);
  });

  it('cover any text: each is where it says, in order, and nothing but blanks and comments is between them', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '1', '.', '/', '*', '\n', ' ', '>', '=', '@', 'é', '😀') }),
        (text) => {
          let end = 0;
          for (const token of shaderTokens(text)) {
            expect(text.slice(token.at, token.at + token.text.length)).toBe(token.text);
            expect(token.at).toBeGreaterThanOrEqual(end);
            expect(text.slice(0, token.at).split('\n').length).toBe(token.line);
            end = token.at + token.text.length;
          }
        },
      ),
    );
  });

  it('are whole numbers or not', () => {
    expect(['7', '7u', '0x10i', '7.0', 'n', undefined].map(wholeNumber)).toEqual([7, 7, 16, null, null, null]);
  });
});
