import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import type { ElaboratedContract } from '../../../src/contract/goal.ts';
import { decimalArithmetic } from '../../../src/math/evaluate/exact.ts';
import { float64 } from '../../../src/math/evaluate/floats.ts';
import { MAX_FLOAT32 } from '../../../src/numeric/float.ts';
import { toFloat } from '../../../src/numeric/rational.ts';
import { completeAssignment, createEvaluator } from '../../../src/bounded-proofs/evaluate.ts';
import { argumentsOf } from '../../../src/bounded-proofs/arguments-of.ts';
import type { Expression } from '../../../src/bounded-proofs/expression.ts';
import { instantiate } from '../../../src/bounded-proofs/instantiate/instantiate.ts';
import type { InstanceRequest, ProofSubject } from '../../../src/bounded-proofs/instantiate/instance-request.ts';
import { printProofExpression } from '../../../src/bounded-proofs/print-expression.ts';
import type { ProofInstance, Reading } from '../../../src/bounded-proofs/problem.ts';
import { claim, elaborated, goal, softmax } from '../../contract/elaborate/support.ts';
import { shippedKernel } from '../../support/kernels.ts';

const decimals = decimalArithmetic(120);

/** A contract of one equation `f(x) = x` over a domain, with one claim. */
function overDomain(domain: string, formal: string, rest = ''): ElaboratedContract {
  return elaborated({
    equations: `f:\n  formula: "f(x) = x"\n  domain: "${domain}"\n  codomain: "f(x) ∈ ℝ"`,
    obligations: `- { id: C, type: invariant, property: p, formal: "${formal}"${rest} }`,
  });
}

/** The subjects of the contract's own equations: formulas, or the kernel given. */
function subjectsOf({ equations }: ElaboratedContract, bound: ProofSubject['bound'] = null): readonly ProofSubject[] {
  return equations.map((model) => ({ equation: model.name, model, bound }));
}

function request(
  contract: ElaboratedContract,
  sizes: readonly number[],
  extra: Partial<InstanceRequest> = {},
): InstanceRequest {
  return { goal: goal(contract), subjects: subjectsOf(contract), sizes, reading: 'float32', ...extra };
}

function made(given: InstanceRequest): ProofInstance {
  const instance = instantiate(given);
  invariant(instance.ok, instance.ok ? '' : instance.error.message);
  return instance.value;
}

async function softmaxSubject(contract: ElaboratedContract): Promise<readonly ProofSubject[]> {
  const program = await shippedKernel('softmax', 'softmax');
  return subjectsOf(contract, {
    program,
    arguments: [
      { kind: 'parameter', index: 0 },
      { kind: 'size', index: 0 },
    ],
    output: null,
  });
}

const text = (expression: Expression): string => printProofExpression(expression);

function kindsIn(roots: readonly Expression[]): ReadonlySet<string> {
  const seen = new Set<Expression>(roots);
  for (const expression of seen) for (const part of argumentsOf(expression)) seen.add(part);
  return new Set([...seen].map(({ kind }) => kind));
}

describe('inputs', () => {
  it('have the numbers of their format within the bounds', () => {
    const { problem } = made(request(overDomain('x ∈ F32, 0 < x ≤ 0.1', 'f(x) = x'), []));
    const [x] = problem.variables;
    expect(x).toMatchObject({ name: 'x', format: 'f32', choices: null });
    expect([x?.low, x?.high].map((end) => end && toFloat(end))).toEqual([2 ** -149, Math.fround(0.1) - 2 ** -27]);
  });

  it('without bounds reach to the largest number', () => {
    const { problem } = made(request(overDomain('x ∈ F16', 'f(x) = x'), []));
    expect(problem.variables.map(({ low, high }) => [low, high].map((end) => end && toFloat(end)))).toEqual([
      [-65504, 65504],
    ]);
  });

  it.each([
    ['x ∈ ℝ', 'real', null, null],
    ['x ∈ ℝ_≥0', 'real', 0, null],
    ['x ∈ ℤ', 'integer', null, null],
    ['x ∈ ℕ', 'integer', 0, null],
    ['x ∈ i32', 'integer', -(2 ** 31), 2 ** 31 - 1],
    ['x ∈ [0, 1]', 'real', 0, 1],
    ['x ∈ F32, x ≥ 0', 'f32', 0, MAX_FLOAT32],
  ])('of %s are those numbers, and end where they do', (domain, format, from, to) => {
    const { problem } = made(request(overDomain(domain, 'f(x) = x'), []));
    const ends = problem.variables.map(({ low, high }) => [low, high].map((end) => end && toFloat(end)));
    expect(problem.variables.map((variable) => variable.format)).toEqual([format]);
    expect(ends).toEqual([[from, to]]);
  });

  it('are named by their indices, row-major', () => {
    const contract = overDomain(
      'x ∈ ℝ, A ∈ F32^{2×n}, 1 ≤ n ≤ 4, |A_ij| ≤ 1',
      'A_ij + x ≤ 1 + x',
      ', requires: ["A ∈ F32^{2×n}, |A_ij| ≤ 1, 1 ≤ n ≤ 4"]',
    );
    const { problem, sizes } = made(request(contract, [2]));
    expect(sizes).toEqual({ n: 2 });
    expect(problem.variables.map(({ name }) => name).filter((name) => name !== 'x')).toEqual([
      'A[0,0]',
      'A[0,1]',
      'A[1,0]',
      'A[1,1]',
    ]);
  });

  it.each([
    ['x ∈ {1, 2.5}', 'choices', [1, 2.5]],
    ['x ∈ ℤ, 0 ≤ x ≤ 7', 'bounds', [0, 7]],
  ])('of %s keep it as %s', (domain, what, numbers) => {
    const [x] = made(request(overDomain(domain, 'f(x) ≥ 0'), [])).problem.variables;
    invariant(x, 'there is an input');
    expect((what === 'choices' ? (x.choices ?? []) : [x.low, x.high]).map((end) => end && toFloat(end))).toEqual(
      numbers,
    );
  });

  it('that bounds and exclusions tie to others become premises', () => {
    const contract = overDomain('x ∈ F32, y ∈ F32, 0 ≤ y ≤ 4, x ≤ y, x ≠ 0', 'f(x) ≤ y');
    const { premises, variables } = made(request(contract, [])).problem;
    expect(premises.map(text)).toContain('x ≤ y');
    expect(premises.map(text)).toContain('¬(x = 0)');
    // Beside the other input, its own numbers bound y.
    expect(
      variables
        .filter(({ name }) => name === 'y')
        .map(({ low, high }) => [low, high].map((end) => end && toFloat(end))),
    ).toEqual([[0, 4]]);
  });

  it('that sum to one, or increase, say so', () => {
    const simplex = overDomain(
      'x ∈ ℝ, p ∈ F32^n, 1 ≤ n ≤ 4, p_i ≥ 0, Σ_i p_i = 1',
      'p_i ≤ 1',
      ', requires: ["p ∈ F32^n, 1 ≤ n ≤ 4, p_i ≥ 0, Σ_i p_i = 1"]',
    );
    const { problem } = made(request(simplex, [3]));
    expect(problem.premises.map(text)).toContain('p[0] + p[1] + p[2] = 1');
    expect(
      problem.variables
        .filter(({ name }) => name.startsWith('p'))
        .map(({ low, high }) => [low, high].map((end) => end && toFloat(end))),
    ).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
  });
});

describe('rows that sum to one', () => {
  it('may have negative elements where the domain says so', () => {
    const signed = 'p ∈ F32^n, 1 ≤ n ≤ 4, -10 ≤ p_i ≤ 10, Σ_i p_i = 1';
    const { problem } = made(request(overDomain(`x ∈ ℝ, ${signed}`, 'p_i ≤ 1', `, requires: ["${signed}"]`), [2]));
    const ends = problem.variables
      .filter(({ name }) => name.startsWith('p'))
      .map(({ low, high }) => [low, high].map((end) => end && toFloat(end)));
    expect(ends).toEqual([
      [-10, 10],
      [-10, 10],
    ]);
  });
});

describe('claims', () => {
  it('about a kernel run its code, and round what they store for it', async () => {
    const contract = claim('σ(x + c) ≈ σ(x)', ', requires: ["c ∈ F32, |c| ≤ 64"], tolerance: { abs: 1e-4 }');
    const instance = made(request(contract, [2], { subjects: await softmaxSubject(contract) }));
    expect(instance.subject).toBe('kernel');
    expect(instance.outputs.map(({ output, elements }) => [output, elements.length])).toEqual([
      ['out:0', 2],
      ['out:1', 2],
    ]);
    expect(instance.outputs.map(({ elements: [first] }) => (first ? text(first) : '')).join('\n')).toContain(
      'fl(x[0] + c)',
    );
    expect(new Set(instance.safety.map(({ kind }) => kind))).toEqual(new Set(['overflow', 'division']));
  });

  it('about a formula are labelled so, and nothing in them is rounded', () => {
    const instance = made(request(claim('|Σ_i σ(x)_i - 1| ≤ 1e-6'), [3]));
    expect(instance).toMatchObject({ subject: 'formula', safety: [] });
    expect(instance.defined.map(({ kind }) => kind)).toEqual(['division']);
    const kinds = kindsIn([instance.problem.conclusion]);
    expect([kinds.has('round32'), kinds.has('machine'), kinds.has('function')]).toEqual([false, false, true]);
  });

  it('are about code without rounding under the reading over the reals', async () => {
    const contract = claim('σ(x)_i ≤ 1');
    const subjects = await softmaxSubject(contract);
    const kinds = (reading: Reading): ReadonlySet<string> =>
      kindsIn(made(request(contract, [3], { subjects, reading })).outputs.flatMap(({ elements }) => elements));
    expect([...kinds('real')]).not.toContain('round32');
    expect([...kinds('float32')]).toContain('round32');
  });

  it('run a kernel once for each row where they say so', async () => {
    const contract = elaborated({
      equations: softmax,
      obligations:
        '- { id: C, type: invariant, property: p, formal: "|Σ_j σ(A_i)_j - 1| ≤ 1e-4", requires: ["A ∈ F32^{m×n}, 1 ≤ m ≤ 5, 1 ≤ n ≤ 9, |A_ij| ≤ 20"] }',
    });
    const names = goal(contract).domain.sizes.map(({ name }) => name);
    const sizes = names.map((name) => (name === 'm' ? 2 : 3));
    const instance = made(request(contract, sizes, { subjects: await softmaxSubject(contract) }));
    expect(instance.outputs.map(({ elements }) => elements.length)).toEqual([6]);
    const values = new Map(instance.problem.variables.map(({ name }, i) => [name, i / 7]));
    const at = createEvaluator(float64, values);
    const [p = [], q = []] = [0, 3].map((from) => instance.outputs[0]?.elements.slice(from, from + 3).map(at.number));
    expect([p, q].map((row) => row.reduce((sum, x) => sum + x, 0))).toEqual([
      expect.closeTo(1, 6),
      expect.closeTo(1, 6),
    ]);
    expect(at.truth(instance.problem.conclusion)).toBe(true);
  });

  it('have a value only where their divisions do, under the conditions around them', () => {
    const free = made(request(overDomain('x ∈ F32, |x| ≤ 8', 'x / f(x) ≤ 1'), []));
    expect(free.defined.map(({ condition }) => text(condition))).toEqual(['¬(x = 0)']);
    const guarded = made(request(overDomain('x ∈ F32, |x| ≤ 8', 'f(x) > 0 ⟹ x / f(x) ≤ 1'), []));
    expect(guarded.defined.map(({ condition }) => text(condition))).toEqual(['¬(0 < x) ∨ ¬(x = 0)']);
  });

  it('with units in the last place have a variable for each, between bounds that hold', () => {
    const contract = overDomain('x ∈ F32, |x| ≤ 8', 'f(x) ≈ x', ', tolerance: { ulp: 2 }');
    const { problem } = made(request(contract, []));
    const unit = problem.variables.find(({ standsFor }) => standsFor);
    expect(unit).toMatchObject({ name: 'ulp:0', format: 'real', standsFor: { kind: 'ulp32' } });
    for (const x of [0, 1, -1, 3, 7.999, 2 ** -149, -(2 ** -126), 2 ** -127]) {
      const at = createEvaluator(float64, completeAssignment(problem.variables, new Map([['x', x]]), float64));
      expect(problem.premises.every(at.truth)).toBe(true);
      expect(at.truth(problem.conclusion)).toBe(true);
    }
  });

  it.each(['x·x', 'x / 3', '{ x if x > 0; x / 3 otherwise }', '-x'])(
    'know that %s is rounded by half a unit, where it does not overflow',
    (formula) => {
      const { problem } = made(request(overDomain('x ∈ F32', `f(x) ≈ ${formula}`, ', tolerance: { ulp: 2 }'), []));
      for (const x of [
        0,
        1,
        -1,
        1 + 2 ** -23,
        0.99999994,
        -5.5,
        2 ** -149,
        -3 * 2 ** -149,
        1e-25,
        1.8446743e19,
        1e20,
        -3e38,
      ]) {
        const inputs = new Map([['x', Math.fround(x)]]);
        const at = createEvaluator(decimals, completeAssignment(problem.variables, inputs, decimals));
        expect(problem.premises.map(at.truth), `at ${x}`).not.toContain(false);
      }
    },
  );
});

describe('what has no instance', () => {
  it('is a claim over numbers that are not finite', () => {
    const contract = elaborated({
      equations: 'f:\n  formula: "f(x) = x"\n  domain: "x ∈ F32_ext"\n  codomain: "f(x) ∈ ℝ"',
      obligations: '- { id: C, type: invariant, property: p, formal: "f(x) = x" }',
    });
    expect(instantiate(request(contract, []))).toMatchObject({
      ok: false,
      error: { place: null, message: expect.stringMatching(/NaN or infinite/) as string },
    });
  });

  it('is a plain function', async () => {
    const contract = claim('σ(x)_i ≤ 1');
    const [subject] = await softmaxSubject(contract);
    invariant(subject?.bound, 'there is a kernel');
    const bound = { ...subject.bound, program: { ...subject.bound.program, syntax: null } };
    expect(instantiate(request(contract, [2], { subjects: [{ ...subject, bound }] }))).toMatchObject({
      ok: false,
      error: { message: 'softmax is a plain function, whose code proofs do not read: write it as a gpu.js kernel' },
    });
  });

  it('is a claim that is too large, or has other sizes than it was given', async () => {
    const contract = claim('σ(x)_i ≤ 1');
    const subjects = await softmaxSubject(contract);
    expect(instantiate(request(contract, [500], { subjects, nodeLimit: 1000 }))).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/more than 1000 nodes/) as string },
    });
    expect(instantiate(request(contract, []))).toMatchObject({
      ok: false,
      error: { message: 'the claim has 1 sizes and was given 0' },
    });
  });
});
