/**
 * `pv checkpoint seal` and `pv checkpoint verify` on whole, damaged and hostile folders.
 *
 * Holds src/cli/checkpoint/run-seal.ts, src/cli/checkpoint/run-verify.ts, src/cli/checkpoint/size-text.ts,
 * src/checkpoint/seal/seal.ts, src/checkpoint/seal/verify.ts, src/checkpoint/seal/manifest.ts, src/checkpoint/seal/tree.ts.
 */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { err } from '../../../src/base/result.ts';
import type { Host } from '../../../src/host/host.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { runPv, type Ran } from '../../support/memory-cli.ts';
import { storedZip, torchFile } from '../../support/torch-file.ts';
import { trainerFolder } from '../../support/trainer-folder.ts';

const base = mkdtempSync(join(tmpdir(), 'pv-seal-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const folder = join(base, 'checkpoint-25');
const at = (name: string): string => join(folder, name);
const manifest = at('pv-seal.json');

const run = (host: Host, ...args: readonly string[]): Promise<Ran> => runPv(['checkpoint', ...args], { host });
const pv = (...args: readonly string[]): Promise<Ran> => run(createNodeHost(base), ...args);
const first = ({ stdout }: Ran): string => stdout.split('\n')[0] ?? '';

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(at('nested/deep'), { recursive: true });
  for (const [name, bytes] of trainerFolder()) writeFileSync(at(name), bytes);
  writeFileSync(at('nested/deep/events.log'), 'hello');
});

describe('a folder that was sealed', () => {
  it('is verified, with every file in the manifest', async () => {
    const sealed = await pv('seal', 'checkpoint-25');
    expect(sealed).toMatchObject({ code: 0, stderr: '' });
    expect(first(sealed)).toMatch(
      /^SEALED: checkpoint-25: 7 files, 3\.\d kB; manifest checkpoint-25\/pv-seal\.json, not signed$/u,
    );
    const { format, files } = JSON.parse(readFileSync(manifest, 'utf8'));
    expect(format).toBe('pv-seal/1');
    expect(files.map(({ path }: { readonly path: string }) => path)).toEqual([
      'model.safetensors',
      'nested/deep/events.log',
      'optimizer.pt',
      'rng_state.pth',
      'scheduler.pt',
      'trainer_state.json',
      'training_args.bin',
    ]);
    expect(files[0].sha256).toBe(
      createHash('sha256')
        .update(readFileSync(at('model.safetensors')))
        .digest('hex'),
    );
    const verified = await pv('verify', 'checkpoint-25');
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(first(verified)).toMatch(
      /^VERIFIED: checkpoint-25 \(Hugging Face Trainer folder\): 7 files, .*, every byte as it was sealed; not signed, .*$/u,
    );
  });

  it('is sealed once, unless forced', async () => {
    await pv('seal', 'checkpoint-25');
    const before = readFileSync(manifest, 'utf8');
    appendFileSync(at('nested/deep/events.log'), '!');
    const again = await pv('seal', 'checkpoint-25');
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('error[PV-8515]');
    expect(readFileSync(manifest, 'utf8')).toBe(before);
    expect((await pv('verify', 'checkpoint-25')).code).toBe(1);
    expect((await pv('seal', 'checkpoint-25', '--force')).code).toBe(0);
    expect((await pv('verify', 'checkpoint-25')).code).toBe(0);
  });

  it.each<readonly [string, () => void, string, string]>([
    [
      'a byte was changed',
      () => {
        const bytes = readFileSync(at('model.safetensors'));
        bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
        writeFileSync(at('model.safetensors'), bytes);
      },
      'PV-8516',
      "'model.safetensors' is not as it was sealed",
    ],
    [
      'a file was cut',
      () => truncateSync(at('trainer_state.json'), 10),
      'PV-8516',
      'does not have the size that was sealed',
    ],
    ['a file grew', () => appendFileSync(at('nested/deep/events.log'), 'x'), 'PV-8516', 'does not have the size'],
    ['a file is gone', () => rmSync(at('nested/deep/events.log')), 'PV-8516', "'nested/deep/events.log' is missing"],
    [
      'a file was added',
      () => writeFileSync(at('nested/extra.pt'), 'x'),
      'PV-8517',
      "'nested/extra.pt' is not in the manifest",
    ],
    [
      'a file became a link',
      () => {
        writeFileSync(join(base, 'copy'), readFileSync(at('scheduler.pt')));
        rmSync(at('scheduler.pt'));
        symlinkSync('../copy', at('scheduler.pt'));
      },
      'PV-8516',
      "'scheduler.pt' is a link now",
    ],
    [
      'a link was added',
      () => symlinkSync('/etc/passwd', at('x')),
      'PV-8517',
      "'x' is not in the manifest, and is a link",
    ],
    [
      'a file became a folder',
      () => {
        rmSync(at('nested/deep/events.log'));
        mkdirSync(at('nested/deep/events.log'));
      },
      'PV-8516',
      "'nested/deep/events.log' is missing",
    ],
  ])('fails when %s', async (_, damage, code, words) => {
    await pv('seal', 'checkpoint-25');
    damage();
    const ran = await pv('verify', 'checkpoint-25');
    expect(ran.code).toBe(1);
    expect(first(ran)).toMatch(/^FAILED: checkpoint-25 \(.*\): \d+ problems?$/u);
    expect(ran.stdout).toContain(`error[${code}]: `);
    expect(ran.stdout).toContain(words);
    const json = JSON.parse((await pv('verify', 'checkpoint-25', '--json')).stdout);
    expect(json).toMatchObject({ verdict: 'failed', isSealed: true });
  });

  it.each<readonly [string, unknown, string]>([
    [
      'a path outside',
      { format: 'pv-seal/1', files: [{ path: '../secret', bytes: 1, sha256: 'a'.repeat(64) }] },
      "'../secret'",
    ],
    [
      'an absolute path',
      { format: 'pv-seal/1', files: [{ path: '/etc/passwd', bytes: 1, sha256: 'a'.repeat(64) }] },
      "'/etc/passwd'",
    ],
    [
      'a backslash',
      { format: 'pv-seal/1', files: [{ path: 'a\\..\\b', bytes: 1, sha256: 'a'.repeat(64) }] },
      'not the path of a file',
    ],
    ['another version', { format: 'pv-seal/2', files: [] }, 'not one of pv-seal/1'],
    ['another key', { format: 'pv-seal/1', files: [], trusted: true }, 'trusted'],
    [
      'a size below 0',
      { format: 'pv-seal/1', files: [{ path: 'a', bytes: -1, sha256: 'a'.repeat(64) }] },
      'not a count',
    ],
    ['a short hash', { format: 'pv-seal/1', files: [{ path: 'a', bytes: 1, sha256: 'a' }] }, 'not a SHA-256 digest'],
    [
      'a file twice',
      {
        format: 'pv-seal/1',
        files: [
          { path: 'a', bytes: 1, sha256: 'a'.repeat(64) },
          { path: 'a', bytes: 2, sha256: 'b'.repeat(64) },
        ],
      },
      "lists 'a' twice",
    ],
    ['a list', [], 'manifest is not'],
  ])('is not read through a manifest with %s', async (_, content, words) => {
    writeFileSync(manifest, JSON.stringify(content));
    const ran = await pv('verify', 'checkpoint-25');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('error[PV-8514]: checkpoint-25: The manifest cannot be used. ');
    expect(ran.stderr).toContain(words);
  });

  it('has a manifest that is whole, or none', async () => {
    const host = createNodeHost(base);
    const full: Host = {
      ...host,
      writeFileAtomic: async (path) => err({ kind: 'no-space', path, message: 'does not fit on the disk' }),
    };
    const ran = await run(full, 'seal', 'checkpoint-25');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('does not fit on the disk');
    expect(existsSync(manifest)).toBe(false);
  });

  it('was not changed meanwhile', async () => {
    const host = createNodeHost(base);
    const busy: Host = {
      ...host,
      openFile: async (path) => {
        const file = await host.openFile(path);
        if (path.endsWith('scheduler.pt')) appendFileSync(at('scheduler.pt'), 'x');
        return file;
      },
    };
    const ran = await run(busy, 'seal', 'checkpoint-25');
    expect(ran.stderr).toContain("'scheduler.pt' changed while it was hashed");
    expect(existsSync(manifest)).toBe(false);
  });

  it('has no links', async () => {
    symlinkSync('/etc/passwd', at('vocabulary.txt'));
    const ran = await pv('seal', 'checkpoint-25');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain("'vocabulary.txt' is a link");
  });
});

describe('without a manifest', () => {
  it('a checkpoint is never verified', async () => {
    const ran = await pv('verify', 'checkpoint-25');
    expect(ran).toMatchObject({ code: 5, stderr: '' });
    expect(first(ran)).toContain('NOT SEALED: checkpoint-25 (Hugging Face Trainer folder): 4 of 7 files checked');
    expect(ran.stdout).toContain(
      'nothing vouches for the bytes of model.safetensors, nested/deep/events.log and trainer_state.json',
    );
    expect(ran.stdout).not.toContain('VERIFIED');
  });

  it('checksums of archives and promises of an index are still held', async () => {
    const bytes = Buffer.from(readFileSync(at('optimizer.pt')));
    const [place] = [bytes.indexOf(Buffer.from(new Float32Array([0.1, 0.1]).buffer))];
    bytes[place] = 0;
    writeFileSync(at('optimizer.pt'), bytes);
    writeFileSync(at('model.safetensors.index.json'), '{"weight_map": {"w9": "model-00002.safetensors"}}');
    const ran = await pv('verify', 'checkpoint-25');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(
      "'optimizer.pt' is damaged: the bytes of its part 'archive/data/1' do not have the checksum",
    );
    expect(ran.stdout).toContain("'model-00002.safetensors' is missing, although an index");
  });

  it('a malformed header fails', async () => {
    truncateSync(at('model.safetensors'), 60);
    const ran = await pv('verify', 'checkpoint-25');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('error[PV-8420]: model.safetensors: ');
  });
});

describe('single files and others', () => {
  it('a file has its manifest next to it, and its parts may be longer than a piece', async () => {
    mkdirSync(join(base, 'single'), { recursive: true });
    const large = { shape: [1_000_000], data: new Float32Array(1_000_000).fill(1.5) };
    writeFileSync(join(base, 'single/model.pt'), torchFile(new Map([['w', large]])));
    writeFileSync(join(base, 'single/other'), 'x');
    expect((await pv('seal', 'single/model.pt')).stdout).toContain('manifest single/model.pt.pv-seal.json');
    expect(first(await pv('verify', 'single/model.pt'))).toMatch(/^VERIFIED: .*1 file, 4\.0 MB/u);
    const path = join(base, 'single/model.pt');
    const bytes = readFileSync(path);
    bytes[3_000_000] = 7;
    writeFileSync(path, bytes);
    const ran = await pv('verify', 'single/model.pt');
    expect(ran.stdout).toContain('is damaged');
    expect(ran.stdout).toContain('is not as it was sealed');
  });

  it('what pv does not know is as it was sealed, but not fully checked', async () => {
    mkdirSync(join(base, 'unknown'), { recursive: true });
    writeFileSync(join(base, 'unknown/data.bin.gz'), 'x');
    await pv('seal', 'unknown');
    const ran = await pv('verify', 'unknown');
    expect(ran.code).toBe(5);
    expect(first(ran)).toMatch(
      /^NOT FULLY CHECKED: unknown \(unknown format\): 1 file, 1 byte, every byte as it was sealed; not signed, .*$/u,
    );
  });

  it('nothing at the path, and an empty folder', async () => {
    expect((await pv('verify', 'nowhere')).code).toBe(2);
    expect((await pv('seal', 'nowhere')).code).toBe(2);
    mkdirSync(join(base, 'empty'), { recursive: true });
    expect((await pv('seal', 'empty')).stderr).toContain('There are no files to seal');
  });

  it('overlapping parts of an archive are refused, not checked twice', async () => {
    const zip = storedZip([['a/data.pkl', Buffer.from('N.')]]);
    writeFileSync(join(base, 'twice.pt'), Buffer.concat([zip, zip]));
    const ran = await pv('verify', 'twice.pt');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('error[PV-8501]');
  });
});
