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

describe('an argument of an equation whose left side names none', () => {
  const se = 'se: { formula: "SE = s / √n", domain: "s ≥ 0, n ≥ 1" }';
  const applied = (formal: string): readonly string[] => {
    const { goals } = elaborated({
      equations: se,
      obligations: `- { id: A, type: bound, property: p, formal: "${formal}" }`,
    });
    return (goals[0]?.applications ?? []).map((one) =>
      one.arguments.map((term) => (term.kind === 'variable' ? term.name : term.kind)).join(),
    );
  };

  it.each([
    ['is the input that it names', 'n_1 < n_2 ⟹ SE(n_1) ≥ SE(n_2)', ['s,n_1', 's,n_2']],
    ['is the first input where it names it', 's_1 < s_2 ⟹ SE(s_1) ≤ SE(s_2)', ['s_1,n', 's_2,n']],
    ['is taken by place where all are given', 'n > s ⟹ SE(n, s) ≥ SE(s, n)', ['n,s', 's,n']],
  ])('%s', (_, formal, expected) => {
    expect(applied(formal)).toEqual(expected);
  });

  it('is taken by place where the arguments are the first inputs in another order', () => {
    const { goals } = elaborated({
      equations: 'd: { formula: "d = (a - b) / s", domain: "a, b ∈ ℝ, s > 0" }',
      obligations: '- { id: A, type: symmetry, property: p, formal: "d(a, b) = -d(b, a)" }',
    });
    expect(goals[0]?.applications).toHaveLength(2);
  });
});

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
