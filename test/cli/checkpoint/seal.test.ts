/**
 * `pv checkpoint seal` and `pv checkpoint verify` on whole, damaged and hostile folders.
 *
 * Holds src/cli/checkpoint/run-seal.ts, src/cli/checkpoint/run-verify.ts, src/cli/checkpoint/size-text.ts,
 * src/checkpoint/seal/seal.ts, src/checkpoint/seal/verify.ts, src/checkpoint/seal/manifest.ts, src/checkpoint/seal/tree.ts,
 * src/checkpoint/seal/stored-hashes.ts, src/checkpoint/seal/open-sealed.ts, src/checkpoint/seal/structure.ts,
 * src/cli/checkpoint/lack-text.ts, src/checkpoint/checks/checksums.ts.
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
import { saveCheckpoint } from '../../../src/checkpoint/index.ts';
import { err } from '../../../src/base/result.ts';
import type { Host } from '../../../src/host/host.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { runPv, type Ran } from '../../support/memory-cli.ts';
import { stateOf } from '../../checkpoint/store/states.ts';
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

describe('pv resume check holds a checkpoint to the hashes that are kept with it', () => {
  const check = (path: string): Promise<Ran> => runPv(['resume', 'check', path], { host: createNodeHost(base) });
  const flip = (path: string): void => {
    const bytes = readFileSync(path);
    bytes[bytes.length - 2] = (bytes.at(-2) ?? 0) ^ 1;
    writeFileSync(path, bytes);
  };

  it('a seal', async () => {
    expect((await check('checkpoint-25')).stdout).toContain('safetensors has no checksums');
    await pv('seal', 'checkpoint-25');
    expect((await check('checkpoint-25')).stdout).toMatch(
      /PASS {2}checksums\n {4}actual {4}7 files as pv-seal\.json has them \(SHA-256\)\n/u,
    );
    writeFileSync(at('new.txt'), 'x');
    const added = await check('checkpoint-25');
    expect(added.stdout).toMatch(/WARN {2}checksums\n/u);
    expect(added.stdout).toContain("'new.txt' is not in the manifest");
    flip(at('model.safetensors'));
    const flipped = await check('checkpoint-25');
    expect([flipped.code, first(flipped).slice(0, 7)]).toEqual([1, 'FAILED:']);
    expect(flipped.stdout).toMatch(/CRITICAL {2}checksums\n {4}expected {2}model\.safetensors with SHA-256 /u);
    appendFileSync(at('model.safetensors'), 'xxxx');
    rmSync(at('nested/deep/events.log'));
    expect((await check('checkpoint-25')).stdout + (await check('checkpoint-25')).stderr).toMatch(
      /events\.log|PV-8420/u,
    );
  });

  it('of files that no tensor is in, and in folders inside', async () => {
    await pv('seal', 'checkpoint-25');
    flip(at('nested/deep/events.log'));
    expect((await check('checkpoint-25')).stdout).toContain('expected  nested/deep/events.log with SHA-256 ');
    rmSync(at('nested/deep/events.log'));
    expect((await check('checkpoint-25')).stdout).toContain("'nested/deep/events.log' is missing, but was sealed");
    writeFileSync(manifest, '{}');
    const unusable = await check('checkpoint-25');
    expect(unusable).toMatchObject({ code: 1, stdout: '' });
    expect(unusable.stderr).toContain('error[PV-8514]');
  });

  it('a single file, and the manifest of our own format', async () => {
    writeFileSync(join(base, 'loop.pt'), torchFile(new Map([['w', { shape: [2], data: Float32Array.of(1, 2) }]])));
    await pv('seal', 'loop.pt');
    expect((await check('loop.pt')).stdout).toContain('1 file as pv-seal.json has them');
    const { path } = await saveCheckpoint(join(base, 'own'), stateOf(2));
    const name = path.slice(base.length + 1);
    expect((await check(name)).stdout).toContain('4 files as manifest.json has them (SHA-256)');
    flip(join(path, 'weights.safetensors'));
    expect((await check(name)).stdout).toMatch(
      /CRITICAL {2}checksums\n {4}expected {2}weights\.safetensors with SHA-256/u,
    );
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

  it.each([
    ['an empty file', 'x.pt', ''],
    ['a file of one byte', 'x.pt', 'P'],
    ['empty safetensors', 'x.safetensors', ''],
    ['one byte of safetensors', 'x.safetensors', '{'],
    ['an empty file in a folder of several', 'several', ''],
  ])('%s fails, and is not sealed without a word', async (_, name, content) => {
    const folderOfIt = join(base, `unreadable-${content.length}-${name}`);
    mkdirSync(join(folderOfIt, 'several'), { recursive: true });
    const place = name === 'several' ? 'several/b.pt' : name;
    writeFileSync(join(folderOfIt, 'several/a.pt'), torchFile(new Map()));
    writeFileSync(join(folderOfIt, place), content);
    const path = join(folderOfIt, name).slice(base.length + 1);
    const ran = await pv('verify', path);
    expect([ran.code, first(ran).slice(0, 7)]).toEqual([1, 'FAILED:']);
    expect(ran.stdout).toMatch(/error\[PV-8(?:510|420)\]: .*(?:is empty|has 0 bytes|begins neither|header)/u);
    const sealed = await pv('seal', path);
    expect([sealed.code, first(sealed).slice(0, 36)]).toEqual([1, 'SEALED, ALTHOUGH SOMETHING IS WRONG:']);
    expect((await pv('verify', path)).code).toBe(1);
  });

  it('says first what a resume needs and the checkpoint does not have', async () => {
    for (const name of ['optimizer.pt', 'scheduler.pt', 'rng_state.pth', 'trainer_state.json']) rmSync(at(name));
    const lacks = 'weights only: no optimizer state, no scheduler, no random states; ';
    expect(first(await pv('verify', 'checkpoint-25'))).toContain(`(folder of weights): ${lacks}`);
    expect(first(await pv('seal', 'checkpoint-25'))).toContain(`SEALED: checkpoint-25: ${lacks}3 files`);
    expect(first(await pv('verify', 'checkpoint-25'))).toMatch(
      new RegExp(`^VERIFIED: checkpoint-25 .folder of weights.: ${lacks}3 files`, 'u'),
    );
  });

  it('a link to a file is verified as its target', async () => {
    mkdirSync(join(base, 'linked'), { recursive: true });
    const target = torchFile(new Map([['w', { shape: [2], data: Float32Array.of(1, 2) }]]));
    writeFileSync(join(base, 'linked/model.pt'), target);
    symlinkSync('model.pt', join(base, 'linked/last.pt'));
    expect(first(await pv('verify', 'linked/last.pt'))).toMatch(/^NOT SEALED: .* 1 of 1 file checked/u);
    await pv('seal', 'linked/model.pt');
    expect(first(await pv('verify', 'linked/last.pt'))).toMatch(/^VERIFIED: linked\/last\.pt .*1 file, /u);
    const { stdout } = await runPv(['resume', 'check', 'linked/last.pt'], { host: createNodeHost(base) });
    expect(stdout).toContain('1 file as pv-seal.json has them');
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
