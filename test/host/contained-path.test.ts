import { describe, expect, it } from 'vitest';
import { err, ok } from '../../src/base/result.ts';
import { containedPath, containedPlace, isUnder } from '../../src/host/contained-path.ts';
import type { FileProblem, Host } from '../../src/host/host.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';

/** A host on which `real` says where paths lead; a text alone is a kind of problem, and all others are missing. */
function hostOf(real: Readonly<Record<string, string>>): Host {
  const realPath: Host['realPath'] = async (path) => {
    const found = real[path] ?? 'missing';
    return found.startsWith('/') ? ok(found) : err({ kind: found as FileProblem['kind'], path, message: 'no' });
  };
  return { ...createMemoryHost({}, '/'), realPath };
}

const here = { '/': '/', '/project': '/project', '/project/a': '/project/a' };
const kindOf = async (host: Host, path: string, root = 'project') => {
  const place = await containedPath(host, root, path);
  return place.ok ? place.value : place.error.kind;
};

describe.runIf(process.platform !== 'win32')('a path under a folder', () => {
  it.each([
    ['/a', '/a', true],
    ['/a', '/a/b', true],
    ['/a', '/a/..b', true],
    ['/a', '/a/...', true],
    ['/', '/a', true],
    ['/a', '/', false],
    ['/a', '/b', false],
    ['/a', '/ab', false],
    ['/a/b', '/a', false],
    ['/a/b', '/a/c/b', false],
  ])('%s: %s is %s', (base, target, is) => expect(isUnder(base, target)).toBe(is));

  it('is where it is named, with where it leads', async () => {
    const host = hostOf({ ...here, '/project/a': '/project/b' });
    expect(await containedPlace(host, 'project', 'a/x')).toEqual({
      ok: true,
      value: { path: '/project/a/x', real: '/project/b/x' },
    });
    expect(await containedPlace(host, 'project', '.')).toEqual({
      ok: true,
      value: { path: '/project', real: '/project' },
    });
    expect(await kindOf(host, 'none/deep/file')).toBe('/project/none/deep/file');
  });

  it.each(['..', '../other', '/other', 'a/../../other', 'a\0', '../project\0', '/project/../other'])(
    'is outside where it is written %j',
    async (path) => expect(await kindOf(hostOf(here), path)).toBe('outside'),
  );

  it('is outside where it leads there, and inside where the whole folder has moved', async () => {
    expect(await kindOf(hostOf({ ...here, '/project/a': '/other' }), 'a')).toBe('outside');
    expect(await kindOf(hostOf({ ...here, '/project/a': '/other' }), 'a/deep/file')).toBe('outside');
    expect(await kindOf(hostOf({ ...here, '/project/a': '/project-two' }), 'a')).toBe('outside');
    const moved = hostOf({ '/': '/', '/project': '/moved', '/project/a': '/moved/a' });
    expect(await kindOf(moved, 'a/file')).toBe('/project/a/file');
    expect(await kindOf(hostOf({ '/': '/', '/project': '/moved', '/project/a': '/project/a' }), 'a')).toBe('outside');
  });

  it.each(['denied', 'loop', 'not-a-directory'])('is not known where the way is %s', async (problem) => {
    expect(await kindOf(hostOf({ ...here, '/project/a': problem }), 'a')).toBe(problem);
    expect(await kindOf(hostOf({ ...here, '/project/a': problem }), 'a/deep/file')).toBe(problem);
    expect(await kindOf(hostOf({ ...here, '/project': problem }), 'a')).toBe(problem);
  });

  it('is not known where there is no folder at all', async () => expect(await kindOf(hostOf({}), 'a')).toBe('missing'));
});
