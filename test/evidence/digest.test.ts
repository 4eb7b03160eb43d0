import { createHash } from 'node:crypto';
import { build } from 'esbuild';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { receiptDigest, sha256 } from '../../src/evidence/digest.ts';
import { repositoryRoot } from '../support/built.ts';
import { sampleReceipt } from './sample-receipt.ts';

test('sha256 is that of FIPS 180-4', () => {
  expect(sha256('abc')).toBe('sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(sha256('')).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test('sha256 agrees with the native one on any text, lone surrogates included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 0, max: 0xffff }), (text, unit) => {
      const odd = text + String.fromCharCode(unit);
      expect(sha256(odd)).toBe(`sha256:${createHash('sha256').update(odd, 'utf8').digest('hex')}`);
    }),
  );
});

test('a receipt can be verified where there is no Node', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { receiptDigest } from './src/evidence/digest.ts';",
      resolveDir: repositoryRoot,
      loader: 'ts',
    },
    // Fails on any import of a module of Node.
    platform: 'browser',
    bundle: true,
    write: false,
    format: 'esm',
  });
  const text = outputFiles[0]?.text ?? '';
  const module = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  expect(module.receiptDigest(sampleReceipt())).toBe(receiptDigest(sampleReceipt()));
  expect(text.length).toBeLessThan(60_000);
});
