/** Sums, extrema, quantifiers and elements (`translate.ts`, `reduction.ts`), unrolled at n = 3. */
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
