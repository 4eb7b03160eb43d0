/**
 * Keys of signed notes as texts, both ways.
 *
 * Holds src/notes/ed25519.ts.
 */
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ed25519FromSeed, verifyByWebCrypto, verifyEd25519 } from '../../src/notes/ed25519.ts';
import { formatVerifierKey, parseVerifierKey, verifierKey } from '../../src/notes/key.ts';
import { isKeyName } from '../../src/notes/note.ts';
import { generateSigner, parseSignerKey } from '../../src/notes/signer.ts';
import { codeOf, flipped, generated, seededSigner, signerOf } from './signers.ts';
import { noteVectors } from './vectors.ts';

describe('Ed25519', () => {
  // RFC 8032, section 7.1, test 2.
  const seed = hexToBytes('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb');
  const publicKey = hexToBytes('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c');
  const signature = hexToBytes(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  );

  it('signs as RFC 8032 does', () => {
    const key = ed25519FromSeed(seed);
    expect(key.publicKey).toEqual(publicKey);
    expect(key.sign(Uint8Array.of(0x72))).toEqual(signature);
  });

  it('verifies that signature, and no other', async () => {
    expect(await verifyEd25519(publicKey, Uint8Array.of(0x72), signature)).toBe('valid');
    expect(await verifyEd25519(publicKey, Uint8Array.of(0x73), signature)).toBe('invalid');
    expect(await verifyEd25519(publicKey, Uint8Array.of(0x72), signature.subarray(1))).toBe('invalid');
    expect(await verifyEd25519(publicKey.subarray(1), Uint8Array.of(0x72), signature)).toBe('invalid');
    expect(await verifyEd25519(new Uint8Array(32).fill(0xff), Uint8Array.of(0x72), signature)).toBe('invalid');
    for (const bit of [0, 100, 255, 256, 300, 511]) {
      expect(await verifyEd25519(publicKey, Uint8Array.of(0x72), flipped(signature, bit)), `bit ${bit}`).toBe(
        'invalid',
      );
    }
  });
});

describe('Ed25519 of browsers', () => {
  const signer = seededSigner('example.org/a', 5);
  const message = utf8ToBytes('a text');
  const signature = signer.sign(message);
  const { publicKey } = signer.key;
  const { subtle } = globalThis.crypto;

  it('verifies what Node signs, and nothing else', async () => {
    expect(await verifyByWebCrypto(subtle, publicKey, message, signature)).toBe('valid');
    expect(await verifyByWebCrypto(subtle, publicKey, utf8ToBytes('a test'), signature)).toBe('invalid');
    expect(await verifyByWebCrypto(subtle, publicKey, message, flipped(signature, 9))).toBe('invalid');
    expect(await verifyByWebCrypto(undefined, publicKey, message, signature)).toBe('unsupported');
    expect(await verifyByWebCrypto(subtle, seededSigner('b', 6).key.publicKey, message, signature)).toBe('invalid');
  });

  it('is unsupported where the browser does not know it, which is neither valid nor invalid', async () => {
    const without = {
      ...subtle,
      importKey: () => Promise.reject(new Error('NotSupportedError')),
      verify: () => Promise.resolve(true),
    };
    expect(await verifyByWebCrypto(without, publicKey, message, signature)).toBe('unsupported');
  });
});

describe('a key', () => {
  const key = seededSigner('a', 1).key.publicKey;

  it.each(['ed25519', 'cosignature/v1'] as const)('of type %s is read back as it was written', (type) => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }).filter(isKeyName),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (name, seed) => {
          const { signerKey, verifierKey } = generated(name, type, seed);
          const verifier = parseVerifierKey(verifierKey);
          const signer = parseSignerKey(signerKey);
          if (!verifier.ok || !signer.ok) throw new Error('a key of our own is refused');
          expect(verifier.value).toEqual(signer.value.key);
          expect(verifier.value).toMatchObject({ name, type });
          expect(formatVerifierKey(verifier.value)).toBe(verifierKey);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is random where no seed is given', () => {
    expect(generated('a').signerKey).not.toBe(generated('a').signerKey);
  });

  it('shows nothing secret when it is printed', () => {
    const { signerKey } = generated('a', 'ed25519', new Uint8Array(32).fill(7));
    const secret = signerKey.split('+').slice(4).join('+');
    const signer = signerOf(signerKey);
    expect(JSON.stringify(signer)).not.toContain(secret.slice(4, 20));
    expect(JSON.stringify(signer)).not.toContain('7,7,7');
  });

  it.each(['', 'a b', 'a+b', 'a\nb', 'a\u00a0b', 'a\u2003b', 'a\u0085b', '\u0000'])('has no name like %j', (name) => {
    const made = generateSigner(name);
    expect(made.ok ? null : made.error.code).toBe('PV-8052');
  });

  it.each([
    ['a name with a space', verifierKey('a b', 'ed25519', key)],
    ['no name', verifierKey('', 'ed25519', key)],
    ['31 bytes', verifierKey('a', 'ed25519', key.subarray(1))],
    ['33 bytes', verifierKey('a', 'ed25519', Uint8Array.of(...key, 0))],
    ['no bytes', verifierKey('a', 'ed25519', new Uint8Array())],
  ])('of %s is refused, though its ID is that of its bytes', (_, wrong) => {
    expect(codeOf(parseVerifierKey(formatVerifierKey(verifierKey('a', 'ed25519', key))))).toBeNull();
    expect(codeOf(parseVerifierKey(formatVerifierKey(wrong)))).toBe('PV-8051');
  });

  it('is read with a line end after it and with an ID in capitals, and with nothing before it', () => {
    const text = formatVerifierKey(verifierKey('a', 'ed25519', key));
    const capitals = text.replace(/\+[0-9a-f]{8}\+/, (id) => id.toUpperCase());
    expect(capitals).not.toBe(text);
    for (const same of [`${text}\n`, capitals]) expect(codeOf(parseVerifierKey(same))).toBeNull();
    for (const wrong of ['', 'a', 'a+', text.replace('+', '+0'), `x${text}`]) {
      expect(codeOf(parseVerifierKey(wrong))).toBe('PV-8051');
    }
    const { signerKey } = generated('a');
    expect(codeOf(parseSignerKey(`${signerKey}\n`))).toBeNull();
  });

  it('of which one character changed is refused', () => {
    const { signerKey, verifierKey } = generated(
      'example.org/a',
      'ed25519',
      utf8ToBytes('12345678901234567890123456789012'),
    );
    for (const [text, parse] of [
      [verifierKey, parseVerifierKey],
      [signerKey, parseSignerKey],
    ] as const) {
      for (let at = 0; at < text.length; at++) {
        const wrong = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
        // Hexadecimal digits may be of either case.
        if (wrong.toLowerCase() === text.toLowerCase() && text[at] === 'a') continue;
        expect(parse(wrong).ok, wrong).toBe(false);
      }
    }
  });

  it('of another algorithm is named as such, and a secret one is not a verifier key', () => {
    const ecdsa = parseVerifierKey('rekor.sigstore.dev+c0d23d6a+AmxvKVBZEiPPnyE9sN4roIUniwxpQgD7JT5WT8U6XQzq');
    expect(ecdsa.ok ? null : ecdsa.error).toMatchObject({ code: 'PV-8053', actual: '0x02' });
    expect(ecdsa.ok ? null : ecdsa.error.message).toContain('ECDSA');
    const secret = parseVerifierKey(generated('a').signerKey);
    expect(secret.ok ? null : secret.error.code).toBe('PV-8051');
  });
});

describe.runIf(noteVectors.present)('the keys of golang/mod', () => {
  it('are read, and the secret one derives the public one', () => {
    const vectors = noteVectors.read();
    for (const { vkey, skey } of [vectors.ed25519, vectors.sumdb_test_key]) {
      expect(formatVerifierKey(signerOf(skey).key)).toBe(vkey);
      expect(parseVerifierKey(vkey)).toEqual({ ok: true, value: signerOf(skey).key });
    }
    expect(parseVerifierKey(vectors.sum_golang_org_vkey).ok).toBe(true);
  });

  it('that are wrong are refused, each for its reason', () => {
    const codes = noteVectors.read().ed25519.bad_vkeys.map((text) => {
      const read = parseVerifierKey(text);
      return read.ok ? null : read.error.code;
    });
    expect(codes).toEqual(['PV-8051', 'PV-8053']);
  });
});
