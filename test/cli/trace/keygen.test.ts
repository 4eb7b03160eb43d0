import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { parseVerifierKey } from '../../../src/notes/key.ts';
import { parseSignerKey } from '../../../src/notes/signer.ts';
import { runPv } from '../../support/memory-cli.ts';

const textAt = (host: ReturnType<typeof createMemoryHost>, path: string) =>
  new TextDecoder().decode(host.files.get(`/project/${path}`));

describe('pv trace keygen', () => {
  it.each([
    [[], 'ed25519'],
    [['--cosigner'], 'cosignature/v1'],
  ])('%j makes two keys of one pair, and prints the open one alone', async (flags, type) => {
    const host = createMemoryHost();
    const ran = await runPv(['trace', 'keygen', 'example.org/alice', ...flags], { host });
    expect(ran.code).toBe(0);
    const signer = parseSignerKey(textAt(host, 'alice.key'));
    const open = parseVerifierKey(textAt(host, 'alice.pub'));
    expect(signer.ok && signer.value.key).toEqual(open.ok && open.value);
    expect(open).toMatchObject({ ok: true, value: { name: 'example.org/alice', type } });
    expect(ran.stdout).toBe(textAt(host, 'alice.pub'));
    expect(ran.stdout + ran.stderr).not.toContain('PRIVATE');
  });

  it('makes another pair each time', async () => {
    const host = createMemoryHost();
    await runPv(['trace', 'keygen', 'a', '--out', 'one'], { host });
    await runPv(['trace', 'keygen', 'a', '--out', 'two'], { host });
    expect(textAt(host, 'one.key')).not.toBe(textAt(host, 'two.key'));
  });

  it('writes over no key, unless forced', async () => {
    const host = createMemoryHost({ 'alice.key': 'mine' });
    expect(await runPv(['trace', 'keygen', 'alice'], { host })).toMatchObject({ code: 2, stdout: '' });
    expect(textAt(host, 'alice.key')).toBe('mine');
    expect(await runPv(['trace', 'keygen', 'alice', '--force'], { host })).toMatchObject({ code: 0 });
  });

  it.each(['', 'a b', 'a+b', 'tab\there'])('refuses the name %j', async (name) => {
    const host = createMemoryHost();
    const ran = await runPv(['trace', 'keygen', '--', name], { host });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('PV-8052');
    expect(host.files.size).toBe(0);
  });

  it.each(['..', '/', 'x/../..'])('writes here and nowhere else, also for the name %j', async (name) => {
    const host = createMemoryHost();
    expect(await runPv(['trace', 'keygen', name], { host })).toMatchObject({ code: 0 });
    expect([...host.files.keys()].every((path) => /^[/]project[/][^/]+$/.test(path))).toBe(true);
  });

  it.runIf(process.platform !== 'win32')('lets only the owner read the secret', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pv-keygen-'));
    try {
      expect(await runPv(['trace', 'keygen', 'alice'], { host: createNodeHost(folder) })).toMatchObject({ code: 0 });
      expect(statSync(join(folder, 'alice.key')).mode & 0o777).toBe(0o600);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
