/** Statements of one contract that no value satisfies together, and look-alikes that differ in what they are about. */
import { describe, expect, it } from 'vitest';
import { isAdoptionFinding, type AdoptedStatement } from '../../../src/report/adopt/adoption.ts';
import { adoptionHtml } from '../../../src/cli/html/adoption-page.ts';
import { formatAdoptionMarkdown } from '../../../src/report/adopt/markdown.ts';
import { formatAdoptionText } from '../../../src/report/adopt/text.ts';
import { adopted } from './adopted.ts';

interface Stated {
  readonly formal: string;
  readonly property?: string;
  readonly more?: string;
}

/** A contract whose equation f has no formula, with obligations `C-1`, `C-2`, … about it. */
function contract(claims: readonly (string | Stated)[], equation: readonly string[] = []): string {
  const rows = claims.map((one) => (typeof one === 'string' ? { formal: one } : one));
  return [
    'metadata: { version: "1.0.0", description: Tried }',
    'equations:',
    '  f:',
    '    formula: "f: ℝ → ℝ"',
    '    domain: "x ∈ ℝ"',
    ...equation.map((line) => `    ${line}`),
    'proof_obligations:',
    ...rows.map(
      ({ formal, property = 'p', more = '' }, i) =>
        `  - { id: C-${i + 1}, type: bound, property: ${JSON.stringify(property)}, formal: ${JSON.stringify(formal)}${more} }`,
    ),
    '',
  ].join('\n');
}

async function foundIn(text: string): Promise<readonly AdoptedStatement[]> {
  const { judged } = await adopted({ 'f-v1': text });
  return judged.filter(({ word }) => word === 'contradicts');
}

describe('two statements contradict each other', () => {
  it.each([
    ['f(x) > 1', 'f(x) < 1'],
    ['0 ≤ f(x) ≤ 1', 'f(x) ≥ 2'],
    ['f(x) ∈ [0, 1]', 'f(x) > 1'],
    ['f(x) = 3', 'f(x) = 4'],
    ['f(x) = 3', 'f(x) ≠ 3'],
    ['2 ≤ f(x)', 'f(x) ≤ 3/2'],
    ['f(x) > f(0)', 'f(x) ≤ f(0)'],
    ['f(x) > f(0)', 'f(0) ≥ f(x)'],
    ['f(x) ≤ 1 ∧ f(x) ≥ 0', 'f(x) < 0'],
    ['¬(f(x) ≤ 1)', 'f(x) ≤ 1'],
    ['output > 1', 'output < 1'],
    ['is_sorted(output)', '¬is_sorted(output)'],
    ['‖output‖ ≤ 1', '‖output‖ > 1'],
  ])('%s and %s', async (first, second) => {
    const [found, ...more] = await foundIn(contract([first, second]));
    expect(more).toEqual([]);
    expect(found).toMatchObject({ contract: 'f-v1', claim: 'C-2', line: 8, formal: second, against: first });
    expect(found?.reason).toBe(`C-1 (f-v1.yaml:7) states '${first}', and no value satisfies both`);
    expect(found && isAdoptionFinding(found)).toBe(true);
  });

  it('also if one is what the equation states of itself', async () => {
    const [found] = await foundIn(contract(['f(x) ≥ 2'], ['invariants: ["0 ≤ f(x) ≤ 1"]']));
    expect(found).toMatchObject({ claim: 'C-1', line: 8, against: '0 ≤ f(x) ≤ 1' });
    expect(found?.reason).toMatch(/^f\.invariant-1 \(f-v1\.yaml:6\)/u);
  });

  it('and each is reported once, in every format with both lines', async () => {
    const report = await adopted({ 'f-v1': contract(['f(x) > 1', 'f(x) < 1', 'f(x) < 0']) });
    expect(report.judged.filter(({ word }) => word === 'contradicts').map(({ claim }) => claim)).toEqual([
      'C-2',
      'C-3',
    ]);
    const pages = [
      formatAdoptionText(report, { width: 100, paint: (_, text) => text }),
      formatAdoptionMarkdown(report),
      adoptionHtml(report),
    ];
    for (const page of pages) {
      expect(page).toContain('Contradictions (2)');
      expect(page).toMatch(/f-v1\.yaml:\u2060?8/u);
      expect(page).toMatch(/C-1 \(f-v1\.yaml:\u2060?7\) states/u);
    }
  });
});

describe('of two, the one that is wrong by itself is named, in either order', () => {
  const ids = ['C-1', 'C-2'];
  it.each([
    ['round(2.5) = 3', 'round(2.5) = 2'],
    ['6 & 3 = 3', '6 & 3 = 2'],
  ])('%s, not %s', async (wrong, right) => {
    for (const claims of [
      [wrong, right],
      [right, wrong],
    ]) {
      const text = contract(claims).replace('f: ℝ → ℝ', 'f(x) = x');
      const { judged } = await adopted({ 'f-v1': text });
      const findings = judged.filter(isAdoptionFinding).map(({ claim, formal }) => [claim, formal]);
      expect(findings).toEqual([[ids[claims.indexOf(wrong)], wrong]]);
    }
  });
});

describe('nothing is said of statements', () => {
  it.each<readonly [string, string | Stated, string | Stated]>([
    ['that touch', 'f(x) ≥ 1', 'f(x) ≤ 1'],
    ['of other arguments', 'f(0) = 3', 'f(1) = 4'],
    ['with a condition', 'f(x) > 1 if x > 0', 'f(x) < 1'],
    ['with another condition', 'f(x) > 1 when x > 0', 'f(x) < 1 when x < 0'],
    ['with an implication', 'x > 0 ⟹ f(x) > 1', 'f(x) < 1'],
    ['with a range', 'f(x) > 1 for x > 0', 'f(x) < 1 for x < 0'],
    ['with a quantifier', '∀ x ∈ [0, 1]: f(x) > 1', '∀ x ∈ [2, 3]: f(x) < 1'],
    ['with an alternative', 'f(x) > 1 ∨ f(x) = 0', 'f(x) < 1'],
    ['with words after them', 'f(x) > 1 for warm caches', 'f(x) < 1 for cold caches'],
    ['with requirements', { formal: 'f(x) > 1', more: ', requires: ["x > 0"]' }, 'f(x) < 1'],
    ['with a tolerance', { formal: 'f(x) > 1', more: ', tolerance: { abs: 1.0e-3 }' }, 'f(x) < 1'],
    ['whose property is about a case', { formal: 'f(x) > 1', property: 'speed on GPU' }, 'f(x) < 1'],
    ['with units', 'output > 1 GB', 'output < 1 MB'],
    ['of negations', '¬(f(x) ≤ f(0))', '¬(f(x) ≥ f(0))'],
  ])('%s', async (_, first, second) => {
    expect(await foundIn(contract([first, second]))).toEqual([]);
  });

  it('of different equations', async () => {
    const second = ['  g:', '    formula: "g: ℝ → ℝ"', '    domain: "x ∈ ℝ"'].join('\n');
    const of = (a: string, b: string): string =>
      contract([
        { formal: a, more: ', applies_to: f' },
        { formal: b, more: ', applies_to: g' },
      ]).replace('proof_obligations:', `${second}\nproof_obligations:`);
    expect(await foundIn(of('output > 1', 'output < 1'))).toEqual([]);
    expect(await foundIn(of('f(x) > 1', 'f(x) < 1'))).toEqual([]);
    expect(await foundIn(of('output > 1', 'output < 1').replace('applies_to: g', 'applies_to: f'))).toHaveLength(1);
    expect(await foundIn(of('output > 1', 'output < 1').replaceAll(/, applies_to: [fg]/gu, ''))).toEqual([]);
    expect(await foundIn(of('f(x) > 1', 'f(x) < 1').replaceAll(/, applies_to: [fg]/gu, ''))).toHaveLength(1);
  });

  it('one of which its own formula breaks: that one is false', async () => {
    const text = contract(['f(x) ≥ 0', 'f(x) < 0']).replace('f: ℝ → ℝ', 'f(x) = x^2');
    const { judged } = await adopted({ 'f-v1': text });
    expect(judged.map(({ word }) => word)).toEqual(['held', 'false']);
  });
});
