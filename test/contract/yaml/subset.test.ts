/**
 * The reader of common YAML against the whole parser: wherever it gives a tree, that tree, its places and its findings
 * are the whole parser's.
 */
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { describe, expect, it } from 'vitest';
import { readCommonYaml } from '../../../src/contract/yaml/subset.ts';
import { checkText } from '../../../src/contract/yaml/hygiene.ts';
import { parseWhole } from '../../../src/contract/yaml/parse.ts';
import type { SourceFile } from '../../../src/diagnostics/source.ts';
import { corpus } from '../corpus.ts';

const own: readonly SourceFile[] = readdirSync('contracts')
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => ({ path: name, text: readFileSync(`contracts/${name}`, 'utf8') }));

/** Compares the readers; returns whether the text was common. */
function agrees(source: SourceFile): boolean {
  if (!checkText(source).readable) return false;
  const common = readCommonYaml(source);
  if (!common || common === 'too many values') return false;
  const whole = parseWhole(source, { readable: true, diagnostics: [] });
  const { root, diagnostics } = common;
  expect({ value: root, diagnostics }).toEqual({ value: whole.value, diagnostics: whole.diagnostics });
  return true;
}

const fromText = (text: string): boolean => agrees({ path: 'x.yaml', text });

describe('common YAML', () => {
  it.each([...own, ...corpus].map((file) => [file.path, file] as const))('%s is read alike', (_, file) => {
    agrees(file);
  });

  it('covers nearly every contract that people wrote', () => {
    const files = [...own, ...corpus];
    const common = files.filter(agrees);
    expect(common.length / files.length).toBeGreaterThan(0.9);
  });

  it.each([
    'a: 1\nb: 2\n',
    'a:\n  b: c\n\n  # remark\n  d: "e"\nf:\n- 1\n- 2\n',
    'a: b\n  c\n\n  d # remark\ne: f\n',
    'a:\n  - b: 1\n    c: 2\n  - d\n  -\n  - [e, "f, g", {h: i}, ]\n',
    'a: |\n  b\n    c\n\n  d\n\n\ne: >-\n  f\n  g\nh: |+\n  i\n\n',
    'a: |\n  b',
    'a: \'it\'\'s\'\nb: "x\\n\\u00e9"\nc: "two\n  lines"\n',
    'a: yes\nb: 1_000\non: off\n',
    'a:\nb:   \nc: # nothing\nd:\n  # nothing\ne: ~\n',
    'a: x#y\nb: http://c:80/d\nc: -x\nd: a:b\n',
    'a: {b: 1, c: [d, {e: f}], g: }\n',
    'Σ: x ≤ 𝔼[y] # ∀\n',
    'a:\n  next\n  line\nb:\n  "quoted"\nc:\n  [1, 2]\n',
  ])('reads %j', (text) => {
    const isCommon = fromText(text);
    expect(isCommon).toBe(!text.includes('g: }'));
  });

  it.each([
    'a: &x 1\nb: *x\n',
    'a: !t 1\n',
    'a:\tb\n',
    '---\na: 1\n',
    '%YAML 1.2\n---\na: 1\n',
    'a: 1\r\nb: 2\r\n',
    '"a": 1\n',
    '? a\n: b\n',
    'a: b: c\n',
    'a: [b\n',
    'a: [b,\n  c]\n',
    'a: "b\n',
    'a: "\\q"\n',
    'a:\n  b: 1\n c: 2\n',
    'a: 1\na: 2\n',
    '<<: {a: 1}\n',
    '- a\n',
    'a\n',
    '',
    'a: |2\n   b\n',
    'a: "b" c\n',
    'a: [b] c\n',
    'a: b # c\n  d\n',
    '- - a\n',
  ])('leaves %j to the whole parser', (text) => {
    expect(fromText(text)).toBe(false);
  });

  it.each([
    ['a list', `a:\n${'- b\n'.repeat(200_001)}`],
    ['a list in brackets', `a: [${'1,'.repeat(200_001)}]\n`],
    ['lists of mappings', `a:\n${'- b: c\n'.repeat(100_001)}`],
  ])('stops at too many values: %s', (_, text) => {
    const source = { path: 'x.yaml', text };
    expect(readCommonYaml(source)).toBe('too many values');
    const whole = parseWhole(source, { readable: true, diagnostics: [] });
    expect(whole.diagnostics.map(({ code }) => code)).toEqual(['PV-1004']);
  });

  it('agrees on any data in any layout', () => {
    const leaf = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(...'ab:# -[]{},\n"\'|>x1'), maxLength: 30 }),
      fc.integer(),
      fc.constant(null),
      fc.constantFrom('yes', '1_0', '', 'a: b', '- a', 'x # y'),
    );
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('node'), { maxLength: 4 }),
        fc.dictionary(fc.string({ unit: fc.constantFrom(...'abc_1 σ'), minLength: 1, maxLength: 6 }), tie('node'), {
          maxKeys: 4,
          noNullPrototype: true,
        }),
      ),
    }));
    let common = 0;
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), node, { minKeys: 1, noNullPrototype: true }),
        fc.constantFrom(20, 40, 120),
        fc.boolean(),
        (object, lineWidth, indentSeq) => {
          if (fromText(stringify(object, { lineWidth, indentSeq }))) common++;
        },
      ),
      { numRuns: 3000 },
    );
    expect(common).toBeGreaterThan(500);
  });

  it('agrees on contracts with a few characters changed', () => {
    const texts = [...own, ...corpus].map(({ text }) => text);
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat(6),
      put: fc.string({ unit: fc.constantFrom(...' \n:-#[]{},"\'|>&*!?%\tax\\'), maxLength: 4 }),
    });
    let common = 0;
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 3 }), (text, edits) => {
        const some = text.slice(0, 3000);
        const edited = edits.reduce((rest, { at, cut, put }) => {
          const place = Math.floor(at * rest.length);
          return rest.slice(0, place) + put + rest.slice(place + cut);
        }, some);
        if (fromText(edited)) common++;
      }),
      { numRuns: 3000 },
    );
    expect(common).toBeGreaterThan(100);
  });

  it('agrees on short texts of the characters that matter', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'a',
            'b: ',
            ': ',
            '\n',
            '\n  ',
            '\n ',
            '- ',
            '#',
            ' ',
            '"',
            "'",
            '[',
            ']',
            ', ',
            '{',
            '}',
            '|',
            '>',
            '-',
            '\n\n',
            '\\',
            'x',
          ),
          {
            maxLength: 14,
          },
        ),
        (parts) => void fromText(`k: ${parts.join('')}`),
      ),
      { numRuns: 20_000 },
    );
  });
});
