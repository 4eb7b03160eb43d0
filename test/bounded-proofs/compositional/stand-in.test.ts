/**
 * What is proved of a kernel in the place of its code (`stand-in.ts`, `membership.ts`, `proved-claim.ts`): fresh outputs, what is known of them, and that the kernel is called inside its domain.
 *
 * Holds src/bounded-proofs/compositional/membership.ts, src/bounded-proofs/compositional/proved-claim.ts.
 */
import { describe, expect, it } from 'vitest';
import { assumedText, type Above, type AssumedText, type Below } from './assumed-text.ts';

const below: Below = { domain: 'x ∈ F32, 0 ≤ x ≤ 1', codomain: 'g(x) ∈ F32', proved: ['0 ≤ g(x)'] };
const requires = 'y ∈ F32, 0 ≤ y ≤ 1';

describe('in the place of g', () => {
  it.each<readonly [given: Below, above: Above, assumed: AssumedText]>([
    [
      { domain: 'x ∈ F32, 0 ≤ x ≤ 1', codomain: 'g(x) ∈ F32', proved: ['0 ≤ g(x)'] },
      { formal: 'g(y) ≥ -1', requires: 'y ∈ F32, 0 ≤ y ≤ 1', sizes: [] },
      {
        variables: ['y f32 [0, 1]', 'out:0[0] f32 [0, 3.4028234663852886e+38]'],
        claim: '−1 ≤ out:0[0]',
        assumed: ['P0: 0 ≤ out:0[0]'],
        demanded: ['precondition: g: x is inside its bounds ⟸ 0 ≤ y ∧ y ≤ 1'],
      },
    ],
    [
      { domain: 'x ∈ F32, 0 ≤ x ≤ 1', codomain: 'g(x) ∈ F32', proved: ['0 ≤ g(x)', 'g(x) ≤ 1/3'] },
      { formal: 'g(y) ≥ -1', requires: 'y ∈ F32, 0 ≤ y ≤ 1', sizes: [] },
      {
        variables: ['y f32 [0, 1]', 'out:0[0] f32 [0, 0.3333333134651184]'],
        claim: '−1 ≤ out:0[0]',
        assumed: ['P0: 0 ≤ out:0[0]', 'P1: out:0[0] ≤ 1/3'],
        demanded: ['precondition: g: x is inside its bounds ⟸ 0 ≤ y ∧ y ≤ 1'],
      },
    ],
    [
      {
        domain: 'x ∈ F32, 0 ≤ x ≤ 1',
        codomain: 'g(x) ∈ F32',
        proved: ['0 ≤ g(x)', '0.5 ≤ g(x)', 'g(x) ≤ 3', 'g(x) ≤ 2'],
      },
      { formal: 'g(y) ≥ -1', requires: 'y ∈ F32, 0 ≤ y ≤ 1', sizes: [] },
      {
        variables: ['y f32 [0, 1]', 'out:0[0] f32 [0.5, 2]'],
        claim: '−1 ≤ out:0[0]',
        assumed: ['P0: 0 ≤ out:0[0]', 'P1: 0.5 ≤ out:0[0]', 'P2: out:0[0] ≤ 3', 'P3: out:0[0] ≤ 2'],
        demanded: ['precondition: g: x is inside its bounds ⟸ 0 ≤ y ∧ y ≤ 1'],
      },
    ],
    [
      { domain: 'x ∈ F32, 0 ≤ x ≤ 1', codomain: 'g(x) ∈ F32', proved: ['x ≤ g(x)'] },
      { formal: 'g(y) ≥ -1', requires: 'y ∈ F32, 0 ≤ y ≤ 1', sizes: [] },
      {
        variables: ['y f32 [0, 1]', 'out:0[0] f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]'],
        premises: ['y ≤ out:0[0]'],
        claim: '−1 ≤ out:0[0]',
        assumed: ['P0: y ≤ out:0[0]'],
        demanded: ['precondition: g: x is inside its bounds ⟸ 0 ≤ y ∧ y ≤ 1'],
      },
    ],
    [
      { domain: 'x ∈ F32, 0 ≤ x ≤ 1', codomain: 'g(x) ∈ F32', proved: ['0 < g(x)'] },
      { formal: 'g(y) ≥ -1', requires: 'y ∈ F32, 0 ≤ y ≤ 1', sizes: [] },
      {
        variables: ['y f32 [0, 1]', 'out:0[0] f32 [-3.4028234663852886e+38, 3.4028234663852886e+38]'],
        premises: ['0 < out:0[0]'],
        claim: '−1 ≤ out:0[0]',
        assumed: ['P0: 0 < out:0[0]'],
        demanded: ['precondition: g: x is inside its bounds ⟸ 0 ≤ y ∧ y ≤ 1'],
      },
    ],
    [
      { domain: 'x ∈ F32, 0 ≤ x ≤ 1', codomain: 'g(x) ∈ F32', proved: ['0 ≤ g(x)'] },
      { formal: 'g(y) ≥ -1', requires: 'y ∈ F32, -3 ≤ y ≤ 9', sizes: [] },
      {
        variables: ['y f32 [-3, 9]', 'out:0[0] f32 [0, 3.4028234663852886e+38]'],
        claim: '−1 ≤ out:0[0]',
        assumed: ['P0: 0 ≤ out:0[0]'],
        demanded: ['precondition: g: x is inside its bounds ⟸ 0 ≤ y ∧ y ≤ 1'],
      },
    ],
    [
      { domain: 'x ∈ F32, 0 ≤ x ≤ 1', codomain: 'g(x) ∈ F32', proved: ['0 ≤ g(x)'] },
      { formal: 'g(y·y) ≥ -1', requires: 'y ∈ F32, 0 ≤ y ≤ 1', sizes: [] },
      {
        variables: ['y f32 [0, 1]', 'out:0[0] f32 [0, 3.4028234663852886e+38]'],
        claim: '−1 ≤ out:0[0]',
        assumed: ['P0: 0 ≤ out:0[0]'],
        demanded: ['precondition: g: x is inside its bounds ⟸ 0 ≤ t1 ∧ t1 ≤ 1; t1 = fl(y · y)'],
      },
    ],
    [
      { domain: 'x ∈ F32, 0 ≤ x ≤ 1', codomain: 'g(x) ∈ F32', proved: ['0 ≤ g(x)'] },
      { formal: 'g(y) ≤ g(1) + 1', requires: 'y ∈ F32, 0 ≤ y ≤ 1', sizes: [] },
      {
        variables: [
          'y f32 [0, 1]',
          'out:0[0] f32 [0, 3.4028234663852886e+38]',
          'out:1[0] f32 [0, 3.4028234663852886e+38]',
        ],
        claim: 'out:0[0] ≤ out:1[0] + 1',
        assumed: ['P0: 0 ≤ out:0[0]', 'P0: 0 ≤ out:1[0]'],
        demanded: ['precondition: g: x is inside its bounds ⟸ 0 ≤ y ∧ y ≤ 1'],
      },
    ],
    [
      { domain: 'x ∈ F32, 0 ≤ x ≤ 1', codomain: 'g(x) ∈ F32', proved: ['g(x) ≤ g(0)'] },
      { formal: 'g(y) ≥ -1', requires: 'y ∈ F32, 0 ≤ y ≤ 1', sizes: [] },
      { refused: 'nothing assumed about g is proved' },
    ],
    [
      { domain: 'x ∈ F32, 0 < x < 1', codomain: 'g(x) ∈ F32', proved: ['0 ≤ g(x)'] },
      { formal: 'g(y) ≥ -1', requires: 'y ∈ F32, -1 ≤ y ≤ 1', sizes: [] },
      {
        variables: ['y f32 [-1, 1]', 'out:0[0] f32 [0, 3.4028234663852886e+38]'],
        claim: '−1 ≤ out:0[0]',
        assumed: ['P0: 0 ≤ out:0[0]'],
        demanded: ['precondition: g: x is inside its bounds ⟸ 0 < y ∧ y < 1'],
      },
    ],
    [
      { domain: 'x ∈ F32, x ≠ 0', codomain: 'g(x) ∈ F32', proved: ['0 ≤ g(x)'] },
      { formal: 'g(y) ≥ -1', requires: 'y ∈ F32, -1 ≤ y ≤ 1', sizes: [] },
      {
        variables: ['y f32 [-1, 1]', 'out:0[0] f32 [0, 3.4028234663852886e+38]'],
        claim: '−1 ≤ out:0[0]',
        assumed: ['P0: 0 ≤ out:0[0]'],
        demanded: ['precondition: g: x is inside its bounds ⟸ ¬(y = 0)'],
      },
    ],
    [
      { domain: 'x ∈ ℤ, 0 ≤ x ≤ 4', codomain: 'g(x) ∈ ℤ', proved: ['0 ≤ g(x)'] },
      { formal: 'g(y) ≥ -1', requires: 'y ∈ ℤ, 0 ≤ y ≤ 9', sizes: [] },
      {
        variables: ['y integer [0, 9]', 'out:0[0] integer [0, 3.4028234663852886e+38]'],
        claim: '−1 ≤ out:0[0]',
        assumed: ['P0: 0 ≤ out:0[0]'],
        demanded: ['precondition: g: x is inside its bounds ⟸ 0 ≤ y ∧ y ≤ 4'],
      },
    ],
    [
      { domain: 'x ∈ F32, 1/x ≤ 4', codomain: 'g(x) ∈ F32', proved: ['0 ≤ g(x)'] },
      { formal: 'g(y) ≥ -1', requires: 'y ∈ F32, -1 ≤ y ≤ 1', sizes: [] },
      {
        variables: ['y f32 [-1, 1]', 'out:0[0] f32 [0, 3.4028234663852886e+38]'],
        claim: '−1 ≤ out:0[0]',
        assumed: ['P0: 0 ≤ out:0[0]'],
        demanded: [
          'precondition: g: a precondition holds ⟸ 1 / y ≤ 4',
          'precondition: g: a divisor is not 0 ⟸ ¬(y = 0)',
        ],
      },
    ],
    [
      { domain: 'x ∈ F64, 0 ≤ x ≤ 1', codomain: 'g(x) ∈ F32', proved: ['0 ≤ g(x)'] },
      { formal: 'g(y) ≥ -1', requires: 'y ∈ F32, -1 ≤ y ≤ 1', sizes: [] },
      { refused: 'x of a replaced kernel is neither a float32 nor an integer' },
    ],
    [
      { domain: 'x ∈ F32^n, 1 ≤ n ≤ 4, |x_i| ≤ 1', codomain: 'g(x) ∈ F32^n', proved: ['0 ≤ g(x)_i'] },
      { formal: 'g(y)_i ≥ -1', requires: 'y ∈ F32^m, 1 ≤ m ≤ 4, |y_i| ≤ 1', sizes: [2] },
      {
        variables: [
          'y[0] f32 [-1, 1]',
          'y[1] f32 [-1, 1]',
          'out:0[0] f32 [0, 3.4028234663852886e+38]',
          'out:0[1] f32 [0, 3.4028234663852886e+38]',
        ],
        claim: '−1 ≤ out:0[0] ∧ −1 ≤ out:0[1]',
        assumed: ['P0: 0 ≤ out:0[0] ∧ 0 ≤ out:0[1]'],
        demanded: ['precondition: g: x is inside its bounds ⟸ −1 ≤ y[0] ∧ y[0] ≤ 1 ∧ −1 ≤ y[1] ∧ y[1] ≤ 1'],
      },
    ],
    [
      { domain: 'x ∈ F32^n, 1 ≤ n ≤ 4, |x_i| ≤ 1', codomain: 'g(x) ∈ F32^n', proved: ['0 ≤ g(x)_i'] },
      { formal: 'g(y)_i ≥ -1', requires: 'y ∈ F32^m, 1 ≤ m ≤ 4, |y_i| ≤ 1', sizes: [3] },
      { refused: 'nothing assumed about g is proved at n = 3' },
    ],
    [
      { domain: 'x ∈ F32^n, 1 ≤ n ≤ 4, x_i ≥ 0, Σ_i x_i = 1', codomain: 'g(x) ∈ F32^n', proved: ['0 ≤ g(x)_i'] },
      { formal: 'g(y)_i ≥ -1', requires: 'y ∈ F32^m, 1 ≤ m ≤ 4, |y_i| ≤ 1', sizes: [2] },
      {
        variables: [
          'y[0] f32 [-1, 1]',
          'y[1] f32 [-1, 1]',
          'out:0[0] f32 [0, 3.4028234663852886e+38]',
          'out:0[1] f32 [0, 3.4028234663852886e+38]',
        ],
        claim: '−1 ≤ out:0[0] ∧ −1 ≤ out:0[1]',
        assumed: ['P0: 0 ≤ out:0[0] ∧ 0 ≤ out:0[1]'],
        demanded: ['precondition: g: x is inside its bounds ⟸ 0 ≤ y[0] ∧ 0 ≤ y[1] ∧ y[0] + y[1] = 1'],
      },
    ],
    [
      { domain: 'x ∈ F32^n, 1 ≤ n ≤ 4, x_i < x_{i+1}', codomain: 'g(x) ∈ F32^n', proved: ['0 ≤ g(x)_i'] },
      { formal: 'g(y)_i ≥ -1', requires: 'y ∈ F32^m, 1 ≤ m ≤ 4, |y_i| ≤ 1', sizes: [2] },
      {
        variables: [
          'y[0] f32 [-1, 1]',
          'y[1] f32 [-1, 1]',
          'out:0[0] f32 [0, 3.4028234663852886e+38]',
          'out:0[1] f32 [0, 3.4028234663852886e+38]',
        ],
        claim: '−1 ≤ out:0[0] ∧ −1 ≤ out:0[1]',
        assumed: ['P0: 0 ≤ out:0[0] ∧ 0 ≤ out:0[1]'],
        demanded: ['precondition: g: x is inside its bounds ⟸ y[0] < y[1]'],
      },
    ],
    [
      { domain: 'x ∈ F32, 0 ≤ x ≤ 1', codomain: 'g(x) ∈ F32', proved: [] },
      { formal: 'g(y) ≥ -1', requires: 'y ∈ F32, 0 ≤ y ≤ 1', sizes: [] },
      { refused: 'nothing assumed about g is proved' },
    ],
  ])('%o, for %o', (given, above, assumed) => {
    expect(assumedText(given, above)).toEqual(assumed);
  });
});

it('is not used over the reals: it was proved of float32 code', () => {
  expect(assumedText(below, { formal: 'g(y) ≥ -1', requires, sizes: [], reading: 'real' })).toHaveProperty('refused');
});

it('has one output for equal calls', () => {
  expect(assumedText(below, { formal: 'g(y) + g(y) ≥ g(1) - 1', requires, sizes: [] })).toMatchObject({
    variables: ['y f32 [0, 1]', expect.stringContaining('out:0[0] f32'), expect.stringMatching(/^out:\d\[0\] f32/)],
    claim: expect.stringContaining('out:0[0] + out:0[0]'),
  });
});
