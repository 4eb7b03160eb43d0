/**
 * Holds src/contract/elaborate/domains/bounds.ts, src/contract/elaborate/inputs/domain-draft.ts,
 * src/contract/elaborate/inputs/implied-bounds.ts, src/math/term/bound-terms.ts.
 */
import { describe, expect, it } from 'vitest';
import { printTerm } from '../../../../src/math/term/print-term.ts';
import { elaborateEquationFromText } from '../../../../src/contract/elaborate/equations/from-text.ts';
import type { InputVariable, SizeVariable } from '../../../../src/math/domain.ts';
import { makeType, typeText } from '../../../../src/math/term/types.ts';
import { model } from '../support.ts';

function input(v: InputVariable): string {
  const low = v.lower ? `${printTerm(v.lower.value)} ${v.lower.open ? '<' : '≤'} ` : '';
  const high = v.upper ? ` ${v.upper.open ? '<' : '≤'} ${printTerm(v.upper.value)}` : '';
  const choices = v.choices ? ` one of ${v.choices.map((c) => printTerm(c)).join(' ')}` : '';
  const excluded = v.excluded.length > 0 ? ` not ${v.excluded.map((c) => printTerm(c)).join(' ')}` : '';
  return `${low}${v.name} ∈ ${typeText(makeType(v.element, v.shape))}${high}${choices}${excluded}${v.nonFinite ? ' extended' : ''}${v.structure === 'none' ? '' : ` ${v.structure}`}`;
}

function size(s: SizeVariable): string {
  return `${s.minimum} ≤ ${s.name} ≤ ${s.maximum}${s.multipleOf > 1 ? ` by ${s.multipleOf}` : ''}${s.definition ? ` = ${printTerm(s.definition)}` : ''}`;
}

const domainOf = (domain: string): { inputs: string[]; sizes: string[]; preconditions: string[] } => {
  const found = model('y = 0', domain).domain;
  return {
    inputs: found.variables.map(input),
    sizes: found.sizes.map(size),
    preconditions: found.preconditions.map((p) => printTerm(p)),
  };
};

describe('inputs', () => {
  it.each([
    ['x ∈ F32^n', 'x ∈ F32^n'],
    ['A ∈ F32^{m×k}', 'A ∈ F32^{m×k}'],
    ['c ∈ F32', 'c ∈ F32'],
    ['x in R^n', 'x ∈ F32^n'],
    ['x ∈ F64^n', 'x ∈ F64^n'],
    ['k ∈ ℤ', 'k ∈ ℤ'],
    ['k ∈ ℕ', '0 ≤ k ∈ ℤ'],
    ['b ∈ Bool^n', 'b ∈ Bool^n'],
    ['s ∈ String', 's ∈ String'],
    ['y ∈ {0, 1}^n', 'y ∈ ℤ^n one of 0 1'],
    ['y ∈ {0..C-1}^B, z ∈ F32^{B×C}', '0 ≤ y ∈ ℤ^B ≤ C - 1'],
    ['x ∈ F32^T', 'x ∈ F32^T'],
    ['x ∈ F32_ext^n', 'x ∈ F32^n extended'],
    ['x ∈ F32^n, |x_i| ≤ 1e4', '-1e4 ≤ x ∈ F32^n ≤ 1e4'],
    ['x ∈ F32^n, |x| < 3', '-3 < x ∈ F32^n < 3'],
    ['x ∈ F32^n, x_i ∈ [-1, 1]', '-1 ≤ x ∈ F32^n ≤ 1'],
    ['x ∈ [0, 1]^n', '0 ≤ x ∈ F32^n ≤ 1'],
    ['β ∈ (0, 1)', '0 < β ∈ F32 < 1'],
    ['β ∈ [0, ∞)', '0 ≤ β ∈ F32'],
    ['y ∈ ℤ^B, 0 ≤ y_b < V, z ∈ F32^V', '0 ≤ y ∈ ℤ^B < V'],
    ['ε > 0', '0 < ε ∈ F32'],
    ['α ∈ ℝ, α ≠ 0', 'α ∈ F32 not 0'],
    ['lr > 0, lr ≤ 1', '0 < lr ∈ F32 ≤ 1'],
    ['p ∈ F32^n, Σ_j p_j = 1, p_j ≥ 0', '0 ≤ p ∈ F32^n simplex'],
    ['P ∈ F32^{n×k}, Σ_j P_ij = 1', '0 ≤ P ∈ F32^{n×k} simplex'],
    ['p ∈ F32^n, -10 ≤ p_j ≤ 10, Σ_j p_j = 1', '-10 ≤ p ∈ F32^n ≤ 10 simplex'],
    ['p ∈ F32^n, Σ_j p_j = 1, -10 ≤ p_j ≤ 10', '-10 ≤ p ∈ F32^n ≤ 10 simplex'],
    ['p ∈ [-1, 1]^n, sum(p) = 1', '-1 ≤ p ∈ F32^n ≤ 1 simplex'],
    ['p ∈ F32^n, Σ_j p_j = 1, |p_j| ≤ 2', '-2 ≤ p ∈ F32^n ≤ 2 simplex'],
    ['p ∈ F32^n, p_j ≤ 10, Σ_j p_j = 1', '0 ≤ p ∈ F32^n ≤ 10 simplex'],
    ['t ∈ F32^n, t_i < t_{i+1}', 't ∈ F32^n increasing'],
    ['γ ∈ F32^n, γ = 1', 'γ ∈ F32^n one of 1'],
    ['v ∈ R_>=0^d', '0 ≤ v ∈ F32^d'],
  ] as const)('%s', (domain, expected) => {
    expect(domainOf(domain).inputs[0]).toBe(expected);
    expect(domainOf(domain).preconditions).toEqual([]);
  });

  it.each('ℤ⁺,ℤ^+,ℤ^{+},Z^+,Z+,ℤ_+,ℤ₊,ℕ⁺,N+,N^+,ℕ_+,ℤ_{≥1},ℕ_{>=1},N_≥1'.split(','))('%s begins at 1', (set) => {
    expect(domainOf(`k ∈ ${set}`).inputs).toEqual(['1 ≤ k ∈ ℤ']);
    expect(domainOf(`k ∈ ${set}, k ≤ 9`).inputs).toEqual(['1 ≤ k ∈ ℤ ≤ 9']);
    expect(domainOf(`k ∈ ${set}^n`).inputs).toEqual(['1 ≤ k ∈ ℤ^n']);
  });

  it.each([
    ['k ∈ ℤ_{>0}', '0 < k ∈ ℤ'],
    ['k ∈ N_{>0}', '0 < k ∈ ℤ'],
    ['k ∈ ℕ_{≥2}', '2 ≤ k ∈ ℤ'],
    ['k ∈ ℤ_{≥0}', '0 ≤ k ∈ ℤ'],
    ['k ∈ ℕ*', '0 ≤ k ∈ ℤ^{|k|}'],
    ['x ∈ ℝ⁺', '0 ≤ x ∈ F32'],
    ['x ∈ R_+', '0 ≤ x ∈ F32'],
    ['x ∈ ℝ_{≥0}', '0 ≤ x ∈ F32'],
    ['x ∈ ℝ_{>0}', '0 < x ∈ F32'],
    ['x ∈ R_{>0}^n', '0 < x ∈ F32^n'],
    ['x ∈ ℝ_{≥2}', '2 ≤ x ∈ F32'],
    ['k ∈ {1, 2, …}', '1 ≤ k ∈ ℤ'],
    ['k ∈ {0, 1, 2, ...}^n', '0 ≤ k ∈ ℤ^n'],
    ['k ∈ {1, 2, …, 9}', '1 ≤ k ∈ ℤ ≤ 9'],
    ['k ∈ ℕ₀', '0 ≤ k ∈ ℤ'],
    ['k ∈ ℕ_0', '0 ≤ k ∈ ℤ'],
    // A relation after a set is about the member.
    ['k ∈ ℤ≥1', '1 ≤ k ∈ ℤ'],
    ['k ∈ ℕ>0', '0 < k ∈ ℤ'],
    ['k ∈ ℤ ≥ 1 ≤ 9', '1 ≤ k ∈ ℤ'],
    ['x ∈ ℝ ≥ 0', '0 ≤ x ∈ F32'],
    ['x ∈ F32^n > 0', '0 < x ∈ F32^n'],
    ['x ∈ ℝ < 2', 'x ∈ F32 < 2'],
  ])('%s is a set of numbers with its ends', (domain, expected) => {
    expect(domainOf(domain).inputs).toEqual([expected]);
  });

  it('puts a scalar before the tensor whose bound mentions it', () => {
    expect(domainOf('x ∈ F32^n, |x_i| ≤ c, c ∈ F32, c > 0').inputs).toEqual(['0 < c ∈ F32', '-c ≤ x ∈ F32^n ≤ c']);
  });

  it('bounds the later of two inputs by the earlier', () => {
    expect(domainOf('lo ∈ F32, hi ∈ F32, lo ≤ hi').inputs).toEqual(['lo ∈ F32', 'lo ≤ hi ∈ F32']);
  });

  it.each([
    ['lo ∈ F32, hi ∈ F32, 0 ≤ lo ≤ hi ≤ 1', ['0 ≤ lo ∈ F32 ≤ 1', 'lo ≤ hi ∈ F32 ≤ 1']],
    ['hi ∈ F32, lo ∈ F32, hi ≤ 1, 0 ≤ lo ≤ hi', ['0 ≤ hi ∈ F32 ≤ 1', '0 ≤ lo ∈ F32 ≤ hi']],
    ['lo ∈ F32, hi ∈ F32, lo < hi, hi ≤ 1', ['lo ∈ F32 < 1', 'lo < hi ∈ F32 ≤ 1']],
    ['a ∈ F32, b ∈ F32, c ∈ F32, 0 ≤ a ≤ b ≤ c ≤ 1', ['0 ≤ a ∈ F32 ≤ 1', 'a ≤ b ∈ F32 ≤ 1', 'b ≤ c ∈ F32 ≤ 1']],
    [
      'c ∈ F32, b ∈ F32, a ∈ F32, 0 ≤ a, a < b, b < c, c ≤ 1',
      ['0 < c ∈ F32 ≤ 1', '0 < b ∈ F32 < c', '0 ≤ a ∈ F32 < b'],
    ],
    ['t ∈ ℕ, T ∈ ℕ, t ≤ T, T ≤ 1000', ['0 ≤ t ∈ ℤ ≤ 1000', 'max(0, t) ≤ T ∈ ℤ ≤ 1000']],
    ['w ∈ ℤ⁺, T ∈ ℤ⁺, w < T, T ≤ 100', ['1 ≤ w ∈ ℤ ≤ 99', 'max(1, w + 1) ≤ T ∈ ℤ ≤ 100']],
    ['lo ∈ F32, hi ∈ F32, x ∈ F32^n, lo ≤ x_i ≤ hi', ['lo ∈ F32', 'lo ≤ hi ∈ F32', 'lo ≤ x ∈ F32^n ≤ hi']],
    // Nothing ends the later one.
    ['lo ∈ F32, hi ∈ F32, lo ≤ hi', ['lo ∈ F32', 'lo ≤ hi ∈ F32']],
  ])('bounds the earlier of two inputs by the other end of the later: %s', (domain, expected) => {
    expect(domainOf(domain)).toMatchObject({ inputs: expected, preconditions: [] });
  });

  it.each([
    ['s ∈ ℤ, 0 ≤ s ≤ 24, s ≤ v', '0 ≤ s ∈ ℤ ≤ min(24, v)'],
    ['s ∈ ℤ, s ≤ v, 0 ≤ s ≤ 24', '0 ≤ s ∈ ℤ ≤ min(v, 24)'],
    ['s ∈ ℤ, v ≤ s, 3 ≤ s, s ≤ 99', 'max(v, 3) ≤ s ∈ ℤ ≤ 99'],
    // Whole numbers: s = 24 stays where v is larger.
    ['s ∈ ℤ, 0 ≤ s ≤ 24, s < v', '0 ≤ s ∈ ℤ ≤ min(24, v - 1)'],
    ['s ∈ ℤ, s > v, s ≥ 2·v, s ≤ 99', 'max(v + 1, 2 · v) ≤ s ∈ ℤ ≤ 99'],
    // So does a real s = 24.
    ['s ∈ F32, 0 ≤ s ≤ 24, s < v', '0 ≤ s ∈ F32 ≤ min(24, v) not v'],
    ['s ∈ F32, 0 ≤ s < 24, s < v', '0 ≤ s ∈ F32 < min(24, v)'],
    ['s ∈ F32, |s| ≤ v, s ≤ 3, s ≤ v', '-v ≤ s ∈ F32 ≤ min(v, 3)'],
    ['s ∈ ℤ, 0 ≤ s < v, s < v', '0 ≤ s ∈ ℤ < v'],
  ] as const)('keeps both of two bounds that are no numbers: %s', (bounds, expected) => {
    expect(domainOf(`x ∈ F32^v, ${bounds}`).inputs).toContain(expected);
  });

  it('takes a statement of several names apart', () => {
    expect(domainOf('a, b ∈ F32^n').inputs).toEqual(['a ∈ F32^n', 'b ∈ F32^n']);
  });
});

describe('sizes', () => {
  it.each([
    ['x ∈ F32^n, 1 ≤ n ≤ 512', ['1 ≤ n ≤ 512']],
    ['x ∈ F32^n', ['1 ≤ n ≤ 64']],
    ['x ∈ F32^n, n > 1', ['2 ≤ n ≤ 64']],
    ['x ∈ F32^n, n < 2^5', ['1 ≤ n ≤ 31']],
    ['A ∈ F32^{m×n}, n, m ∈ [1, 16]', ['1 ≤ m ≤ 16', '1 ≤ n ≤ 16']],
    ['x ∈ F32^n, n mod 2 = 0, n mod 3 = 0', ['1 ≤ n ≤ 64 by 6']],
    ['x ∈ F32^d, d = 2·k, k ≤ 5', ['1 ≤ k ≤ 5', '1 ≤ d ≤ 10 = 2 · k']],
    ['x ∈ F32^n, n ∈ {2, 3, 4}', ['2 ≤ n ≤ 4']],
    ['x ∈ F32^n, n = 8', ['8 ≤ n ≤ 8']],
    ['x ∈ F32^n, n ∈ ℕ', ['1 ≤ n ≤ 64']],
  ])('%s', (domain, expected) => expect(domainOf(domain).sizes).toEqual(expected));

  it('says when nothing bounds a size, and only then', () => {
    const remarks = (domain: string): readonly string[] =>
      elaborateEquationFromText({ formula: 'f(x)_i = x_i', domain }).remarks.map((r) => r.code);
    expect(remarks('x ∈ F32^n')).toEqual(['PV-4018']);
    expect(remarks('x ∈ F32^n, n ≤ 8')).toEqual([]);
  });
});

describe('preconditions', () => {
  it.each([
    ['x ∈ F32^n, Σ_i x_i > 0', 'Σ_{i<n} x_i > 0'],
    ['x, y ∈ F32^n, x_i ≤ y_i', '∀_{i<n}: x_i ≤ y_i'],
    ['A ∈ F32^{n×m}, n ≤ m', 'n ≤ m'],
    ['x ∈ F32^n, n ∈ {1, 4}', 'n = 1 ∨ n = 4'],
  ])('%s', (domain, expected) =>
    expect(domainOf(domain).preconditions.map((p) => p.replaceAll(/[()]/g, ''))).toEqual([
      expected.replaceAll(/[()]/g, ''),
    ]),
  );
});

describe('helpers in a domain', () => {
  it('may come before what they use', () => {
    expect(printTerm(model('f(x)_i = c·x_i', 'c = 2·n, x ∈ F32^n').body)).toContain('2 · n');
  });
});

describe('names that begin as a number does', () => {
  it('are numbers of their own, unless what follows may be an index', () => {
    const { inputs } = domainOf('t, T, T_w ∈ ℕ, T > T_w');
    expect(inputs.map((text) => /\p{L}\w*/u.exec(text)?.[0])).toEqual(['t', 'T', 'T_w']);
    expect(() => domainOf('x ∈ ℝ, x_i ∈ ℝ')).toThrow('x_i');
  });
});
