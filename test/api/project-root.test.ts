import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectFolders } from '../../src/api/project-root.ts';
import { createNodeHost } from '../../src/host/node-host.ts';

let above = '';
let contracts = '';
let elsewhere = '';

beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'pv-root-'));
  contracts = join(above, 'project', 'contracts');
  elsewhere = join(above, 'elsewhere');
  await mkdir(contracts, { recursive: true });
  await mkdir(elsewhere);
});

afterEach(() => rm(above, { recursive: true, force: true }));

const rootOf = async (folder: string, from = elsewhere): Promise<string> =>
  (await projectFolders(createNodeHost(from), folder)).root;

describe('the project that a folder belongs to', () => {
  it('is the nearest with a package.json, before a nearer one with evidence', async () => {
    await writeFile(join(above, 'project', 'package.json'), '{}');
    await mkdir(join(contracts, '.pv'));
    expect(await rootOf(contracts)).toBe(join(above, 'project'));
  });

  it('is without one the nearest that holds evidence', async () => {
    await mkdir(join(above, 'project', '.pv'));
    expect(await rootOf(contracts)).toBe(join(above, 'project'));
  });

  it('is without either the folder that pv runs in, where that is above', async () => {
    expect(await rootOf(contracts, join(above, 'project'))).toBe(join(above, 'project'));
    expect(await rootOf(contracts)).toBe(contracts);
  });

  it.runIf(process.platform !== 'win32')('is never one in a folder that all users write to', async () => {
    await mkdir(join(above, '.pv'));
    await writeFile(join(above, 'package.json'), '{}');
    expect(await rootOf(contracts)).toBe(above);
    await chmod(above, 0o1777);
    expect(await rootOf(contracts)).toBe(contracts);
    // Mounted file systems may show every right on every folder.
    await chmod(above, 0o777);
    expect(await rootOf(contracts)).toBe(above);
  });

  it('is such a folder itself where that is what was requested', async () => {
    await mkdir(join(above, '.pv'));
    await chmod(above, 0o1777);
    expect(await rootOf(above)).toBe(above);
  });

  it('of an installed package is that of its installer, whose modules come second', async () => {
    const theirs = join(above, 'project', 'node_modules', '@their', 'package', 'contracts');
    await mkdir(theirs, { recursive: true });
    await writeFile(join(above, 'project', 'package.json'), '{}');
    await writeFile(join(above, 'project', 'node_modules', '@their', 'package', 'package.json'), '{}');
    expect(await projectFolders(createNodeHost(elsewhere), theirs)).toEqual({
      root: join(above, 'project'),
      moduleRoots: [join(above, 'project', 'node_modules', '@their', 'package'), join(above, 'project'), elsewhere],
    });
  });
});
