/**
 * What authors get wrong: each mistake has its code, its place and words that name what is at odds.
 *
 * Holds src/contract/elaborate/operators/arithmetic.ts, src/contract/elaborate/operators/binders.ts, src/contract/elaborate/operators/builtins.ts,
 * src/contract/elaborate/operators/choice.ts, src/contract/elaborate/operators/clauses.ts, src/contract/elaborate/context/context.ts,
 * src/contract/elaborate/domains/definition-heads.ts, src/contract/elaborate/expressions/definitions.ts, src/contract/elaborate/equations/equation.ts,
 * src/contract/elaborate/equations/equation-model.ts, src/contract/elaborate/equations/result-of-formula.ts,
 * src/contract/elaborate/equations/rearranged-equation.ts, src/contract/elaborate/context/problem-diagnostic.ts,
 * src/contract/elaborate/domains/fixed-names.ts, src/contract/elaborate/context/frames.ts, src/contract/elaborate/equations/from-text.ts,
 * src/contract/elaborate/operators/indexing.ts, src/contract/elaborate/equations/main-formula.ts, src/contract/elaborate/operators/moments.ts,
 * src/contract/elaborate/context/names.ts, src/contract/elaborate/expressions/new-context.ts, src/contract/elaborate/operators/reductions.ts,
 * src/contract/elaborate/equations/result-shape.ts, src/contract/elaborate/context/scope.ts, src/contract/elaborate/expressions/sequence-steps.ts,
 * src/contract/elaborate/domains/shape-name.ts, src/contract/elaborate/equations/size-cases.ts, src/contract/elaborate/equations/stray-reads.ts,
 * src/contract/elaborate/equations/symbol-of.ts, src/contract/elaborate/context/syntax-parts.ts, src/contract/elaborate/inputs/targets.ts,
 * src/contract/elaborate/inputs/type-expressions.ts, src/contract/elaborate/expressions/unknown-name.ts, src/contract/elaborate/context/values.ts.
 */
import { describe, expect, it } from 'vitest';
import { elaborateEquationFromText, formalText } from '../../../src/contract/elaborate/equations/from-text.ts';

const x = 'x ∈ F32^n, 1 ≤ n ≤ 8';
const matrices = 'A ∈ F32^{n×k}, B ∈ F32^{n×k}, x ∈ F32^n';

describe('a formula with a mistake', () => {
  it.each<
    readonly [formula: string, domain: string, codomain: string | undefined, code: string, at: string, words: RegExp]
  >([
    ['f(x)_i = y_i + x_i', x, undefined, 'PV-4001', 'y_i', /nothing declares y_i/],
    ['f(x)_i = gama·x_i', `${x}, gamma ∈ ℝ`, undefined, 'PV-4001', 'gama', /gama/],
    ['f(x)_i = sofmax(x)_i', x, undefined, 'PV-4001', 'sofmax', /sofmax/],
    ['f(z)_i = x_i', x, undefined, 'PV-4001', 'z', /z/],
    ['f(x)_i = x_i', 'x ∈ Widget^n', undefined, 'PV-4002', 'Widget^n', /type or set/],
    ['f(x) = x + A', matrices, undefined, 'PV-4007', 'x + A', /F32\^n and F32\^\{n×k\}/],
    [
      'f(A, B)_ij = A_ij + B_ji',
      matrices,
      undefined,
      'PV-4004',
      'j',
      /j runs over k \(axis 2 of A\) but axis 1 of B has n/,
    ],
    ['f(x)_i = x_ij', x, undefined, 'PV-4005', 'x_ij', /one axis .*2 indices/],
    ['f(x) = x_{-1}', x, undefined, 'PV-4005', '-1', /index -1 is outside/],
    ['f(x) = Σ_j 1', x, undefined, 'PV-4006', 'j', /how far the index j runs/],
    ['f(x) = Σ_j x_{j-1}', x, undefined, 'PV-4006', 'j', /how far the index j runs/],
    ['f(A, B) = A·B', matrices, undefined, 'PV-4007', 'A·B', /inner sizes k and n differ/],
    ['f(A) = A^2', matrices, undefined, 'PV-4007', 'A^2', /elements or matrices/],
    ['f(x) = x^T', x, undefined, 'PV-4007', 'x^T', /f is a row here/],
    ['f(x) = exp(x, x)', x, undefined, 'PV-4008', 'exp(x, x)', /takes 1 argument, not 2/],
    ['f(x) = g(x, x) where g(a) = a', x, undefined, 'PV-4008', 'g(x, x)', /g takes a/],
    ['f(x)_i = x_i', 'x ∈ F32^n, x ∈ F32^{n×n}', undefined, 'PV-4009', 'x', /declared as F32\^n and as F32\^\{n×n\}/],
    ['f(x)_i = x_i', 'x ∈ F32^n, n ≥ 9, n ≤ 8', undefined, 'PV-4010', 'n ≤ 8', /at least 9, at most 8/],
    ['f(x)_i = { x_i if x_i ≈ 0; 1 otherwise }', x, undefined, 'PV-4011', 'x_i ≈ 0', /tolerance/],
    ['f(x) = a where a = b, b = a', x, undefined, 'PV-4015', 'a', /in terms of itself/],
    ['f(x)_i = x_i', `${x}, A ∈ F32^{k×k}`, 'F32^k', 'PV-4004', 'i', /the codomain/],
    ['f(x) = Σ_i x_i', x, 'F32^n', 'PV-4016', 'f(x) = Σ_i x_i', /codomain is F32\^n/],
    ['f(x)_i = x_i / Σ exp(x_i)', x, undefined, 'PV-4022', 'Σ exp(x_i)', /nothing to run over/],
    ['f(A) = Σ A_ij', matrices, undefined, 'PV-4022', 'Σ A_ij', /i or j/],
    ['x + 1', x, undefined, 'PV-4023', 'x + 1', /define/],
    ['f(x)_i = (x_i > 0) + 1', x, undefined, 'PV-4003', '(x_i > 0) + 1', /numbers/],
    ['f(x)_i = x_{x_i}', x, undefined, 'PV-4003', 'x_i', /whole number/],
    ['f(x) = Σ_j x[x_j > 0]', x, undefined, 'PV-4003', 'x_j > 0', /condition, and an index is expected/],
    ['f(x)_i = x_i + A x^T', `${x}, A ∈ F32^{n×n}`, undefined, 'PV-4007', 'A x^T', /row does not multiply/],
    ['f(x)_i = (x^T + y)_i', `${x}, y ∈ F32^n`, undefined, 'PV-4007', 'x^T + y', /do not combine/],
    ['f(x + 1) = f(x)', 'x ∈ ℝ', undefined, 'PV-4023', 'x + 1', /name of an input/],
    ['f(x) = ‖x‖_0', x, undefined, 'PV-4003', '‖x‖_0', /no order 0/],
  ])('%s with %s', (formula, domain, codomain, code, at, words) => {
    const { model, problem } = elaborateEquationFromText({
      formula,
      domain,
      ...(codomain === undefined ? {} : { codomain }),
    });
    expect(problem?.code).toBe(code);
    expect(problem?.text.text.slice(problem.range.start, problem.range.end)).toBe(at);
    expect(problem?.message).toMatch(words);
    expect(model).toBeNull();
  });

  it('runs where the sizes fit, and says that the domain does not', () => {
    const formula = 'f(x)_{2k} = x_{2k}, f(x)_{2k+1} = x_{2k+1}';
    const { model, problem } = elaborateEquationFromText({ formula, domain: x, codomain: 'F32^n' });
    expect(problem).toMatchObject({ code: 'PV-4016', hint: 'say so in the domain: n mod 2 = 0' });
    expect(model?.domain.sizes).toMatchObject([{ name: 'n', multipleOf: 2, minimum: 1, maximum: 8 }]);
    expect(model).not.toHaveProperty('unread');
  });

  it.each([
    ['gama', 'gamma', 'f(x)_i = gama·x_i', `${x}, gamma ∈ ℝ`],
    ['sigmoyd', 'sigmoid', 'f(x)_i = sigmoyd(x_i)', x],
  ])('suggests for %s the name %s', (_, suggestion, formula, domain) => {
    expect(elaborateEquationFromText({ formula, domain }).problem?.hint).toBe(`did you mean ${suggestion}?`);
  });
});

describe('the help for what papers write', () => {
  const hintOf = (formula: string): string | null | undefined =>
    elaborateEquationFromText({ formula, domain: x }).problem?.hint;

  it.each([
    ['f(x) = Σ_j x[x_j > 0]', /\(1 if p else 0\)/],
    ['f(x)_i = x_i - E[x]', /mean\(x\).*var\(x\)/],
    ['f(x)_i = x_i / Var[x]', /var\(…\)/],
    ['f(x) = ‖x‖_0', /Σ_i \(1 if x_i ≠ 0 else 0\)/],
  ])('%s', (formula, help) => {
    expect(hintOf(formula)).toMatch(help);
  });

  it.each([
    ['f(x) = log n / 2', 'the argument of log in brackets'],
    ['f(x) = log n m', 'the argument of log in brackets'],
    ['f(x) = softmax a', 'softmax(a)'],
  ])('%s says where brackets belong', (formula, help) => {
    expect(formalText(formula, 'formula').notation.problem?.message).toContain(help);
  });

  it.each([
    'f(x) = Σ_j (1 if x_j > 0 else 0)',
    'f(x)_i = x_i - mean(x)',
    'f(x)_i = x_i / v where v = var(x)',
    'f(x) = Σ_i (1 if x_i ≠ 0 else 0)',
    'f(x) = Σ_k x_k log(x_k)',
    'f(x) = -Σ_k x_k log x_k + 1',
    'f(x) = log Σ_k exp x_k',
    'f(x) = Sum_{k=0}^{n-1} x_k',
    'f(x) = Σ_j 1[x_j > 0]',
    'f(x)_i = x_i · 1[i = 0]',
    'f(x) = 2‖x‖² + 3|x_0|',
    'f(x) = ‖x‖_3',
    'f(x)_i = x[i]',
  ])('%s runs', (formula) => {
    expect(elaborateEquationFromText({ formula, domain: x }).model).not.toBeNull();
  });
});

describe('mathematics beyond pv', () => {
  it.each([
    ['m_t = β·m_{t-1} + g_t', 'g ∈ F32^T, β ∈ (0, 1)', /recurrence/],
    ['f(x) = lim_{n→∞} x', 'x ∈ ℝ', /./],
    ['f(A) = ‖A‖_2', 'A ∈ F32^{n×k}', /Frobenius/],
  ])('%s is undetermined with a reason, not an error', (formula, domain, reason) => {
    const { model, problem } = elaborateEquationFromText({ formula, domain });
    expect(model).toBeNull();
    expect(problem?.kind).not.toBe('error');
    expect(problem?.message).toMatch(reason);
  });
});
