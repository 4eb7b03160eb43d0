import { existsSync, readFileSync } from 'node:fs';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { nodeCiphers } from '../../../src/federated/secure/ciphers.ts';
import { isReduced } from '../../../src/notes/weak-key.ts';
import { nobleCiphers } from './noble-ciphers.ts';
import { codeOf, endOf, playUntil, roundAndParties, partiesOf, value } from './parties.ts';

const node = nodeCiphers();
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const hex = (bytes: Uint8Array | null): string | null => (bytes === null ? null : bytesToHex(bytes));

describe('the primitives', () => {
  it('are those of Noble, byte for byte', () => {
    fc.assert(
      fc.property(bytes32, bytes32, bytes32, fc.uint8Array({ maxLength: 100 }), (secret, other, salt, info) => {
        const publicKey = node.publicKeyOf(other);
        expect(hex(publicKey)).toBe(hex(nobleCiphers.publicKeyOf(other)));
        expect(hex(node.agree(secret, publicKey))).toBe(hex(nobleCiphers.agree(secret, publicKey)));
        expect(hex(node.derive(secret, salt, info))).toBe(hex(nobleCiphers.derive(secret, salt, info)));
        const sealed = node.seal(secret, info);
        expect(hex(sealed)).toBe(hex(nobleCiphers.seal(secret, info)));
        expect(hex(nobleCiphers.open(secret, sealed))).toBe(hex(info));
        const [ours, theirs] = [node.keystream(secret), nobleCiphers.keystream(secret)];
        for (const size of [16, 160, 32, 4096]) expect(hex(ours(size))).toBe(hex(theirs(size)));
      }),
      { numRuns: 25 },
    );
  });

  it('refuse a sealed text that was changed, cut or sealed with another key', () => {
    const key = node.randomSecret();
    const sealed = node.seal(key, new Uint8Array(64));
    expect(node.open(key, sealed)).toEqual(new Uint8Array(64));
    for (let i = 0; i < sealed.length; i++) {
      expect(
        node.open(
          key,
          sealed.map((byte, at) => (at === i ? byte ^ 1 : byte)),
        ),
      ).toBeNull();
      expect(node.open(key, sealed.subarray(0, i))).toBeNull();
    }
    expect(node.open(node.randomSecret(), sealed)).toBeNull();
  });

  it('draw all 256 bits of a secret', () => {
    const seen = { zeros: new Uint8Array(32), ones: new Uint8Array(32) };
    for (let i = 0; i < 200; i++) {
      node.randomSecret().forEach((byte, at) => {
        seen.ones[at] = (seen.ones[at] ?? 0) | byte;
        seen.zeros[at] = (seen.zeros[at] ?? 0) | ~byte;
      });
    }
    expect(new Set([...seen.ones, ...seen.zeros])).toEqual(new Set([255]));
  });

  it('give the same sum where every node runs Noble’s', async () => {
    const { round } = await roundAndParties({ count: 4 });
    const ofNoble = { round, parties: await partiesOf(round, nobleCiphers) };
    const end = await playUntil('end', ofNoble, { masked: ({ name }) => name !== ofNoble.parties[0]?.name });
    expect(codeOf(await endOf(end))).toBe('accepted');
    value(await endOf(end));
  });
});

interface Vectors {
  readonly testGroups: readonly { readonly tests: readonly unknown[] }[];
}
interface Agreement {
  readonly public: string;
  readonly private: string;
  readonly shared: string;
}
interface Derivation {
  readonly ikm: string;
  readonly salt: string;
  readonly info: string;
  readonly okm: string;
  readonly result: string;
}

const folder = new URL('../../../../shared/data/crypto/', import.meta.url);
const present = existsSync(folder);
/** The cast: what the files hold is stated by their README. */
const testsIn = (name: string): readonly unknown[] =>
  (JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Vectors).testGroups.flatMap(({ tests }) => tests);

test.each(present ? [] : ['shared data absent: no published vector of X25519 or HKDF was checked'])('%s', () => {
  expect(present).toBe(false);
});

// Ed25519 has the same in test/notes/weak-key.test.ts.
describe.runIf(present)('vectors of Wycheproof (../shared/data/crypto)', () => {
  it('agrees with all 518 of X25519, and refuses the 31 whose result is zero', () => {
    const vectors = testsIn('wycheproof_x25519_test.json') as readonly Agreement[];
    let refused = 0;
    for (const { public: publicKey, private: secret, shared } of vectors) {
      const isZero = /^0+$/.test(shared);
      refused += isZero ? 1 : 0;
      for (const { agree } of [node, nobleCiphers])
        expect(hex(agree(hexToBytes(secret), hexToBytes(publicKey)))).toBe(isZero ? null : shared);
    }
    expect({ count: vectors.length, refused }).toEqual({ count: 518, refused: 31 });
  });

  it('takes no public key of Wycheproof that is not in its one spelling', () => {
    const isCanonical = (key: Uint8Array): boolean => ((key[31] ?? 0) & 0x80) === 0 && isReduced(key);
    const vectors = testsIn('wycheproof_x25519_test.json') as readonly (Agreement & {
      readonly flags: readonly string[];
    })[];
    const loose = vectors.filter(({ flags }) => flags.includes('NonCanonicalPublic'));
    expect(loose.length).toBe(19);
    for (const { public: publicKey } of loose) expect(isCanonical(hexToBytes(publicKey))).toBe(false);
  });

  it('agrees with all of HKDF-SHA-256, in its first 32 bytes', () => {
    const vectors = (testsIn('wycheproof_hkdf_sha256_test.json') as readonly Derivation[]).filter(
      ({ result }) => result === 'valid',
    );
    for (const { ikm, salt, info, okm } of vectors) {
      const [secret, from, purpose] = [hexToBytes(ikm), hexToBytes(salt), hexToBytes(info)];
      const derived = bytesToHex(node.derive(secret, from, purpose));
      const common = Math.min(derived.length, okm.length);
      expect(derived.slice(0, common)).toBe(okm.slice(0, common));
    }
    expect(vectors.length).toBe(83);
  });
});
