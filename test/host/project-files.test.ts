import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { containedPath } from '../../src/host/contained-path.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import { projectFiles, type ProjectFiles } from '../../src/host/project-files.ts';

let above = '';
let project = '';
let outside = '';
let files: ProjectFiles;

beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'pv-files-'));
  project = join(above, 'project');
  outside = join(above, 'outside');
  await mkdir(join(project, 'inner'), { recursive: true });
  await mkdir(outside);
  files = projectFiles(createNodeHost(above), 'project');
});

afterEach(() => rm(above, { recursive: true, force: true }));

const kindOf = async (action: Promise<{ readonly ok: boolean; readonly error?: { readonly kind: string } }>) => {
  const outcome = await action;
  return outcome.ok ? 'ok' : outcome.error?.kind;
};

/** Everything that could change a file; each must say the same of a place. */
const writes = [
  ['write', (path: string) => kindOf(files.write(path, 'mine'))],
  ['remove', (path: string) => kindOf(files.remove(path))],
  ['removeEmptyFolder', (path: string) => kindOf(files.removeEmptyFolder(path))],
] as const;

describe.each(writes)('%s of the files of a project', (_, act) => {
  it.each([
    ['the folder above', '..'],
    ['a neighbour', '../outside/file'],
    ['a neighbour whose name begins like the project', '../project-two/file'],
    ['an absolute path elsewhere', '/etc/pv-was-here'],
    ['a way out behind a way in', 'inner/../../outside/file'],
    ['a name with a NUL', 'inner/a\0b'],
  ])('refuses %s', async (_name, path) => {
    expect(await act(path)).toBe('outside');
    expect(await readdir(outside)).toEqual([]);
  });

  it.runIf(process.platform !== 'win32').each([
    ['a folder elsewhere', '../outside'],
    ['the folder above', '..'],
    ['the root of the machine', '/'],
  ])('refuses a way through a link to %s', async (_name, target) => {
    await symlink(target, join(project, '.pv'));
    expect(await act('.pv/report.html')).toBe('outside');
    expect(await readdir(outside)).toEqual([]);
    expect((await readdir(above)).toSorted()).toEqual(['outside', 'project']);
  });

  it('refuses what lies in node_modules, also through a link', async () => {
    await mkdir(join(project, 'node_modules', 'package'), { recursive: true });
    await writeFile(join(project, 'node_modules', 'package', 'index.js'), 'theirs');
    expect(await act('node_modules/package/index.js')).toBe('outside');
    expect(await act('inner/node_modules/package/index.js')).toBe('outside');
    await symlink(join('node_modules', 'package'), join(project, 'linked'));
    expect(await act('linked/index.js')).toBe('outside');
    expect(await readFile(join(project, 'node_modules', 'package', 'index.js'), 'utf8')).toBe('theirs');
  });
});

describe('the files of a project', () => {
  it('writes and reads what lies inside, also in folders that are not there yet', async () => {
    expect(await kindOf(files.write('new/folder/file', 'mine'))).toBe('ok');
    expect(await files.read('new/folder/file')).toEqual({ ok: true, value: 'mine' });
    expect(await kindOf(files.write(join(project, 'by its absolute path'), 'mine'))).toBe('ok');
  });

  it('takes names that only begin with dots, and names of packages that are no folders of packages', async () => {
    for (const path of ['..pv', '...', 'inner/..hidden', 'my_node_modules/file', 'node_modules.txt'])
      expect(await kindOf(files.write(path, 'mine')), path).toBe('ok');
  });

  it.runIf(process.platform !== 'win32')('follows links that stay inside', async () => {
    await symlink('inner', join(project, 'linked'));
    expect(await kindOf(files.write('linked/file', 'mine'))).toBe('ok');
    expect(await readFile(join(project, 'inner', 'file'), 'utf8')).toBe('mine');
  });

  it.runIf(process.platform !== 'win32')('makes nothing where a link leads to what is not there yet', async () => {
    await symlink(join('..', 'outside', 'not-yet'), join(project, '.pv'));
    expect(await kindOf(files.write('.pv/report.html', 'mine'))).not.toBe('ok');
    expect(await readdir(outside)).toEqual([]);
  });

  it.runIf(process.platform !== 'win32')('knows a project that is itself reached by a link', async () => {
    await symlink('project', join(above, 'known-as'));
    expect(await kindOf(projectFiles(createNodeHost(above), 'known-as').write('file', 'mine'))).toBe('ok');
    expect(await readFile(join(project, 'file'), 'utf8')).toBe('mine');
  });

  it('reads nothing outside', async () => {
    await writeFile(join(outside, 'secret'), 'theirs');
    expect(await kindOf(files.read('../outside/secret'))).toBe('outside');
    if (process.platform === 'win32') return;
    await symlink('../outside', join(project, 'linked'));
    expect(await kindOf(files.read('linked/secret'))).toBe('outside');
    expect(await kindOf(containedPath(createNodeHost(above), 'project', 'linked/secret'))).toBe('outside');
  });
});
