/** Claims as other people write them: words that compare kernels, bare tolerances, neighbours, shapes and numbers that nothing declares. */
import { describe, expect, it } from 'vitest';
import type { ElaboratedContract } from '../../../../src/contract/goal.ts';
import { readContracts } from '../../../../src/contract/validate.ts';
import { elaborated } from '../support.ts';

const equations = `
rms: { formula: "y_i = x_i / sqrt(mean(x^2) + eps)", domain: "x in R^d, eps > 0" }
decay: { formula: "f_i = b^(-i) for i in [0, n)", domain: "b ∈ ℝ, b ≥ 2, n ∈ ℕ⁺" }
product: { formula: "C(A, B)_{i,j} = Σ_k A_{i,k} * B_{k,j}", domain: "A ∈ ℝ^{m×p}, B ∈ ℝ^{p×n}" }
double: { formula: "D(x) = 2 * x", domain: "x ∈ ℝ" }
`;
const of = (obligation: string, more = equations): ElaboratedContract =>
  elaborated({ equations: more, obligations: `- { type: equivalence, property: p, ${obligation} }` });
const claim = (formal: string, ...more: readonly string[]): ElaboratedContract =>
  of([`formal: "${formal}"`, ...more].join(', '));

describe('an equivalence without formal text', () => {
  const simd = (property: string, tolerance: string, more = equations): ElaboratedContract =>
    elaborated({
      equations: more,
      obligations: `- { type: equivalence, property: "${property}", tolerance: ${tolerance}, applies_to: simd }`,
    });

  it('that compares implementations is about kernels of every equation, within its tolerance', () => {
    const withoutNumbers = equations.replace(/^double.*$/mu, '');
    const { goals, notGoals } = simd('SIMD matches scalar within ULP', '8.0', withoutNumbers);
    expect(notGoals).toEqual([]);
    expect(goals).toMatchObject([
      {
        comparesKernels: true,
        toleranceText: 'ulp 8',
        equations: ['rms', 'decay', 'product'],
        formal: 'rms(x, eps) ≈ rms_ref(x, eps), decay(b) ≈ decay_ref(b), product(A, B) ≈ product_ref(A, B)',
      },
    ]);
  });

  it.each([
    ['words about no implementation', 'Round trip', '8.0', equations, 'it has no formal text'],
    ['no tolerance for real numbers', 'SIMD matches scalar', '0.0', equations, 'compares implementations'],
    [
      'an equation understood in part',
      'SIMD matches scalar',
      '4.0',
      'm: { formula: "M = a + b", domain: "Memory" }',
      'compares',
    ],
  ])('stays prose: %s', (_, property, tolerance, more, reason) => {
    const { goals, notGoals } = simd(property, tolerance, more);
    expect(goals).toEqual([]);
    expect(notGoals).toMatchObject([{ status: 'prose', reason: expect.stringContaining(reason) }]);
  });

  it('may say the same in its formal text', () => {
    const { goals } = elaborated({
      equations: 'double: { formula: "D(x) = 2 * x", domain: "x ∈ ℝ" }',
      obligations: '- { type: equivalence, property: p, formal: "SIMD matches scalar within ULP", tolerance: 8.0 }',
    });
    expect(goals).toMatchObject([{ comparesKernels: true, formal: 'double(x) ≈ double_ref(x)' }]);
  });

  it.each(['|D_avx2(x) - D_scalar(x)| < 8 ULP', '|double_gpu(x) - double_reference(x)| ≤ 8 ULP'])(
    'may name the implementations: %s',
    (formal) => {
      const { goals } = claim(formal);
      expect(goals).toMatchObject([{ comparesKernels: true, applications: [{ equation: 'double' }] }]);
    },
  );

  it.each([
    ['|D_avx2(x) - D_scalar(x)| < 8 ULP', '8.0', 1],
    ['|D_avx2(x) - D_scalar(x)| < 4 ULP', '8.0', 0],
  ])('may repeat its bound as its tolerance: %s and %s', (formal, tolerance, runs) => {
    const { goals } = elaborated({
      equations: 'double: { formula: "D(x) = 2 * x", domain: "x ∈ ℝ" }',
      obligations: `- { type: equivalence, property: p, formal: "${formal}", tolerance: ${tolerance} }`,
    });
    expect(goals).toHaveLength(runs);
  });

  it('is about another equation if one has the name of an implementation', () => {
    const { goals } = of(
      'formal: "D_gpu(x) = D(x)"',
      'a: { formula: "D(x) = 2 * x", domain: "x ∈ ℝ" }\nb: { formula: "D_gpu(x) = 2 * x", domain: "x ∈ ℝ" }',
    );
    expect(goals).toMatchObject([{ applications: [{ equation: 'b' }, { equation: 'a' }] }]);
    expect(goals[0]).not.toHaveProperty('comparesKernels');
  });

  it('is still asked for its text, with what its words are read as', () => {
    const text = [
      'metadata: { version: "1.0.0", description: d }',
      'equations: { f: { formula: "f(x) = 2·x", domain: "x ∈ ℝ" } }',
      'proof_obligations:',
      '  - { type: equivalence, property: SIMD matches scalar, tolerance: 4.0 }',
      '  - { type: equivalence, property: Round trip, tolerance: 4.0 }',
    ].join('\n');
    const { diagnostics } = readContracts([{ path: 'f-v1.yaml', text }], { elsewhere: [] });
    const asked = diagnostics.filter(({ code }) => code === 'PV-3016').map(({ message }) => message);
    expect(asked).toEqual([
      expect.stringContaining('its words are read as f(x) ≈ f_ref(x)'),
      expect.stringContaining('nothing can be checked'),
    ]);
  });

  it('is exact where the equations compute whole numbers', () => {
    const counts = 'n: { formula: "launches(L) = 12 * L", domain: "L ∈ ℕ, L ≤ 100" }';
    expect(simd('SIMD kernel equivalence', '0.0', counts).goals[0]?.formal).toBe('n(L) = n_ref(L)');
  });
});

describe('a bound that is the name of an input and of the tolerance', () => {
  it('is the tolerance if that is a bare number', () => {
    const { goals, notGoals } = claim('|rms(x + 0) - rms_ref(x)| < eps', 'tolerance: 1.0e-5');
    expect(notGoals).toEqual([]);
    expect(goals[0]?.toleranceText).toContain('1e-5');
  });

  it('is refused as before if the tolerance has parts', () => {
    expect(claim('|y_i - 1| ≤ eps', 'tolerance: { abs: 1e-6 }').diagnostics.map(({ code }) => code)).toContain(
      'PV-4045',
    );
  });

  it('is the input where nothing measures a distance', () => {
    const { goals } = claim('x_i - 1 < eps ⟹ y_i ≤ y_i + 1', 'tolerance: 1e-6');
    expect(goals[0]?.toleranceText ?? '').not.toContain('1e-6');
  });
});

describe('neighbouring elements', () => {
  it('are those that exist', () => {
    const { goals, notGoals } = claim('f_i > f_{i+1} for all i');
    expect(notGoals).toEqual([]);
    expect(goals).toHaveLength(1);
  });

  it('are still refused where the claim says how far its index runs', () => {
    expect(claim('f_i > f_{i+1} for i ∈ [0, n)').goals).toEqual([]);
  });
});

describe('shapes', () => {
  it.each(['shape(A @ B) = (rows(A), cols(B))', 'C(A, B).shape = [m, n]', 'shape(rms(x)) = shape(x)'])(
    'are facts of types: %s',
    (formal) => {
      const { goals, notGoals } = claim(formal);
      expect(notGoals).toEqual([]);
      expect(goals).toHaveLength(1);
    },
  );

  it('are nothing of numbers, and rows nothing of vectors', () => {
    expect(claim('shape(D(x)) = [1]').notGoals[0]?.reason).toMatch('a tensor has them');
    expect(claim('rows(rms(x)) = d').notGoals[0]?.reason).toMatch('a matrix has them');
  });

  it('are not shown by what is taken to be shaped like its argument', () => {
    const { notGoals } = of(
      'formal: "shape(y) = shape(x)"',
      'r: { formula: "y = x + attn(x)", domain: "x ∈ ℝ^n, a layer" }',
    );
    expect(notGoals[0]?.asRead).toBeDefined();
    expect(notGoals[0]).not.toHaveProperty('widened');
  });
});

describe('a number that nothing declares', () => {
  it('is any number if it occurs more than once, and the claim is then about more than is meant', () => {
    const { notGoals, diagnostics } = claim('D(alpha * x) = alpha * D(x)');
    expect(notGoals).toMatchObject([{ status: 'undetermined' }]);
    // alpha may be meant as a matrix: what holds of numbers then shows nothing.
    expect(notGoals[0]).not.toHaveProperty('widened');
    expect(notGoals[0]?.asRead?.domain.variables.map(({ name }) => name).toSorted()).toEqual(['alpha', 'x']);
    expect(diagnostics.map(({ code }) => code)).toContain('PV-4001');
  });

  it.each(['D(alpha * x) = 2 * D(x)', 'alpha ≤ alpha + 1', 'D(x) ≤ alpha(x) + alpha(x)'])(
    'is not assumed in %s',
    (formal) => {
      expect(claim(formal).notGoals[0]).not.toHaveProperty('asRead');
    },
  );
});

describe('a claim without a tolerance', () => {
  it('that names ε is read for every ε > 0', () => {
    const { goals, notGoals } = claim('|D(x) - 2 * x| < ε');
    expect(goals).toEqual([]);
    expect(notGoals).toMatchObject([{ widened: true, reason: expect.stringContaining('for every ε > 0') as string }]);
    expect(notGoals[0]?.asRead?.domain.variables).toMatchObject([{ name: 'x' }, { name: 'ε', lower: { open: true } }]);
  });

  it('that compares with ≈ is read as an equality over ℝ', () => {
    const { goals, notGoals } = claim('D(x) ≈ 2 * x');
    expect(goals).toEqual([]);
    expect(notGoals).toMatchObject([{ widened: true, asRead: { semantics: 'real', toleranceText: 'exact' } }]);
  });

  it('that compares a kernel with its reference alone says nothing', () => {
    expect(claim('D(x) ≈ D_ref(x)').notGoals[0]).not.toHaveProperty('asRead');
  });
});

describe('words about each time', () => {
  it.each(['at every step', 'at each iteration', 'for all training steps'])('"%s" takes nothing in', (words) => {
    expect(claim(`D(x) ≥ 2 * x ${words}`).notGoals).toMatchObject([{ widened: true }]);
  });

  it.each([
    'after every step',
    'at some step',
    'in each row',
    'for all averaging modes',
    'at every step except the first',
  ])('"%s" may mean more', (words) => {
    expect(claim(`D(x) ≥ 2 * x ${words}`).notGoals[0]).not.toHaveProperty('widened');
  });
});

it('takes a size and not the number of the same name from an equation that it names by its square', () => {
  const { goals } = of(
    'formal: "s² ≥ 0"',
    'a: { formula: "v = S / n", domain: "S ≥ 0, n ≥ 1" }\nb: { formula: "s² = Σ_i x_i² / n", domain: "x ∈ ℝ^n, n ≥ 1" }',
  );
  expect(goals[0]?.domain).toMatchObject({ sizes: [{ name: 'n' }], variables: [{ name: 'x' }] });
});

describe('a formula that states an identity', () => {
  it('of a known function is a condition, and leaves the function its meaning', () => {
    const { equations: models, notGoals } = of(
      'formal: "sum(softmax(x)) = 1", tolerance: 1e-6',
      'shift: { formula: "softmax(x + c) = softmax(x)", domain: "x ∈ ℝ^n, c ∈ ℝ" }',
    );
    expect(models).toMatchObject([{ name: 'shift', result: { kind: 'boolean' }, unread: expect.anything() as string }]);
    expect(notGoals[0]?.asRead?.formal).toBe('sum(softmax(x)) = 1');
  });
});
