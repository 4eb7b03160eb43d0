/**
 * Claims that elaborate and say less than they seem to: a tolerance that nothing uses, a result that is drawn as an input.
 *
 * Holds src/contract/elaborate/claims/claim-index.ts, src/contract/elaborate/claims/claim-of.ts,
 * src/contract/elaborate/context/claim-state.ts, src/contract/elaborate/claims/claim.ts.
 */
import { describe, expect, it } from 'vitest';
import { elaborateContract } from '../../../../src/contract/elaborate.ts';
import type { ElaboratedContract } from '../../../../src/contract/goal.ts';
import { readContract } from '../../../../src/contract/read.ts';

const equations = `metadata: { version: "1.0.0", description: Several, references: [a] }
equations:
  negate:
    formula: "y_i = -x_i"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, 0 ≤ x_i ≤ 100"
  shift:
    formula: "z_i = y_i + 1"
    domain: "y ∈ F32^n, 1 ≤ n ≤ 16, 0 ≤ y_i ≤ 100"
  soften:
    formula: "S(x, ε)_i = x_i / (|x_i| + ε)"
    domain: "x ∈ F32^n, ε ∈ F32, 1 ≤ n ≤ 16, |x_i| ≤ 100, 0.1 ≤ ε ≤ 100"
  double:
    formula: "D(x)_i = 2·x_i"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100"
`;

function elaborated(sections: string): ElaboratedContract {
  const { value } = readContract({ path: 'several-v1.yaml', text: equations + sections });
  if (!value) throw new Error(sections);
  return elaborateContract(value, new Map());
}

/** What is found in one claim, and the kernels that it runs: null if it is not a goal. */
function claim(section: string, ...lines: readonly string[]) {
  const [first, ...rest] = lines;
  const { goals, diagnostics } = elaborated(
    `${section}:\n  - ${first}\n${rest.map((line) => `    ${line}\n`).join('')}`,
  );
  return { codes: diagnostics.map(({ code }) => code), runs: goals[0]?.equations ?? null };
}

const obligation = (formal: string, ...more: readonly string[]) =>
  claim('proof_obligations', 'type: invariant', 'property: p', `formal: "${formal}"`, ...more);

describe('a tolerance', () => {
  it.each([
    ['|S(x, ε)_i - S_ref(x, ε)_i| ≤ ε', '{ abs: 1e-6 }'],
    ['|D(x)_i - 2·x_i| ≤ 1e-3', '{ abs: 1e-6 }'],
    ['|D(x)_i - 2·x_i| ≤ 4 ULP', '{ ulp: 1 }'],
  ])('of a claim that is decided by another bound is an error: %s', (formal, tolerance) => {
    expect(obligation(formal, `tolerance: ${tolerance}`)).toEqual({ codes: ['PV-4045'], runs: null });
  });

  it.each([
    ['D(x)_i = 2·x_i', '{ ulp: 4 }'],
    ['D(x)_i ≥ x_i - 100', '{ rel: 0.1 }'],
    ['|D(x)_i| ≤ 200', '{ abs: 1e-6 }'],
  ])('that an exact claim does not use is a warning: %s', (formal, tolerance) => {
    expect(obligation(formal, `tolerance: ${tolerance}`)).toEqual({ codes: ['PV-4047'], runs: ['double'] });
  });

  it.each([
    ['D(x)_i ≈ 2·x_i', '{ abs: 1e-6 }'],
    ['|D(x)_i - 2·x_i| ≤ ε', '{ abs: 1e-6 }'],
    ['|D(x)_i - 2·x_i| < tol', '{ ulp: 2 }'],
    ['D(x)_i ≥ x_i - 100 - ε', '{ abs: 1e-6 }'],
    // One of several comparisons is enough, and 0 allows nothing anyway.
    ['D(x)_i ≈ 2·x_i and |D(x)_i| ≤ 200', '{ ulp: 1 }'],
    ['D(x)_i = 2·x_i', '{ abs: 0 }'],
  ])('that a comparison uses is not reported: %s', (formal, tolerance) => {
    expect(obligation(formal, `tolerance: ${tolerance}`)).toEqual({ codes: [], runs: ['double'] });
  });

  it.each([
    // Nothing here says ε, and a bound that depends on an input is no tolerance.
    'S(x, ε)_i ≤ 1',
    '|S(x, ε)_i - S_ref(x, ε)_i| ≤ x_1 / 2',
  ])('that no comparison means is a warning where ε is an input of its equation: %s', (formal) => {
    expect(obligation(formal, 'requires: ["n ≥ 2"]', 'tolerance: { abs: 1e-6 }').codes).toContain('PV-4047');
  });

  it('is not required if ε is an input and the claim states no tolerance', () => {
    expect(obligation('|S(x, ε)_i| ≤ 1 + ε')).toEqual({ codes: [], runs: ['soften'] });
  });

  it('is ε, even if an equation other than the claim’s has an input ε', () => {
    const { goals } = elaborated(
      'proof_obligations:\n  - { type: bound, property: p, formal: "D(x)_i ≤ 2·x_i + ε", tolerance: { abs: 1e-6 } }\n',
    );
    expect(goals[0]?.toleranceText).toBe('abs 1e-6');
    expect(goals[0]?.domain.variables.map(({ name }) => name)).toEqual(['x']);
  });

  it('that a test takes over from its obligation need not be used', () => {
    const rule = 'O, type: invariant, property: p, formal: "D(x)_i ≈ 2·x_i", tolerance: { ulp: 1 }';
    const test = 'T, rule: O, prediction: "|D(x)_i| ≤ 200"';
    const { diagnostics } = elaborated(
      `proof_obligations: [{ id: ${rule} }]\nfalsification_tests: [{ id: ${test} }]\n`,
    );
    expect(diagnostics).toEqual([]);
  });
});

describe('the result of an equation', () => {
  it.each([
    // Without arguments it is what the kernel computes, although another equation has an input of that name.
    ['y_i ≥ 0', [], ['negate']],
    ['y_i ≤ 0', ['applies_to: negate'], ['negate']],
    // In claims about the equation that has the input, the name means the input.
    ['z_i ≥ 1', ['applies_to: shift'], ['shift']],
    ['z_i ≥ y_i', ['applies_to: shift'], ['shift']],
    ['z(y)_i ≥ 1', [], ['shift']],
    // An argument of another function may have any name.
    ['D(y)_i = y_i + y_i', ['requires: ["y ∈ F32^n"]'], ['double']],
  ])('is computed: %s %j', (formal, more, runs) => {
    expect(obligation(formal, ...more)).toEqual({ codes: [], runs });
  });

  it('is not a free input of a claim that runs nothing', () => {
    expect(obligation('y_i ≥ 0', 'requires: ["y ∈ F32^n", "0 ≤ y_i ≤ 1"]')).toEqual({ codes: ['PV-4046'], runs: null });
    // A test would give it.
    const given = claim('falsification_tests', 'id: T', 'prediction: "y_i ≥ 0"', 'given: "y ∈ {[0, 1]}"');
    expect(given).toEqual({ codes: ['PV-4014'], runs: null });
  });

  it('may be any number in a statement of the mathematics', () => {
    const said = obligation('y_i² ≥ 0', 'requires: ["y ∈ F32^n"]', 'about: mathematics');
    expect(said).toEqual({ codes: [], runs: [] });
  });
});
