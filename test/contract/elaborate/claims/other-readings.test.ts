/** Claims that use names which nothing declares, or that name what they are about in their conditions. */
import { describe, expect, it } from 'vitest';
import type { ElaboratedContract } from '../../../../src/contract/goal.ts';
import { elaborated } from '../support.ts';

const equations = `
frequency: { formula: "freq_i = base^(-2i/d_k) for i in [0, d_k/2)", domain: "base = 1000000, d_k = 128" }
flops: { formula: "F = 2·P", domain: "P ≥ 0" }
relu: { formula: "relu(x) = max(0, x)", domain: "x ∈ ℝ" }
mse: { formula: "MSE = (1/n) Σ(y_i - z_i)²", domain: "y, z ∈ ℝ^n" }
rate: { formula: "tok/s = bandwidth / bytes", domain: "bandwidth > 0, bytes > 0" }
gelu: { formula: "GELU(x) = x · Φ(x) ≈ x · sigmoid(1.702·x)", domain: "x ∈ ℝ" }
gate: { formula: "D_t = softplus(Linear(x_t)), B_t = Linear(x_t)", domain: "x_t in R^d" }
scaling: { formula: "σ(cg + h) where c, h = argmin loss over all of the labels", domain: "g ∈ ℝ" }`;

const matmul = `
matmul: { formula: "C_{ij} = Σ_k A_{ik} · B_{kj}", domain: "A ∈ ℝ^{m×p}, B ∈ ℝ^{p×n}" }
quantized: { formula: "q_dot(a, b) = Σ_k a_k · b_k", domain: "a, b ∈ ℝ^n" }`;

const claimed = (formal: string, more = 'tolerance: { abs: 1e-4 }'): ElaboratedContract =>
  elaborated({
    equations: formal.includes('A(B') ? matmul : equations,
    obligations: `- { id: C, type: invariant, property: p, formal: "${formal}", ${more} }`,
  });

/** What is assumed so that the claim can be read; `whole` if nothing is. */
function reading(formal: string): string {
  const { goals, notGoals } = claimed(formal);
  if (goals.length > 0) return 'whole';
  const [missing] = notGoals;
  if (!missing?.asRead) return `not read: ${missing?.reason}`;
  return `${missing.widened === true ? 'widened, ' : ''}${missing.reason.split(': ')[0]}`;
}

describe('a claim with names that nothing declares is read in part', () => {
  it.each([
    ['len(freqs) = 64', 'widened, freqs is read as freq'],
    ['F ≤ 2·P + O(n·d)', 'widened, O(n·d) is left out'],
    ['|A(B+C) - AB - AC| < ε', "it is assumed to be about any C' ∈ ℝ^{p × n}"],
    ['|(AB)C - A(BC)| < ε', "it is assumed to be about any C' ∈ ℝ^{n × q}"],
    ['softplus(u) ≥ 0 for all u', 'u is taken to be any number'],
    ['D_t = softplus(u) > 0 for all u', 'u is taken to be any number'],
    ['σ(cg + h) ∈ [0, 1] for all g ∈ ℝ', 'it is assumed to be about any c'],
  ])('%s', (formal, expected) => {
    expect(reading(formal)).toBe(expected);
  });

  it.each([
    // A term of an order on the smaller side asks for more.
    ['2·P + O(n) ≤ F', 'nothing declares O'],
    ['F = 2·P + O(n)', 'nothing declares O'],
    ['len(relus) = 64', 'nothing declares relus'],
    ['q = softplus(u)', 'nothing declares'],
  ])('but not %s', (formal, expected) => {
    expect(reading(formal)).toContain(`not read: ${expected}`);
  });

  it('has the shape that inputs have, if there is one', () => {
    const read = (domain: string) =>
      elaborated({
        equations: `temperature: { formula: "softmax(logits / T)", domain: "logits ∈ ℝ^V, T > 0${domain}" }`,
        obligations:
          '- { id: C, type: equivalence, property: p, formal: "softmax(l/1) == softmax(l)", tolerance: { abs: 1e-6 } }',
      }).notGoals[0];
    expect(read('')?.reason).toContain('it is assumed to be about any l ∈ ℝ^{V}');
    expect(read('')?.asRead?.domain.variables.map(({ name, shape }) => [name, shape.length])).toEqual([['l', 1]]);
    expect(read(', p ∈ ℝ^k')?.asRead).toBeUndefined();
  });
});

describe('a condition', () => {
  it('that two inputs are equal makes them one', () => {
    const [goal] = claimed('MSE = 0 when z = y').goals;
    expect(goal?.domain.variables.map(({ name }) => name)).toEqual(['y']);
    expect(goal?.applications[0]?.arguments.map((term) => term.kind === 'variable' && term.name)).toEqual(['y', 'y']);
  });

  it('says what a name means that nothing declares', () => {
    const [goal] = claimed('relu(x) + w ≥ 2·x when w = 2·x').goals;
    expect(goal?.domain.variables.map(({ name }) => name)).toEqual(['x']);
    expect(reading('relu(x) ≥ 0 when w = 2·x')).toContain('not read: nothing declares w');
    expect(reading('relu(x) ≥ w when w = 3')).not.toBe('whole');
  });
});

describe('what a claim names', () => {
  it.each([
    ['relu(z′) ≥ 0 for all z′', 'relu', ['z′']],
    ['b1 < b2 ⟹ tok_s(b1) ≤ tok_s(b2)', 'rate', ['bytes', 'b1', 'b2']],
  ])('is an equation: %s', (formal, equation, variables) => {
    const [goal] = claimed(formal.replaceAll('z′', 'z1')).goals;
    expect(goal?.applications[0]?.equation).toBe(equation);
    expect(goal?.domain.variables.map(({ name }) => name)).toEqual(variables.map((one) => (one === 'z′' ? 'z1' : one)));
  });

  it('is either side of an approximation, and never the kernel', () => {
    for (const more of ['tolerance: { abs: 0.1 }', 'semantics: real, tolerance: { abs: 0.1 }']) {
      const [goal] = claimed('|GELU_approx(x) - GELU_exact(x)| < ε', more).goals;
      expect(goal?.applications.map(({ equation }) => equation)).toEqual([]);
      expect(JSON.stringify(goal?.predicate)).toContain('sigmoid');
      expect(JSON.stringify(goal?.predicate)).toContain('erf');
    }
    expect(claimed('GELU_fast(x) ≥ -1').goals).toEqual([]);
  });
});
