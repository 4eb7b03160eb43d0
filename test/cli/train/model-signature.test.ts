/**
 * Runs signed for OpenSSF Model Signing. Holds src/cli/train/model-signature.ts, src/cli/train/folder-entries.ts,
 * src/cli/train/sign-run.ts, src/cli/train/run-sign.ts.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { expect, it } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { certificateBytes, trainedFiles } from '../../training/run/small-run.ts';
import { runPv } from '../../support/memory-cli.ts';

const pair = (namedCurve: string) =>
  generateKeyPairSync('ec', {
    namedCurve,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const honest = await trainedFiles();
const [alice, mallory] = [pair('P-256'), pair('P-256')];

/** A run that Alice signed. */
async function signed(key = alice): Promise<MemoryHost> {
  const host = createMemoryHost({
    'key.pem': key.privateKey,
    'key.pub.pem': key.publicKey,
    'mallory.pem': mallory.publicKey,
    'run/ledger.jsonl': honest.ledger,
  });
  host.files.set('/project/run/weights.safetensors', honest.weights);
  host.files.set('/project/run/certificate.json', certificateBytes(honest.certificate));
  const ran = await runPv(['certificate', 'sign', 'run', '--model-key', 'key.pem'], { host });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(/^run\/model\.sig is signed by the key with SHA-256 [0-9a-f]{64}$/m);
  return host;
}

const verify = (host: MemoryHost, key = 'key.pub.pem') =>
  runPv(['certificate', 'verify', 'run', '--model-key', key], { host });

it.each(['P-256', 'P-384', 'P-521'])('a run signed on %s verifies, and names the key', async (curve) => {
  const verdict = await verify(await signed(pair(curve)));
  expect(verdict).toMatchObject({ code: 0, stderr: '' });
  expect(verdict.stdout).toMatch(/^VERIFIED \(ledger\): /);
  expect(verdict.stdout).toMatch(/signed by the key with SHA-256 [0-9a-f]{64}\n/);
});

it('refuses another key, a changed bundle, and another run', async () => {
  const host = await signed();
  const bundle = new TextDecoder().decode(host.files.get('/project/run/model.sig'));
  const other = await verify(host, 'mallory.pem');
  expect(other.code).toBe(1);
  expect(other.stdout).toMatch(/^NOT VERIFIED \(requested ledger, reached nothing\)\nerror\[PV-8344\]/);
  for (const [text, code] of [
    ['', 'PV-8343'],
    ['{}', 'PV-8343'],
    [bundle.replace(/("sig":".{20})(.)/, (_, start, next) => `${start}${next === 'A' ? 'B' : 'A'}`), 'PV-8344'],
  ] as const) {
    host.files.set('/project/run/model.sig', utf8ToBytes(text));
    const verdict = await verify(host);
    expect(verdict.code).toBe(1);
    expect(verdict.stdout).toContain(`error[${code}]`);
  }
  host.files.set('/project/run/model.sig', utf8ToBytes(bundle));
  const swapped = { ...honest.certificate, epoch: 9 };
  host.files.set('/project/run/certificate.json', certificateBytes(swapped));
  expect((await verify(host)).stdout).toContain(
    "error[PV-8345]: run: 'certificate.json' is not the file that was signed.",
  );
  host.files.delete('/project/run/model.sig');
  const without = await verify(host);
  expect(without.code).toBe(1);
  expect(without.stdout).toContain('error[PV-8344]: run: The run is not signed: it has no model.sig.');
});

it('signs nothing that does not match, with no other kind of key, and never twice', async () => {
  const host = await signed();
  const sign = (key: string) => runPv(['certificate', 'sign', 'run', '--model-key', key], { host });
  expect((await sign('key.pem')).stderr).toContain('model.sig');
  host.files.delete('/project/run/model.sig');
  const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  host.files.set('/project/ed25519.pem', utf8ToBytes(String(ed25519)));
  for (const key of ['ed25519.pem', 'key.pub.pem']) {
    const refused = await sign(key);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('error[PV-8346]');
  }
  expect((await verify(await signed(), 'key.pem')).stderr).toContain('it is a private key');
  expect((await runPv(['certificate', 'sign', 'run'], { host })).stderr).toContain('pass --key or --model-key');
  host.files.set('/project/run/weights.safetensors', Uint8Array.of(1));
  expect((await sign('key.pem')).stderr).toContain('error[PV-8411]');
  expect(host.files.has('/project/run/model.sig')).toBe(false);
});

it('signs all or nothing: no file is written before the weights and both targets are checked', async () => {
  for (const [name, bytes, code] of [
    ['weights.safetensors', Uint8Array.of(1), 1],
    ['certificate.json', Uint8Array.of(1), 1],
    ['model.sig', Uint8Array.of(1), 2],
    ['training.intoto.json', Uint8Array.of(1), 2],
  ] as const) {
    const host = await signed();
    host.files.delete('/project/run/model.sig');
    await runPv(['trace', 'keygen', 'example.org/alice'], { host });
    host.files.set(`/project/run/${name}`, bytes);
    const before = new Map(host.files);
    const keys = ['--key', 'alice.key', '--model-key', 'key.pem'];
    expect((await runPv(['certificate', 'sign', 'run', ...keys], { host })).code).toBe(code);
    expect(new Map(host.files)).toEqual(before);
    const own = await runPv(['certificate', 'sign', 'run', '--key', 'alice.key'], { host });
    expect(own.code).toBe(name === 'model.sig' ? 0 : code);
  }
});

it('refuses files that were added after signing, and accepts those that the bundle ignores', async () => {
  const host = await signed();
  for (const name of ['timing.json', 'checkpoints/step-8.safetensors', 'resume/step-8/manifest.json'])
    host.files.set(`/project/run/${name}`, Uint8Array.of(1));
  expect((await verify(host)).code).toBe(0);
  for (const name of ['evil.bin', 'more/a.bin']) host.files.set(`/project/run/${name}`, Uint8Array.of(1));
  const verdict = await verify(host);
  expect(verdict.code).toBe(1);
  expect(verdict.stdout).toContain(
    "error[PV-8345]: run: The bundle is not about 'evil.bin' and 'more/a.bin', added after signing.",
  );
  const unasked = await runPv(['certificate', 'verify', 'run'], { host });
  expect(unasked.stdout).toContain(
    '  model.sig has signatures that were not checked: pass the public key with --model-key\n',
  );
});

it('refuses links where the bundle forbids them, when it signs and when it verifies', async () => {
  const memory = await signed();
  const folder = mkdtempSync(join(tmpdir(), 'pv-model-'));
  try {
    for (const [path, bytes] of memory.files) {
      const file = join(folder, path.replace('/project/', ''));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
    const host = createNodeHost(folder);
    const run = (command: string, key: string) => runPv(['certificate', command, 'run', '--model-key', key], { host });
    expect((await run('verify', 'key.pub.pem')).code).toBe(0);
    renameSync(join(folder, 'run/weights.safetensors'), join(folder, 'elsewhere'));
    symlinkSync('../elsewhere', join(folder, 'run/weights.safetensors'));
    const verdict = await run('verify', 'key.pub.pem');
    expect(verdict.code).toBe(1);
    expect(verdict.stdout).toContain("error[PV-8345]: run: 'weights.safetensors' is a symbolic link");
    rmSync(join(folder, 'run/model.sig'));
    const refused = await run('sign', 'key.pem');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('PV-8345');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
