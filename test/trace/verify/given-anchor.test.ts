/** Anchors as texts: what they come to, and what is refused before anything is verified with them. */
import { describe, expect, it } from 'vitest';
import { formatVerifierKey } from '../../../src/notes/key.ts';
import { parseHash, readAnchor, type GivenAnchor } from '../../../src/trace/verify/given-anchor.ts';
import { codeOf, seededSigner, valueOf } from '../../notes/signers.ts';

const digits = '0123456789abcdef'.repeat(4);
const root = Uint8Array.from({ length: 32 }, (_, i) => [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef][i % 8] ?? 0);
const alice = seededSigner('example.org/alice', 1).key;
const bob = seededSigner('example.org/bob', 2).key;
const keys = [alice, bob].map(formatVerifierKey);

const nothing: GivenAnchor = { root: null, size: null, checkpoint: null, keys: [], threshold: null, origin: null };
const read = (given: Partial<GivenAnchor>) => readAnchor({ ...nothing, ...given });

describe('a hash', () => {
  it('is 64 hexadecimal digits of either case, which may say that it is SHA-256', () => {
    for (const text of [digits, digits.toUpperCase(), `sha256:${digits}`]) expect(parseHash(text)).toEqual(root);
  });

  it.each([
    '',
    digits.slice(2),
    `${digits}00`,
    `${digits} `,
    `x${digits}`,
    `sha512:${digits}`,
    digits.replace('a', 'g'),
  ])('is not %j', (text) => {
    expect(parseHash(text)).toBeNull();
  });

  it('says its algorithm before its digits alone', () => {
    expect(parseHash(`${digits}sha256:`)).toBeNull();
  });
});

describe('an anchor', () => {
  it('is what was given, and nothing where nothing was', () => {
    expect(valueOf(read({}))).toEqual({});
    const given = { root: digits, size: 7, checkpoint: 'a text', origin: 'example.org/log' };
    expect(valueOf(read(given))).toEqual({ ...given, root });
  });

  it('demands the signatures of all keys, or of as many as it says', () => {
    expect(valueOf(read({ keys })).policy).toEqual({ keys: [alice, bob], threshold: 2 });
    expect(valueOf(read({ keys, threshold: 1 })).policy).toEqual({ keys: [alice, bob], threshold: 1 });
    // Of one key that stands twice there is one signature.
    expect(valueOf(read({ keys: [...keys, ...keys] })).policy?.threshold).toBe(2);
  });

  it.each<[string, Partial<GivenAnchor>, string]>([
    ['a root that is no hash', { root: digits.slice(1) }, 'PV-8015'],
    ['a size without a root', { size: 7 }, 'PV-8057'],
    ['a size with keys alone', { size: 7, keys }, 'PV-8057'],
    ['a threshold without keys', { threshold: 1 }, 'PV-8057'],
    ['a threshold of none', { keys, threshold: 0 }, 'PV-8057'],
    ['a threshold of more than there are', { keys, threshold: 3 }, 'PV-8057'],
    ['a key that is none', { keys: [...keys, 'alice'] }, 'PV-8051'],
    ['a key of another algorithm', { keys: ['a+c0d23d6a+AmxvKVBZEiPPnyE9sN4roIUniwxpQgD7JT5WT8U6XQzq'] }, 'PV-8053'],
  ])('is not made of %s', (_, given, code) => {
    expect(codeOf(read(given))).toBe(code);
  });
});
