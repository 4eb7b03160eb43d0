/** Holds src/api/find-files.ts, src/host/path-from.ts. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findContractFiles } from '../../src/api/contract-files.ts';
import { unreadable } from '../../src/api/find-files.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import type { Host } from '../../src/host/host.ts';

const codesOf = (problems: readonly { readonly code: string }[]) => problems.map((problem) => problem.code);

describe('findContractFiles in memory', () => {
  const host = createMemoryHost({
    'contracts/b-kernel-v1.yaml': '',
    'contracts/a-kernel-v1.yml': '',
    'contracts/deep/er/c-kernel-v1.yaml': '',
    'contracts/binding.yaml': '',
    'contracts/deep/model.binding.yaml': '',
    'contracts/README.md': '',
    'contracts/.hidden/d.yaml': '',
    'contracts/node_modules/x/e.yaml': '',
    'notes/README.md': '',
    'odd.txt': '',
  });

  it('walks folders in order, leaves out what is not a contract, and names bindings', async () => {
    expect(await findContractFiles(host, ['contracts'])).toEqual({
      paths: ['contracts/a-kernel-v1.yml', 'contracts/b-kernel-v1.yaml', 'contracts/deep/er/c-kernel-v1.yaml'],
      bindings: ['contracts/binding.yaml', 'contracts/deep/model.binding.yaml'],
      problems: [],
    });
  });

  it.each(['./contracts/', 'contracts//', '/project/contracts'])('finds the same files through %s', async (path) => {
    expect((await findContractFiles(host, [path])).paths).toHaveLength(3);
  });

  it.each(['/project/contracts', '../project/contracts', './contracts/'])(
    'names them alike through %s',
    async (path) => {
      expect((await findContractFiles(host, [path])).paths[0]).toBe('contracts/a-kernel-v1.yml');
    },
  );

  it('reads a named file whatever its extension', async () => {
    expect((await findContractFiles(host, ['./odd.txt', 'contracts/binding.yaml'])).paths).toEqual([
      'contracts/binding.yaml',
      'odd.txt',
    ]);
  });

  it('lists a file once, however often it is named', async () => {
    const files = await findContractFiles(host, ['contracts', 'contracts/deep', './contracts/b-kernel-v1.yaml']);
    expect(files.paths).toHaveLength(3);
    expect(files.problems).toEqual([]);
  });

  it.each([
    ['a missing path', 'contract', 'PV-8001'],
    ['the empty path', '', 'PV-8001'],
    ['a folder without contracts', 'notes', 'PV-8004'],
  ])('reports %s', async (_name, path, code) => {
    const files = await findContractFiles(host, [path, 'contracts']);
    expect(codesOf(files.problems)).toEqual([code]);
    expect(files.paths).toHaveLength(3);
  });

  it('takes a folder of bindings alone for one without contracts', async () => {
    const bindings = createMemoryHost({ 'b/binding.yaml': '' });
    expect(codesOf((await findContractFiles(bindings, ['b'])).problems)).toEqual(['PV-8004']);
  });

  it('finds everything from the working folder', async () => {
    expect((await findContractFiles(host, ['.'])).paths).toContain('contracts/deep/er/c-kernel-v1.yaml');
  });

  it('stops at the file limit and says so once', async () => {
    const many = createMemoryHost();
    const entries = Array.from({ length: 100_002 }, (_, i) => ({ name: `${i}.yaml`, kind: 'file' as const }));
    const crowded: Host = {
      ...many,
      kindOf: async () => 'directory',
      realPath: async (path) => ({ ok: true, value: path }),
      list: async () => ({ ok: true, value: entries }),
    };
    const files = await findContractFiles(crowded, ['.']);
    expect(files.paths).toHaveLength(100_000);
    expect(codesOf(files.problems)).toEqual(['PV-8006']);
  });
});

describe('findContractFiles on a real file system', () => {
  let root = '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'pv-files-'));
    await mkdir(join(root, 'loop/inner'), { recursive: true });
    await writeFile(join(root, 'loop/one.yaml'), '');
    await symlink('..', join(root, 'loop/inner/up'));
    await mkdir(join(root, 'twice/a'), { recursive: true });
    await writeFile(join(root, 'twice/a/one.yaml'), '');
    await symlink('a', join(root, 'twice/b'));
    await symlink('a/one.yaml', join(root, 'twice/same.yaml'));
    await mkdir(join(root, 'broken'));
    await symlink('nowhere.yaml', join(root, 'broken/gone.yaml'));
    await symlink('self.yaml', join(root, 'self.yaml'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const find = (path: string) => findContractFiles(createNodeHost(root), [path]);

  it('ends at a loop of links and reports it', async () => {
    const files = await find('loop');
    expect(files.paths).toEqual(['loop/one.yaml']);
    expect(codesOf(files.problems)).toEqual(['PV-8003']);
  });

  it('follows links that do not loop, and reads a file reached in three ways once', async () => {
    const files = await find('twice');
    expect(files.paths).toEqual(['twice/a/one.yaml']);
    expect(files.problems).toEqual([]);
  });

  it('reports a link that leads nowhere', async () => {
    expect(codesOf((await find('broken')).problems)).toEqual(['PV-8001']);
  });

  it('reports a link to itself', async () => {
    expect(codesOf((await find('self.yaml')).problems)).toEqual(['PV-8003']);
  });

  it('does not wait for a device', async () => {
    expect(codesOf((await find('/dev/zero')).problems)).toEqual(['PV-8005']);
  });
});

describe('unreadable', () => {
  it.each([
    ['missing', 'PV-8001'],
    ['loop', 'PV-8003'],
    ['denied', 'PV-8002'],
    ['too-large', 'PV-8002'],
  ] as const)('gives %s the code %s, with the path as subject', (kind, code) => {
    expect(unreadable({ kind, path: 'a.yaml', message: 'reason' })).toMatchObject({
      code,
      subject: 'a.yaml',
      span: null,
    });
  });
});
