/**
 * Sums, extrema, quantifiers and elements (`translate.ts`, `reduction.ts`), unrolled at n = 3.
 *
 * Holds src/bounded-proofs/instantiate/reduction.ts, src/bounded-proofs/instantiate/translation.ts.
 */
import { describe, expect, it } from 'vitest';
import { instanceText, type InstanceText } from './instance-text.ts';

describe('the claim', () => {
  it.each<readonly [formal: string, instance: InstanceText]>([
    [
      'Σ_i v_i ≤ n + f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: 'v[0] + v[1] + v[2] ≤ 3 + x',
      },
    ],
    [
      '∏_i v_i ≤ 1 + f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: 'v[0] · v[1] · v[2] ≤ 1 + x',
      },
    ],
    [
      'max_i v_i ≤ 1 + f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: 'max(max(v[0], v[1]), v[2]) ≤ 1 + x',
      },
    ],
    [
      'min_i v_i ≤ 1 + f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: 'min(min(v[0], v[1]), v[2]) ≤ 1 + x',
      },
    ],
    [
      'argmax_i v_i ≤ n + f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: '(max(v[0], v[1]) < v[2] ? 2 : (v[0] < v[1] ? 1 : 0)) ≤ 3 + x',
      },
    ],
    [
      'argmin_i v_i ≤ n + f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: '(v[2] < min(v[0], v[1]) ? 2 : (v[1] < v[0] ? 1 : 0)) ≤ 3 + x',
      },
    ],
    [
      'v_i ≤ 1 + f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: 'v[0] ≤ t1 ∧ v[1] ≤ t1 ∧ v[2] ≤ t1; t1 = 1 + x',
      },
    ],
    [
      '∀ i: v_i ≤ 1 + f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: 'v[0] ≤ t1 ∧ v[1] ≤ t1 ∧ v[2] ≤ t1; t1 = 1 + x',
      },
    ],
    [
      '∃ i: v_i ≤ 1 + f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: 'v[0] ≤ t1 ∨ v[1] ≤ t1 ∨ v[2] ≤ t1; t1 = 1 + x',
      },
    ],
    [
      'Σ_{i≥1} v_i ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: 'v[1] + v[2] ≤ x',
      },
    ],
    [
      'max_{i≥1} v_i ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: 'max(v[1], v[2]) ≤ x',
      },
    ],
    [
      'v_0 ≤ f(x)',
      { variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'], claim: 'v[0] ≤ x' },
    ],
    [
      'v_3 ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: '0 ≤ x',
        defined: ['index: the index is inside the tensor ⟸ false'],
      },
    ],
    [
      'v_{n-1} ≤ f(x)',
      { variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'], claim: 'v[2] ≤ x' },
    ],
    [
      '‖v‖₂ ≤ n + f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: '√(v[0] · v[0] + v[1] · v[1] + v[2] · v[2]) ≤ 3 + x',
        defined: ['invalid: a root is of a number that is not negative ⟸ 0 ≤ v[0] · v[0] + v[1] · v[1] + v[2] · v[2]'],
      },
    ],
    [
      'mean(v) ≤ 1 + f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: '(v[0] + v[1] + v[2]) / 3 ≤ 1 + x',
      },
    ],
    [
      'Σ_i Σ_j v_i·v_j ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim:
          'v[0] · v[0] + v[0] · v[1] + v[0] · v[2] + (v[1] · v[0] + v[1] · v[1] + v[1] · v[2]) + (v[2] · v[0] + v[2] · v[1] + v[2] · v[2]) ≤ x',
      },
    ],
    [
      'i < j ⟹ v_i ≤ v_j + f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: 'v[0] ≤ v[1] + x ∧ v[0] ≤ t1 ∧ v[1] ≤ t1; t1 = v[2] + x',
      },
    ],
    [
      'Σ_i i·v_i ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: 'v[1] + 2 · v[2] ≤ x',
      },
    ],
    [
      'v_{⌊f(x)⌋} ≤ 1',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'v[2] f32 [-1, 1]'],
        claim: '(t1 = 0 ? v[0] : (t1 = 1 ? v[1] : v[2])) ≤ 1; t1 = floor(x)',
        defined: ['index: the index is inside the tensor ⟸ 0 ≤ t1 ∧ t1 ≤ 2; t1 = floor(x)'],
      },
    ],
  ])('%s', (formal, instance) => {
    expect(instanceText('x ∈ F32, |x| ≤ 8', formal, [3], 'v ∈ F32^n, 1 ≤ n ≤ 4, |v_i| ≤ 1')).toEqual(instance);
  });
});

describe('of a matrix, vectors and an index, the claim', () => {
  it.each<readonly [formal: string, instance: InstanceText]>([
    [
      'A_{k,1} ≤ f(x)',
      {
        variables: [
          'x f32 [-8, 8]',
          'A[0,0] f32 [-3, 3]',
          'A[0,1] f32 [-3, 3]',
          'A[1,0] f32 [-3, 3]',
          'A[1,1] f32 [-3, 3]',
          'k integer [0, 1]',
        ],
        claim: '(k = 0 ? A[0,1] : A[1,1]) ≤ x',
        defined: ['index: the index is inside the tensor ⟸ 0 ≤ k ∧ k ≤ 1'],
      },
    ],
    [
      'A_{0,k} ≤ f(x)',
      {
        variables: [
          'x f32 [-8, 8]',
          'A[0,0] f32 [-3, 3]',
          'A[0,1] f32 [-3, 3]',
          'A[1,0] f32 [-3, 3]',
          'A[1,1] f32 [-3, 3]',
          'k integer [0, 1]',
        ],
        claim: '(k = 0 ? A[0,0] : A[0,1]) ≤ x',
        defined: ['index: the index is inside the tensor ⟸ 0 ≤ k ∧ k ≤ 1'],
      },
    ],
    [
      'A_{k,k} ≤ f(x)',
      {
        variables: [
          'x f32 [-8, 8]',
          'A[0,0] f32 [-3, 3]',
          'A[0,1] f32 [-3, 3]',
          'A[1,0] f32 [-3, 3]',
          'A[1,1] f32 [-3, 3]',
          'k integer [0, 1]',
        ],
        claim: '(t1 ? (t1 ? A[0,0] : A[0,1]) : (t1 ? A[1,0] : A[1,1])) ≤ x; t1 = k = 0',
        defined: ['index: the index is inside the tensor ⟸ 0 ≤ k ∧ k ≤ 1'],
      },
    ],
    [
      'v_k ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'k integer [0, 1]'],
        claim: '(k = 0 ? v[0] : v[1]) ≤ x',
        defined: ['index: the index is inside the tensor ⟸ 0 ≤ k ∧ k ≤ 1'],
      },
    ],
    [
      '(A·v)_i ≤ f(x)',
      {
        variables: [
          'x f32 [-8, 8]',
          'A[0,0] f32 [-3, 3]',
          'A[0,1] f32 [-3, 3]',
          'A[1,0] f32 [-3, 3]',
          'A[1,1] f32 [-3, 3]',
          'v[0] f32 [-1, 1]',
          'v[1] f32 [-1, 1]',
        ],
        claim: 'A[0,0] · v[0] + A[0,1] · v[1] ≤ x ∧ A[1,0] · v[0] + A[1,1] · v[1] ≤ x',
      },
    ],
    [
      '‖A·v‖ ≤ f(x)',
      {
        variables: [
          'x f32 [-8, 8]',
          'A[0,0] f32 [-3, 3]',
          'A[0,1] f32 [-3, 3]',
          'A[1,0] f32 [-3, 3]',
          'A[1,1] f32 [-3, 3]',
          'v[0] f32 [-1, 1]',
          'v[1] f32 [-1, 1]',
        ],
        claim: '√(t1 · t1 + t2 · t2) ≤ x; t1 = A[0,0] · v[0] + A[0,1] · v[1]; t2 = A[1,0] · v[0] + A[1,1] · v[1]',
        defined: [
          'invalid: a root is of a number that is not negative ⟸ 0 ≤ t1 · t1 + t2 · t2; t1 = A[0,0] · v[0] + A[0,1] · v[1]; t2 = A[1,0] · v[0] + A[1,1] · v[1]',
        ],
      },
    ],
    [
      '(A^T)_ij ≤ f(x)',
      {
        variables: [
          'x f32 [-8, 8]',
          'A[0,0] f32 [-3, 3]',
          'A[0,1] f32 [-3, 3]',
          'A[1,0] f32 [-3, 3]',
          'A[1,1] f32 [-3, 3]',
        ],
        claim: 'A[0,0] ≤ x ∧ A[1,0] ≤ x ∧ A[0,1] ≤ x ∧ A[1,1] ≤ x',
      },
    ],
    [
      'v·w ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'w[0] f32 [-2, 2]', 'w[1] f32 [-2, 2]'],
        claim: 'v[0] · w[0] + v[1] · w[1] ≤ x',
      },
    ],
    [
      'Σ_i v_i·w_i ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'w[0] f32 [-2, 2]', 'w[1] f32 [-2, 2]'],
        claim: 'v[0] · w[0] + v[1] · w[1] ≤ x',
      },
    ],
    [
      '{ v if f(x) > 0; w otherwise }_i ≤ 1',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'w[0] f32 [-2, 2]', 'w[1] f32 [-2, 2]'],
        claim: '(t1 ? v[0] : w[0]) ≤ 1 ∧ (t1 ? v[1] : w[1]) ≤ 1; t1 = 0 < x',
      },
    ],
    [
      '(v + w)_i ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'w[0] f32 [-2, 2]', 'w[1] f32 [-2, 2]'],
        claim: 'v[0] + w[0] ≤ x ∧ v[1] + w[1] ≤ x',
      },
    ],
    [
      'max(v) ≤ f(x)',
      { variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'], claim: 'max(v[0], v[1]) ≤ x' },
    ],
    [
      'argmax(v) ≤ f(x)',
      { variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'], claim: '(v[0] < v[1] ? 1 : 0) ≤ x' },
    ],
    [
      'v_{argmax(v)} ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'],
        claim: '((v[0] < v[1] ? 1 : 0) = 0 ? v[0] : v[1]) ≤ x',
        defined: ['index: the index is inside the tensor ⟸ 0 ≤ t1 ∧ t1 ≤ 1; t1 = (v[0] < v[1] ? 1 : 0)'],
      },
    ],
    [
      'Σ_{i} { v_i if v_i > 0; 0 otherwise } ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'],
        claim: '(0 < v[0] ? v[0] : 0) + (0 < v[1] ? v[1] : 0) ≤ x',
      },
    ],
    [
      '∀ i: v_i > 0 ⟹ w_i/v_i ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'w[0] f32 [-2, 2]', 'w[1] f32 [-2, 2]'],
        claim: '(¬(0 < v[0]) ∨ w[0] / v[0] ≤ x) ∧ (¬(0 < v[1]) ∨ w[1] / v[1] ≤ x)',
        defined: [
          'division: a divisor is not 0 ⟸ ¬(0 < v[0]) ∨ ¬(v[0] = 0)',
          'division: a divisor is not 0 ⟸ ¬(0 < v[1]) ∨ ¬(v[1] = 0)',
        ],
      },
    ],
    [
      'Σ_i 1/v_i ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'],
        claim: '1 / v[0] + 1 / v[1] ≤ x',
        defined: ['division: a divisor is not 0 ⟸ ¬(v[0] = 0)', 'division: a divisor is not 0 ⟸ ¬(v[1] = 0)'],
      },
    ],
    [
      'f(x) > 0 ⟹ Σ_i 1/v_i ≤ 1',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'],
        claim: '¬(0 < x) ∨ 1 / v[0] + 1 / v[1] ≤ 1',
        defined: [
          'division: a divisor is not 0 ⟸ ¬(0 < x) ∨ ¬(v[0] = 0)',
          'division: a divisor is not 0 ⟸ ¬(0 < x) ∨ ¬(v[1] = 0)',
        ],
      },
    ],
    [
      '{ Σ_i 1/v_i if f(x) > 0; 0 otherwise } ≤ 1',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'],
        claim: '(0 < x ? 1 / v[0] + 1 / v[1] : 0) ≤ 1',
        defined: [
          'division: a divisor is not 0 ⟸ ¬(0 < x) ∨ ¬(v[0] = 0)',
          'division: a divisor is not 0 ⟸ ¬(0 < x) ∨ ¬(v[1] = 0)',
        ],
      },
    ],
    [
      'mean(v) + variance(v) ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'],
        claim: 't1 + (t2 · t2 + t3 · t3) / 2 ≤ x; t1 = (v[0] + v[1]) / 2; t2 = v[0] + t4; t3 = v[1] + t4; t4 = −t1',
      },
    ],
    ['Σ_{j<k} v_j ≤ f(x)', { refused: 'a range or a shape depends on the input' }],
    [
      '∃ i: v_i = max(v) ∧ f(x) ≤ 9',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'],
        claim: 'v[0] = t2 ∧ t1 ∨ v[1] = t2 ∧ t1; t1 = x ≤ 9; t2 = max(v[0], v[1])',
      },
    ],
    [
      '‖v - w‖_∞ ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]', 'w[0] f32 [-2, 2]', 'w[1] f32 [-2, 2]'],
        claim: 'max(|v[0] − w[0]|, |v[1] − w[1]|) ≤ x',
      },
    ],
    [
      '‖v‖_1 ≤ f(x)',
      { variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'], claim: '|v[0]| + |v[1]| ≤ x' },
    ],
    [
      'sum(v) ≤ f(x)',
      { variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'], claim: 'v[0] + v[1] ≤ x' },
    ],
    [
      'Σ_{i,j} A_ij ≤ f(x)',
      {
        variables: [
          'x f32 [-8, 8]',
          'A[0,0] f32 [-3, 3]',
          'A[0,1] f32 [-3, 3]',
          'A[1,0] f32 [-3, 3]',
          'A[1,1] f32 [-3, 3]',
        ],
        claim: 'A[0,0] + A[0,1] + A[1,0] + A[1,1] ≤ x',
      },
    ],
    [
      'max_{i,j} A_ij ≤ f(x)',
      {
        variables: [
          'x f32 [-8, 8]',
          'A[0,0] f32 [-3, 3]',
          'A[0,1] f32 [-3, 3]',
          'A[1,0] f32 [-3, 3]',
          'A[1,1] f32 [-3, 3]',
        ],
        claim: 'max(max(max(A[0,0], A[0,1]), A[1,0]), A[1,1]) ≤ x',
      },
    ],
    [
      'argmax_{i,j} A_ij ≤ f(x)',
      {
        variables: [
          'x f32 [-8, 8]',
          'A[0,0] f32 [-3, 3]',
          'A[0,1] f32 [-3, 3]',
          'A[1,0] f32 [-3, 3]',
          'A[1,1] f32 [-3, 3]',
        ],
        claim:
          '(max(t1, A[1,0]) < A[1,1] ? 3 : (t1 < A[1,0] ? 2 : (A[0,0] < A[0,1] ? 1 : 0))) ≤ x; t1 = max(A[0,0], A[0,1])',
      },
    ],
    [
      '∏_{i} (1 + v_i) ≤ f(x)',
      { variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'], claim: '(1 + v[0]) · (1 + v[1]) ≤ x' },
    ],
    [
      'min(v) ≤ f(x)',
      { variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'], claim: 'min(v[0], v[1]) ≤ x' },
    ],
    ['Σ_{i≠1} v_i ≤ f(x)', { variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'], claim: 'v[0] ≤ x' }],
    [
      'max_{i≠1} v_i ≤ f(x)',
      { variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'], claim: 'v[0] ≤ x' },
    ],
    [
      'argmax_{i≥1} v_i ≤ f(x)',
      { variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'], claim: '1 ≤ x' },
    ],
    [
      'Σ_{i<2} v_i ≤ f(x)',
      { variables: ['x f32 [-8, 8]', 'v[0] f32 [-1, 1]', 'v[1] f32 [-1, 1]'], claim: 'v[0] + v[1] ≤ x' },
    ],
  ])('%s', (formal, instance) => {
    expect(
      instanceText(
        'x ∈ F32, |x| ≤ 8',
        formal,
        [],
        'A ∈ F32^{2×2}, v ∈ F32^2, w ∈ F32^2, k ∈ ℤ, 0 ≤ k ≤ 1, |v_i| ≤ 1, |w_i| ≤ 2, |A_ij| ≤ 3',
      ),
    ).toEqual(instance);
  });
});
