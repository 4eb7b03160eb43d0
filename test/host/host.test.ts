import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { containedPath } from '../../src/host/contained-path.ts';
import type { Host } from '../../src/host/host.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { createNodeHost } from '../../src/host/node-host.ts';

let directory = '';
beforeEach(() => void (directory = realpathSync(mkdtempSync(join(tmpdir(), 'pv-host-')))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const makers: readonly (readonly [string, () => Host])[] = [
  ['node host', () => createNodeHost(directory)],
  ['memory host', () => createMemoryHost()],
];

describe.each(makers)('%s: the laws of a host', (_, make) => {
  test('what was written is read, parents are made, a second write replaces', async () => {
    const host = make();
    expect(await host.writeFileAtomic('a/b/c.txt', 'one')).toEqual({ ok: true, value: undefined });
    await host.writeFileAtomic('a/b/c.txt', 'zwei \u{1f600}');
    expect(await host.readText('a/b/c.txt')).toEqual({ ok: true, value: 'zwei \u{1f600}' });
    expect(await host.list('a/b')).toEqual({ ok: true, value: [{ name: 'c.txt', kind: 'file' }] });
    expect(await host.list('a')).toEqual({ ok: true, value: [{ name: 'b', kind: 'directory' }] });
  });

  test('an open file is read anywhere inside it, and nowhere else', async () => {
    const host = make();
    await host.writeFileAtomic('open', 'abcdef');
    const opened = await host.openFile('open');
    if (!opened.ok) throw new Error(opened.error.message);
    const { size, read, close } = opened.value;
    expect(size).toBe(6);
    const part = await read(2, 3);
    expect(part.ok && Buffer.from(part.value).toString()).toBe('cde');
    expect(await read(6, 0)).toMatchObject({ ok: true });
    expect(await read(4, 3)).toMatchObject({ ok: false, error: { kind: 'other' } });
    await close();
    expect(await host.openFile('none')).toMatchObject({ ok: false, error: { kind: 'missing' } });
    await host.writeFileAtomic('folder/file', '');
    expect(await host.openFile('folder')).toMatchObject({ ok: false, error: { kind: 'not-a-file' } });
  });

  test('the wall clock is in this century, in whole seconds, and does not go back', () => {
    const host = make();
    const first = host.posixSeconds();
    expect(Number.isInteger(first)).toBe(true);
    expect(first).toBeGreaterThan(1_700_000_000);
    expect(first).toBeLessThan(4_102_444_800);
    expect(host.posixSeconds()).toBeGreaterThanOrEqual(first);
  });

  test('a fresh file is created only at a free path, and replaces nothing', async () => {
    const host = make();
    expect(await host.writeFileAtomic('a/fresh', 'one', { fresh: true })).toEqual({ ok: true, value: undefined });
    expect(await host.readText('a/fresh')).toEqual({ ok: true, value: 'one' });
    const there = { ok: false, error: { kind: 'exists' } };
    expect(await host.writeFileAtomic('a/fresh', 'two', { fresh: true })).toMatchObject(there);
    expect(await host.createFile('a/fresh', { fresh: true })).toMatchObject(there);
    expect(await host.readText('a/fresh')).toEqual({ ok: true, value: 'one' });
    expect(await host.list('a')).toMatchObject({ value: [{ name: 'fresh' }] });
    const grown = await host.createFile('a/grown', { fresh: true });
    expect(grown.ok && (await grown.value.close()).ok).toBe(true);
  });

  test('a file that grows holds what was appended, at once and after it is closed', async () => {
    const host = make();
    await host.writeFileAtomic('deep/grown', 'what stood there before');
    const created = await host.createFile('deep/grown');
    if (!created.ok) throw new Error(created.error.message);
    const { append, close } = created.value;
    expect(await host.readText('deep/grown')).toEqual({ ok: true, value: '' });
    expect(append(new TextEncoder().encode('one '))).toEqual({ ok: true, value: undefined });
    expect(await host.readText('deep/grown')).toEqual({ ok: true, value: 'one ' });
    append(new TextEncoder().encode('two'));
    expect(await close()).toEqual({ ok: true, value: undefined });
    expect(await host.readText('deep/grown')).toEqual({ ok: true, value: 'one two' });
    expect(append(new Uint8Array(1)).ok).toBe(false);
  });

  test('a fresh file follows no link, not even one that leads nowhere', async () => {
    const host = createNodeHost(directory);
    symlinkSync(join(directory, 'elsewhere'), join(directory, 'link'));
    const there = { ok: false, error: { kind: 'exists' } };
    expect(await host.writeFileAtomic('link', 'secret', { fresh: true, secret: true })).toMatchObject(there);
    expect(await host.createFile('link', { fresh: true })).toMatchObject(there);
    expect(readdirSync(directory)).toEqual(['link']);
    expect(await host.writeFileAtomic('key', 'secret', { fresh: true, secret: true })).toMatchObject({ ok: true });
    expect(statSync(join(directory, 'key')).mode & 0o777).toBe(0o600);
  });

  test('a file that cannot be made is a problem, not an exception', async () => {
    const host = createNodeHost(directory);
    expect((await host.createFile('.')).ok).toBe(false);
    await host.writeFileAtomic('file', '');
    expect((await host.createFile('file/inside')).ok).toBe(false);
  });

  test('a renamed file takes the place of another', async () => {
    const host = make();
    await host.writeFileAtomic('new', 'new');
    await host.writeFileAtomic('old', 'old');
    expect(await host.rename('new', 'old')).toEqual({ ok: true, value: undefined });
    expect(await host.readText('old')).toEqual({ ok: true, value: 'new' });
    expect(await host.kindOf('new')).toBe('missing');
    expect(await host.rename('new', 'old')).toMatchObject({ ok: false, error: { kind: 'missing' } });
  });

  test('bytes survive', async () => {
    const host = make();
    const bytes = new Uint8Array([0, 255, 254, 10, 13]);
    await host.writeFileAtomic('bytes', bytes);
    const read = await host.readBytes('bytes');
    expect(read.ok && [...read.value]).toEqual([...bytes]);
  });

  test('a file of any size comes in pieces, until no more is wanted', async () => {
    const host = make();
    const bytes = Uint8Array.from({ length: 1_000_003 }, (_, i) => i % 251);
    await host.writeFileAtomic('large', bytes);
    await host.writeFileAtomic('empty', '');
    const pieces: number[] = [];
    expect(
      await host.readChunks('large', (chunk) => {
        for (const byte of chunk) pieces.push(byte);
        return true;
      }),
    ).toEqual({ ok: true, value: undefined });
    expect(pieces.length).toBe(bytes.length);
    expect(pieces.every((byte, i) => byte === i % 251)).toBe(true);
    let calls = 0;
    await host.readChunks('large', () => ((calls += 1), false));
    await host.readChunks('empty', () => ((calls += 100), true));
    expect(calls).toBe(1);
    expect(await host.readChunks('none', () => true)).toMatchObject({ ok: false, error: { kind: 'missing' } });
  });

  test('problems have kinds', async () => {
    const host = make();
    await host.writeFileAtomic('dir/file', 'content');
    expect(await host.readText('none')).toMatchObject({ ok: false, error: { kind: 'missing', path: 'none' } });
    expect(await host.readText('dir')).toMatchObject({ ok: false, error: { kind: 'not-a-file' } });
    expect(await host.list('none')).toMatchObject({ ok: false, error: { kind: 'missing' } });
    expect(await host.list('dir/file')).toMatchObject({ ok: false, error: { kind: 'not-a-directory' } });
    expect(await host.readText('dir/file', { maxBytes: 3 })).toMatchObject({ ok: false, error: { kind: 'too-large' } });
  });

  test('remove is idempotent; kindOf returns what is there', async () => {
    const host = make();
    await host.writeFileAtomic('dir/file', 'content');
    expect([await host.kindOf('dir'), await host.kindOf('dir/file'), await host.kindOf('nothing')]).toEqual([
      'directory',
      'file',
      'missing',
    ]);
    expect(await host.remove('dir/file')).toMatchObject({ ok: true });
    expect(await host.remove('dir/file')).toMatchObject({ ok: true });
    expect(await host.kindOf('dir/file')).toBe('missing');
  });

  test('a folder is removed once it is empty, and nothing else ever is', async () => {
    const host = make();
    await host.writeFileAtomic('dir/file', 'content');
    expect(await host.removeEmptyFolder('dir')).toEqual({ ok: true, value: false });
    expect(await host.removeEmptyFolder('dir/file')).toMatchObject({ ok: false, error: { kind: 'not-a-directory' } });
    expect(await host.kindOf('dir/file')).toBe('file');
    await host.remove('dir/file');
    expect(await host.removeEmptyFolder('dir')).toEqual({ ok: true, value: true });
    expect(await host.kindOf('dir')).toBe('missing');
  });

  test('the list is sorted by code units', async () => {
    const host = make();
    for (const name of ['b', 'a', 'B', 'é']) await host.writeFileAtomic(`d/${name}`, '');
    const listed = await host.list('d');
    expect(listed.ok && listed.value.map((entry) => entry.name)).toEqual(['B', 'a', 'b', 'é']);
  });

  test('paths may not leave the project', async () => {
    const host = make();
    await host.writeFileAtomic('inside.txt', '');
    for (const path of ['../x', 'a/../../x', '/etc/passwd', 'a\0b']) {
      expect(await containedPath(host, '.', path), path).toMatchObject({ ok: false, error: { kind: 'outside' } });
    }
    for (const path of ['inside.txt', 'not/yet/there', '..x/y', '.'])
      expect(await containedPath(host, '.', path), path).toMatchObject({ ok: true });
  });
});

describe('node host: the real file system', () => {
  test('a link that leads outside is refused, one that stays inside is not', async () => {
    const host = createNodeHost(join(directory, 'project'));
    mkdirSync(join(directory, 'project/real'), { recursive: true });
    mkdirSync(join(directory, 'elsewhere'));
    symlinkSync(join(directory, 'elsewhere'), join(directory, 'project/out'));
    symlinkSync(join(directory, 'project/real'), join(directory, 'project/in'));
    expect(await containedPath(host, '.', 'out/new.txt')).toMatchObject({ ok: false, error: { kind: 'outside' } });
    expect(await containedPath(host, '.', 'in/new.txt')).toMatchObject({ ok: true });
  });

  test('a loop of links is a problem, not a hang', async () => {
    symlinkSync(join(directory, 'b'), join(directory, 'a'));
    symlinkSync(join(directory, 'a'), join(directory, 'b'));
    const host = createNodeHost(directory);
    expect(await host.readText('a')).toMatchObject({ ok: false, error: { kind: 'loop' } });
    expect(await host.list('.')).toMatchObject({ ok: true, value: [{ kind: 'link' }, { kind: 'link' }] });
  });

  test('a failed write leaves neither a temporary file nor a changed target', async () => {
    mkdirSync(join(directory, 'target'));
    const host = createNodeHost(directory);
    expect(await host.writeFileAtomic('target', 'text')).toMatchObject({ ok: false });
    expect(readdirSync(directory)).toEqual(['target']);
    writeFileSync(join(directory, 'file'), 'kept');
    expect(await host.writeFileAtomic('file/below', 'text')).toMatchObject({ ok: false });
    expect(existsSync(join(directory, 'file'))).toBe(true);
  });

  test.runIf(process.platform !== 'win32')(
    'a secret is for its owner alone, also where it replaces what was not',
    async () => {
      const host = createNodeHost(directory);
      await host.writeFileAtomic('open', 'text');
      writeFileSync(join(directory, 'plain'), 'text');
      await host.writeFileAtomic('secret', 'text');
      await host.writeFileAtomic('secret', 'text', { secret: true });
      const modeOf = (name: string): number => statSync(join(directory, name)).mode & 0o777;
      expect(modeOf('open')).toBe(modeOf('plain'));
      expect(modeOf('secret')).toBe(0o600);
    },
  );

  test('many writers of one file leave one whole file', async () => {
    const host = createNodeHost(directory);
    const texts = Array.from({ length: 20 }, (_, i) => String(i).repeat(1000));
    await Promise.all(texts.map((text) => host.writeFileAtomic('shared', text)));
    const read = await host.readText('shared');
    expect(read.ok && texts.includes(read.value)).toBe(true);
    expect(readdirSync(directory)).toEqual(['shared']);
  });

  test('a pipe or device is not read', async () => {
    expect(await createNodeHost('/').readText('/dev/zero')).toMatchObject({ ok: false, error: { kind: 'not-a-file' } });
  });

  test('a pipe without a writer is refused, not waited for', async () => {
    execFileSync('mkfifo', [join(directory, 'pipe')]);
    const read = await createNodeHost(directory).readChunks('pipe', () => true);
    expect(read).toMatchObject({ ok: false, error: { kind: 'not-a-file' } });
  });
});
