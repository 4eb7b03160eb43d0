/**
 * Holds src/contract/yaml/build.ts, src/contract/yaml/hygiene.ts, src/contract/yaml/merge.ts,
 * src/contract/yaml/recovered-tree.ts, src/contract/yaml/syntax-errors.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { plainData } from '../../../src/contract/yaml/node.ts';
import { parseYaml } from '../../../src/contract/yaml/parse.ts';
import { positionAt } from '../../../src/diagnostics/source.ts';
import { corpus } from '../corpus.ts';

function findings(text: string): readonly string[] {
  return parseYaml({ path: 'x.yaml', text }).diagnostics.map((diagnostic) => {
    const place = diagnostic.span && positionAt(diagnostic.span.source, diagnostic.span.range.start);
    return `${diagnostic.code} ${place ? `${place.line}:${place.column}` : '-'}`;
  });
}

function data(text: string): unknown {
  const root = parseYaml({ path: 'x.yaml', text }).value;
  return root && JSON.parse(JSON.stringify(plainData(root)));
}

describe('values', () => {
  it('are those of the YAML 1.2 core schema', () => {
    const text =
      'a: 1e-5\nb: 0x1F\nc: 0o17\nd: 1_0\ne: ~\nf:\ng: True\nh: "1"\ni: .5\nj: 012\nk: -0.0\nl: 1.\nm: +3\nn: null\no: "null"\np: nul\n';
    expect(data(text)).toEqual(JSON.parse(JSON.stringify(parse(text, { version: '1.2' }))));
  });

  it('of infinities and NaN are their text, since JSON lacks them', () => {
    expect(data('a: .inf\nb: -.inf\nc: .nan\n')).toEqual({ a: '.inf', b: '-.inf', c: '.nan' });
  });

  it('agree with another parser on any data in any style', () => {
    const key = fc.string({ unit: fc.constantFrom(...'abcdef_1 σ'), minLength: 1, maxLength: 8 });
    const leaf = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('node'), { maxLength: 4 }),
        fc.dictionary(key, tie('node'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).node;
    fc.assert(
      fc.property(
        fc.dictionary(key, value, { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
        fc.boolean(),
        (object, flow) => {
          const text = stringify(object, { collectionStyle: flow ? 'flow' : 'block', lineWidth: 40 });
          expect(data(text)).toEqual(JSON.parse(JSON.stringify(parse(text))));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each(corpus.map((file) => [file.path, file] as const))('agree with another parser on %s', (_, file) => {
    expect(data(file.text)).toEqual(JSON.parse(JSON.stringify(parse(file.text, { version: '1.2' }))));
  });
});

describe('syntax errors', () => {
  it.each([
    ['', ['PV-1002 1:1']],
    ['# nothing\n', ['PV-1002 1:1']],
    ['a: "x\0y"', ['PV-1003 1:6']],
    ['a:\n\tb: 1', ['PV-1005 2:1']],
    ['a: 1\nb: 2\na: 3', ['PV-1006 3:1']],
    ['['.repeat(200), ['PV-1008 1:100']],
    ['a: 1\n---\nb: 2', ['PV-1009 2:1']],
    ['- a', ['PV-1010 1:1']],
    ['just text', ['PV-1010 1:1']],
    ['\uFEFFa: 1', ['PV-1011 1:1']],
    ['a: 1\r\nb: 2\nc: 3\r\n', ['PV-1012 2:5']],
    ['a: 1\rb: 2\r', []],
    ['a: yes', ['PV-1013 1:4']],
    ['a: "yes"\nb: no one\nc: n', []],
    ['a: *b', ['PV-1014 1:4']],
    ['a: &b [*b]', ['PV-1014 1:8']],
    ['d: &d {x: 1}\na:\n  <<: *d\n  y: 2', ['PV-1015 3:3']],
    ['a: !x 1', ['PV-1016 1:4']],
    ['a: !!str 1', []],
    ['? [a]\n: 1\nb: 2', ['PV-1017 1:3']],
    ['%YAML 1.1\n---\na: 1', ['PV-1018 1:1']],
    ['a: \uFFFD', ['PV-1019 1:4']],
    ['a: 1_000\nb: 1:30', ['PV-1020 1:4', 'PV-1020 2:4']],
    ['a:\n  b: 1\n c: 2', ['PV-1021 3:2']],
    ['a: [1, 2\nb: 3', ['PV-1022 1:4']],
    ["a: 'x\nb: 3", ['PV-1022 1:4']],
    ['a:\n  - "x\n  - y', ['PV-1022 2:5']],
    ['a: "\\q"', ['PV-1023 1:6']],
    ['a: |x| ≤ 1', ['PV-1024 1:4']],
    ['a: b: c', ['PV-1024 1:4']],
    ['a: [0, 1] → b', ['PV-1024 1:4']],
    ['a: %', ['PV-1024 1:4']],
    ['a: "\u0007"', ['PV-1025 1:5']],
    ['a\nb: 1', ['PV-1026 1:1']],
  ])('%j', (text, expected) => {
    expect(findings(text)).toEqual(expected);
  });

  it('are all found, section by section', () => {
    expect(findings('a: |x|\nb:\n\tc: 1\nd: [1\ne: 2\nf:\n  g: 1\n h: 2\n')).toEqual([
      'PV-1024 1:4',
      'PV-1005 3:1',
      'PV-1022 4:4',
      'PV-1021 8:2',
    ]);
  });

  it('leave what can be read readable', () => {
    expect(data('a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\n')).toEqual({ a: { b: 1 }, c: { b: 1 }, d: { e: 2, b: 1 } });
    expect(data('__proto__: {polluted: true}\nconstructor: 1\n')).toEqual(
      JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
    );
  });
});

describe('hostile texts', () => {
  const bomb = `a: &a [${Array(10).fill('x').join(',')}]\n${[...'bcdefghi'].map((name, i) => `${name}: &${name} [${Array(10).fill(`*${'abcdefgh'[i]}`).join(',')}]\n`).join('')}`;

  it('an alias bomb is refused before it grows', () => {
    expect(findings(bomb)).toContain('PV-1007 5:29');
    expect(parseYaml({ path: 'x', text: bomb }).value).toBeNull();
  });

  it.each([
    ['many brackets', '['.repeat(1_000_000)],
    ['many braces', '{a: '.repeat(200_000)],
    ['many dashes', '- '.repeat(500_000)],
    ['many quotes', `a: ${'"'.repeat(1_000_001)}`],
    ['many open quotes', 'a: "x\n'.repeat(20_000)],
    ['one long line', `a: ${'x'.repeat(4_000_000)}`],
    ['one long broken line', `a: [${'x: '.repeat(300_000)}`],
    ['many values', `a: [${'1,'.repeat(1_000_000)}]`],
    ['many keys', Array.from({ length: 50_000 }, (_, i) => `k${i}: 1`).join('\n')],
    ['many blank lines', `a: |\n${'\n'.repeat(2_000_000)}`],
    ['many bad lines', 'a: |x|\n'.repeat(30_000)],
  ])('%s end soon, without a crash', (_, text) => {
    const { root, diagnostics } = parseYaml({ path: 'x.yaml', text });
    expect(root !== null || diagnostics.length > 0).toBe(true);
  });

  it('any text gives findings or a tree, never an exception', () => {
    const piece = fc.constantFrom(
      'a',
      ': ',
      '\n',
      '  ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '|',
      '>',
      '&x ',
      '*x',
      '!t ',
      '%',
      '#',
      '---\n',
      '\t',
      '\r',
      '\\',
      '<<',
      '? ',
      ',',
      '1',
      'σ',
      '\u{1F600}',
      '\uFEFF',
      '\x07',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const staged = parseYaml({ path: 'x.yaml', text: pieces.join('') });
        expect(staged.value !== null || staged.diagnostics.some((diagnostic) => diagnostic.severity === 'error')).toBe(
          true,
        );
        for (const { span } of staged.diagnostics)
          if (span) expect(span.range.start).toBeLessThanOrEqual(span.range.end);
      }),
      { numRuns: 5000 },
    );
  });
});
