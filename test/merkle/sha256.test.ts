import { createHash } from 'node:crypto';
import { createContext, runInContext } from 'node:vm';
import { sha256 as portable } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/merkle/sha256.ts';

const hex = (...parts: readonly Uint8Array[]): string => bytesToHex(sha256(...parts));

// FIPS 180-4 examples (csrc.nist.gov, SHA256.pdf) and the empty message.
const published = [
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
] as const;

test.each(published)('the digest of %j is the published one', (text, digest) => {
  expect(hex(utf8ToBytes(text))).toBe(digest);
});

test('every length around the block sizes agrees with the hash function of Node and with the portable one', () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) % 256);
    expect(hex(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(hex(bytes)).toBe(bytesToHex(portable(bytes)));
  }
});

test('parts are hashed one after the other, and no part is the empty message', () => {
  expect(hex(utf8ToBytes('a'), utf8ToBytes(''), utf8ToBytes('bc'))).toBe(hex(utf8ToBytes('abc')));
  expect(hex()).toBe(hex(new Uint8Array(0)));
});

test('a view into a larger buffer hashes its own bytes, and a digest is a plain array of 32', () => {
  const buffer = utf8ToBytes('xabcx');
  expect(hex(buffer.subarray(1, 4))).toBe(hex(utf8ToBytes('abc')));
  const digest = sha256(buffer);
  expect(Object.getPrototypeOf(digest)).toBe(Uint8Array.prototype);
  expect(digest).toHaveLength(32);
});

test('a bundle for browsers has no import of Node and computes the same without a process', async () => {
  const options = { bundle: true, platform: 'browser', format: 'iife', globalName: 'hash', write: false } as const;
  const bundle = await build({ ...options, entryPoints: ['src/merkle/sha256.ts'], metafile: true });
  expect(Object.values(bundle.metafile.inputs).flatMap((input) => input.imports.filter((one) => one.external))).toEqual(
    [],
  );
  const context = createContext({});
  runInContext(bundle.outputFiles[0]?.text ?? '', context);
  const digest: unknown = runInContext(
    'Array.from(hash.sha256(new Uint8Array([97, 98]), new Uint8Array([99])))',
    context,
  );
  expect(Buffer.from(digest as number[]).toString('hex')).toBe(published[1][1]);
});
