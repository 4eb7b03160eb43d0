/** OpenSSF Model Signing bundles: the published vectors, and what is refused. Holds src/notes/model-bundle.ts. */
import { X509Certificate, verify } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it, test } from 'vitest';
import { encodeBase64 } from '../../src/notes/base64.ts';
import { preAuthenticationEncoding } from '../../src/notes/dsse.ts';
import { checkResource, modelBundle, modelStatement, readModelBundle } from '../../src/notes/model-bundle.ts';

const vectors = '../shared/data/oms/test-vectors/v1.0';
const present = existsSync(vectors);
test(`the published vectors are ${present ? 'there' : `absent (${vectors}): they are not read`}`, () => {
  expect(present || !existsSync('../shared/data/oms')).toBe(true);
});

const filesIn = (folder: string): readonly string[] =>
  present ? readdirSync(`${vectors}/${folder}`).map((name) => `${folder}/${name}`) : [];
const read = (path: string): Buffer => readFileSync(`${vectors}/${path}`);

describe.skipIf(!present)('the published vectors', () => {
  it.each(filesIn('valid'))('%s is read, with its files', (path) => {
    const bundle = readModelBundle(read(path));
    expect(bundle).toMatchObject({ ok: true, value: { method: 'files' } });
    expect(bundle.ok && bundle.value.resources.length).toBe(2);
  });

  it.each([...filesIn('invalid'), ...filesIn('invalid-payload')])('%s is refused', (path) => {
    expect(readModelBundle(read(path))).toMatchObject({ ok: false, error: { code: 'PV-8343' } });
  });

  it('have signatures over the bytes that pv signs', () => {
    const json = JSON.parse(read('valid/certificate.bundle.json').toString());
    const [leaf] = json.verificationMaterial.x509CertificateChain.certificates;
    const { publicKey } = new X509Certificate(Buffer.from(leaf.rawBytes, 'base64'));
    for (const path of ['valid/certificate.bundle.json', 'valid/key.bundle.json']) {
      const bundle = readModelBundle(read(path));
      if (!bundle.ok) throw new Error(bundle.error.message);
      const { payloadType, payload, signatures } = bundle.value.envelope;
      const message = preAuthenticationEncoding(payloadType, payload);
      expect(signatures.some(({ signature }) => verify('sha384', message, publicKey, signature))).toBe(true);
    }
  });
});

const files = [
  ['b.bin', Uint8Array.of(1, 2)],
  ['a.bin', Uint8Array.of(3)],
] as const;
const bundleOf = (payload: Uint8Array): Uint8Array => utf8ToBytes(modelBundle(payload, Uint8Array.of(1), 'ab'));

describe('a bundle', () => {
  it('lists its files in order, and finds a changed one', () => {
    const bundle = readModelBundle(bundleOf(modelStatement('model', files, ['.git'])));
    if (!bundle.ok) throw new Error(bundle.error.message);
    const [a, b] = bundle.value.resources;
    if (a === undefined || b === undefined) throw new Error('no resources');
    expect([a.name, b.name]).toEqual(['a.bin', 'b.bin']);
    expect(checkResource(a, Uint8Array.of(3)).ok).toBe(true);
    expect(checkResource(a, Uint8Array.of(4))).toMatchObject({ error: { code: 'PV-8345' } });
  });

  it.each([
    ['another subject', /("subject":\[\{"digest":\{"sha256":")../, '$1ff'],
    ['two subjects', /"subject":\[(.*?\})\]/, '"subject":[$1,$1]'],
    ['a file twice', /"resources":\[(\{.*?\})/, '"resources":[$1,$1'],
    ['another file, but the old subject', /("resources":\[\{"algorithm":"sha256","digest":")../, '$1ff'],
    ['an unknown hash', '"algorithm":"sha256"', '"algorithm":"md5"'],
    ['a digest that is not hexadecimal', /("resources":\[\{"algorithm":"sha256","digest":")../, '$1zz'],
    ['an unknown method', '"method":"files"', '"method":"tree"'],
    ['another statement', 'Statement/v1', 'Statement/v0.1'],
    ['no resources', '"resources"', '"resource"'],
  ])('with %s is refused', (_, from, to) => {
    const text = new TextDecoder().decode(modelStatement('model', files, []));
    expect(text.replace(from, to)).not.toBe(text);
    expect(readModelBundle(bundleOf(utf8ToBytes(text.replace(from, to))))).toMatchObject({
      error: { code: 'PV-8343' },
    });
  });

  it('with a key twice, or another payload type, is refused', () => {
    const text = modelBundle(modelStatement('model', files, []), Uint8Array.of(1), 'ab');
    for (const edited of [
      text.replace('{"mediaType"', '{"mediaType":"x","mediaType"'),
      text.replace('application/vnd.in-toto+json', 'text/plain'),
      text.replace(/"payload":"[^"]*"/, `"payload":"${encodeBase64(utf8ToBytes('{}'))}"`),
      text.replace('"hint":"ab"', '"key":"ab"'),
      text.replace('application/vnd.dev.sigstore.bundle', 'application/json'),
    ])
      expect(readModelBundle(utf8ToBytes(edited))).toMatchObject({ error: { code: 'PV-8343' } });
  });
});
