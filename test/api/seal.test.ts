/** Holds src/api/user-folder.ts. */
import { describe, expect, it } from 'vitest';
import { err } from '../../src/base/result.ts';
import { sealOf } from '../../src/api/seal.ts';
import { sealed } from '../../src/host/seal.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';

const keyAt = '/home/me/.cache/pv/validate.key';

describe('the secret of a user', () => {
  it('is made once and kept outside of the project', async () => {
    const host = createMemoryHost();
    const first = await sealOf(host, { HOME: '/home/me' });
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await sealOf(host, { HOME: '/home/me' })).toBe(first);
    expect([...host.files.keys()]).toEqual([keyAt]);
  });

  it('is made anew when its file holds something else', async () => {
    const host = createMemoryHost({ [keyAt]: '' });
    expect(await sealOf(host, { HOME: '/home/me' })).toMatch(/^[0-9a-f]{64}$/);
  });

  it('follows XDG_CACHE_HOME, when that is absolute', async () => {
    const host = createMemoryHost();
    await sealOf(host, { HOME: '/home/me', XDG_CACHE_HOME: '/cache' });
    await sealOf(host, { HOME: '/home/me', XDG_CACHE_HOME: 'cache' });
    expect([...host.files.keys()]).toEqual(['/cache/pv/validate.key', keyAt]);
  });

  it.each([
    ['there is no home', {}],
    ['the project is the home', { HOME: '/project' }],
    ['the cache lies in the project', { XDG_CACHE_HOME: '/project/cache' }],
  ])('is none when %s', async (_, env) => {
    expect(await sealOf(createMemoryHost(), env)).toBeNull();
  });

  it('does not exist if nothing can be written', async () => {
    const host = createMemoryHost();
    const readOnly = {
      ...host,
      writeFileAtomic: async (path: string) => err({ kind: 'denied', path, message: 'permission denied' } as const),
    };
    expect(await sealOf(readOnly, { HOME: '/home/me' })).toBeNull();
  });
});

describe('a seal', () => {
  // RFC 4231, test case 2.
  it('is HMAC-SHA-256', () => {
    expect(sealed('Jefe', 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });
});
