/** Holds src/audit/adopt/unread-parts.ts. */
import { describe, expect, it } from 'vitest';
import { adoptionPage, isClean } from '../../../src/report/adopt/page.ts';
import { adopted, contractOf, saidOf } from './adopted.ts';

const right = contractOf('f(x) = x + 1', 'x ∈ ℝ, |x| ≤ 10', ['|f(x) - f_ref(x)| ≤ 1e-4']);
const more = (...lines: readonly string[]): string => `${right}${lines.join('\n')}\n`;
const equation = (...statements: readonly string[]): string =>
  contractOf('f(x) = x + 1', 'x ∈ ℝ, |x| ≤ 10', ['|f(x) - f_ref(x)| ≤ 1e-4'], statements);

describe('what a file states and pv does not read', () => {
  it('is not found in a file that is read as a whole', async () => {
    const adoption = await adopted({ 'a-v1': equation('invariants: ["f(x) > x"]', 'codomain: "f(x) ∈ ℝ"') });
    expect(adoption.unreadParts).toBeUndefined();
    expect(adoptionPage(adoption).mark).toBe('✓');
  });

  it.each([
    [
      'a repeated key of the file',
      more('proof_obligations:', '  - { id: B, type: bound, property: p, formal: "f(x) < x" }'),
      { obligations: { run: 1, declared: 2 } },
      'proof_obligations[1]',
      "The key 'proof_obligations' is repeated",
    ],
    [
      'repeated equations',
      more('equations:', '  f:', '    formula: "f(x) = x + 1"', '    invariants: ["f(x) < x"]'),
      { equations: { run: 1, declared: 2 }, statements: { run: 0, declared: 1 } },
      'f.invariants[1]',
      "The key 'equations' is repeated",
    ],
    [
      'a repeated key of an equation',
      equation('invariants: ["f(x) > x"]', 'invariants: ["f(x) < x", "f(x) < 0"]'),
      { statements: { run: 1, declared: 3 } },
      'f.invariants[2]',
      "The key 'invariants' is repeated",
    ],
    [
      'a second document',
      more('---', 'equations:', '  g:', '    formula: "g(x) = x"', '    invariants: ["g(x) < x"]'),
      { equations: { run: 1, declared: 2 }, statements: { run: 0, declared: 1 } },
      'g.invariants[1]',
      'The file contains 2 YAML documents',
    ],
    [
      'a mapping where a text belongs',
      equation('invariants:', '  - { claim: "f(x) < x" }'),
      { statements: { run: 0, declared: 1 } },
      'f.invariants[1]',
      'it is a list or a mapping where pv reads text',
    ],
    [
      'a section of another name',
      more('theorems:', '  - { id: T, formal: "f(x) < x" }', '  - { id: U, statement: "about the weather" }'),
      { statements: { run: 0, declared: 1 } },
      'theorems[1]',
      'theorems[1]: f(x) < x (pv reads no such key)',
    ],
    [
      'a list within a section of another name',
      more('extra:', '  claims: [{ id: T, formal: "f(x) < x" }]'),
      { statements: { run: 0, declared: 1 } },
      'extra[1][1]',
      'extra[1][1]: f(x) < x (pv reads no such key)',
    ],
    [
      'a section beside the one that it misspells',
      more('proof_obligation:', '  lower: { formal: "f(x) < x" }'),
      { statements: { run: 0, declared: 1 } },
      'proof_obligation[1]',
      'pv reads no such key',
    ],
    [
      'an unquoted text with a colon, and a list',
      equation('invariants:', '  - f(x) < x: true', '  - ["f(x) < x"]'),
      { statements: { run: 0, declared: 2 } },
      'f.invariants[2]',
      'it is a list or a mapping where pv reads text',
    ],
    [
      'another spelling of a key that is there',
      equation('invariants: ["f(x) > x"]', 'Invariants: ["f(x) < x"]'),
      { statements: { run: 1, declared: 2 } },
      'f.Invariants[1]',
      'pv reads no such key here',
    ],
  ])('names and counts %s', async (_, text, counts, claim, named) => {
    const adoption = await adopted({ 'a-v1': text });
    expect(adoption).toMatchObject(counts);
    expect(saidOf(adoption, claim)).toMatchObject({ word: 'not-run' });
    expect(isClean(adoption)).toBe(false);
    const { mark, verdict, sections } = adoptionPage(adoption);
    expect(mark).toBe('✗');
    expect(verdict).toMatch(/^1 contract \(\d parts? not read\): /u);
    expect(sections[0]?.heading).toMatch(/^Parts of files that are not read/u);
    expect(sections[0]?.items.map(({ title }) => title).join('\n')).toContain(named);
  });

  it('is found behind each of several repetitions', async () => {
    const adoption = await adopted({
      'a-v1': equation('invariants: ["f(x) > x"]', 'invariants: ["f(x) < 1"]', 'invariants: ["f(x) < 2"]'),
    });
    expect(adoption.judged.filter(({ word }) => word === 'not-run').map(({ formal }) => formal)).toEqual([
      'f(x) < 1',
      'f(x) < 2',
    ]);
  });

  it('is reported where nothing is stated in it', async () => {
    const adoption = await adopted({ 'a-v1': more('metadata: { version: "2.0.0" }') });
    expect(adoption.unreadParts).toHaveLength(1);
    expect(isClean(adoption)).toBe(false);
  });
});
