/** Holds src/codegen/generated-file.ts, src/codegen/goal-view.ts. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideWrite, withHeader } from '../../src/codegen/generated-file.ts';
import { goalFileNames } from '../../src/codegen/goal-view.ts';
import { distinctIdentifiers, toCommentLine, toIdentifier, toLiteral, toTypeName } from '../../src/codegen/names.ts';
import type { Goal } from '../../src/contract/goal.ts';

const hostile = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '*/',
    '`${x}`',
    '\u2028',
    '\r\n',
    '__proto__',
    'constructor',
    '\\',
    "'",
    '"',
    '',
    '//',
    '-0',
    'A-1',
    'a 1',
  ),
);

describe('identifiers', () => {
  it.each([
    ['β₁', 'beta1'],
    ['d_k', 'dK'],
    ["θ'", 'thetaPrime'],
    ['x', 'x'],
    ['1x', 'n1x'],
    ['', 'n'],
    ['class', 'classValue'],
    ['⊕', 'U2295'],
  ])('%j becomes %s', (symbol, identifier) => {
    expect(toIdentifier(symbol)).toBe(identifier);
  });

  it('are identifiers for any text, and distinct', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 8 }), (symbols) => {
        const names = distinctIdentifiers(symbols, ['test']);
        expect(new Set([...names, 'test']).size).toBe(symbols.length + 1);
        for (const name of [...names, ...symbols.map(toTypeName)]) expect(name).toMatch(/^[A-Za-z$][A-Za-z0-9_$]*$/u);
      }),
    );
  });
});

describe('text', () => {
  it('stays inside its literal', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const literal = toLiteral(text);
        expect(literal).not.toMatch(/[\n\r\u2028\u2029]/u);
        expect(JSON.parse(literal)).toBe(text);
      }),
    );
  });

  it('stays inside its comment, on one line', () => {
    fc.assert(
      fc.property(fc.array(hostile), (parts) => {
        expect(toCommentLine(parts.join('*/'))).not.toMatch(/\*\/|[\n\r\u2028\u2029]/u);
      }),
    );
  });
});

describe('the modules of goals', () => {
  // Only the claim's name is looked at.
  const goalsOf = (claims: readonly string[]): readonly Goal[] => claims.map((claim) => ({ claim }) as Goal);

  it('never share a file, whatever the claims are called and however the file system folds letters', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 10 }), (claims) => {
        const names = [...goalFileNames(goalsOf(claims)).values()];
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(claims.length);
        for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,100}$/u);
      }),
    );
    expect([...goalFileNames(goalsOf(['A-1', 'a 1', 'NUL', '→'])).values()]).toEqual([
      'a-1',
      'a-1-2',
      'nul-claim',
      'claim',
    ]);
  });
});

describe('a generated file', () => {
  const file = withHeader('export const a = 1;\n', {
    contract: 'c\n/*.yaml',
    digest: 'sha256:0',
    command: 'pv generate c\u2028',
  });

  it('keeps its header in comments', () => {
    expect(
      file
        .split('\n')
        .slice(0, 3)
        .every((line) => line.startsWith('// ')),
    ).toBe(true);
    expect(file).not.toContain('\u2028');
  });

  it.each([
    ['is missing', null, 'create'],
    ['is as it was', file, 'unchanged'],
    ['has other line ends', file.replaceAll('\n', '\r\n'), 'unchanged'],
    [
      'is of an older contract',
      withHeader('export const a = 0;\n', { contract: 'c', digest: 'd', command: 'x' }),
      'update',
    ],
    [
      'is older, with other line ends',
      withHeader('export const a = 0;\n', { contract: 'c', digest: 'd', command: 'x' }).replaceAll('\n', '\r\n'),
      'update',
    ],
    ['was edited', file.replace('= 1', '= 2'), 'hand-edited'],
    ['was written by somebody', 'export const a = 1;\n', 'foreign'],
    ['is empty', '', 'foreign'],
  ])('that %s is decided upon', (_, existing, kind) => {
    expect(decideWrite(existing, file)).toEqual({ kind });
  });
});
