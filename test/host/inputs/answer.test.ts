/** Holds src/host/inputs/variables.ts. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerOf } from '../../../src/host/inputs/answer.ts';
import type { InputKind } from '../../../src/host/inputs/input.ts';
import { memoryVariable, secretVariable } from '../../../src/host/inputs/variables.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
const ask = (kind: InputKind, name = '', environment: NodeJS.ProcessEnv = {}) => answerOf({ kind, name }, environment);
const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pv-answer-')));
  writeFileSync(at('a'), 'abc');
  mkdirSync(at('sub'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.runIf(process.platform !== 'win32')('the answer to a question about files', () => {
  it('is the digest of what a file holds, however long it is', () => {
    expect(ask('file', at('a'))).toBe(sha256('abc'));
    writeFileSync(at('long'), 'x'.repeat(3_000_000));
    expect(ask('file', at('long'))).toBe(sha256('x'.repeat(3_000_000)));
    writeFileSync(at('empty'), '');
    expect(ask('file', at('empty'))).toBe(sha256(''));
  });

  it('is what the path leads to, links followed', () => {
    symlinkSync('a', at('link'));
    expect(ask('file', at('link'))).toBe(sha256('abc'));
    expect([at('a'), at('sub'), at('link'), '/dev/null'].map((path) => ask('entry', path))).toEqual([
      'file',
      'folder',
      'file',
      'other',
    ]);
    expect([ask('file', at('sub')), ask('file', '/dev/null')]).toEqual(['folder', 'other']);
  });

  it('is that nothing is there, or why it cannot be said', () => {
    for (const kind of ['file', 'entry', 'access', 'stat', 'lstat', 'link', 'realpath', 'folder'] as const) {
      expect(ask(kind, at('none'))).toBe('missing');
      expect(ask(kind, at('a/none'))).toBe('missing');
      expect(ask(kind, at('x'.repeat(300)))).toBe('unreadable ENAMETOOLONG');
    }
  });

  it('is size, time, mode and owner of a file, and mode and owner alone of a folder', () => {
    const owner = `${process.getuid?.()}:${process.getgid?.()}`;
    chmodSync(at('a'), 0o640);
    utimesSync(at('a'), 10, 20);
    expect(ask('stat', at('a'))).toBe(`file 3 20000 100640 ${owner}`);
    utimesSync(at('a'), 10, 21);
    expect(ask('stat', at('a'))).toBe(`file 3 21000 100640 ${owner}`);
    chmodSync(at('a'), 0o750);
    expect(ask('stat', at('a'))).toBe(`file 3 21000 100750 ${owner}`);
    chmodSync(at('sub'), 0o700);
    expect(ask('stat', at('sub'))).toBe(`folder 40700 ${owner}`);
    writeFileSync(at('sub/new'), '');
    expect(ask('stat', at('sub'))).toBe(`folder 40700 ${owner}`);
    expect(ask('stat', '/dev/null')).toMatch(/^other /u);
  });

  it('is of a link itself where links are not followed', () => {
    symlinkSync('a', at('link'));
    symlinkSync('none', at('broken'));
    lutimesSync(at('broken'), 10, 20);
    expect(ask('lstat', at('a'))).toBe(ask('stat', at('a')));
    expect(ask('lstat', at('broken'))).toMatch(/^link 4 20000 /u);
    expect(['entry', 'stat', 'file', 'realpath'].map((kind) => ask(kind as InputKind, at('broken')))).toEqual(
      Array.from({ length: 4 }, () => 'missing'),
    );
    expect([ask('link', at('link')), ask('link', at('broken'))]).toEqual(['to a', 'to none']);
    expect(ask('link', at('a'))).toBe('unreadable EINVAL');
  });

  it('is the path with every link resolved, which no file can pass off as another answer', () => {
    symlinkSync('sub', at('link'));
    writeFileSync(at('sub/missing'), '');
    expect(ask('realpath', at('link'))).toBe(`at ${at('sub')}`);
    expect(ask('realpath', at('link/missing'))).toBe(`at ${at('sub/missing')}`);
  });

  it('is whether a file may be run', () => {
    chmodSync(at('a'), 0o600);
    expect(ask('access', at('a'))).toBe('rw-');
    chmodSync(at('a'), 0o700);
    expect(ask('access', at('a'))).toBe('rwx');
  });

  it('is another where a folder has other names or kinds, and the same where files in it change', () => {
    const before = ask('folder', folder);
    writeFileSync(at('a'), 'other');
    expect(ask('folder', folder)).toBe(before);
    writeFileSync(at('b'), '');
    const withFile = ask('folder', folder);
    rmSync(at('b'));
    mkdirSync(at('b'));
    const withFolder = ask('folder', folder);
    rmSync(at('b'), { recursive: true });
    symlinkSync('a', at('b'));
    const withLink = ask('folder', folder);
    expect(new Set([before, withFile, withFolder, withLink]).size).toBe(4);
    rmSync(at('b'));
    expect(ask('folder', folder)).toBe(before);
  });
});

describe('the answer to a question about the process', () => {
  it('is the digest of a variable, or that there is none', () => {
    expect(ask('variable', 'A', { A: 'abc' })).toBe(sha256('abc'));
    expect(ask('variable', 'A', { A: '' })).toBe(sha256(''));
    expect(ask('variable', 'A', { B: 'abc' })).toBe('missing');
  });

  it('is of all variables in any order, without those of pv itself', () => {
    const all = ask('environment', '', { A: '1', B: '2' });
    expect(ask('environment', '', { B: '2', A: '1' })).toBe(all);
    expect(ask('environment', '', { B: '2', A: '1', [secretVariable]: 's', [memoryVariable]: 'm' })).toBe(all);
    for (const other of [{ A: '1' }, { A: '1', B: '3' }, { A: '1', C: '2' }, { A: '1B', '': '2' }])
      expect(ask('environment', '', other)).not.toBe(all);
  });

  it('is its folder and its machine', () => {
    expect(ask('place')).toBe(process.cwd());
    const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    expect(ask('machine')).toBe(`${process.platform} ${process.arch} ${locale} ${timeZone}`);
  });
});
