/** Holds src/audit/adopt/rewriting/yaml-change.ts. */
import { describe, expect, it } from 'vitest';
import { changeText } from '../../../../src/audit/adopt/rewriting/yaml-change.ts';
import { readContract } from '../../../../src/contract/read.ts';
import { applyEdits } from '../../../../src/scan/edits.ts';

const head = 'metadata: { version: "1.0.0", description: d }\n';

/** The file after the domain of its first equation, or a text of its first obligation, was changed; null if it cannot be. */
function changed(text: string, now: string, of: 'domain' | 'formal' | 'invariant' = 'domain'): string | null {
  const source = { path: 'c.yaml', text };
  const contract = readContract(source).value;
  const [equation] = contract?.equations ?? [];
  const field =
    of === 'formal' ? contract?.obligations[0]?.formal : of === 'domain' ? equation?.domain : equation?.invariants[0];
  if (!field) throw new Error('no such text');
  const edits = changeText(source, { text: field, now, assumed: 'read as below' });
  return edits && applyEdits(text, edits);
}

/** A file with this line, or these, in its equation. */
const equation = (lines: string): string => `${head}equations:\n  f:\n    formula: "f(x) = x"\n${lines}\n`;

describe('changing one text of a YAML file', () => {
  it.each([
    ['double quotes', '    domain: "x ∈ ℝ of course"', '"x ∈ ℝ"', '"x ∈ ℝ of course"'],
    ['single quotes', "    domain: 'x ∈ ℝ, it''s real'", "'x ∈ ℝ'", "'x ∈ ℝ, it''s real'"],
    ['no quotes', '    domain: x ∈ ℝ of course', 'x ∈ ℝ', 'x ∈ ℝ of course'],
    ['escapes', '    domain: "x \\u2208 ℝ of \\"course\\""', '"x \\u2208 ℝ"', '"x \\u2208 ℝ of \\"course\\""'],
    ['a comment', '    domain: x ∈ ℝ of course   # why', 'x ∈ ℝ   # why', 'x ∈ ℝ of course'],
    ['an anchor', '    domain: &d "x ∈ ℝ of course"', '&d "x ∈ ℝ"', '"x ∈ ℝ of course"'],
    ['a tag', '    domain: !!str x ∈ ℝ of course', '!!str x ∈ ℝ', 'x ∈ ℝ of course'],
    ['a tab', '    domain:\t"x ∈ ℝ of course"', '"x ∈ ℝ"', '"x ∈ ℝ of course"'],
  ])('keeps %s', (_, line, value, was) => {
    const after = changed(equation(line), 'x ∈ ℝ') ?? '';
    const lines = after.split('\n');
    expect(lines.slice(4, 6)).toEqual([`    # pv: was ${was}`, '    # pv: read as below; confirm']);
    expect(lines[6]).toContain(value);
    expect([...lines.slice(0, 4), line, ...lines.slice(7)].join('\n')).toBe(equation(line));
  });

  it('keeps the lines of a block, of lines that are folded, and the line ends of the file', () => {
    const block = equation('    domain: |\n      x ∈ ℝ\n\n      as ever\n    codomain: "ℝ"');
    expect(changed(block, 'x ∈ ℝ')).toBe(
      equation(
        '    # pv: was\n    #   x ∈ ℝ\n    #\n    #   as ever\n    # pv: read as below; confirm\n    domain: |\n      x ∈ ℝ\n    codomain: "ℝ"',
      ),
    );
    const folded = equation('    domain: "x ∈ ℝ\n      as ever"').replaceAll('\n', '\r\n');
    const after = changed(folded, 'x ∈ ℝ, y ∈ ℝ') ?? '';
    expect(after).toBe(
      equation(
        '    # pv: was\n    #   "x ∈ ℝ\n    #   as ever"\n    # pv: read as below; confirm\n    domain: "x ∈ ℝ, y ∈ ℝ"',
      ).replaceAll('\n', '\r\n'),
    );
  });

  it('replaces a block by one line where its text does not begin as before', () => {
    const block = equation('    domain: >-\n      any x\n      whatever\n    codomain: "ℝ"');
    expect(changed(block, 'x ∈ ℝ')).toContain('    domain: "x ∈ ℝ"\n    codomain: "ℝ"');
  });

  it('comments above a list item and above a mapping in one line', () => {
    const list = equation(
      '    domain: "x ∈ ℝ"\n    invariants:\n      - |\n        f(x) = x\n        always\n      - "b"',
    );
    expect(changed(list, 'f(x) = x', 'invariant')).toContain(
      '    invariants:\n      # pv: was\n      #   f(x) = x\n      #   always\n      # pv: read as below; confirm\n      - |\n        f(x) = x\n      - "b"',
    );
    const flow = `${head}proof_obligations:\n  - { id: A, type: bound, property: p, formal: "f(x) ≥ 0 (good)" }\n`;
    expect(changed(flow, 'f(x) ≥ 0', 'formal')).toBe(
      `${head}proof_obligations:\n  # pv: was "f(x) ≥ 0 (good)"\n  # pv: read as below; confirm\n  - { id: A, type: bound, property: p, formal: "f(x) ≥ 0" }\n`,
    );
  });

  it('quotes what would be a number or a mapping without quotes', () => {
    const plain = equation('    domain: 1 (one)');
    expect(changed(plain, '1')).toContain('    domain: "1"\n');
  });

  it('changes nothing that an alias repeats, that is inside of another text, or that cannot be written back', () => {
    expect(changed(equation('    domain: &d "x ∈ ℝ of course"\n    codomain: *d'), 'x ∈ ℝ')).toBeNull();
    const inside = `${head}equations:\n  f: { formula: "f(x)\n\n      = x", domain: "x ∈ ℝ of course" }\n`;
    expect(changed(inside, 'x ∈ ℝ')).toBeNull();
    expect(changed(equation('    domain: "x ∈ ℝ of course \uFFFD"'), 'x ∈ ℝ')).toBeNull();
    expect(changed(equation('    domain: "x ∈ ℝ of course"').replace(/\n$/u, '\r'), 'x ∈ ℝ')).toBeNull();
  });

  it('leaves a very large file as it is', () => {
    const large = equation(`    domain: "x ∈ ℝ of course"\n    description: "${'word '.repeat(60_000)}"`);
    expect(changed(large, 'x ∈ ℝ')).toBeNull();
  });

  it('survives a very long line', { timeout: 20_000 }, () => {
    const words = 'word '.repeat(3_000).trim();
    const after = changed(equation(`    domain: "x ∈ ℝ ${words}"`), 'x ∈ ℝ') ?? '';
    expect(after).toContain(`# pv: was "x ∈ ℝ ${words}"\n`);
    expect(after).toContain('    domain: "x ∈ ℝ"\n');
  });
});
