/** Holds src/contract/elaborate/claims/constant.ts. */
import { describe, expect, it } from 'vitest';
import type { ElaboratedContract, GivenCase } from '../../../../src/contract/goal.ts';
import { elaborated, goal, marked, softmax } from '../support.ts';

function test(given: string, prediction = 'σ(x)_i ≥ 0', equations = softmax): ElaboratedContract {
  return elaborated({ equations, tests: `- { id: F, prediction: "${prediction}", given: "${given}" }` });
}

const cases = (given: string, prediction?: string, equations?: string): readonly GivenCase[] | null =>
  goal(test(given, prediction, equations)).given;

const both = `
f:
  formula: "f(x, A, k)_i = x_i·k + Σ_j A_ij"
  domain: "x ∈ F32^n, A ∈ F32^{n×m}, k ∈ ℤ, 0 ≤ k ≤ 9, n, m ≤ 4"
g:
  formula: "g(x)_i = x_i"
  domain: "x ∈ F32_ext^n, n ≤ 4"`;

describe('given inputs', () => {
  it('are listed, with the sizes that they imply', () => {
    expect(cases('x ∈ {[0, -104], [88, 89, 90]}')).toEqual([
      { sizes: [2], values: [[0, -104]] },
      { sizes: [3], values: [[88, 89, 90]] },
    ]);
  });
  it('keep the sign of zero', () => {
    const [one] = cases('x ∈ {[-0.0, 0.0]}') ?? [];
    const [values] = one?.values ?? [];
    expect(Array.isArray(values) && Object.is(values[0], -0) && Object.is(values[1], 0)).toBe(true);
  });
  it('are rounded to what the input stores', () => {
    expect(cases('x = [0.1]')?.[0]?.values).toEqual([[Math.fround(0.1)]]);
  });
  it('combine as a cross product', () => {
    const result = cases('x ∈ {[1], [2]}, A ∈ {[[1]], [[2]]}, k ∈ {0, 3}', 'f(x, A, k)_i ≥ 0', both);
    expect(result).toHaveLength(8);
    expect(result?.[1]).toEqual({ sizes: [1, 1], values: [[1], [1], 3] });
  });
  it('are built', () => {
    expect(
      cases('x ∈ {zeros(3), ones(2), basis(3, 1), range(3), full(2, 1e4), 2·ones(2), [1/2, 2^-1, √4, -π]}')?.map(
        (c) => c.values[0],
      ),
    ).toEqual([
      [0, 0, 0],
      [1, 1],
      [0, 1, 0],
      [0, 1, 2],
      [1e4, 1e4],
      [2, 2],
      [0.5, 0.5, 2, Math.fround(-Math.PI)],
    ]);
  });
  it('may be NaN and ∞ where the domain has them', () => {
    expect(cases('x ∈ {[NaN, ∞, -∞]}', 'g(x)_0 = x_0 ∨ is_nan(x_0)', both)?.[0]?.values).toEqual([
      [NaN, Infinity, -Infinity],
    ]);
  });
  it('are null when nothing is given', () => {
    expect(goal(elaborated({ equations: softmax, tests: '- { id: F, prediction: "σ(x)_i ≥ 0" }' })).given).toBeNull();
  });

  it.each([
    ['x ∈ {[1e5]}', /does not allow 100000/],
    ['x ∈ {[∞]}', /does not allow Infinity/],
    ['x ∈ {[1e39]}', /does not allow/],
    ['x ∈ {[[1, 2]]}', /shape 1×2 here/],
    ['x ∈ {[1, [2]]}', /different lengths/],
    ['y ∈ {[1]}', /y is not an input/],
    ['x ∈ {[a]}', /a is not a number/],
    ['x ≥ 0', /listed/],
    ['x = zeros(0)', /at least 1/],
    ['x = zeros(1e9)', /at most/],
    ['x = zeros(600)', /n = 600 is outside the domain/],
    ['n = 4', /nothing is given for x/],
    ['x = [1, 2], n = 3', /x has the shape 2 here and needs 3/],
  ])('%s is a mistake', (given, words) => {
    const { goals, diagnostics } = test(given);
    expect(goals).toEqual([]);
    expect(diagnostics.map((d) => d.code)).toEqual(['PV-4014']);
    expect(diagnostics[0]?.message).toMatch(words);
  });

  it('are bounded in number', () => {
    const list = `{${Array.from({ length: 101 }, (_, i) => i % 10).join(', ')}}`;
    const { diagnostics } = test(`x = [1], A = [[1]], k ∈ ${list}, n ∈ ${list}`, 'f(x, A, k)_i ≥ 0', both);
    expect(diagnostics.map((d) => d.code)).toEqual(['PV-4021']);
  });

  it('point at the given text', () => {
    const [diagnostic] = test('y ∈ {[1]}').diagnostics;
    expect(diagnostic && marked(diagnostic)).toBe('y');
  });
});

it('inherits tolerance and requirements of its rule', () => {
  const result = elaborated({
    equations: softmax,
    obligations:
      '- { id: R, type: invariant, property: p, formal: "σ(x + c) ≈ σ(x)", tolerance: { abs: 1e-3 }, requires: ["c ∈ F32, |c| ≤ 1"] }',
    tests: '- { id: F, rule: R, prediction: "σ(x + c) ≈ σ(x)", given: "x = [1, 2], c ∈ {0, 1}" }',
  });
  expect(result.goals.map((g) => [g.claim, g.toleranceText, g.given?.length ?? null])).toEqual([
    ['R', 'abs 0.001', null],
    ['F', 'abs 0.001', 2],
  ]);
});
