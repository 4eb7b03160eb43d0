import { describe, expect, it } from 'vitest';
import { isSealed, sealed } from '../../src/host/seal.ts';

describe('a seal', () => {
  // RFC 4231, section 4.3 (test case 2).
  const seal = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';

  it('is an HMAC-SHA-256 in lower-case hexadecimal, of text or bytes', () => {
    expect(sealed('Jefe', 'what do ya want for nothing?')).toBe(seal);
    expect(sealed('Jefe', new TextEncoder().encode('what do ya want for nothing?'))).toBe(seal);
  });

  it('is known by the secret, the content and every digit of it', () => {
    expect(isSealed('Jefe', 'what do ya want for nothing?', seal)).toBe(true);
    expect(isSealed('jefe', 'what do ya want for nothing?', seal)).toBe(false);
    expect(isSealed('Jefe', 'what do ya want for nothing!', seal)).toBe(false);
    for (let i = 0; i < seal.length; i++) {
      const digit = seal[i] === '0' ? '1' : '0';
      expect(isSealed('Jefe', 'what do ya want for nothing?', seal.slice(0, i) + digit + seal.slice(i + 1))).toBe(
        false,
      );
    }
  });

  it.each([
    ['', 'a shorter one'],
    [`${seal}0`, 'a longer one'],
    [seal.slice(1), 'the end of it'],
    [seal.toUpperCase(), 'it in capitals'],
  ])('is not %j, %s', (found) => expect(isSealed('Jefe', 'what do ya want for nothing?', found)).toBe(false));
});
