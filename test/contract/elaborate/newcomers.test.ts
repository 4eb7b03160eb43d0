/**
 * What people write first, without having read the notation: it means what they meant, or says what to write.
 *
 * Holds src/contract/elaborate/claims/caused-by.ts, src/contract/elaborate/operators/listed-shapes.ts,
 * src/contract/elaborate/context/map-expression.ts.
 */
import { describe, expect, it } from 'vitest';
import { readContract } from '../../../src/contract/read.ts';
import { elaborateContract } from '../../../src/contract/elaborate.ts';
import type { ElaboratedContract } from '../../../src/contract/goal.ts';
import { elaborated, evaluate, goal, model, vector } from './support.ts';

const convolution = (factor: string): string => `
conv:
  formula: "y_i = Σ_j w_j ${factor}"
  domain: "x ∈ F32^n, w ∈ F32^k, p ∈ ℕ, 1 ≤ n ≤ 8, 1 ≤ k ≤ 4, p ≤ 3, p ≤ k - 1"
  codomain: "y ∈ F32^{n+2p-k+1}"`;
const padded = '(x_{i+j-p} if 0 ≤ i+j-p < n else 0)';

const codes = (contract: ElaboratedContract): readonly string[] => contract.diagnostics.map(({ code }) => code);

describe('a list as the prediction of a test', () => {
  const test = (prediction: string, given = 'x = [1, 2, 3], w = [1, 1], p = 1', rest = ''): ElaboratedContract =>
    elaborated({
      equations: convolution(`· ${padded}`),
      tests: `- { id: F, prediction: "${prediction}", given: "${given}"${rest} }`,
    });

  it.each([
    ['y = [1, 3, 5, 3]', ''],
    ['y ≈ [1, 3, 5, 3]', ', tolerance: { abs: 1 }'],
    ['y ≤ [1, 3, 5, 3]', ''],
  ])('compares element by element: %s', (prediction, rest) => {
    expect(goal(test(prediction, undefined, rest)).given).toHaveLength(1);
  });

  it('must be as long as the outputs on every given input', () => {
    const short = test('y = [1, 3, 5]');
    expect(short.diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['PV-4007', 'the list has 3 elements, and what it is compared with has 4 elements on the given inputs'],
    ]);
    expect(codes(test('y = [1, 2]', 'x ∈ {[1, 2], [1, 2, 3]}, w = [1], p = 0'))).toEqual(['PV-4007']);
  });

  it('belongs into a test, and a claim says so', () => {
    const obligation = elaborated({
      equations: convolution(`· ${padded}`),
      obligations: '- { id: C, type: invariant, property: p, formal: "y = [1, 2]" }',
    });
    expect(obligation.diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ['PV-4007', 'compare with a list in a falsification test that gives the inputs (given: "x = [1, 2]")'],
    ]);
  });
});

describe('a choice in parentheses', () => {
  it('is a factor after a space, as it is after a dot', () => {
    const at = (sign: string): readonly number[] =>
      evaluate(
        model(
          `y_i = Σ_j w_j ${sign}${padded}`,
          'x ∈ F32^n, w ∈ F32^k, p ∈ ℕ, n, k ≤ 8, p ≤ k - 1',
          'y ∈ F32^{n+2p-k+1}',
        ),
        { x: vector(1, 2, 3), w: vector(1, 1), n: 3, k: 2, p: 1 },
      );
    expect(at('')).toEqual([1, 3, 5, 3]);
    expect(at('')).toEqual(at('· '));
  });
});

describe('variance and deviation', () => {
  const at = (formula: string): readonly number[] =>
    evaluate(model(formula, 'x ∈ F32^n, n ≤ 8'), { x: vector(1, 2, 4, 9), n: 4 });

  it.each(['var(x)', 'variance(x)', 'mean((x - mean(x))^2)'])(
    'are over all elements, with the divisor n: %s',
    (text) => {
      expect(at(`f(x) = ${text}`)).toEqual([9.5]);
    },
  );
  it('are each other squared', () => {
    expect(at('f(x) = std(x)')).toEqual([Math.sqrt(9.5)]);
  });
  it('are of whole tensors', () => {
    const contract = elaborated({ equations: 'f:\n  formula: "f(x)_i = var(x_i)"\n  domain: "x ∈ F32^n, n ≤ 8"' });
    expect(contract.diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ['PV-4008', 'var(x), without an index'],
    ]);
  });
});

describe('a statistic', () => {
  const dropout = `
dropout:
  formula: "y_i = if u_i < p then 0 else x_i / (1 - p)"
  domain: "x, u ∈ F32^n, p ∈ F32, 1 ≤ n ≤ 64, |x_i| ≤ 100, 0 ≤ u_i < 1, 0 ≤ p ≤ 0.75"`;
  const claim = (formal: string): ElaboratedContract =>
    elaborated({
      equations: dropout,
      obligations: `- { id: C, type: invariant, property: p, formal: "${formal}", semantics: statistical${/[≈ε]/u.test(formal) ? ', tolerance: { abs: 0.1 }' : ''}, methods: { statistical: { random: [u] } } }`,
    });

  it.each([
    ['E[y_i] ≈ x_i', 'mean'],
    ['Var[y_i] ≤ 300·x_i^2', 'variance'],
    ['P(y_i = 0) ≈ p', 'probability'],
    ['P[y_i = 0] ≈ p', 'probability'],
    ['|P(y_i = 0) - p| ≤ ε', 'probability'],
  ])('is written with either bracket: %s', (formal, statistic) => {
    expect(goal(claim(formal)).statistical?.comparisons.map((one) => one.statistic)).toEqual([statistic]);
  });

  it('is not compared by =', () => {
    expect(claim('E[y_i] = x_i').diagnostics.map(({ message }) => message)).toEqual([
      'an estimate is compared by ≈, ≤ or ≥, not by =',
    ]);
  });
});

describe('an equation with a mistake', () => {
  it('is reported once, and not by each claim that uses what it declares', () => {
    const contract = elaborated({
      equations: `
ema:
  formula: "s_t = γ s_{t-1} + (1-γ) x_t"
  domain: "x ∈ F32^T, γ ∈ F32, 0 ≤ γ ≤ 1, T ≤ 8"`,
      obligations: `
- { id: A, type: bound, property: p, formal: "min(x) ≤ s_t" }
- { id: B, type: bound, property: p, formal: "s ≈ s_ref", tolerance: { cond: 4 } }`,
    });
    expect(codes(contract)).toEqual(['PV-4020']);
    expect(contract.notGoals.map(({ reason }) => reason)).toEqual([
      'the formula of ema cannot be run, so nothing that uses it can',
      'the formula of ema cannot be run, so nothing that uses it can',
    ]);
  });

  it('hides no mistake of a claim', () => {
    const text = [
      'metadata: { version: "1", description: d, references: [r] }',
      'equations:',
      '  f: { formula: "f(x)_i = gama·x_i", domain: "x ∈ F32^n, n ≤ 8" }',
      'proof_obligations:',
      '  - { id: A, type: bound, property: p, formal: "other ≥ 0" }',
    ].join('\n');
    const read = readContract({ path: 'a-v1.yaml', text });
    const contract = read.value && elaborateContract(read.value, new Map());
    expect(contract?.diagnostics.map(({ message }) => message)).toEqual([
      'nothing declares gama',
      'nothing declares other',
    ]);
  });
});
