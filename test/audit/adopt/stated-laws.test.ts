/**
 * Formulas that state an identity in place of a definition: what pv adopt says of them.
 *
 * Holds src/contract/elaborate/claims/stated-laws.ts, src/contract/elaborate/equations/law-formula.ts, src/plan/open-cases.ts.
 */
import { describe, expect, it } from 'vitest';
import type { AdoptedStatement } from '../../../src/report/adopt/adoption.ts';
import { openCasesIn, openCasesText } from '../../../src/plan/open-cases.ts';
import { adopted } from './adopted.ts';

/** The equations `d`, `softmax` and `law`; what is said of the last, if anything is. */
async function lawOf(formula: string, domain: string): Promise<AdoptedStatement | undefined> {
  const text = [
    'metadata: { version: "1.0.0", description: Tried }',
    'equations:',
    '  d: { formula: "d(x, y) = |x - y|", domain: "x ∈ ℝ, y ∈ ℝ" }',
    '  s: { formula: "s(x)_i = exp(x_i) / Σ_j exp(x_j)", domain: "x ∈ ℝ^n, 1 ≤ n ≤ 4, |x_i| ≤ 10" }',
    '  law:',
    `    formula: ${JSON.stringify(formula)}`,
    `    domain: ${JSON.stringify(domain)}`,
    '',
  ].join('\n');
  const { judged, equations } = await adopted({ 'f-v1': text });
  expect(equations).toEqual({ run: 3, declared: 3 });
  const [said, ...more] = judged;
  expect(more).toEqual([]);
  return said;
}

const vector = 'x ∈ ℝ^n, 1 ≤ n ≤ 4, |x_i| ≤ 10';
const numbers = 'x, y, z ∈ ℝ, |x| ≤ 10, |y| ≤ 10, |z| ≤ 10';

describe('an identity as the formula of an equation', () => {
  it.each([
    ['of another equation', 's(2x) = s(x)', vector],
    ['of a known function', 'softmax(2x) = softmax(x)', vector],
    ['of elementary functions', 'exp(x + y) = exp(x) + exp(y)', numbers],
    ['with a number on its right side', 'Σ_i s(x + 1)_i = 2', vector],
    ['with plain arguments', 'd(x, y) = 2·d(y, x)', numbers],
    ['with one argument twice', 'd(x, x) = 1', numbers],
    ['of elements', 's(x)_i = s(2·x)_i', vector],
    ['of the elements of its range', 's(x)_i = s(2·x)_i for all i', vector],
    ['with a quantified input', '∀ c ∈ ℝ: d(x + c, y) = d(x, y)', numbers],
    ['of elements of a known function', 'softmax(2·x)_i = softmax(x)_i', vector],
    ['that also computes its right side', 'softmax(x/2)_i = exp(x_i) / Σ_j exp(x_j/2)', vector],
    ['with an input after it', 'd(x + c, y) = d(x, y) for all c ∈ ℝ', numbers],
  ])('%s is false with a counterexample if it is', async (_, formula, domain) => {
    const said = await lawOf(formula, domain);
    expect(said).toMatchObject({ claim: 'law.law', source: 'statement', word: 'false', formal: formula });
    expect(said?.counterexample?.explanation).toMatch(/^over the reals, .* is false/u);
  });

  it.each([
    ['s(x + c) = s(x)', `${vector}, c ∈ ℝ, |c| ≤ 10`],
    ['softmax(x + c) = softmax(x)', `${vector}, c ∈ ℝ, |c| ≤ 10`],
    ['softmax(x + c)_i = softmax(x)_i', `${vector}, c ∈ ℝ, |c| ≤ 10`],
    ['softmax(x/T)_i = exp(x_i/T) / Σ_j exp(x_j/T)', `${vector}, 1/4 ≤ T ≤ 4`],
    ['exp(x + y) = exp(x) · exp(y)', numbers],
    ['Σ_i s(x + 1)_i = 1', vector],
    ['d(x, y) = d(y, x)', numbers],
    ['d(x, x) = 0', numbers],
    ['s(x)_i = s(x + 1)_i for all i', vector],
    ['∀ c ∈ ℝ: d(x + c, y + c) = d(x, y)', numbers],
  ])('that is true is held: %s', async (formula, domain) => {
    const said = await lawOf(formula, domain);
    expect(said).toMatchObject({ word: 'held', counterexample: null });
    expect(said?.reason).toMatch(/^held on \d+ inputs over ℝ/u);
  });

  it('counts only the inputs at which digits decide', async () => {
    const said = await lawOf('log(exp(x) · exp(y)) = log(exp(x + y))', 'x, y ∈ ℝ');
    expect(said).toMatchObject({ word: 'held' });
    expect(said?.reason).toMatch(/^held on \d+ inputs over ℝ; \d+ more are open: 640 digits do not separate/u);
  });

  it('is not refuted where its domain is understood in part', async () => {
    const said = await lawOf('s(2x) = s(x)', `${vector}, as fitted by the trainer`);
    expect(said).toMatchObject({ word: 'not-run', asRead: 'broken' });
  });
});

describe('a formula that may be meant as a condition', () => {
  it.each([
    ['d(x, 2·y) = limit', 'x, y, limit ∈ ℝ, |x| ≤ 10, |y| ≤ 10'],
    ['d(x, 2·y) ≤ 1', numbers],
    ['log(2·x) = 1', 'x ∈ ℝ, 1 ≤ x ≤ 2'],
    ['0 ≤ s(x)_i ≤ 1/2', vector],
  ])('is not refuted: %s', async (formula, domain) => {
    const said = await lawOf(formula, domain);
    expect(said).toMatchObject({ word: 'not-run', asRead: 'broken' });
    expect(said?.reason).toMatch(
      /^its formula may be meant as a condition on its inputs; as far as it is understood, it is false/u,
    );
  });

  it.each([
    ['d(x, z) ≤ d(x, y) + d(y, z)', numbers],
    ['0 ≤ s(x)_i ≤ 1', vector],
  ])('holds where it does on every input: %s', async (formula, domain) => {
    expect(await lawOf(formula, domain)).toMatchObject({ word: 'held' });
  });

  it.each([
    ['heads · width = 4096', 'heads ∈ ℕ⁺, width ∈ ℕ⁺'],
    ['heads % 2 == 0 ∧ width > 0', 'heads ∈ ℕ⁺, width ∈ ℕ⁺'],
  ])('is no statement if it is about inputs alone: %s', async (formula, domain) => {
    expect(await lawOf(formula, domain)).toBeUndefined();
  });
});

it('a reason of open cases is read as it is written', () => {
  const found = { open: 3, cases: 240, why: '640 digits do not separate the sides of a comparison' };
  expect(openCasesIn(openCasesText(found))).toEqual(found);
  expect(openCasesIn('out of time')).toBeNull();
  expect(openCasesIn(null)).toBeNull();
});
