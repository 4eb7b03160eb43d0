import { describe, expect, it } from 'vitest';
import { elaborated, goal } from '../support.ts';

const claimOf = (formal: string, domain = 'x ∈ F32, |x| ≤ 10') =>
  elaborated({
    equations: `f:\n  formula: "f(x) = max(0, x)"\n  domain: "${domain}"`,
    obligations: `- { id: C, type: monotonicity, property: p, formal: "${formal}" }`,
  });
const inputs = (formal: string): readonly string[] =>
  goal(claimOf(formal)).domain.variables.map(
    ({ name, lower, upper }) => `${name}${lower && upper ? '' : ' unbounded'}`,
  );

describe('a second argument that nothing declares', () => {
  it.each([
    ['x ≥ y ⟹ f(x) ≥ f(y)', ['x', 'y']],
    ['a < b implies f(a) <= f(b)', ['a', 'b']],
    ['|f(x) - f(y)| <= |x - y|', ['x', 'y']],
  ])('takes the type and the bounds of the first: %s', (formal, names) => {
    expect(inputs(formal)).toEqual(names);
  });

  it('is an error where it occurs once: it may be misspelt', () => {
    expect(claimOf('f(x) ≥ f(z)').diagnostics.map(({ code }) => code)).toContain('PV-4001');
  });

  it('is not invented for an input that a precondition ties to others', () => {
    const contract = claimOf('x ≥ y ⟹ f(x) ≥ f(y)', 'x ∈ F32, c ∈ F32, x · c > 1');
    expect(contract.goals).toEqual([]);
  });
});
