/** Seals that are signed, and those that are not. Holds src/checkpoint/seal/signature.ts and src/cli/trace/verifier-keys.ts. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveCheckpoint } from '../../../src/checkpoint/index.ts';
import type { Host } from '../../../src/host/host.ts';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { runPv, type Ran } from '../../support/memory-cli.ts';
import { trainerFolder } from '../../support/trainer-folder.ts';

const base = mkdtempSync(join(tmpdir(), 'pv-signed-seal-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const folder = join(base, 'checkpoint-25');
const at = (name: string): string => join(folder, name);

const pv = (...args: readonly string[]): Promise<Ran> => runPv(args, { host: createNodeHost(base) });
const seal = (...args: readonly string[]): Promise<Ran> => pv('checkpoint', 'seal', 'checkpoint-25', ...args);
const verify = (...args: readonly string[]): Promise<Ran> => pv('checkpoint', 'verify', 'checkpoint-25', ...args);
const first = ({ stdout }: Ran): string => stdout.split('\n')[0] ?? '';
const flip = (name: string): void => {
  const bytes = readFileSync(at(name));
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  writeFileSync(at(name), bytes);
};

beforeAll(async () => {
  for (const name of ['alice', 'bob']) await pv('trace', 'keygen', `example.org/${name}`);
  await pv('trace', 'keygen', 'example.org/witness', '--cosigner');
});
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, bytes] of trainerFolder()) writeFileSync(at(name), bytes);
});

describe('a seal without a signature', () => {
  it('says in its first line that anyone could have made it, also after an attacker sealed again', async () => {
    expect(first(await seal())).toContain('not signed');
    expect(first(await verify())).toMatch(
      /^VERIFIED: .*; not signed, so anyone who can write here could have sealed it$/u,
    );
    flip('model.safetensors');
    await seal('--force');
    const forged = await verify();
    expect(forged.code).toBe(0);
    expect(first(forged)).toContain('not signed');
    expect(JSON.parse((await verify('--json')).stdout)).toMatchObject({ trust: { kind: 'unsigned' } });
  });

  it('does not verify where a key is required, and neither does no seal', async () => {
    for (const prepare of [seal, async () => rmSync(at('pv-seal.json'))]) {
      await prepare();
      const ran = await verify('--key', 'alice.pub');
      expect(ran.code).toBe(1);
      expect(ran.stdout).toMatch(/^FAILED: /u);
      expect(ran.stdout).toContain('error[PV-8414]: The checkpoint is not signed');
    }
  });

  it('is what a checkpoint of our own has', async () => {
    const weights = [{ name: 'w', shape: [1], data: Float32Array.of(1) }];
    const position = { step: 1, epoch: 0, nextBatch: 0, accumulated: 0 };
    await saveCheckpoint(join(base, 'run'), { position, weights });
    const own = await pv('checkpoint', 'verify', 'run/checkpoint-00000001');
    expect(first(own)).toMatch(/^VERIFIED: .*; not signed/u);
    expect((await pv('checkpoint', 'verify', 'run/checkpoint-00000001', '--key', 'alice.pub')).code).toBe(1);
  });
});

describe('a signed seal', () => {
  it('is verified by its keys, and by no other', async () => {
    expect(first(await seal('--key', 'alice.key', '--key', 'bob.key'))).toMatch(
      /signed by example\.org\/alice\+\w+ and example\.org\/bob/u,
    );
    const both = await verify('--key', 'alice.pub', '--key', 'bob.pub');
    expect(both).toMatchObject({ code: 0, stderr: '' });
    expect(first(both)).toMatch(
      /^VERIFIED: .*every byte as it was sealed; signed by example\.org\/alice\+\w+ and example\.org\/bob/u,
    );
    await seal('--force', '--key', 'bob.key');
    const other = await verify('--key', 'alice.pub');
    expect(other.code).toBe(1);
    expect(other.stdout).toContain('error[PV-8414]: The envelope has no valid signature by example.org/alice');
  });

  it('without a key, says that its signatures were not checked', async () => {
    await seal('--key', 'alice.key');
    const ran = await verify();
    expect(ran.code).toBe(0);
    expect(first(ran)).toContain('its signatures were not checked: pass the public key with --key');
  });

  it('is an in-toto Statement about the manifest and every file', async () => {
    await seal('--key', 'alice.key');
    const { payload, payloadType } = JSON.parse(readFileSync(at('pv-seal.intoto.json'), 'utf8'));
    expect(payloadType).toBe('application/vnd.in-toto+json');
    const { subject } = JSON.parse(Buffer.from(payload, 'base64').toString());
    expect(subject.map(({ name }: { readonly name: string }) => name)).toEqual([
      'pv-seal.json',
      'model.safetensors',
      'optimizer.pt',
      'rng_state.pth',
      'scheduler.pt',
      'trainer_state.json',
      'training_args.bin',
    ]);
  });

  it.each<readonly [string, () => Promise<unknown>, string]>([
    ['weights were changed', async () => flip('model.safetensors'), 'PV-8516'],
    [
      'weights were changed, and sealed again with the old signature kept',
      async () => {
        const kept = readFileSync(at('pv-seal.intoto.json'));
        flip('model.safetensors');
        await seal('--force');
        writeFileSync(at('pv-seal.intoto.json'), kept);
      },
      'PV-8414',
    ],
    ['the signature was removed', async () => rmSync(at('pv-seal.intoto.json')), 'PV-8414'],
    ['the manifest was removed', async () => rmSync(at('pv-seal.json')), 'PV-8414'],
    [
      'the signature is not an envelope',
      async () => writeFileSync(at('pv-seal.intoto.json'), '{"payload": 1}'),
      'PV-8415',
    ],
    ['the signature is empty', async () => writeFileSync(at('pv-seal.intoto.json'), ''), 'PV-8415'],
    ['a byte was added to the manifest', async () => appendFileSync(at('pv-seal.json'), '\n'), 'PV-8414'],
  ])('fails with its key if %s', async (_, attack, code) => {
    await seal('--key', 'alice.key');
    await attack();
    const ran = await verify('--key', 'alice.pub');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^FAILED: /u);
    expect(ran.stdout).toContain(`error[${code}]`);
  });

  it('loses its signature when it is replaced without a key', async () => {
    await seal('--key', 'alice.key');
    await seal('--force');
    expect(existsSync(at('pv-seal.intoto.json'))).toBe(false);
    expect(first(await verify())).toContain('not signed');
  });

  it('may be that of a single file', async () => {
    writeFileSync(join(base, 'one.safetensors'), readFileSync(at('model.safetensors')));
    await pv('checkpoint', 'seal', 'one.safetensors', '--key', 'alice.key');
    expect(existsSync(join(base, 'one.safetensors.pv-seal.intoto.json'))).toBe(true);
    const ran = await pv('checkpoint', 'verify', 'one.safetensors', '--key', 'alice.pub');
    expect(ran.code).toBe(0);
    expect(first(ran)).toMatch(/signed by example\.org\/alice/u);
  });

  it.each([
    ['a cosigner', ['--key', 'witness.key'], 1, 'PV-8415'],
    ['nobody', ['--key', 'nobody.key'], 2, 'nobody.key'],
    ['a public key', ['--key', 'alice.pub'], 2, 'alice.pub'],
  ])('is not written with the key of %s', async (_, flags, code, words) => {
    const ran = await seal(...flags);
    expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) });
    expect(existsSync(at('pv-seal.json'))).toBe(false);
  });
});

describe('a file that changes while it is sealed', () => {
  /** Seals while `write` runs after `name` was opened the first time. */
  async function sealWhile(name: string, write: () => void): Promise<Ran> {
    const host = createNodeHost(base);
    let isFirst = true;
    const busy: Host = {
      ...host,
      openFile: async (path) => {
        const file = await host.openFile(path);
        if (path.endsWith(name) && isFirst) {
          isFirst = false;
          write();
        }
        return file;
      },
    };
    return runPv(['checkpoint', 'seal', 'checkpoint-25'], { host: busy });
  }

  it.each<readonly [string, (path: string) => void]>([
    ['written with the same size', (path) => writeFileSync(path, readFileSync(path).fill(7))],
    [
      'written with the same size, and its time put back',
      (path) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, readFileSync(path).fill(7));
        utimesSync(path, atime, mtime);
      },
    ],
    [
      'replaced',
      (path) => {
        const bytes = readFileSync(path);
        rmSync(path);
        writeFileSync(path, bytes);
      },
    ],
    ['removed', (path) => rmSync(path)],
  ])('is noticed if it is %s', async (_, write) => {
    const ran = await sealWhile('model.safetensors', () => write(at('model.safetensors')));
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain("'model.safetensors' changed while it was hashed");
    expect(existsSync(at('pv-seal.json'))).toBe(false);
  });

  it('is noticed in memory too, and one that is only read is not', async () => {
    const host = createMemoryHost({ 'a.bin': 'one' });
    const versions = async () =>
      (await host.openFile('a.bin')).ok && host.openFile('a.bin').then((file) => file.ok && file.value.version);
    const before = await versions();
    expect(await versions()).toBe(before);
    await host.writeFileAtomic('a.bin', 'two');
    expect(await versions()).not.toBe(before);
  });
});
