/** DSSE envelopes: the vector of the standard, signatures by several keys, and envelopes that are refused. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { checkEnvelope, parseEnvelope, preAuthenticationEncoding, signEnvelope } from '../../src/notes/dsse.ts';
import type { KeyType } from '../../src/notes/key.ts';
import { generateSigner, parseSignerKey } from '../../src/notes/signer.ts';

function signerOf(name: string, seed: number, type: KeyType = 'ed25519') {
  const made = generateSigner(name, type, new Uint8Array(32).fill(seed));
  const signer = parseSignerKey(made.ok ? made.value.signerKey : '');
  if (!signer.ok) throw new Error(signer.error.message);
  return signer.value;
}

const [alice, bob] = [signerOf('example.org/alice', 1), signerOf('example.org/bob', 2)];
const payload = utf8ToBytes('{"loss":1}');
const sign = (...signers: readonly ReturnType<typeof signerOf>[]) => {
  const text = signEnvelope('application/x', payload, signers);
  return text.ok ? text.value : text.error.code;
};

/** The verdict on an envelope whose text was changed. */
async function check(text: string, keys: readonly ReturnType<typeof signerOf>[]) {
  const envelope = parseEnvelope(utf8ToBytes(text));
  return envelope.ok
    ? checkEnvelope(
        envelope.value,
        keys.map(({ key }) => key),
      )
    : envelope;
}

describe('an envelope', () => {
  it('signs what the standard says', () => {
    // https://github.com/secure-systems-lab/dsse, protocol.md, "Test Vectors".
    const encoded = preAuthenticationEncoding('http://example.com/HelloWorld', utf8ToBytes('hello world'));
    expect(new TextDecoder().decode(encoded)).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
  });

  it('is accepted where every required key signed, whoever else did', async () => {
    expect(await check(sign(alice, bob), [alice])).toMatchObject({
      ok: true,
      value: [expect.stringMatching(/^example\.org\/alice\+/)],
    });
    expect(await check(sign(alice, bob), [alice, bob])).toMatchObject({ ok: true });
  });

  it('is found by the key, not by the name beside the signature', async () => {
    expect(await check(sign(alice).replace('example.org/alice', 'example.org/mallory'), [alice])).toMatchObject({
      ok: true,
    });
  });

  it('may have keys that the standard does not know', async () => {
    expect(await check(sign(alice).replace('{"payload"', '{"later":1,"payload"'), [alice])).toMatchObject({ ok: true });
  });
});

describe('an envelope is refused', () => {
  it.each([
    ['by a key that did not sign', () => sign(alice), [alice, bob], 'PV-8414'],
    ['with another type', () => sign(alice).replace('application/x', 'application/y'), [alice], 'PV-8414'],
    ['with another payload', () => sign(alice).replace(/"payload":"..../, '"payload":"AAAA'), [alice], 'PV-8414'],
    ['with a signature that is not base64', () => sign(alice).replace(/"sig":"./, '"sig":"?'), [alice], 'PV-8415'],
    ['without signatures', () => sign(), [alice], 'PV-8415'],
    ['with a payload twice', () => sign(alice).replace('{', '{"payload":"",'), [alice], 'PV-8415'],
    ['that is not JSON', () => 'envelope', [alice], 'PV-8415'],
    ['that is null', () => 'null', [alice], 'PV-8415'],
  ])('%s', async (_, text, keys, code) => {
    expect(await check(text(), keys)).toMatchObject({ ok: false, error: { code } });
  });

  it('from the key of a cosigner', () => {
    expect(sign(signerOf('example.org/witness', 3, 'cosignature/v1'))).toBe('PV-8415');
  });
});
