/**
 * Whatever a file holds, elaboration ends soon and without throwing.
 *
 * Holds src/contract/elaborate/operators/membership.ts, src/contract/elaborate/claims/statements.ts.
 */
import fc from 'fast-check';
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { elaborateContract } from '../../../src/contract/elaborate.ts';
import { elaborateEquationFromText } from '../../../src/contract/elaborate/equations/from-text.ts';
import { readContract } from '../../../src/contract/read.ts';
import { claim } from './support.ts';

const x = 'x ∈ F32^n, n ≤ 8';
const helpers = (count: number, body: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `a${i} = ${body(i)}`).join(', ');

describe('formulas made to be expensive', () => {
  it.each([
    ['deep parentheses', `f(x) = ${'('.repeat(3000)}x_0${')'.repeat(3000)}`],
    ['long sums', `f(x) = ${Array(3000).fill('x_0').join(' + ')}`],
    ['nested sums', `f(x) = ${Array.from({ length: 300 }, (_, i) => `Σ_{a${i}<n} `).join('')} 1`],
    [
      'doubling helpers',
      `f(x) = a40 where a0 = x_0, ${helpers(40, (i) => `a${i} + a${i}`).replaceAll(/a(\d+) =/g, (_, i) => `a${Number(i) + 1} =`)}`,
    ],
    [
      'doubling functions',
      `f(x) = g20(x_0) where g0(a) = a + 1, ${Array.from({ length: 20 }, (_, i) => `g${i + 1}(a) = g${i}(a) + g${i}(a + 1)`).join(', ')}`,
    ],
    [
      'many shared sums',
      `f(x) = a400 where a0 = Σ x_i, ${Array.from({ length: 400 }, (_, i) => `a${i + 1} = Σ (x_i·a${i} + a${i})`).join(', ')}`,
    ],
    ['powers of powers', `f(x) = x_0${'^x_0'.repeat(400)}`],
    ['matrix chains', `f(A) = ${Array(80).fill('A').join('·')}`],
    ['nested choices', `f(x) = ${'{ x_0 if x_0 > 0; '.repeat(200)}1${' otherwise }'.repeat(200)}`],
    ['a long list', `f(x) = [${Array(3000).fill('1').join(', ')}]`],
    ['lists in lists', `f(x) = ${'['.repeat(200)}1${']'.repeat(200)}`],
    ['mutual recursion', 'f(x) = g(x_0) where g(a) = h(a), h(a) = g(a)'],
  ])('%s', (_, formula) => {
    const { model, problem } = elaborateEquationFromText({ formula, domain: `${x}, A ∈ F32^{n×n}` });
    expect(model !== null || problem !== null).toBe(true);
  });

  it('sizes made to overflow', () => {
    for (const domain of [
      'x ∈ F32^{n^9007199254740993}',
      'x ∈ F32^{(n+m+k+1)^16}',
      'x ∈ F32^n, n = 2^1000',
      'x ∈ F32^n, n mod 0 = 0',
      'x ∈ F32^n, n = n',
      'x ∈ F32^n, n = 2·m, m = 2·n',
      'x ∈ F32^{x}',
      'x ∈ F32^{n×n×n×n×n×n}',
    ]) {
      const { model, problem } = elaborateEquationFromText({ formula: 'f(x) = 0', domain });
      expect(model !== null || problem !== null).toBe(true);
    }
  });
});

describe('any text', () => {
  const words = fc.constantFrom(
    'x',
    'x_i',
    'σ(x)',
    'σ',
    'Σ',
    'Σ_i',
    '∀ i:',
    '(',
    ')',
    '|',
    '{',
    '}',
    '[',
    ']',
    ',',
    '=',
    '≈',
    '≤',
    '∈',
    '+',
    '·',
    '^',
    '_',
    '1',
    '0.5',
    'n',
    'ε',
    'where',
    'if',
    'otherwise',
    'max',
    'F32^n',
    '⟹',
    '∞',
    "'",
    'A_ij',
    '√',
    '‖',
    '//',
  );
  const text = fc.array(words, { maxLength: 14 }).map((list) => list.join(' '));
  it('as a claim', () =>
    fc.assert(
      fc.property(text, (formal) => {
        const result = claim(formal.replaceAll('"', ''), ', tolerance: { cond: 4 }');
        expect(result.goals.length + result.notGoals.length).toBe(1);
      }),
      { numRuns: 1500 },
    ));
  it('as a formula and domain', () =>
    fc.assert(
      fc.property(text, text, (formula, domain) => {
        const { model, problem } = elaborateEquationFromText({
          formula: `f(x)_i = ${formula}`,
          domain: `x ∈ F32^n, ${domain}`,
        });
        expect(model !== null || problem !== null).toBe(true);
      }),
      { numRuns: 1500 },
    ));
});

describe('contracts that others wrote', () => {
  const root = '../shared/data';
  const folders = existsSync(root)
    ? ['contracts-provable-contracts', 'contracts-albor'].map((name) => `${root}/${name}`)
    : [];
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => `${folder}/${name}`),
  );
  it(`elaborate, every claim accounted for (${files.length === 0 ? 'shared data absent' : 'shared data present'})`, () => {
    for (const path of files) {
      const { value } = readContract({ path, text: readFileSync(path, 'utf8') });
      if (!value) continue;
      const result = elaborateContract(value, new Map());
      expect(result.goals.length + result.notGoals.length).toBe(
        value.obligations.length + value.falsificationTests.length,
      );
      for (const { span } of result.diagnostics)
        expect(span !== null && span.range.start <= span.range.end && span.range.end <= span.source.text.length).toBe(
          true,
        );
    }
  });
});
