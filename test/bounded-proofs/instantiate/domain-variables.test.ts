/** Inputs as variables of a problem: their numbers, their ends, and what else the domain says of them. */
import { describe, expect, it } from 'vitest';
import { instanceText, type InstanceText } from './instance-text.ts';

describe('the input of', () => {
  it.each<readonly [domain: string, instance: InstanceText]>([
    ['x ∈ ℝ', { variables: ['x real [−∞, ∞]'], claim: 'x ≤ 1' }],
    ['x ∈ F32', { variables: ['x f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]'], claim: 'x ≤ 1' }],
    ['x ∈ F16', { variables: ['x f16 [-65504, 65504]'], claim: 'x ≤ 1' }],
    ['x ∈ BF16', { variables: ['x bf16 [-3.3895313892515355e+38, 3.3895313892515355e+38]'], claim: 'x ≤ 1' }],
    ['x ∈ F64', { variables: ['x f64 [-1.7976931348623157e+308, 1.7976931348623157e+308]'], claim: 'x ≤ 1' }],
    ['x ∈ ℤ', { variables: ['x integer [−∞, ∞]'], claim: 'x ≤ 1' }],
    ['x ∈ ℕ', { variables: ['x integer [0, ∞]'], claim: 'x ≤ 1' }],
    ['x ∈ i32', { variables: ['x integer [-2147483648, 2147483647]'], claim: 'x ≤ 1' }],
    ['x ∈ {1, 2.5}', { variables: ['x real {1, 2.5}'], claim: 'x ≤ 1' }],
    ['x ∈ {0, 1}', { variables: ['x integer {0, 1}'], claim: 'x ≤ 1' }],
    ['x ∈ F32, 0 < x < 1', { variables: ['x f32 [1.401298464324817e-45, 0.9999999403953552]'], claim: 'x ≤ 1' }],
    ['x ∈ F32, 0 ≤ x ≤ 1', { variables: ['x f32 [0, 1]'], claim: 'x ≤ 1' }],
    ['x ∈ F32, 0.1 ≤ x ≤ 0.3', { variables: ['x f32 [0.10000000149011612, 0.29999998211860657]'], claim: 'x ≤ 1' }],
    ['x ∈ F16, 0.1 < x < 0.3', { variables: ['x f16 [0.10003662109375, 0.2998046875]'], claim: 'x ≤ 1' }],
    [
      'x ∈ F32, 0 < x ≤ 1e300',
      { variables: ['x f32 [1.401298464324817e-45, 3.4028234663852886e+38]'], claim: 'x ≤ 1' },
    ],
    ['x ∈ ℝ, 0 < x < 1', { variables: ['x real [0, 1]'], premises: ['0 < x', 'x < 1'], claim: 'x ≤ 1' }],
    ['x ∈ ℤ, 0 < x < 9', { variables: ['x integer [1, 8]'], claim: 'x ≤ 1' }],
    ['x ∈ ℤ, 0.5 ≤ x ≤ 8.5', { variables: ['x integer [1, 8]'], claim: 'x ≤ 1' }],
    [
      'x ∈ F32, x ≠ 0',
      {
        variables: ['x f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]'],
        premises: ['¬(x = 0)'],
        claim: 'x ≤ 1',
      },
    ],
    [
      'x ∈ F32, y ∈ F32, 0 ≤ y ≤ 4, x ≤ y',
      { variables: ['x f32 [-3.4028234663852886e+38, 4]', 'y f32 [0, 4]'], premises: ['x ≤ y'], claim: 'x ≤ 1' },
    ],
    [
      'x ∈ F32, y ∈ F32, 0 ≤ y ≤ 4, y < x',
      {
        variables: ['x f32 [1.401298464324817e-45, 3.4028234663852886e+38]', 'y f32 [0, 4]'],
        premises: ['y ≤ x', '¬(x = y)'],
        claim: 'x ≤ 1',
      },
    ],
    [
      'x ∈ F32, y ∈ F32, max(0, y) ≤ x ≤ 5',
      { variables: ['y f32 [-3.4028234663852886e+38, 5]', 'x f32 [0, 5]'], premises: ['y ≤ x'], claim: 'x ≤ 1' },
    ],
    ['x ∈ F32, |x| ≤ 4', { variables: ['x f32 [-4, 4]'], claim: 'x ≤ 1' }],
    ['x ∈ F32, x ≥ 1e39', { variables: ['x f32 [1.000000028875798e+39, 3.4028234663852886e+38]'], claim: 'x ≤ 1' }],
    [
      'x ∈ F32, y ∈ F32, 1/y ≤ x',
      {
        variables: [
          'y f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
          'x f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
        ],
        premises: ['¬(y = 0)', '1 / y ≤ x'],
        claim: 'x ≤ 1',
      },
    ],
    [
      'x ∈ F32_ext',
      {
        refused:
          'x may be NaN or infinite: proofs are about numbers, unless the strategy is exhaustive, which runs every value',
      },
    ],
    [
      'x ∈ F32, y ∈ F32, x·y ≤ 1',
      {
        variables: [
          'x f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
          'y f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
        ],
        premises: ['x · y ≤ 1'],
        claim: 'x ≤ 1',
      },
    ],
    ['x ∈ {0.1, 3}, x ∈ F32', { variables: ['x f32 {0.10000000149011612, 3}'], claim: 'x ≤ 1' }],
  ])('%s', (domain, instance) => {
    expect(instanceText(domain, 'f(x) ≤ 1')).toEqual(instance);
  });
});

describe('further inputs', () => {
  it.each<readonly [requires: string, formal: string, sizes: readonly number[], instance: InstanceText]>([
    [
      'p ∈ F32^n, 1 ≤ n ≤ 4, p_i ≥ 0, Σ_i p_i = 1',
      'p_i ≤ 1 + f(x)',
      [2],
      {
        variables: ['x f32 [-8, 8]', 'p[0] f32 [0, 1]', 'p[1] f32 [0, 1]'],
        premises: ['p[0] + p[1] = 1'],
        claim: 'p[0] ≤ t1 ∧ p[1] ≤ t1; t1 = 1 + x',
      },
    ],
    [
      'p ∈ F32^{2×n}, 1 ≤ n ≤ 4, p_ij ≥ 0, Σ_j p_ij = 1',
      'p_ij ≤ 1 + f(x)',
      [2],
      {
        variables: [
          'x f32 [-8, 8]',
          'p[0,0] f32 [0, 1]',
          'p[0,1] f32 [0, 1]',
          'p[1,0] f32 [0, 1]',
          'p[1,1] f32 [0, 1]',
        ],
        premises: ['p[0,0] + p[0,1] = 1', 'p[1,0] + p[1,1] = 1'],
        claim: 'p[0,0] ≤ t1 ∧ p[0,1] ≤ t1 ∧ p[1,0] ≤ t1 ∧ p[1,1] ≤ t1; t1 = 1 + x',
      },
    ],
    [
      'p ∈ F32^n, 1 ≤ n ≤ 4, -10 ≤ p_i ≤ 10, Σ_i p_i = 1',
      'p_i ≤ 1 + f(x)',
      [2],
      {
        variables: ['x f32 [-8, 8]', 'p[0] f32 [-10, 10]', 'p[1] f32 [-10, 10]'],
        premises: ['p[0] + p[1] = 1'],
        claim: 'p[0] ≤ t1 ∧ p[1] ≤ t1; t1 = 1 + x',
      },
    ],
    [
      't ∈ ℤ^n, 1 ≤ n ≤ 4, 0 ≤ t_i < 3',
      't_i ≤ f(x) + 3',
      [2],
      {
        variables: ['x f32 [-8, 8]', 't[0] integer [0, 2]', 't[1] integer [0, 2]'],
        claim: 't[0] ≤ t1 ∧ t[1] ≤ t1; t1 = x + 3',
      },
    ],
    [
      't ∈ F32^n, 1 ≤ n ≤ 4, t_i < t_{i+1}',
      't_0 ≤ f(x)',
      [3],
      {
        variables: [
          'x f32 [-8, 8]',
          't[0] f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
          't[1] f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
          't[2] f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
        ],
        premises: ['t[0] < t[1]', 't[1] < t[2]'],
        claim: 't[0] ≤ x',
      },
    ],
    [
      'b ∈ {0, 1}^n, 1 ≤ n ≤ 4',
      'Σ_i b_i ≤ n + f(x)',
      [2],
      { variables: ['x f32 [-8, 8]', 'b[0] integer {0, 1}', 'b[1] integer {0, 1}'], claim: 'b[0] + b[1] ≤ 2 + x' },
    ],
    [
      'A ∈ F32^{2×n}, 1 ≤ n ≤ 4',
      'A_ij ≤ A_ij + f(x)',
      [2],
      {
        variables: [
          'x f32 [-8, 8]',
          'A[0,0] f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
          'A[0,1] f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
          'A[1,0] f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
          'A[1,1] f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
        ],
        claim: 'A[0,0] ≤ A[0,0] + x ∧ A[0,1] ≤ A[0,1] + x ∧ A[1,0] ≤ A[1,0] + x ∧ A[1,1] ≤ A[1,1] + x',
      },
    ],
    ['c ∈ bool', 'c ∨ f(x) ≤ 1', [], { variables: ['x f32 [-8, 8]', 'c integer {0, 1}'], claim: 'c = 1 ∨ x ≤ 1' }],
    [
      'k ∈ ℤ, 0 ≤ k ≤ 2, v ∈ F32^3',
      'v_k ≤ f(x)',
      [],
      {
        variables: [
          'x f32 [-8, 8]',
          'k integer [0, 2]',
          'v[0] f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
          'v[1] f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
          'v[2] f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
        ],
        claim: '(k = 0 ? v[0] : (k = 1 ? v[1] : v[2])) ≤ x',
        defined: ['index: the index is inside the tensor ⟸ 0 ≤ k ∧ k ≤ 2'],
      },
    ],
    [
      'a ∈ F32, a > 0, b ∈ F32, b ≤ ln(a)',
      'b ≤ a + f(x)',
      [],
      {
        variables: [
          'x f32 [-8, 8]',
          'a f32 [1.401298464324817e-45, 3.4028234663852886e+38]',
          'b f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]',
        ],
        premises: ['0 < a', 'b ≤ log(a)'],
        claim: 'b ≤ a + x',
      },
    ],
    ['s ∈ string', 'f(x) ≤ 1', [], { variables: ['x f32 [-8, 8]'], claim: 'x ≤ 1' }],
  ])('%s', (requires, formal, sizes, instance) => {
    expect(instanceText('x ∈ F32, |x| ≤ 8', formal, sizes, requires)).toEqual(instance);
  });
});
