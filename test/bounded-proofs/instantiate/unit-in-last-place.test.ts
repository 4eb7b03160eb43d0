/** Units in the last place: a variable for each that is not known, and what bounds it. */
import { describe, expect, it } from 'vitest';
import { instanceText, type InstanceText } from './instance-text.ts';

describe('within two units in the last place', () => {
  it.each<readonly [domain: string, formal: string, instance: InstanceText]>([
    [
      'x ∈ F32, |x| ≤ 8',
      'f(x) ≈ x',
      {
        variables: ['x f32 [-8, 8]', 'ulp:0 real [1.401298464324817e-45, 2.028240960365167e+31] for the unit of x'],
        premises: [
          '5.9604645e-8 · min(|fl(x)|, 3.4028235e38) ≤ ulp:0',
          'ulp:0 ≤ max(1e-45, 1.1920929e-7 · min(|fl(x)|, 3.4028235e38))',
          '0 ≤ 0.5 · ulp:0',
        ],
        claim: '0 ≤ 2 · ulp:0',
      },
    ],
    [
      'x ∈ F32, |x| ≤ 8',
      'f(x) ≈ x·x',
      {
        variables: ['x f32 [-8, 8]', 'ulp:0 real [1.401298464324817e-45, 2.028240960365167e+31] for the unit of x · x'],
        premises: [
          '5.9604645e-8 · min(|fl(x · x)|, 3.4028235e38) ≤ ulp:0',
          'ulp:0 ≤ max(1e-45, 1.1920929e-7 · min(|fl(x · x)|, 3.4028235e38))',
          't1 < −3.4028235e38 ∨ 3.4028235e38 < t1 ∨ |t1 − t2| ≤ 0.5 · ulp:0; t1 = fl(t2); t2 = x · x',
        ],
        claim: '|x − x · x| ≤ 2 · ulp:0',
      },
    ],
    [
      'x ∈ F32, |x| ≤ 8',
      'f(x) ≈ -x·x',
      {
        variables: [
          'x f32 [-8, 8]',
          'ulp:0 real [1.401298464324817e-45, 2.028240960365167e+31] for the unit of −(x · x)',
        ],
        premises: [
          '5.9604645e-8 · min(|fl(x · x)|, 3.4028235e38) ≤ ulp:0',
          'ulp:0 ≤ max(1e-45, 1.1920929e-7 · min(|fl(x · x)|, 3.4028235e38))',
          't1 < −3.4028235e38 ∨ 3.4028235e38 < t1 ∨ |−t1 + t2| ≤ 0.5 · ulp:0; t1 = fl(t2); t2 = x · x',
        ],
        claim: '|x + x · x| ≤ 2 · ulp:0',
      },
    ],
    [
      'x ∈ F64, |x| ≤ 8',
      'f(x) ≈ x',
      {
        variables: ['x f64 [-8, 8]', 'ulp:0 real [1.401298464324817e-45, 2.028240960365167e+31] for the unit of x'],
        premises: [
          '5.9604645e-8 · min(|fl(x)|, 3.4028235e38) ≤ ulp:0',
          'ulp:0 ≤ max(1e-45, 1.1920929e-7 · min(|fl(x)|, 3.4028235e38))',
          't1 < −3.4028235e38 ∨ 3.4028235e38 < t1 ∨ |t1 − x| ≤ 0.5 · ulp:0; t1 = fl(x)',
        ],
        claim: '0 ≤ 2 · ulp:0',
      },
    ],
    [
      'x ∈ ℝ, |x| ≤ 8',
      'f(x) ≈ x',
      {
        variables: ['x real [-8, 8]', 'ulp:0 real [1.401298464324817e-45, 2.028240960365167e+31] for the unit of x'],
        premises: [
          '5.9604645e-8 · min(|fl(x)|, 3.4028235e38) ≤ ulp:0',
          'ulp:0 ≤ max(1e-45, 1.1920929e-7 · min(|fl(x)|, 3.4028235e38))',
          't1 < −3.4028235e38 ∨ 3.4028235e38 < t1 ∨ |t1 − x| ≤ 0.5 · ulp:0; t1 = fl(x)',
        ],
        claim: '0 ≤ 2 · ulp:0',
      },
    ],
    [
      'x ∈ F16, |x| ≤ 8',
      'f(x) ≈ x',
      {
        variables: ['x f16 [-8, 8]', 'ulp:0 real [1.401298464324817e-45, 2.028240960365167e+31] for the unit of x'],
        premises: [
          '5.9604645e-8 · min(|fl(x)|, 3.4028235e38) ≤ ulp:0',
          'ulp:0 ≤ max(1e-45, 1.1920929e-7 · min(|fl(x)|, 3.4028235e38))',
          '0 ≤ 0.5 · ulp:0',
        ],
        claim: '0 ≤ 2 · ulp:0',
      },
    ],
    [
      'x ∈ ℤ, |x| ≤ 8',
      'f(x) ≈ x',
      {
        variables: ['x integer [-8, 8]', 'ulp:0 real [1.401298464324817e-45, 2.028240960365167e+31] for the unit of x'],
        premises: [
          '5.9604645e-8 · min(|fl(x)|, 3.4028235e38) ≤ ulp:0',
          'ulp:0 ≤ max(1e-45, 1.1920929e-7 · min(|fl(x)|, 3.4028235e38))',
          't1 < −3.4028235e38 ∨ 3.4028235e38 < t1 ∨ |t1 − x| ≤ 0.5 · ulp:0; t1 = fl(x)',
        ],
        claim: '0 ≤ 2 · ulp:0',
      },
    ],
    [
      'x ∈ F32, |x| ≤ 8',
      'f(x) ≈ { x if x > 0; x/3 otherwise }',
      {
        variables: [
          'x f32 [-8, 8]',
          'ulp:0 real [1.401298464324817e-45, 2.028240960365167e+31] for the unit of (0 < x ? x : x / 3)',
        ],
        premises: [
          '5.9604645e-8 · min(|fl((0 < x ? x : x / 3))|, 3.4028235e38) ≤ ulp:0',
          'ulp:0 ≤ max(1e-45, 1.1920929e-7 · min(|fl((0 < x ? x : x / 3))|, 3.4028235e38))',
          't1 < −3.4028235e38 ∨ 3.4028235e38 < t1 ∨ |(t3 ? x : t1) − (t3 ? x : t2)| ≤ 0.5 · ulp:0; t1 = fl(t2); t2 = x / 3; t3 = 0 < x',
        ],
        claim: '|x − (0 < x ? x : x / 3)| ≤ 2 · ulp:0',
      },
    ],
    ['x ∈ F32, |x| ≤ 8', 'f(x) ≈ 3', { variables: ['x f32 [-8, 8]'], claim: '|x + −3| ≤ 4.7683716e-7' }],
    ['x ∈ F32, |x| ≤ 8', 'f(x) ≈ 1e-45', { variables: ['x f32 [-8, 8]'], claim: '|x + ≈−1e-45| ≤ 3e-45' }],
    [
      'x ∈ F32, y ∈ F32, |x| ≤ 8, |y| ≤ 1',
      'f(x) ≈ x·y',
      {
        variables: [
          'x f32 [-8, 8]',
          'y f32 [-1, 1]',
          'ulp:0 real [1.401298464324817e-45, 2.028240960365167e+31] for the unit of x · y',
        ],
        premises: [
          '5.9604645e-8 · min(|fl(x · y)|, 3.4028235e38) ≤ ulp:0',
          'ulp:0 ≤ max(1e-45, 1.1920929e-7 · min(|fl(x · y)|, 3.4028235e38))',
          't1 < −3.4028235e38 ∨ 3.4028235e38 < t1 ∨ |t1 − t2| ≤ 0.5 · ulp:0; t1 = fl(t2); t2 = x · y',
        ],
        claim: '|x − x · y| ≤ 2 · ulp:0',
      },
    ],
    [
      'x ∈ F32, |x| ≤ 8',
      'f(x) ≈ x·x ∧ f(x) ≈ -(x·x)',
      {
        variables: [
          'x f32 [-8, 8]',
          'ulp:0 real [1.401298464324817e-45, 2.028240960365167e+31] for the unit of x · x',
          'ulp:1 real [1.401298464324817e-45, 2.028240960365167e+31] for the unit of −(x · x)',
        ],
        premises: [
          '5.9604645e-8 · min(|fl(x · x)|, 3.4028235e38) ≤ ulp:0',
          'ulp:0 ≤ max(1e-45, 1.1920929e-7 · min(|fl(x · x)|, 3.4028235e38))',
          't1 < −3.4028235e38 ∨ 3.4028235e38 < t1 ∨ |t1 − t2| ≤ 0.5 · ulp:0; t1 = fl(t2); t2 = x · x',
          '5.9604645e-8 · min(|fl(x · x)|, 3.4028235e38) ≤ ulp:1',
          'ulp:1 ≤ max(1e-45, 1.1920929e-7 · min(|fl(x · x)|, 3.4028235e38))',
          't1 < −3.4028235e38 ∨ 3.4028235e38 < t1 ∨ |−t1 + t2| ≤ 0.5 · ulp:1; t1 = fl(t2); t2 = x · x',
        ],
        claim: '|x − t1| ≤ 2 · ulp:0 ∧ |x + t1| ≤ 2 · ulp:1; t1 = x · x',
      },
    ],
    [
      'x ∈ F32, |x| ≤ 8',
      'f(x) ≈ x·x ∧ x·x ≈ x',
      {
        variables: [
          'x f32 [-8, 8]',
          'ulp:0 real [1.401298464324817e-45, 2.028240960365167e+31] for the unit of x · x',
          'ulp:1 real [1.401298464324817e-45, 2.028240960365167e+31] for the unit of x',
        ],
        premises: [
          '5.9604645e-8 · min(|fl(x · x)|, 3.4028235e38) ≤ ulp:0',
          'ulp:0 ≤ max(1e-45, 1.1920929e-7 · min(|fl(x · x)|, 3.4028235e38))',
          't1 < −3.4028235e38 ∨ 3.4028235e38 < t1 ∨ |t1 − t2| ≤ 0.5 · ulp:0; t1 = fl(t2); t2 = x · x',
          '5.9604645e-8 · min(|fl(x)|, 3.4028235e38) ≤ ulp:1',
          'ulp:1 ≤ max(1e-45, 1.1920929e-7 · min(|fl(x)|, 3.4028235e38))',
          '0 ≤ 0.5 · ulp:1',
        ],
        claim: '|x − t1| ≤ 2 · ulp:0 ∧ |t1 − x| ≤ 2 · ulp:1; t1 = x · x',
      },
    ],
  ])('over %s, %s', (domain, formal, instance) => {
    expect(instanceText(domain, formal, [], null, 2)).toEqual(instance);
  });
});
