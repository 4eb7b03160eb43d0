/**
 * How far the index of a left side runs, from wherever it is said, and what reading outside of an array means.
 *
 * Holds src/contract/elaborate/operators/index-ranges.ts.
 */
import { describe, expect, it } from 'vitest';
import { elaborateEquationFromText } from '../../../../src/contract/elaborate/equations/from-text.ts';
import { printTerm } from '../../../../src/math/term/print-term.ts';
import { typeText } from '../../../../src/math/term/types.ts';
import { claim, elaborated, evaluate, model, vector } from '../support.ts';

const x = 'x ∈ F32^n, 2 ≤ n ≤ 64';
const difference = 'y_i = x_{i+1} - x_i';

describe('the index of a left side runs', () => {
  it.each([
    ['over the codomain', difference, x, 'y ∈ F32^{n-1}'],
    ['over a set alone', difference, x, 'F32^{n-1}'],
    ['to a size that the domain defines', difference, `${x}, m = n - 1`, 'y ∈ F32^m'],
    ['to a size that the codomain defines', difference, x, 'y ∈ F32^m, m = n - 1'],
    ['to a size after where', `${difference} where m = n - 1`, x, 'y ∈ F32^m'],
    ['as written after for', `${difference} for i = 0..n-2`, x, undefined],
    ['as written with an ellipsis', `${difference} for i = 0, …, n-2`, x, undefined],
    ['as written in a set', `${difference} for i ∈ {0..n-2}`, x, undefined],
    ['as written in an interval', `${difference} for i ∈ [0, n-1)`, x, undefined],
    ['as written in a chain', `${difference} for 0 ≤ i < n-1`, x, undefined],
    ['as written beside the formula', `${difference}, 0 ≤ i < n-1`, x, undefined],
    ['as written beside the formula as a span', `${difference}, i = 0..n-2`, x, undefined],
    ['as written after where', `${difference} where i ∈ [0, n-1)`, x, undefined],
    ['as written in the domain', difference, `${x}, 0 ≤ i < n-1`, undefined],
    ['as its elements are declared', difference, x, 'y_i ∈ F32, 0 ≤ i < n-1'],
  ])('%s', (_, formula, domain, codomain) => {
    const equation = model(formula, domain, codomain);
    expect(typeText(equation.result)).toBe('F32^{n - 1}');
    expect(equation.parameters.map(({ name }) => name)).toEqual(['x']);
    expect(evaluate(equation, { x: vector(1, 4, 9), n: 3 })).toEqual([3, 5]);
  });

  it('as an invariant says', () => {
    const { equations, diagnostics } = elaborated({
      equations: `d: { formula: "${difference}", domain: "${x}", codomain: "y ∈ F32^m", invariants: ["m = n - 1"] }`,
    });
    expect(diagnostics).toEqual([]);
    expect(equations.map(({ result }) => typeText(result))).toEqual(['F32^{n - 1}']);
  });

  it.each([
    ['y_i = Σ_j w_j·x_{i+j}', 'x ∈ F32^n, w ∈ F32^k, n, k ≤ 8', 'PV-4006', 'y_i', /how far the index i of y runs/],
    ['y_i = max_j x_{2·i+j}', x, 'PV-4006', 'max_j', /how far the index j runs/],
    [`${difference} for i = 0..n-2`, `${x}, 0 ≤ i < n`, 'PV-4016', '0 ≤ i', /given twice/],
  ])('%s is an error at the index', (formula, domain, code, at, words) => {
    const { problem } = elaborateEquationFromText({ formula, domain });
    expect(problem?.code).toBe(code);
    expect(problem?.message).toMatch(words);
    if (code === 'PV-4006') expect(problem?.text.text.slice(problem.range.start, problem.range.end)).toBe(at);
  });
});

describe('whole numbers in the shape of a result', () => {
  const padded = 'y_i = Σ_j w_j · (x_{i+j-p} if 0 ≤ i+j-p < n else 0)';
  const domain = 'x ∈ F32^n, p ∈ ℕ, p ≤ 4, w ∈ F32^k, n ≤ 64, k ≤ 8, m = n + 2p - k + 1';

  it('are sizes in the order of the domain, and may be 0 where it says so', () => {
    const equation = model(padded, domain, 'y ∈ F32^m');
    expect(equation.parameters.map(({ name }) => name)).toEqual(['x', 'w']);
    expect(equation.domain.sizes.map(({ name, minimum }) => [name, minimum])).toEqual([
      ['n', 1],
      ['p', 0],
      ['k', 1],
    ]);
  });
  it('leave the result with at least one element', () => {
    expect(model(padded, domain, 'y ∈ F32^m').domain.preconditions.map((p) => printTerm(p))).toEqual([
      'n + 2 · p + 1 - k ≥ 1',
    ]);
  });
  it('must not be negative', () => {
    const { problem } = elaborateEquationFromText({
      formula: 'y_i = x_0',
      domain: `${x}, p ∈ ℝ, 0 ≤ p ≤ 3`,
      codomain: 'y ∈ F32^{n+p}',
    });
    expect(problem?.code).toBe('PV-4003');
  });
  it('compute a convolution with a border of zeros', () => {
    const given = { x: vector(1, 2, 3), w: vector(1, 10), n: 3, k: 2, p: 1 };
    const values = [10, 21, 32, 3];
    expect(evaluate(model(padded, domain, 'y ∈ F32^m'), given)).toEqual(values);
    // Without brackets the condition belongs to the term of the sum all the same: j is bound nowhere else.
    const loose = 'y_i = Σ_j w_j · x_{i+j-p} if 0 ≤ i+j-p < n else 0';
    expect(evaluate(model(loose, domain, 'y ∈ F32^m'), given)).toEqual(values);
  });
});

describe('ranges from 1 in one text', () => {
  const codeOf = (formula: string, domain: string): string | undefined =>
    elaborateEquationFromText({ formula, domain }).problem?.code;

  it.each([
    ['y = Σ_{i=1}^{n} x_i - Σ_{i=1}^{n-1} x_i', 'x ∈ F32^n, 2 ≤ n ≤ 8'],
    ['y = Σ_{i=1}^{n-1} x_i / Σ_{j=1}^{n} x_j', 'x ∈ F32^n, 2 ≤ n ≤ 8'],
    ['y = Σ_{i=1}^{n} x_i · Σ_{i=1}^{n-1} w_i', 'x ∈ F32^n, w ∈ F32^n, 2 ≤ n ≤ 8'],
  ])('%s counts from 0 and from 1', (formula, domain) => expect(codeOf(formula, domain)).toBe('PV-4055'));

  it.each([
    ['y = Σ_{i=1}^{n} x_i / Σ_{j=1}^{n} x_j', 'x ∈ F32^n, 2 ≤ n ≤ 8'],
    ['y = Σ_{i=1}^{n-1} x_i', 'x ∈ F32^n, 2 ≤ n ≤ 8'],
    ['y = Σ_{i=1}^{n-1} (x_i - x_{i-1})', 'x ∈ F32^n, 2 ≤ n ≤ 8'],
    ['y = Σ_{i=0}^{n-1} x_i - Σ_{i=0}^{n-2} x_i', 'x ∈ F32^n, 2 ≤ n ≤ 8'],
    ['y = Σ_{i=1}^{n} x_i - Σ_{i=1}^{k-1} w_i', 'x ∈ F32^n, w ∈ F32^k, 2 ≤ n ≤ 8, 2 ≤ k ≤ 8'],
    ['y_i = x_i / Σ_{j=1}^{n} x_j', 'x ∈ F32^n, 2 ≤ n ≤ 8'],
  ])('%s counts in one way', (formula, domain) => expect(codeOf(formula, domain)).toBeUndefined());
});

describe('an index that may leave its array', () => {
  it.each([
    [difference, x, undefined, 'x_{i+1}', /at n = 2, i = 1 the index is 2, and the axis has the indices 0 to 1/],
    ['y = Σ_i (x_{i+1} - x_i)²', x, undefined, 'x_{i+1}', /the index is 2/],
    ['y = Σ_{i=2}^{n} (x_i - x_{i-1})²', x, undefined, 'x_i', /n = 2, i = 2/],
    ['y_i = x_{i-1}', x, 'y ∈ F32^n', 'x_{i-1}', /the index is -1/],
    ['y = x_2 - x_0', x, undefined, 'x_2', /n = 2 the index is 2/],
    ['y_i = x_{i+1} - x_i for i = 1..n-1', x, undefined, 'i+1', /counts from 1 in one place and from 0/],
    ['y_i = Σ_j w_j·x_{i+j-p}', `${x}, w ∈ F32^k, k ≤ 4, p ∈ ℕ, p ≤ 4`, 'y ∈ F32^{n+2p}', 'x_{i+j-p}', /the index is/],
  ])('is an error: %s', (formula, domain, codomain, at, words) => {
    const { problem } = elaborateEquationFromText({ formula, domain, ...(codomain ? { codomain } : {}) });
    expect(problem?.code).toBe('PV-4025');
    expect(problem?.text.text.slice(problem.range.start, problem.range.end)).toBe(at);
    expect(problem?.message).toMatch(words);
  });

  it.each([
    ['y_i = { x_{i+1} if i + 1 < n; 0 otherwise }', x, undefined],
    ['y_i = { 0 if i = 0; x_{i-1} otherwise }', x, 'y ∈ F32^n'],
    ['y_i = { x_i if i < n; 0 otherwise }', x, 'y ∈ F32^{n+2}'],
    ['y = Σ_i { x_{i+1} if i < n - 1; 0 otherwise }·x_i', x, undefined],
    ['y_i = x_{(i+1) mod n}', x, 'y ∈ F32^n'],
    ['y_i = x_{n-1-i}', x, 'y ∈ F32^n'],
    ['y_b = A_{b,c_b}', 'A ∈ F32^{B×K}, c ∈ {0, …, K-1}^B', undefined],
    ['y_i = max_{0 ≤ j < k} x_{s·i+j}', `${x}, s, k ∈ [1, 4]`, 'y ∈ F32^m, m = (n - k) // s + 1'],
  ])('is none: %s', (formula, domain, codomain) => {
    expect(elaborateEquationFromText({ formula, domain, ...(codomain ? { codomain } : {}) }).problem).toBeNull();
  });

  it('is an error in a claim', () => {
    expect(claim('∀ i: σ(x)_i ≤ σ(x)_{i+1}').diagnostics.map(({ code }) => code)).toEqual(['PV-4025']);
    expect(claim('∀ i ∈ [0, n-1): σ(x)_i ≤ σ(x)_{i+1}').diagnostics).toEqual([]);
  });
});

describe('a range of 1 to n over n elements', () => {
  it.each([
    ['y = Σ_{i=1}^{n} x_i·i', [14]],
    ['y_i = x_i·i for i = 1..n', [1, 4, 9]],
    ['y_i = x_i·i for 1 ≤ i ≤ n', [1, 4, 9]],
  ])('counts from 1: %s', (formula, values) => {
    expect(evaluate(model(formula, 'x ∈ F32^n'), { x: vector(1, 2, 3), n: 3 })).toEqual(values);
  });
});
