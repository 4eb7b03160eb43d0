/** Functions of the mathematics as expressions over the reals, and where they have a value. */
import { describe, expect, it } from 'vitest';
import { instanceText, type InstanceText } from './instance-text.ts';

describe('the claim', () => {
  it.each<readonly [formal: string, instance: InstanceText]>([
    ['f(x) + 1 ≤ 2', { variables: ['x f32 [-8, 8]'], claim: 'x + 1 ≤ 2' }],
    ['f(x) - 1 ≤ 2·x', { variables: ['x f32 [-8, 8]'], claim: 'x + −1 ≤ 2 · x' }],
    [
      'f(x) / x ≤ 1',
      { variables: ['x f32 [-8, 8]'], claim: 'x / x ≤ 1', defined: ['division: a divisor is not 0 ⟸ ¬(x = 0)'] },
    ],
    ['f(x)^2 ≥ 0', { variables: ['x f32 [-8, 8]'], claim: '0 ≤ x · x' }],
    [
      'f(x)^(-1) ≤ 1',
      { variables: ['x f32 [-8, 8]'], claim: '1 / x ≤ 1', defined: ['division: a divisor is not 0 ⟸ ¬(x = 0)'] },
    ],
    [
      'f(x)^0.5 ≤ 1',
      {
        variables: ['x f32 [-8, 8]'],
        claim: '√(x) ≤ 1',
        defined: ['invalid: a root is of a number that is not negative ⟸ 0 ≤ x'],
      },
    ],
    [
      'f(x)^x ≤ 1',
      {
        variables: ['x f32 [-8, 8]'],
        claim: 'pow(x, x) ≤ 1',
        defined: ['invalid: a power has a value ⟸ 0 < x ∨ x = 0 ∧ 0 ≤ x ∨ x < 0 ∧ x = floor(x)'],
      },
    ],
    [
      '√f(x) ≤ 1',
      {
        variables: ['x f32 [-8, 8]'],
        claim: '√(x) ≤ 1',
        defined: ['invalid: a root is of a number that is not negative ⟸ 0 ≤ x'],
      },
    ],
    [
      '1/√f(x) ≤ 1',
      {
        variables: ['x f32 [-8, 8]'],
        claim: '1 / √(x) ≤ 1',
        defined: [
          'invalid: a root is of a number that is not negative ⟸ 0 ≤ x',
          'division: a divisor is not 0 ⟸ ¬(√(x) = 0)',
        ],
      },
    ],
    ['|f(x)| ≤ 1', { variables: ['x f32 [-8, 8]'], claim: '|x| ≤ 1' }],
    ['-f(x) ≤ 1', { variables: ['x f32 [-8, 8]'], claim: '−x ≤ 1' }],
    ['⌊f(x)⌋ ≤ x', { variables: ['x f32 [-8, 8]'], claim: 'floor(x) ≤ x' }],
    ['⌈f(x)⌉ ≥ x', { variables: ['x f32 [-8, 8]'], claim: 'x ≤ ceiling(x)' }],
    ['round(f(x)) ≤ x', { variables: ['x f32 [-8, 8]'], claim: 'round-half-even(x) ≤ x' }],
    ['sign(f(x)) ≤ 1', { variables: ['x f32 [-8, 8]'], claim: '(0 < x ? 1 : (x < 0 ? −1 : 0)) ≤ 1' }],
    ['f(x) mod 3 ≤ 2', { variables: ['x f32 [-8, 8]'], claim: 'x mod 3 ≤ 2' }],
    [
      'f(x) mod x ≤ 2',
      { variables: ['x f32 [-8, 8]'], claim: 'x mod x ≤ 2', defined: ['division: a divisor is not 0 ⟸ ¬(x = 0)'] },
    ],
    ['7 mod 3 = 1', { variables: [], claim: 'true' }],
    ['min(f(x), 1) ≤ 1', { variables: ['x f32 [-8, 8]'], claim: 'min(x, 1) ≤ 1' }],
    ['max(f(x), 1) ≥ 1', { variables: ['x f32 [-8, 8]'], claim: '1 ≤ max(x, 1)' }],
    ['clamp(f(x), 0, 1) ≤ 1', { variables: ['x f32 [-8, 8]'], claim: 'min(max(x, 0), 1) ≤ 1' }],
    ['exp(f(x)) ≤ 1', { variables: ['x f32 [-8, 8]'], claim: 'exp(x) ≤ 1' }],
    ['exp(0)·f(x) ≤ 1', { variables: ['x f32 [-8, 8]'], claim: 'x ≤ 1' }],
    [
      'ln(f(x)) ≤ 1',
      {
        variables: ['x f32 [-8, 8]'],
        claim: 'log(x) ≤ 1',
        defined: ['invalid: a logarithm is of a positive number ⟸ 0 < x'],
      },
    ],
    [
      'log2(f(x)) ≤ 1',
      {
        variables: ['x f32 [-8, 8]'],
        claim: 'log2(x) ≤ 1',
        defined: ['invalid: a logarithm is of a positive number ⟸ 0 < x'],
      },
    ],
    [
      'log10(f(x)) ≤ 1',
      {
        variables: ['x f32 [-8, 8]'],
        claim: 'log10(x) ≤ 1',
        defined: ['invalid: a logarithm is of a positive number ⟸ 0 < x'],
      },
    ],
    ['sin(f(x)) ≤ 1', { variables: ['x f32 [-8, 8]'], claim: 'sin(x) ≤ 1' }],
    ['cos(f(x)) ≤ 1', { variables: ['x f32 [-8, 8]'], claim: 'cos(x) ≤ 1' }],
    [
      'tan(f(x)) ≤ 1',
      {
        variables: ['x f32 [-8, 8]'],
        claim: 'tan(x) ≤ 1',
        defined: ['division: a tangent is not at a pole ⟸ ¬(cos(x) = 0)'],
      },
    ],
    ['tanh(f(x)) ≤ 1', { variables: ['x f32 [-8, 8]'], claim: 'tanh(x) ≤ 1' }],
    ['sinh(f(x)) ≤ 1', { variables: ['x f32 [-8, 8]'], claim: 'sinh(x) ≤ 1' }],
    ['cosh(f(x)) ≥ 1', { variables: ['x f32 [-8, 8]'], claim: '1 ≤ cosh(x)' }],
    ['arctan(f(x)) ≤ 2', { variables: ['x f32 [-8, 8]'], claim: 'atan(x) ≤ 2' }],
    ['erf(f(x)) ≤ 1', { variables: ['x f32 [-8, 8]'], claim: 'erf(x) ≤ 1' }],
    ['expm1(f(x)) ≤ 1', { variables: ['x f32 [-8, 8]'], claim: 'exp(x) + −1 ≤ 1' }],
    [
      'log1p(f(x)) ≤ 1',
      {
        variables: ['x f32 [-8, 8]'],
        claim: 'log(1 + x) ≤ 1',
        defined: ['invalid: a logarithm is of a positive number ⟸ −1 < x'],
      },
    ],
    ['sigmoid(f(x)) ≤ 1', { variables: ['x f32 [-8, 8]'], claim: '1 / (1 + exp(−x)) ≤ 1' }],
    ['softplus(f(x)) ≥ 0', { variables: ['x f32 [-8, 8]'], claim: '0 ≤ log(1 + exp(x))' }],
    ['f(x)·3! ≤ 6', { variables: ['x f32 [-8, 8]'], claim: 'x · 6 ≤ 6' }],
    ['f(x) < x', { variables: ['x f32 [-8, 8]'], claim: 'false' }],
    ['f(x) > x', { variables: ['x f32 [-8, 8]'], claim: 'false' }],
    ['f(x) ≥ x', { variables: ['x f32 [-8, 8]'], claim: 'true' }],
    ['f(x) = x', { variables: ['x f32 [-8, 8]'], claim: 'true' }],
    ['f(x) ≠ x', { variables: ['x f32 [-8, 8]'], claim: 'false' }],
    ['f(x) > 0 ∧ x > 0', { variables: ['x f32 [-8, 8]'], claim: '0 < x' }],
    ['f(x) > 0 ∨ x > 0', { variables: ['x f32 [-8, 8]'], claim: '0 < x' }],
    ['f(x) > 0 ⟹ x > 0', { variables: ['x f32 [-8, 8]'], claim: '¬t1 ∨ t1; t1 = 0 < x' }],
    ['f(x) > 0 ⟺ x > 0', { variables: ['x f32 [-8, 8]'], claim: 't1 ∨ ¬t1; t1 = 0 < x' }],
    ['¬(f(x) > 0)', { variables: ['x f32 [-8, 8]'], claim: '¬(0 < x)' }],
    [
      'x > 0 ⟹ f(x)/x ≤ 1',
      {
        variables: ['x f32 [-8, 8]'],
        claim: '¬(0 < x) ∨ x / x ≤ 1',
        defined: ['division: a divisor is not 0 ⟸ ¬(0 < x) ∨ ¬(x = 0)'],
      },
    ],
    [
      'x ≤ 0 ∨ f(x)/x ≤ 1',
      {
        variables: ['x f32 [-8, 8]'],
        claim: 'x ≤ 0 ∨ x / x ≤ 1',
        defined: ['division: a divisor is not 0 ⟸ x ≤ 0 ∨ ¬(x = 0)'],
      },
    ],
    [
      'x > 0 ∧ f(x)/x ≤ 1',
      {
        variables: ['x f32 [-8, 8]'],
        claim: '0 < x ∧ x / x ≤ 1',
        defined: ['division: a divisor is not 0 ⟸ ¬(0 < x) ∨ ¬(x = 0)'],
      },
    ],
    [
      '{ f(x) if x > 0; 1/x otherwise } ≤ 1',
      {
        variables: ['x f32 [-8, 8]'],
        claim: '(0 < x ? x : 1 / x) ≤ 1',
        defined: ['division: a divisor is not 0 ⟸ 0 < x ∨ ¬(x = 0)'],
      },
    ],
    ['isfinite(f(x))', { variables: ['x f32 [-8, 8]'], claim: 'true' }],
    ['¬isnan(f(x))', { variables: ['x f32 [-8, 8]'], claim: 'true' }],
    ['π·f(x) ≤ 4', { variables: ['x f32 [-8, 8]'], claim: '4 · atan(1) · x ≤ 4' }],
    ['e·f(x) ≤ 4', { variables: ['x f32 [-8, 8]'], claim: 'exp(1) · x ≤ 4' }],
    ['f(x) ≤ 1e-3', { variables: ['x f32 [-8, 8]'], claim: 'x ≤ 1/1000' }],
    ['f(x) ≤ ∞', { refused: 'Infinity is not a number, and proofs are about numbers' }],
    ['f(x) < 0.1', { variables: ['x f32 [-8, 8]'], claim: 'x < 1/10' }],
    ['2^f(x) ≤ 4', { variables: ['x f32 [-8, 8]'], claim: 'pow(2, x) ≤ 4' }],
    ['√4·f(x) ≤ 2', { variables: ['x f32 [-8, 8]'], claim: '2 · x ≤ 2' }],
    ['√2·f(x) ≤ 2', { variables: ['x f32 [-8, 8]'], claim: '√(2) · x ≤ 2' }],
    ['ln(1) ≤ f(x)', { variables: ['x f32 [-8, 8]'], claim: '0 ≤ x' }],
    ['f(x)/0 ≤ 1', { variables: ['x f32 [-8, 8]'], claim: 'true', defined: ['division: a divisor is not 0 ⟸ false'] }],
    [
      '√(-1) ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]'],
        claim: '0 ≤ x',
        defined: ['invalid: a root is of a number that is not negative ⟸ false'],
      },
    ],
    [
      'ln(0) ≤ f(x)',
      {
        variables: ['x f32 [-8, 8]'],
        claim: 'log(0) ≤ x',
        defined: ['invalid: a logarithm is of a positive number ⟸ false'],
      },
    ],
    [
      '(-2)^f(x) ≤ 1',
      {
        variables: ['x f32 [-8, 8]'],
        claim: 'pow(−2, x) ≤ 1',
        defined: ['invalid: a power has a value ⟸ x = floor(x)'],
      },
    ],
    [
      '0^(-1) ≤ f(x)',
      { variables: ['x f32 [-8, 8]'], claim: '0 ≤ x', defined: ['division: a divisor is not 0 ⟸ false'] },
    ],
    ['(f(x)!) ≤ 1', { refused: '`f(x)!`: a factorial of what is not a small known number has no model in proofs' }],
  ])('%s', (formal, instance) => {
    expect(instanceText('x ∈ F32, |x| ≤ 8', formal)).toEqual(instance);
  });
});
