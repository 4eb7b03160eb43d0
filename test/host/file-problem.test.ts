import { describe, expect, it } from 'vitest';
import { asClause, problemOf, tooLarge } from '../../src/host/file-problem.ts';

const thrown = (code: unknown) => Object.assign(new Error('in the words of Node'), { code });

it('follows a colon as a clause of its own', () => {
  expect(['ENOENT', 'ENOSPC', 'EROFS'].map((code) => asClause(problemOf('p', thrown(code))))).toEqual([
    'it does not exist',
    'no space left on the device',
    'the file system is read-only',
  ]);
});

describe('what the file system says', () => {
  it.each([
    ['ENOENT', 'missing', 'does not exist'],
    ['EISDIR', 'not-a-file', 'is a directory'],
    ['ENOTDIR', 'not-a-directory', 'is not a directory'],
    ['EACCES', 'denied', 'permission denied'],
    ['EROFS', 'denied', 'the file system is read-only'],
    ['ELOOP', 'loop', 'is a loop of symbolic links'],
    ['ENOSPC', 'no-space', 'no space left on the device'],
    ['EDQUOT', 'no-space', 'the quota of the disk is used up'],
  ])('%s is %s', (code, kind, message) => {
    expect(problemOf('p', thrown(code))).toEqual({ kind, path: 'p', message });
  });

  it.each([
    [thrown('EWHATEVER'), 'in the words of Node'],
    [thrown(7), 'in the words of Node'],
    [new Error('without a code'), 'without a code'],
    ['a text', 'a text'],
    [{ code: 'ENOENT' }, '[object Object]'],
    [null, 'null'],
  ])('anything else is in its own words: %#', (error, message) => {
    expect(problemOf('p', error)).toEqual({ kind: 'other', path: 'p', message });
  });

  it('of a file that is too large says both numbers', () => {
    expect(tooLarge('p', 9, 8)).toEqual({
      kind: 'too-large',
      path: 'p',
      message: 'has 9 bytes, more than the 8 that are read',
    });
  });
});
