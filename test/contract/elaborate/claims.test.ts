/**
 * Holds src/contract/elaborate/operators/error-terms.ts, src/contract/elaborate/claims/quantified-inputs.ts,
 * src/contract/elaborate/operators/relations.ts, src/contract/elaborate/claims/claim-outcome.ts, src/contract/elaborate/claims/formal-claim.ts,
 * src/contract/elaborate/claims/outcome.ts, src/contract/elaborate/claims/statement-goals.ts.
 */
import { describe, expect, it } from 'vitest';
import { evaluateTerm } from '../../../src/math/evaluate/interpret.ts';
import { printTerm } from '../../../src/math/term/print-term.ts';
import type { ElaboratedContract, Goal } from '../../../src/contract/goal.ts';
import { claim, elaborated, goal, marked, softmax, vector } from './support.ts';

const predicate = (g: Goal): string => printTerm(g.predicate, 2000);
const runs = (g: Goal): readonly string[] =>
  g.applications.map(
    (a) =>
      `${a.output} = ${a.equation}(${[...a.arguments, ...a.sizes].map((t) => printTerm(t).replaceAll(/~\d+/g, '')).join(', ')})`,
  );

describe('what a claim says', () => {
  it.each([
    ['∀ i: σ(x)_i ≥ 0', '∀_{i<n}: out:0_i ≥ 0'],
    ['σ(x)_i ≥ 0', '∀_{i<n}: out:0_i ≥ 0'],
    ['σ(x)_i ≥ 0 for all i', '∀_{i<n}: out:0_i ≥ 0'],
    ['σ(x) ≥ 0', '∀_{i<n}: out:0_i ≥ 0'],
    ['0 ≤ σ(x)_i ≤ 1', '∀_{i<n}: 0 ≤ out:0_i ∧ out:0_i ≤ 1'],
    ['σ(x)_i ∈ [0, 1]', '∀_{i<n}: 0 ≤ out:0_i ∧ out:0_i ≤ 1'],
    ['σ(x) ∈ [0, 1]^n', '∀_{i<n}: 0 ≤ out:0_i ∧ out:0_i ≤ 1'],
    ['∀ i, j: x_i ≤ x_j ⟹ σ(x)_i ≤ σ(x)_j', '∀_{i<n, j<n}: x_i ≤ x_j ⟹ out:0_i ≤ out:0_j'],
    ['σ(x)_i ≤ σ(x)_j when x_i ≤ x_j', '∀_{i<n, j<n}: x_i ≤ x_j ⟹ out:0_i ≤ out:0_j'],
    ['∃ i: σ(x)_i ≥ 1/n', '∃_{i<n}: out:0_i ≥ 1 / n'],
    ['argmax(σ(x)) = argmax(x)', 'argmax_{i<n} out:0_i = argmax_{i~2<n} x_i~2'],
    ['|σ(x)_i| < ∞', '∀_{i<n}: is_finite(out:0_i)'],
    ['is_finite(σ(x))', '∀_{i<n}: is_finite(out:0_i)'],
    ['σ(x)_0 = 1 if n = 1', 'out:0_0 = 1'],
    ['|σ(x)_i - σ_ref(x)_i| ≤ 4 ULP', 'ulp_distance(out:0_i, '],
    ['σ([0, 0])_0 = 0.5', 'out:0_0 = 0.5'],
  ])('%s', (formal, expected) => expect(predicate(goal(claim(formal)))).toContain(expected));

  it('knows an equation by its key and by its symbol', () => {
    expect(goal(claim('softmax(x)_i ≥ 0')).digest).toBe(goal(claim('σ(x)_i ≥ 0')).digest);
  });

  it('names every place that disagrees with a name', () => {
    const { diagnostics, notGoals } = claim('sm(x)_i ≥ 0');
    expect(diagnostics.map((d) => [d.code, marked(d)])).toEqual([['PV-4001', 'sm']]);
    expect(notGoals[0]?.status).toBe('undetermined');
  });
});

describe('subscripts without commas', () => {
  const attention = 'f: { formula: "f(Q, V)_ic = Σ_j Q_ij·V_jc", domain: "Q ∈ F32^{n×s}, V ∈ F32^{s×v}" }';
  const obligation = (formal: string): string => `- { id: C, type: invariant, property: p, formal: "${formal}" }`;
  it.each([
    ['V_0c = V_{0,c}', 'f(Q, V)_0c ≤ V_0c', '∀_{c<v}: out:0_{0, c} ≤ V_{0, c}'],
    ['V_c0 = V_{c,0}', 'f(Q, V)_i0 ≤ 1', '∀_{i<n}: out:0_{i, 0} ≤ 1'],
    ['V_10 = V_{1,0}', 'f(Q, V)_10 ≤ V_10', 'out:0_{1, 0} ≤ V_{1, 0}'],
  ])('one character per axis: %s', (_, formal, expected) => {
    const { goals } = elaborated({ equations: attention, obligations: obligation(formal) });
    expect(goals.map(predicate)).toEqual([expected]);
  });
});

describe('kernel applications', () => {
  it('run once each, inner before outer', () => {
    expect(runs(goal(claim('σ(σ(x))_i ≥ σ(x)_i - 1')))).toEqual(['out:0 = softmax(x, n)', 'out:1 = softmax(out:0, n)']);
  });
  it('take whole expressions', () => {
    expect(runs(goal(claim('σ(x + c)_i ≥ 0', ', requires: ["c ∈ F32, |c| ≤ 100"]')))).toEqual([
      'out:0 = softmax([x_i + c : i<n], n)',
    ]);
  });
  it('have the sizes of their arguments', () => {
    expect(runs(goal(claim('σ([1, 2, 3])_0 ≥ 0')))[0]).toMatch(/, 3\)$/);
  });
  it('fill a tensor with a number', () => {
    expect(runs(goal(claim('σ(0)_i = 1/n')))).toEqual(['out:0 = softmax([0 : i<n], n)']);
  });
  const perRow = (formal: string): ElaboratedContract =>
    elaborated({
      equations: softmax,
      obligations: `- { id: C, type: invariant, property: p, formal: "${formal}", requires: ["A ∈ F32^{m×n}, B ∈ F32^{k×m×n}, c ∈ F32"] }`,
    });
  it('run once per index of their arguments', () => {
    const g = goal(perRow('σ(A_i)_j ≥ 0'));
    expect(runs(g)).toEqual(['out:0 = softmax([A_{i, i} : i<m, i<n], n)']);
    expect(predicate(g)).toBe('∀_{i<m, j<n}: out:0_{i, j} ≥ 0');
    expect(g.applications[0]?.each?.arguments).toEqual([true]);
    expect(g.applications[0]?.each?.sizes.map((size) => printTerm(size))).toEqual(['m']);
  });
  it('run once per index of several, and once more on the outputs', () => {
    const g = goal(perRow('σ(σ(B_ai))_j ≥ 0'));
    expect(g.applications.map(({ type }) => (type.kind === 'tensor' ? type.shape.length : 0))).toEqual([3, 3]);
    expect(predicate(g)).toBe('∀_{a<k, i<m, j<n}: out:1_{a, i, j} ≥ 0');
  });
  it('are the same application under another name of the index', () => {
    expect(goal(perRow('σ(A_i)_j + σ(A_t)_j ≥ 0')).applications).toHaveLength(1);
  });
  it('run over a helper of the claim', () => {
    const g = goal(perRow('Σ_j P_ij ≤ 2 where P_ij = σ(A_i)_j'));
    expect(g.applications).toHaveLength(1);
  });
  it('do not run over a range that does not start at 0', () => {
    const result = perRow('Σ_{i=1}^{n-1} σ(x_i·x)_0 ≥ 0');
    expect(result.notGoals[0]?.reason).toMatch(/runs once per i, and its range from 0 is not known yet/);
    expect(result.diagnostics.map((d) => d.severity)).toEqual(['warning']);
  });
  it('are not needed for mathematics about the reference', () => {
    const g = goal(claim('Σ_i σ_ref(x)_i ≥ 0'));
    expect(g.applications).toEqual([]);
    expect(g.equations).toEqual([]);
  });
});

describe('named and implicit arguments', () => {
  const equations = `
rmsnorm:
  formula: "RMSNorm(x)_i = x_i·γ_i / RMS(x) where RMS(x) = √(Σ_i x_i² / n + ε)"
  domain: "x ∈ F32^n, γ ∈ F32^n, ε > 0, n ≤ 16"`;
  const one = (formal: string, rest = ''): Goal =>
    goal(
      elaborated({ equations, obligations: `- { id: C, type: invariant, property: p, formal: "${formal}"${rest} }` }),
    );

  it('are themselves unless named', () => {
    expect(runs(one('RMSNorm(α·x)_i ≥ 0', ', requires: ["α ∈ F32"]'))).toEqual([
      'out:0 = rmsnorm([α · x_i : i<n], γ, ε, n)',
    ]);
    expect(runs(one('RMSNorm(x, γ = 2·γ)_i ≥ 0'))).toEqual(['out:0 = rmsnorm(x, [2 · γ_i : i<n], ε, n)']);
  });
  it('may use the helpers of the formula', () => {
    expect(predicate(one('RMS(x) > 0'))).toBe('√(Σ_{i<n} x_i ^ 2 / n + ε) > 0');
  });
  it('take ε for the input of that name, not for the tolerance', () => {
    expect(predicate(one('RMSNorm(x)_i ≥ -ε'))).toContain('≥ -ε');
  });
  it('prune inputs that play no part', () => {
    expect(one('RMS(x) > 0').domain.variables.map((v) => v.name)).toEqual(['x', 'ε']);
  });
  it('build conditions on inputs into the domain', () => {
    const g = one('RMSNorm(x)_i ≤ 100 when γ = 1');
    expect(g.domain.variables.find((v) => v.name === 'γ')?.choices?.map((c) => printTerm(c))).toEqual(['1']);
  });
  it('report a name that the equation does not have', () => {
    const { diagnostics } = elaborated({
      equations,
      obligations: '- { id: C, type: invariant, property: p, formal: "RMSNorm(x, beta = 1)_i ≥ 0" }',
    });
    expect(diagnostics.map((d) => d.code)).toEqual(['PV-4008']);
    expect(diagnostics[0]?.hint).toBe('its inputs are x, γ, ε, n');
  });
});

describe('conditions', () => {
  it('on the claimed index stay conditions: the other elements are free', () => {
    const g = goal(claim('σ(x)_i ≥ 0 when x_i > 0'));
    expect(predicate(g)).toBe('∀_{i<n}: x_i > 0 ⟹ out:0_i ≥ 0');
    expect(g.domain.variables[0]?.lower && printTerm(g.domain.variables[0].lower.value)).toBe('-1e4');
  });
  it('on the whole input are built', () => {
    const g = goal(claim('σ(x)_i ≥ 0 when x > 0'));
    expect(predicate(g)).toBe('∀_{i<n}: out:0_i ≥ 0');
    expect(g.domain.variables[0]?.lower && printTerm(g.domain.variables[0].lower.value)).toBe('0');
  });
  it('on outputs stay conditions', () => {
    expect(predicate(goal(claim('x_0 ≥ x_1 when σ(x)_0 > σ(x)_1')))).toContain('⟹');
  });
});

describe('quantified inputs', () => {
  it('extend the domain with their bounds built in', () => {
    const g = goal(claim('∀ c ∈ F32, |c| ≤ 100: σ(x + c)_i ≥ 0'));
    const c = g.domain.variables.find((v) => v.name === 'c');
    expect([c?.lower && printTerm(c.lower.value), c?.upper && printTerm(c.upper.value)]).toEqual(['-100', '100']);
    expect(predicate(g)).toBe('∀_{i<n}: out:0_i ≥ 0');
  });
  it('mean the same as requires', () => {
    const required = goal(claim('σ(x + c)_i ≥ 0', ', requires: ["c ∈ F32, |c| ≤ 100"]'));
    expect(goal(claim('∀ c ∈ F32, |c| ≤ 100: σ(x + c)_i ≥ 0')).digest).toBe(required.digest);
  });
  it('may be declared inputs', () => {
    expect(goal(claim('∀ x, i: σ(x)_i ≥ 0')).digest).toBe(goal(claim('σ(x)_i ≥ 0')).digest);
  });
  it('bound by a relation are real', () => {
    const g = goal(claim('σ(α·x)_i ≥ 0 for α ≠ 0'));
    expect(g.domain.variables.find((v) => v.name === 'α')?.excluded.map((t) => printTerm(t))).toEqual(['0']);
  });
});

describe('tolerances', () => {
  const allowed = (formal: string, tolerance: string, values: Readonly<Record<string, number>> = {}): number => {
    const g = goal(claim(formal, `, tolerance: ${tolerance}`));
    const { predicate: p } = g;
    const last = p.kind === 'call' ? p.arguments[2] : undefined;
    if (p.kind !== 'call' || p.fn !== 'approximately' || !last) throw new Error(printTerm(p));
    return Number(evaluateTerm(last, new Map(Object.entries(values))));
  };

  it('add their parts', () => {
    expect(allowed('Σ_i σ(x)_i ≈ 1', '{ abs: 0.25 }')).toBe(0.25);
    expect(allowed('Σ_i σ(x)_i ≈ 1', '{ abs: 0.25, per: n }', { n: 8 })).toBe(2);
    expect(allowed('Σ_i σ(x)_i ≈ 4', '{ rel: 0.5 }')).toBe(2);
    expect(allowed('Σ_i σ(x)_i ≈ 4', '{ ulp: 3 }')).toBe(3 * 2 ** -21);
    expect(allowed('Σ_i σ(x)_i ≈ 4', '{ abs: 1, rel: 0.5, ulp: 2 }')).toBe(1 + 2 + 2 * 2 ** -21);
    expect(allowed('Σ_i σ(x)_i ≈ n·n', '{ cond: 4 }', { n: 3 })).toBe(0);
  });
  it('are what ε means', () => {
    expect(goal(claim('|Σ_i σ(x)_i - 1| ≤ ε', ', tolerance: { abs: 6e-8, per: n }')).digest).toBe(
      goal(claim('Σ_i σ(x)_i ≈ 1', ', tolerance: { abs: 6e-8, per: n }')).digest,
    );
    expect(predicate(goal(claim('max(σ(x)) ≤ 1 + ε', ', tolerance: { abs: 1e-7 }')))).toBe(
      'max_{i<n} out:0_i ≤ 1 + 1e-7',
    );
    expect(predicate(goal(claim('|Σ_i σ(x)_i - 1| < ε', ', tolerance: { abs: 1e-7 }')))).toContain('< 1e-7');
  });
  it('are shown as they are used', () => {
    expect(goal(claim('|Σ_i σ(x)_i - 1| ≤ ε', ', tolerance: { abs: 6e-8, per: n }')).toleranceText).toBe(
      'abs 6e-8 per n',
    );
    expect(goal(claim('σ(x)_i ≥ 0', '')).toleranceText).toBe('exact');
    expect(goal(claim('σ(x) ≈ σ_ref(x)', ', tolerance: { cond: 1, envelope: wgsl }')).toleranceText).toBe(
      'cond 1 of WGSL',
    );
  });
  it.each([
    ['σ(x) ≈ σ_ref(x)', '', 'PV-4011'],
    ['|Σ_i σ(x)_i - 1| ≤ ε', '', 'PV-4011'],
    ['σ(x) ≈ σ_ref(x)', ', tolerance: { abs: 1, per: x }', 'PV-4012'],
    ['σ(x)_i ≈ sin(σ(x)_i)', ', tolerance: { cond: 1, envelope: wgsl }', 'PV-4012'],
  ])('%s%s is %s', (formal, rest, code) => {
    expect(claim(formal, rest).diagnostics.map((d) => d.code)).toContain(code);
  });
});

it('counts in the accuracy of a device where the tolerance says so', () => {
  const onDevice = predicate(goal(claim('σ(x) ≈ σ_ref(x)', ', tolerance: { cond: 1, envelope: wgsl }')));
  const inFloat32 = predicate(goal(claim('σ(x) ≈ σ_ref(x)', ', tolerance: { cond: 1 }')));
  expect(onDevice).toContain('8 + 4 · |');
  expect(inFloat32).not.toContain('8 + 4 · |');
});

describe('comparisons that say nothing', () => {
  it.each(['σ(x) = σ(x)', 'σ(x)_i ≤ σ(x)_i', 'x + c = x + c'])('%s', (formal) => {
    const { diagnostics } = claim(formal, ', requires: ["c ∈ F32"]');
    expect(diagnostics.map((d) => d.code)).toEqual(['PV-4013']);
  });
  it('are not ground facts', () => expect(claim('2 + 2 = 4').goals).toHaveLength(1));
});

describe('semantics', () => {
  it('real: the claim is about the equations, and runs no kernel', () => {
    const made = goal(claim('|Σ_i σ(x)_i - 1| ≤ ε', ', semantics: real, tolerance: { abs: 1e-30 }'));
    expect(made).toMatchObject({ equations: [], cases: 200, semantics: 'real' });
    expect(made.overReals?.equations.map(({ name }) => name)).toEqual(['softmax']);
    expect(made.domain.sizes[0]?.maximum).toBe(8);
  });

  it('real: kernel and reference are one thing', () => {
    const { diagnostics } = claim('σ(x) = σ_ref(x)', ', semantics: real');
    expect(diagnostics.map((d) => d.code)).toEqual(['PV-4013']);
  });

  it.each(['{ ulp: 4 }', '{ cond: 8 }', '{ abs: 1e-9, ulp: 1 }'])(
    'real: no units of float32, as in %s',
    (tolerance) => {
      const { diagnostics } = claim('σ(x) ≈ 1/n', `, semantics: real, tolerance: ${tolerance}`);
      expect(diagnostics.map((d) => d.code)).toEqual(['PV-4012']);
    },
  );

  it.each(['{ abs: 1e-6 }', '{ rel: 1e-6, ulp: 2 }'])('ulp: no other units, as in %s', (tolerance) => {
    const { diagnostics } = claim('σ(x) ≈ σ_ref(x)', `, semantics: ulp, tolerance: ${tolerance}`);
    expect(diagnostics.map((d) => d.code)).toEqual(['PV-4012']);
  });

  it('of a test are those of its obligation, unless it has its own', () => {
    const semanticsOf = (rest: string): string | undefined =>
      elaborated({
        equations: softmax,
        obligations: `- { id: C, type: invariant, property: p, formal: "σ(x)_i > 0", semantics: real }`,
        tests: `- { id: F, rule: C, prediction: "σ(x)_i ≥ 0"${rest} }`,
      }).goals.find(({ claim: id }) => id === 'F')?.semantics;
    expect([semanticsOf(''), semanticsOf(', semantics: ieee')]).toEqual(['real', 'ieee']);
  });
});

describe('tolerances of backends', () => {
  const made = goal(claim('σ(x) ≈ σ_ref(x)', ', tolerance: { rel: 1e-6, backends: { gpujs-webasm: { ulp: 4 } } }'));
  it('make a goal of their own, under its own digest', () => {
    const own = made.onBackends['gpujs-webasm'];
    expect([made.toleranceText, own?.toleranceText]).toEqual(['rel 1e-6', 'ulp 4']);
    expect(own?.id).toBe(made.id);
    expect(own?.digest).not.toBe(made.digest);
  });
  it('are inherited by tests of the obligation', () => {
    const { goals } = elaborated({
      equations: softmax,
      obligations: `- { id: C, type: equivalence, property: p, formal: "σ(x) ≈ σ_ref(x)", tolerance: { rel: 1e-6, backends: { ref32: { ulp: 4 } } } }`,
      tests: `- { id: F, rule: C, prediction: "σ(x) ≈ σ_ref(x)" }`,
    });
    expect(goals.map(({ onBackends }) => Object.keys(onBackends))).toEqual([['ref32'], ['ref32']]);
  });
  it('do not replace the common one', () => {
    const { diagnostics } = claim('σ(x) ≈ σ_ref(x)', ', tolerance: { backends: { ref32: { ulp: 4 } } }');
    expect(diagnostics.map((d) => d.code)).toEqual(['PV-4011']);
  });
});

describe('statistical claims', () => {
  const dropout = `
dropout:
  formula: "D(x, u)_i = if u_i < p then 0 else x_i / (1 - p)"
  domain: "x ∈ F32^n, u ∈ F32^n, p ∈ F32, 1 ≤ n ≤ 64, |x_i| ≤ 100, 0 ≤ u_i < 1, 0 ≤ p ≤ 0.75"
  codomain: "D(x, u) ∈ F32^n"`;
  const statistical = (formal: string, random = '[u]'): ElaboratedContract =>
    elaborated({
      equations: dropout,
      obligations: `- { id: C, type: invariant, property: p, formal: "${formal}", semantics: statistical, tolerance: { abs: 0.1 }, methods: { statistical: { random: ${random}, draws: 500 } } }`,
    });

  it('compare statistics with numbers', () => {
    const made = goal(statistical('mean(D(x, u)_i) ≈ x_i ∧ probability(D(x, u)_i = 0) ≥ p'));
    expect(made.statistical).toMatchObject({ random: ['u'], draws: 500, settings: 4, alpha: 0.001 });
    expect(made.statistical?.comparisons.map(({ statistic, relation, text }) => [statistic, relation, text])).toEqual([
      ['mean', '≈', 'mean(D(x, u)_i) ≈ x_i'],
      ['probability', '≥', 'probability(D(x, u)_i = 0) ≥ p'],
    ]);
    expect(made.equations).toEqual(['dropout']);
  });

  it.each(['|mean(D(x, u)_i) - x_i| ≤ ε', 'x_i ≈ E(D(x, u)_i)', 'mean(D(x, u)) ≈ x'])('as in %s', (formal) => {
    expect(goal(statistical(formal)).statistical?.comparisons).toMatchObject([{ statistic: 'mean', relation: '≈' }]);
  });

  it.each([
    ['D(x, u)_i ≈ x_i', 'PV-4027'],
    ['mean(D(x, u)_i) = x_i', 'PV-4027'],
    ['mean(D(x, u)_i) ≈ u_i', 'PV-4027'],
    ['mean(D(x, u)_i) ≈ D(x, u)_i', 'PV-4027'],
    ['probability(D(x, u)_i) ≈ p', 'PV-4027'],
    ['p > 0 ⟹ mean(D(x, u)_i) ≈ x_i', 'PV-4027'],
  ])('and nothing else: %s', (formal, code) => {
    expect(statistical(formal).diagnostics.map((d) => d.code)).toEqual([code]);
  });

  it('draw inputs that they have', () => {
    expect(statistical('mean(D(x, u)_i) ≈ x_i', '[v]').diagnostics.map((d) => d.code)).toEqual(['PV-4028']);
  });
});

describe('prose', () => {
  it('is not a goal and not a mistake', () => {
    const result = claim('the outputs are nice and friendly to everybody');
    expect(result.notGoals.map((n) => n.status)).toEqual(['prose']);
    expect(result.diagnostics).toEqual([]);
  });
});

describe('several contracts', () => {
  const sub = elaborated({ equations: softmax });
  const attention = `
attention:
  formula: "A(S, V)_ic = Σ_j softmax(S_i)_j·V_jc"
  domain: "S ∈ F32^{n×m}, V ∈ F32^{m×d}, n, m, d ≤ 4"`;
  const result = elaborated(
    {
      equations: attention,
      dependsOn: ['softmax-kernel-v1'],
      path: 'attention-kernel-v1.yaml',
      obligations: '- { id: C, type: invariant, property: p, formal: "softmax(x)_i ≥ 0" }',
    },
    new Map([['softmax-kernel-v1', sub]]),
  );
  it('inline the mathematics of a sub-contract in formulas', () => {
    const [equation] = result.equations;
    const value =
      equation &&
      evaluateTerm(
        equation.body,
        new Map(
          Object.entries({ n: 1, m: 2, d: 1, S: { shape: [1, 2], data: [0, 0] }, V: { shape: [2, 1], data: [1, 3] } }),
        ),
      );
    expect(value).toEqual({ shape: [1, 1], data: [2] });
  });
  it('run its kernel in claims, by its full name', () => {
    expect(result.goals[0]?.applications[0]?.equation).toBe('softmax-kernel-v1/softmax');
  });
});

it('evaluates a predicate over inputs and outputs', () => {
  const g = goal(claim('|Σ_i σ(x)_i - 1| ≤ ε', ', tolerance: { abs: 6e-8, per: n }'));
  const at = (...out: readonly number[]): unknown =>
    evaluateTerm(g.predicate, new Map(Object.entries({ n: 2, x: vector(0, 0), 'out:0': vector(...out) })));
  expect(at(0.5, 0.5)).toBe(true);
  expect(at(0.5, 0.6)).toBe(false);
  expect(at(0.5, NaN)).toBe(false);
});

describe('a claim that would be green whatever the kernel does', () => {
  const two = `
f: { formula: "F(x)_i = 2·x_i", domain: "x ∈ F32^n, 1 ≤ n ≤ 8" }
g: { formula: "G(x)_i = 3·x_i", domain: "x ∈ F32^n, 1 ≤ n ≤ 8" }`;
  const applying = (id: string, formal: string, equation: string): string =>
    `- { id: ${id}, type: invariant, property: p, formal: "${formal}", applies_to: ${equation} }`;

  it.each([
    ['the equation alone', 'F_ref(x)_i = 2·x_i'],
    ['inputs alone', 'x_i·2 = 2·x_i'],
    ['another kernel', 'G(x)_i = 3·x_i'],
  ])('is refused when it speaks of %s', (_, formal) => {
    const { goals, notGoals, diagnostics } = elaborated({ equations: two, obligations: applying('C', formal, 'f') });
    expect(goals).toEqual([]);
    expect(notGoals.map(({ status, reason }) => [status, reason])).toEqual([
      ['undetermined', "the claim applies to 'f' and never runs its kernel"],
    ]);
    expect(diagnostics.map((d) => [d.code, d.severity, marked(d)])).toEqual([['PV-4024', 'error', formal]]);
  });

  it('is taken if it runs that kernel among others, or applies to no kernel', () => {
    expect(
      elaborated({ equations: two, obligations: applying('C', 'F(x)_i ≤ G(x)_i when x_i ≥ 0', 'f') }).goals,
    ).toHaveLength(1);
    expect(
      elaborated({
        equations: two,
        obligations: '- { id: C, type: invariant, property: p, formal: "G_ref(x)_i = 3·x_i" }',
      }).goals,
    ).toHaveLength(1);
  });

  it('is refused when another claim has its id: evidence is kept by id', () => {
    const { goals, notGoals } = elaborated({
      equations: two,
      obligations: [applying('C', 'F(x)_i = 2·x_i', 'f'), applying('C', 'F(x)_i ≥ 0 when x_i ≥ 0', 'f')].join('\n'),
    });
    expect(goals).toEqual([]);
    expect(notGoals.map(({ reason }) => reason)).toEqual(
      Array(2).fill('its id is repeated, so evidence could belong to either claim'),
    );
  });
});
