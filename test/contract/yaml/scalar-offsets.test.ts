/** Holds src/contract/yaml/look-alike.ts, src/contract/yaml/scalar.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify, type ToStringOptions } from 'yaml';
import { entryOf, type YamlScalar } from '../../../src/contract/yaml/node.ts';
import { parseYaml } from '../../../src/contract/yaml/parse.ts';
import { offsetMapper } from '../../../src/contract/yaml/scalar-offsets.ts';

function scalarOf(source: string): YamlScalar {
  const root = parseYaml({ path: 'x.yaml', text: source }).value;
  const value = root && entryOf(root, 'k')?.value;
  if (value?.kind !== 'scalar') throw new Error(`no scalar in ${source}`);
  return value;
}

/** Where each character of the decoded text stands, as `character@line:column`-free offsets. */
function offsets(source: string): { readonly text: string; readonly at: readonly number[] } {
  const scalar = scalarOf(source);
  const map = offsetMapper(source, scalar);
  return { text: scalar.text, at: [...scalar.text].map((_, i) => map(i)) };
}

/** The source character under each decoded character. */
function under(source: string): string {
  return offsets(source)
    .at.map((offset) => source[offset] ?? '')
    .join('');
}

describe('offsets of each style', () => {
  it('plain: unchanged', () => {
    expect(under('k: σ(x) ≤ 1')).toBe('σ(x) ≤ 1');
  });

  it('plain over several lines: spaces of folds point at line ends', () => {
    const { text, at } = offsets('k: a ≤\n  b,\n\n  c');
    expect(text).toBe('a ≤ b,\nc');
    expect([at[4], at[7]]).toEqual([9, 15]);
  });

  it('double quotes: past the quote', () => {
    expect(under('k: "|x| ≤ 1"')).toBe('|x| ≤ 1');
  });

  it('double quotes: an escape is at its backslash, and what follows is exact', () => {
    const source = String.raw`k: "a\tb \u2264 c\\d \x41"`;
    const { text, at } = offsets(source);
    expect(text).toBe('a\tb ≤ c\\d A');
    expect(at.map((offset) => source[offset])).toEqual(['a', '\\', 'b', ' ', '\\', ' ', 'c', '\\', 'd', ' ', '\\']);
  });

  it('double quotes: folded and continued lines', () => {
    const source = 'k: "alpha\n   beta\\\n   gamma"';
    const { text, at } = offsets(source);
    expect(text).toBe('alpha betagamma');
    expect(source.slice(at[6], (at[6] ?? 0) + 4)).toBe('beta');
    expect(source.slice(at[10], (at[10] ?? 0) + 5)).toBe('gamma');
  });

  it('single quotes: a doubled quote is at the first of the two', () => {
    const source = "k: 'it''s x'";
    const { text, at } = offsets(source);
    expect(text).toBe("it's x");
    expect(at).toEqual([4, 5, 6, 8, 9, 10]);
  });

  it.each(['|', '|-', '|+', '|2', '>', '>-'])('block %s: without the indentation', (header) => {
    const source = `k: ${header}\n  T = 3\n  U = 4\n\n  V = 5\nz: 1\n`;
    const { text, at } = offsets(source);
    for (const word of ['T = 3', 'U = 4', 'V = 5']) {
      const offset = at[text.indexOf(word)] ?? 0;
      expect(source.slice(offset, offset + word.length)).toBe(word);
    }
  });

  it('block: lines that are indented further keep the rest of their indentation', () => {
    const source = 'k: |\n    if p:\n      q\n    r\n';
    const { text, at } = offsets(source);
    expect(text).toBe('if p:\n  q\nr\n');
    expect(source.slice(at[text.indexOf('q')], (at[text.indexOf('q')] ?? 0) + 1)).toBe('q');
  });

  it('CRLF: as with LF', () => {
    const source = 'k: |\r\n  T = 3\r\n  U = 4\r\nz: 1\r\n';
    const { text, at } = offsets(source);
    expect(source.slice(at[text.indexOf('U')], (at[text.indexOf('U')] ?? 0) + 5)).toBe('U = 4');
  });

  it('maps offsets outside to the ends', () => {
    const source = 'k: "ab\\n"';
    const map = offsetMapper(source, scalarOf(source));
    expect([map(-3), map(99)]).toEqual([4, 8]);
  });
});

describe('offsets in general', () => {
  const styles: readonly ToStringOptions[] = (
    ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const
  ).flatMap((defaultStringType) => [
    { defaultStringType, lineWidth: 0 },
    { defaultStringType, lineWidth: 24 },
  ]);
  const text = fc
    .string({ unit: fc.constantFrom(...'abcxyz0129 σ∈ℝ≤\'"\\|:#-\n\t{}[],&*!%'), minLength: 1, maxLength: 80 })
    // Writers and readers disagree about block scalars of white space alone.
    .filter((value) => value.trim() !== '');

  it('points at the same character in the file, or at an escape, or between folded lines', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(...styles), (value, style) => {
        const source = stringify({ k: value, z: 1 }, style);
        const { text: decoded, at } = offsets(source);
        expect(decoded).toBe(value);
        for (const [i, offset] of at.entries()) {
          const character = value[i] ?? '';
          if (/\s/.test(character) || source[offset] === '\\' || source[offset] === "'") continue;
          expect(source[offset]).toBe(character);
        }
        expect(at.every((offset, i) => i === 0 || offset >= (at[i - 1] ?? 0))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
