/** Signatures that are known to be valid: of this message by this key, and no other. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it, vi } from 'vitest';
import { verifyEd25519 } from '../../src/notes/ed25519.ts';
import { rememberValidSignatures } from '../../src/notes/valid-signatures.ts';
import { flipped, seededSigner } from './signers.ts';

const key = new Uint8Array(32).fill(1);
const message = utf8ToBytes('a text');
const signature = new Uint8Array(64).fill(2);

describe('a remembered signature', () => {
  it('is valid for its key and its message alone', () => {
    const known = rememberValidSignatures();
    expect(known.has(key, message, signature)).toBe(false);
    known.add(key, message, signature);
    expect(known.has(key, message, signature)).toBe(true);
    expect(known.has(flipped(key, 3), message, signature)).toBe(false);
    expect(known.has(key, utf8ToBytes('a test'), signature)).toBe(false);
    expect(known.has(key, utf8ToBytes('a text '), signature)).toBe(false);
    expect(known.has(key, message, flipped(signature, 511))).toBe(false);
  });

  it('stays what it was when the caller writes to his bytes, those of a Buffer too', () => {
    const known = rememberValidSignatures();
    const mine = Buffer.from(message);
    known.add(key, mine, signature);
    mine[0] = 0;
    expect(known.has(key, mine, signature)).toBe(false);
    expect(known.has(key, message, signature)).toBe(true);
  });

  it('gives way to later ones, and long messages are not kept', () => {
    const known = rememberValidSignatures(2, 10);
    const [first, second, third] = [1, 2, 3].map((byte) => new Uint8Array(64).fill(byte));
    if (first === undefined || second === undefined || third === undefined) throw new Error('three signatures');
    for (const each of [first, second, third]) known.add(key, message, each);
    expect([first, second, third].map((each) => known.has(key, message, each))).toEqual([false, true, true]);
    known.add(key, new Uint8Array(11), signature);
    expect(known.has(key, new Uint8Array(11), signature)).toBe(false);
  });
});

it('a signature is computed once, and an invalid one every time', async () => {
  const signer = seededSigner('example.org/remembered', 77);
  const text = utf8ToBytes('a checkpoint that many proofs share');
  const signed = signer.sign(text);
  const compute = vi.spyOn(process.getBuiltinModule('node:crypto'), 'verify');
  const states: string[] = [];
  for (const bytes of [signed, signed, flipped(signed, 8), flipped(signed, 8)]) {
    states.push(await verifyEd25519(signer.key.publicKey, text, bytes));
  }
  expect(states).toEqual(['valid', 'valid', 'invalid', 'invalid']);
  expect(compute).toHaveBeenCalledTimes(3);
  compute.mockRestore();
});
