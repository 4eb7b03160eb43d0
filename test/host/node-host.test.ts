import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createNodeHost } from '../../src/host/node-host.ts';

const folder = await mkdtemp(join(tmpdir(), 'pv-pieces-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const kibibyte = 1024;

it.each([
  [1, 1],
  [600, 3],
])('a file of %i KiB comes in %i pieces, and none after the reader has had enough', async (size, pieces) => {
  const host = createNodeHost(folder);
  await writeFile(join(folder, 'file'), new Uint8Array(size * kibibyte));
  const sizesUntil = async (enough: number): Promise<readonly number[]> => {
    const sizes: number[] = [];
    await host.readChunks('file', (chunk) => sizes.push(chunk.length) < enough);
    return sizes;
  };
  const sizes = await sizesUntil(Infinity);
  expect(sizes).toHaveLength(pieces);
  expect(sizes.reduce((sum, one) => sum + one)).toBe(size * kibibyte);
  expect(await sizesUntil(1)).toHaveLength(1);
});

it('makes the folders of a path, also when several files need them at once', async () => {
  const host = createNodeHost(folder);
  const paths = ['a', 'b', 'c'].map((name) => `deep/er/still/${name}`);
  const written = await Promise.all(paths.map((path) => host.writeFileAtomic(path, path)));
  expect(written.every(({ ok }) => ok)).toBe(true);
  for (const path of paths) expect(await readFile(join(folder, path), 'utf8')).toBe(path);
  await writeFile(join(folder, 'plain'), '');
  for (const path of ['plain/a', 'plain/b/a'])
    expect(await host.writeFileAtomic(path, '')).toMatchObject({ ok: false, error: { kind: 'not-a-directory' } });
  expect(await host.writeFileAtomic(`${'n'.repeat(300)}/a`, '')).toMatchObject({
    error: { message: 'the name is too long' },
  });
});

it('fails where a folder takes no other, instead of trying for ever', async ({ skip }) => {
  skip(!existsSync('/proc/self'), 'this system has no /proc');
  const host = createNodeHost(folder);
  for (const [path, parent] of [
    ['/proc/pv-x/file', '/proc'],
    ['/proc/pv-x/y/z/file', '/proc'],
    ['/proc/self/pv-x/file', '/proc/self'],
  ] as const) {
    const error = { message: `no folder can be made in ${parent}` };
    expect(await host.writeFileAtomic(path, '')).toMatchObject({ ok: false, error });
    expect(await host.createFile(path)).toMatchObject({ ok: false, error });
  }
});
