import { describe, expect, it } from 'vitest';
import type { ElaboratedContract } from '../../../../src/contract/goal.ts';
import { evaluateTerm, type Binding } from '../../../../src/math/evaluate/interpret.ts';
import { elaborated, evaluate, goal, marked } from '../support.ts';

const equations = `
square: { formula: "Q(x, c)_i = c·x_i²", domain: "x ∈ F32^n, c ∈ F32, 1 ≤ n ≤ 8", codomain: "Q(x, c) ∈ F32^n" }
square_bwd: { formula: "P(x, c, g)_i = 2·c·x_i·g_i", domain: "x ∈ F32^n, c ∈ F32, g ∈ F32^n, 1 ≤ n ≤ 8", codomain: "P(x, c, g) ∈ F32^n" }
length: { formula: "L(x) = Σ_i x_i²", domain: "x ∈ F32^n, 1 ≤ n ≤ 8" }
pick: { formula: "K(x, y)_i = x_{y_i}", domain: "x ∈ F32^n, y ∈ ℤ^m, 0 ≤ y_i < n, 1 ≤ n ≤ 8, 1 ≤ m ≤ 8", codomain: "K(x, y) ∈ F32^m" }
stored: { formula: "R(x)_i = fl32(x_i)", domain: "x ∈ F32^n, 1 ≤ n ≤ 8", codomain: "R(x) ∈ F32^n" }
top: { formula: "T(x) = argmax(x)", domain: "x ∈ F32^n, 1 ≤ n ≤ 8", codomain: "T(x) ∈ ℤ" }
text: { formula: "encode: String → ℤ*", domain: "s ∈ String, |s| ≤ 8" }
twice: { formula: "W(x, c, g)_i = 3·B_i where B = vjp(Q, x, g)", domain: "x ∈ F32^n, c ∈ F32, g ∈ F32^n, 1 ≤ n ≤ 8", codomain: "W(x, c, g) ∈ F32^n" }
`;

const claim = (formal: string, rest = 'tolerance: { cond: 4 }'): ElaboratedContract =>
  elaborated({ equations, obligations: `- { id: C, type: equivalence, property: p, formal: "${formal}", ${rest} }` });

const x: Binding = { shape: [2], data: [3, 5] };
const g: Binding = { shape: [2], data: [1, 10] };

/** Whether the claim's predicate holds with x = [3, 5], c = 2, g = [1, 10] and the given outputs. */
function holds(formal: string, out: readonly Binding[], rest?: string): boolean {
  const { predicate } = goal(claim(formal, rest));
  const outputs = out.map((value, i) => [`out:${i}`, value] as const);
  return (
    evaluateTerm(
      predicate,
      new Map<string, Binding>([['n', 2], ['m', 2], ['x', x], ['c', 2], ['g', g], ...outputs]),
    ) === true
  );
}

describe('a claim about a derivative', () => {
  it.each([
    ['P(x, c, g) ≈ vjp(Q, x, g)', [12, 200]],
    ['P(x, c, g) ≈ vjp(square, x, g)', [12, 200]],
    ['P(x, c, g) ≈ vjp(Q_ref, x, g)', [12, 200]],
    ['P(x, c, g)_i ≈ vjp(Q(x, c), x, g)_i', [12, 200]],
    ['P(x, c, g) ≈ vjp(Q(2·x, c), x, g)', [24, 400]],
    ['P(x, c, g) ≈ vjp(Q(c = 1), x, g)', [6, 100]],
    ['P(x, c, g) ≈ vjp(L, x, 1) + 0·g', [6, 10]],
    ['P(x, c, g) ≈ jvp(Q, x, g)', [12, 200]],
    ['P(x, c, g) ≈ jvp(Q, c, 3) + 0·g', [27, 75]],
    ['P(x, c, g)_0 ≈ vjp(Q, c, g)', [259, 0]],
    ['W(x, c, g) ≈ 3·vjp(Q, x, g)', [36, 600]],
  ])('%s', (formal, data) => {
    expect(holds(formal, [{ shape: [2], data }])).toBe(true);
    expect(holds(formal, [{ shape: [2], data: data.map((value) => value + 0.1) }])).toBe(false);
  });

  it('means the mathematics and never runs the kernel that it differentiates', () => {
    expect(goal(claim('P(x, c, g) ≈ vjp(Q, x, g)')).applications.map((one) => one.equation)).toEqual(['square_bwd']);
    const real = goal(claim('P(x, c, g) ≈ vjp(Q, x, g)', 'semantics: real, tolerance: { rel: 1e-20 }'));
    expect(real.applications.map((one) => one.equation)).toEqual(['square_bwd']);
  });

  it('may occur in a formula', () => {
    const twice = claim('W(x, c, g) ≈ 0').equations.find((one) => one.name === 'twice');
    if (!twice) throw new Error('the equation is not there');
    expect(evaluate(twice, { n: 2, x, c: 2, g })).toEqual([36, 600]);
  });
});

describe('a mistake in a derivative', () => {
  it.each([
    ['P(x, c, g) ≈ vjp(Q, x)', 'PV-4008', 'vjp(Q, x)'],
    ['P(x, c, g) ≈ vjp(2·x, x, g)', 'PV-4008', '2·x'],
    ['P(x, c, g) ≈ vjp(Q, z, g)', 'PV-4008', 'z'],
    ['P(x, c, g) ≈ vjp(Q, n, g)', 'PV-4008', 'n'],
    ['P(x, c, g) ≈ vjp(K, y, g)', 'PV-4003', 'y'],
    ['P(x, c, g) ≈ vjp(T, x, g)', 'PV-4003', 'x'],
    ['P(x, c, g) ≈ vjp(L, x, g)', 'PV-4007', 'g'],
    ['P(x, c, g) ≈ vjp(encode, s, g)', 'PV-4003', 's'],
  ])('%s', (formal, code, where) => {
    expect(claim(formal).diagnostics.map((d) => [d.code, marked(d)])).toEqual([[code, where]]);
  });

  it('is not evidence where the formula rounds', () => {
    const { notGoals } = claim('P(x, c, g) ≈ vjp(R, x, g)');
    expect(notGoals.map((one) => [one.status, one.reason])).toEqual([
      ['undetermined', expect.stringContaining('round32')],
    ]);
  });
});
