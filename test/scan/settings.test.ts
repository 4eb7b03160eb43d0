import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/scan/settings.ts';

const read = (text: string) => readSettings({ path: 'pv.scan.yaml', text });

describe('pv.scan.yaml', () => {
  it.each([
    ['src/numeric', 'src/numeric/a.ts', true],
    ['src/numeric/', 'src/numeric/deep/a.ts', true],
    ['src/numeric/*.ts', 'src/numeric/a.ts', true],
    ['src/numeric/*.ts', 'src/numeric/deep/a.ts', false],
    ['src/**/exp.ts', 'src/exp.ts', true],
    ['src/**/exp.ts', 'src/a/b/exp.ts', true],
    ['src/a.ts', 'src/a_ts', false],
    ['src/a.ts', './src/a.ts', true],
    ['./src/a.ts', String.raw`src\a.ts`, true],
    ['src/num', 'src/numeric/a.ts', false],
    ['src/v?.ts', 'src/v1.ts', true],
    ['a+b(c)', 'a+b(c)/d.ts', true],
  ])('%s and %s: %s', (pattern, path, expected) => {
    const { value, diagnostics } = read(`bit_reproducible:\n  - '${pattern}'\n`);
    expect(diagnostics).toEqual([]);
    expect(value.isReproducible(path)).toBe(expected);
  });

  it.each([
    ['an unknown key', 'bit_reproducable: [src]\n'],
    ['a text', 'bit_reproducible: src\n'],
    ['an empty list', 'bit_reproducible: []\n'],
    ['a number', 'bit_reproducible: [1]\n'],
  ])('reports %s', (_name, text) => {
    expect(read(text).diagnostics.map(({ code }) => code)).toEqual(['PV-9113']);
  });

  it('reports YAML that is none', () => {
    expect(read('bit_reproducible: [a\n').diagnostics.length).toBeGreaterThan(0);
  });

  it('is not called a contract where it is not a mapping', () => {
    const [found] = read('- src\n').diagnostics;
    expect([found?.code, found?.message]).toEqual([
      'PV-1010',
      'The file contains a list; a file of settings is a mapping of keys',
    ]);
  });
});
