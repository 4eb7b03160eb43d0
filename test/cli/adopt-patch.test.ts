/** Holds src/cli/adopt/write-patch.ts. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/api/exit-code.ts';
import type { Adoption } from '../../src/report/adopt/adoption.ts';
import { contractOf } from '../audit/adopt/adopted.ts';
import { ensureBuilt, runBuiltPv, runProcess } from '../support/built.ts';

let folder = '';
const inWords = contractOf('f = a * a + b', 'Training config', ['f - b ≥ 0 (as ever)', 'f is smooth']);
const plain = contractOf('f(x) = x^2', 'x ∈ ℝ, |x| ≤ 10', ['f(x) ≥ 0']);

beforeAll(async () => {
  ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'pv-patch-'));
  await write('here/package.json', '{}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), text);
}
const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
const pv = (...args: readonly string[]) =>
  runBuiltPv(['adopt', ...args, '--jobs', '1', '--quiet'], { cwd: join(folder, 'here') });
/** Where `patch` is not installed, git takes its place. */
const patchByGit = 'command -v patch > /dev/null || patch() { d=.; [ "$1" = -d ] && d=$2; git -C "$d" apply -; }';
/** In a shell, as a person types it. */
const typed = (command: string) => runProcess('sh', ['-c', `${patchByGit}\n${command}`], { cwd: join(folder, 'here') });

describe('pv adopt --patch', () => {
  it('writes a patch that git applies, after which the statement runs', async () => {
    await write('here/in words/it’s one.yaml', inWords.replaceAll('\n', '\r\n'));
    const ran = await pv('in words', '--patch', 'adopt.patch');
    expect(ran.code, ran.stderr).toBe(exitCodes.ok);
    const page = ran.stdout.replace(/\s+/gu, ' ');
    expect(page).toContain('0 (and 1 in part) of 2 obligations');
    expect(page).toContain('Rewritten in the patch (2)');
    expect(page).toContain('it’s one.yaml:5 f: Training config is written a ∈ ℝ, b ∈ ℝ');
    expect(page).toContain(
      'adopt.patch rewrites 1 equation and 1 statement; with it 1 more statement runs. Read its comments, and apply it: patch -p1 < adopt.patch',
    );
    expect(await read('here/in words/it’s one.yaml')).toBe(inWords.replaceAll('\n', '\r\n'));
    const applied = await typed('git apply adopt.patch');
    expect(applied.code, applied.stderr).toBe(0);
    const json = JSON.parse((await pv('in words', '--format', 'json', '--patch', 'again.patch')).stdout) as Adoption;
    expect(json.obligations).toEqual({ run: 1, declared: 2 });
    expect(json.patch).toEqual({
      path: 'again.patch',
      command: 'patch -p1 < again.patch',
      rewritten: [],
      unlocked: 0,
      leftOut: 0,
    });
    await expect(read('here/again.patch')).rejects.toThrow('ENOENT');
  });

  it('prints a command that works, also for contracts elsewhere', async () => {
    for (const path of ['here/inside/a b.yaml', 'out side/a.yaml', 'out side/deeper/b.yaml'])
      await write(path, inWords);
    for (const [paths, patch] of [
      [['inside'], 'one two.patch'],
      [['../out side/a.yaml', '../out side/deeper'], 'out.patch'],
    ] as const) {
      const json = JSON.parse((await pv(...paths, '--patch', patch, '--format', 'json')).stdout) as Adoption;
      const applied = await typed(json.patch?.command ?? 'false');
      expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    }
    for (const path of ['here/inside/a b.yaml', 'out side/a.yaml', 'out side/deeper/b.yaml'])
      expect(await read(path)).toContain('    domain: "a ∈ ℝ, b ∈ ℝ"\n');
  });

  it('overwrites nothing, and says so before it judges anything', async () => {
    await write('here/plain/a.yaml', plain);
    await write('here/there.patch', 'mine');
    await write('here/words/a.yaml', inWords);
    for (const [args, message] of [
      [['plain', '--patch', '.'], '--patch does not overwrite .: remove it, or name another file'],
      [['plain', '--patch', 'there.patch'], '--patch does not overwrite there.patch: remove it, or name another file'],
      [['plain', '--patch', 'plain/a.yaml'], 'another ending'],
      [['plain', '--patch', 'new.patch', '--out', './new.patch'], 'the same file'],
      [['words', '--patch', 'package.json/new.patch'], 'package.json'],
    ] as const) {
      const ran = await pv(...args);
      expect([args, ran.code, ran.stdout]).toEqual([args, exitCodes.usage, '']);
      expect(ran.stderr).toContain(message);
    }
    expect(await read('here/there.patch')).toBe('mine');
    expect(await read('here/plain/a.yaml')).toBe(plain);
  });

  it('says that there is nothing to rewrite, and writes nothing', async () => {
    await write('here/plain/a.yaml', plain);
    const ran = await pv('plain', '--patch', 'none.patch');
    expect(ran.code).toBe(exitCodes.ok);
    expect(ran.stdout.replace(/\s+/gu, ' ')).toContain(
      'Nothing can be rewritten exactly, so none.patch was not written.',
    );
    await expect(read('here/none.patch')).rejects.toThrow('ENOENT');
  });
});
