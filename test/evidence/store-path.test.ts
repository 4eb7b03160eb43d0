import { describe, expect, it } from 'vitest';
import {
  checkOfFile,
  failurePath,
  receiptPath,
  scansPath,
  scriptPath,
  theoremPath,
} from '../../src/evidence/store-path.ts';

const hex = `ab${'0123456789abcdef'.repeat(4).slice(2)}`;
const check = `sha256:${hex}`;

describe('where evidence is kept', () => {
  it('is named by the digest of a check', () => {
    expect(receiptPath(check)).toBe(`.pv/receipts/ab/${hex}.json`);
    expect(scansPath(check)).toBe(`.pv/scans/ab/${hex}.json`);
  });

  it.each([hex, `${check}0`, check.slice(0, -1), ` ${check}`, check.toUpperCase(), `sha256:${'../'.repeat(22)}`, ''])(
    'is nowhere for %j',
    (other) => {
      expect(receiptPath(other)).toBeNull();
      expect(scansPath(other)).toBeNull();
    },
  );

  it('is found again by the name of the file', () => {
    expect(checkOfFile('ab', `${hex}.json`)).toBe(check);
    expect(checkOfFile('ac', `${hex}.json`)).toBeNull();
    expect(checkOfFile('ab', `${hex}.jsom`)).toBeNull();
    expect(checkOfFile('ab', hex)).toBeNull();
    expect(checkOfFile('ab', 'README.md')).toBeNull();
  });

  it.each([
    ['a-v1/A-1', 'a-v1/A-1'],
    ['a.b/c.d', 'a.b/c.d'],
    ['.a/.b', '%2ea/%2eb'],
    ['a/b/c', 'a/b%2fc'],
    ['a b/é', 'a%20b/%c3%a9'],
    ['a\t/\u0001', 'a%09/%01'],
    [`a/${'x'.repeat(100)}`, `a/${'x'.repeat(100)}`],
    ['a', 'a/-e3b0c44298fc1c14'],
    [`a/${'x'.repeat(101)}`, expect.stringMatching(/^a\/x{80}-[0-9a-f]{16}$/) as string],
  ])('escapes what a file name cannot hold in %j', (goal, path) => {
    const inside = (full: string, folder: string, extension: string) =>
      full.slice(folder.length + 1, -extension.length - 1);
    expect(inside(failurePath(goal), '.pv/failures', 'json')).toEqual(path);
    expect(inside(theoremPath(goal), '.pv/proofs', 'json')).toEqual(path);
    expect(inside(scriptPath(goal), 'proofs', 'v')).toEqual(path);
  });

  it('has the folder and the ending of its kind', () => {
    expect(failurePath('a/b')).toBe('.pv/failures/a/b.json');
    expect(theoremPath('a/b')).toBe('.pv/proofs/a/b.json');
    expect(scriptPath('a/b')).toBe('proofs/a/b.v');
  });
});
