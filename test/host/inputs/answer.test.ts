import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
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

  it('is what stands at the path, links followed', () => {
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
    for (const kind of ['file', 'entry', 'stat', 'folder'] as const) {
      expect(ask(kind, at('none'))).toBe('missing');
      expect(ask(kind, at('a/none'))).toBe('missing');
      expect(ask(kind, at('x'.repeat(300)))).toBe('unreadable ENAMETOOLONG');
    }
  });

  it('is size and time of a file, and no more than that it is one of a folder', () => {
    utimesSync(at('a'), 10, 20);
    expect(ask('stat', at('a'))).toBe('file 3 20000');
    utimesSync(at('a'), 10, 21);
    expect(ask('stat', at('a'))).toBe('file 3 21000');
    expect(ask('stat', at('sub'))).toBe('folder');
    expect(ask('stat', '/dev/null')).toBe('other');
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
    expect(new Set([before, withFile, withFolder]).size).toBe(3);
    rmSync(at('b'), { recursive: true });
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
