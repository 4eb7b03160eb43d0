import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
